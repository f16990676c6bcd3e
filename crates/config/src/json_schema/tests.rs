//! The schema beside what reads the configuration: value by value, key by key.

use jsonschema::Validator;
use serde_json::Value;

use super::schema_json;
use crate::schema::ALARM;
use crate::schema::tests::uncommented;
use crate::{File, ProcessEnvironment, Purpose, Severity, read};

/// Values of many kinds, most of which most keys cannot have.
const PROBES: [&str; 42] = [
    "-1",
    "0",
    "1",
    "4",
    "5",
    "12",
    "13",
    "28",
    "29",
    "64",
    "65",
    "1000000",
    "1000001",
    "0.0",
    "0.5",
    "1.0",
    "1.4",
    "1.6",
    "2.5",
    "10.5",
    "nan",
    "true",
    "\"\"",
    "\"page\"",
    "\"anomaly\"",
    "\"p50\"",
    "\"json\"",
    "\"error\"",
    "\"missing\"",
    "\"series\"",
    "\"90s\"",
    "\"14d\"",
    "\"5 min\"",
    "\"us-east-1\"",
    "\"a b\"",
    "[]",
    "[\"*\"]",
    "[\"a[b]\"]",
    "[\"no_data\"]",
    "[1]",
    "{}",
    "{ env = \"SOME_NAME\" }",
];

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&schema_json()).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Whether the schema takes a text, and whether otpsd does.
fn taken(validator: &Validator, text: &str) -> (bool, Result<(), String>) {
    let json = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
    let file = File { path: "otpsd.toml".into(), text: text.to_owned() };
    let outcome = read(&[file], Purpose::Backtest, &ProcessEnvironment);
    let error = outcome.problems.into_iter().find(|problem| problem.severity == Severity::Error);
    (validator.is_valid(&json), error.map_or(Ok(()), |error| Err(error.message)))
}

#[test]
fn the_schema_refuses_nothing_that_is_read_and_something_of_every_key() {
    let validator = validator();
    let text = uncommented();
    assert_eq!(taken(&validator, &text), (true, Ok(())));
    let lines: Vec<&str> = text.lines().collect();
    let mut keys = 0;
    for table in lines.chunk_by(|_, next| !next.starts_with('[')) {
        // Most tables can be read alone, which is sooner done.
        let is_alone = taken(&validator, &table.join("\n")) == (true, Ok(()));
        let lines = if is_alone { table } else { &lines[..] };
        keys += probed(&validator, lines, table);
    }
    assert!(keys > 90, "{keys}");
}

/// Puts each of the probes in the place of each value of a table, and returns how many there are.
fn probed(validator: &Validator, lines: &[&str], table: &[&str]) -> usize {
    let mut keys = 0;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| table.contains(line)) {
        let Some((key, _)) = line.split_once(" = ").filter(|(key, _)| !key.contains([' ', '#'])) else {
            continue;
        };
        if table[0].starts_with("[override.") && ALARM.keys.contains(&key) {
            // They are those of `[alarm]`.
            continue;
        }
        keys += 1;
        let mut refused_by_both = 0;
        for probe in PROBES {
            let probed = format!("{key} = {probe}");
            let mut changed = lines.to_vec();
            changed[at] = &probed;
            let (by_schema, by_reader) = taken(validator, &changed.join("\n"));
            assert!(
                by_schema || by_reader.is_err(),
                "line {}: {probed} is read, and not in the schema",
                at + 1
            );
            refused_by_both += usize::from(!by_schema && by_reader.is_err());
            // What the schema takes and otpsd does not is a matter of more than a type, a word or a bound.
            if let (true, Err(message)) = (by_schema, by_reader) {
                let of_kind = [
                    " must be an integer",
                    " must be a number",
                    " must be between",
                    " or `",
                    " must be true",
                ];
                let own = message.starts_with(&format!("`{key}`"));
                let is_of_kind = own && of_kind.iter().any(|kind| message.contains(kind));
                // To JSON, 1.0 is an integer.
                let with_others = probe.ends_with(".0")
                    || message.contains("evaluation-periods")
                    || message.contains("duration");
                let is_bounded_duration = message.contains("must be between") && probe.starts_with('"');
                assert!(!is_of_kind || with_others || is_bounded_duration, "{probed}: {message}");
            }
        }
        assert!(refused_by_both > PROBES.len() / 3, "{key}: {refused_by_both}");
    }
    keys
}

#[test]
fn every_key_is_described() {
    let schema: Value = serde_json::from_str(&schema_json()).unwrap();
    let mut without = Vec::new();
    for (table, definition) in schema["$defs"].as_object().unwrap() {
        for (key, value) in definition["properties"].as_object().unwrap() {
            if !value["description"].is_string() {
                without.push(format!("{table}: {key}"));
            }
        }
    }
    assert_eq!(without, [""; 0]);
    let alarm = &schema["$defs"]["alarm"]["properties"];
    assert_eq!(alarm["page-below"]["default"], 0.8);
    assert_eq!(
        alarm["page-below"]["description"],
        "a period breaches strictly below this share of its baseline"
    );
    assert_eq!(alarm["page-below-otps"].get("default"), None);
    let shared = &schema["$defs"]["override"]["properties"];
    assert_eq!(shared["page-below"].get("default"), None, "what [alarm] says holds");
}
