//! Where each value is written, and what holds for a series because of which.

use config::{Effective, File, Origins, Outcome, Purpose, conflicts, effective, effective_labels, read};
use domain::{Plan, Rule, Series};
use proptest::prelude::*;
use toml::{Table, Value};

use crate::surroundings::{Surroundings, outcome};

fn found(files: &[(&str, &str)]) -> (Plan, Origins) {
    let file = |(path, text): &(&str, &str)| File { path: path.into(), text: (*text).to_owned() };
    let files: Vec<_> = files.iter().map(file).collect();
    let outcome = read(&files, Purpose::Backtest, &Surroundings::default());
    assert!(outcome.plan.is_some(), "{:?}", outcome.problems);
    (outcome.plan.unwrap(), outcome.origins)
}

fn series(region: &str, model: &str) -> Series {
    Series::new("111122223333", region, model)
}

/// A line for each key: its value, where it is from, and what changed it.
fn shown(all: &[Effective]) -> String {
    let line = |one: &Effective| {
        let origin = one.origin.as_ref().map_or_else(|| "the default".to_owned(), ToString::to_string);
        let by = one.by.as_ref().map(|by| format!(" [override.{by}]")).unwrap_or_default();
        let clamp = one.clamp.as_ref().map(|clamp| format!(", {clamp}")).unwrap_or_default();
        format!("{} = {}  # {origin}{by}{clamp}\n", one.key, one.value)
    };
    all.iter().map(line).collect()
}

#[test]
fn every_table_has_its_lines() {
    let rules = "\
[alarm]
page-below = 0.7
[override.batch]
match = { model = \"*haiku*\" }

[override.batch.labels]
owner = \"team-batch\"
[maintenance.weekly]
from = \"22:00\"
to = \"02:00\"
zone = \"UTC\"
days = [
  \"sat\",
]
comment = \"load\"
";
    let rest = "\u{feff}[default.cloudwatch]\r
settle-delay = \"3m\"\r
regions = [\"us-east-1\"]\r
[source.cloudwatch.a]\r
regions = [\"eu-west-1\"]\r
[alarm]\r
mode = \"observe\"\r
[heartbeat.cloudwatch]\r
region = \"us-east-1\"\r
[channel]\r
log.all = {}\r
sns.ops = { topic-arn = \"arn:aws:sns:us-east-1:111122223333:p\" }\r
[[route.page]]\r
models = [\"*\"]\r
channels = [\"log.all\"]\r
[[route.page]]\r
channels = [\"sns.ops\"]\r
[[route.ticket]]\r
channels = [\"log.all\"]\r
";
    let (plan, origins) = found(&[("conf/10.toml", rules), ("conf/20.toml", rest)]);
    for (table, key, line) in [
        ("alarm", "page-below", "conf/10.toml:2"),
        ("alarm", "mode", "conf/20.toml:7"),
        ("override.batch", "match", "conf/10.toml:4"),
        ("override.batch", "match.model", "conf/10.toml:4"),
        ("override.batch", "labels.owner", "conf/10.toml:7"),
        ("maintenance.weekly", "days", "conf/10.toml:12"),
        ("maintenance.weekly", "comment", "conf/10.toml:15"),
        ("default.cloudwatch", "settle-delay", "conf/20.toml:2"),
        ("source.cloudwatch.a", "regions", "conf/20.toml:5"),
        ("heartbeat.cloudwatch", "region", "conf/20.toml:9"),
        ("channel.sns.ops", "topic-arn", "conf/20.toml:12"),
        ("route.page.0", "channels", "conf/20.toml:15"),
        ("route.page.1", "channels", "conf/20.toml:17"),
        ("route.ticket.0", "channels", "conf/20.toml:19"),
    ] {
        assert_eq!(origins.of(table, key).unwrap().to_string(), line, "{table} {key}");
    }
    for (table, line) in [
        ("alarm", "conf/10.toml:1"),
        ("override.batch", "conf/10.toml:3"),
        ("source.cloudwatch.a", "conf/20.toml:4"),
        ("channel.log.all", "conf/20.toml:11"),
        ("route.page.1", "conf/20.toml:16"),
    ] {
        assert_eq!(origins.table(table).unwrap().to_string(), line, "{table}");
    }
    assert_eq!(plan.routes.page[1].channels, ["sns.ops"], "routes are counted as the plan has them");
    for (table, key) in [
        ("alarm", "estimator"),
        ("baseline", "history"),
        ("source.cloudwatch.a", "settle-delay"),
        ("route.page.2", "channels"),
    ] {
        assert_eq!(origins.of(table, key), None, "{table} {key}");
    }
    let of_source = |name: &str, key: &str| origins.of_source(name, key).map(ToString::to_string);
    assert_eq!(of_source("a", "regions").as_deref(), Some("conf/20.toml:5"), "its own");
    assert_eq!(of_source("a", "settle-delay").as_deref(), Some("conf/20.toml:2"), "what sources share");
    assert_eq!(of_source("a", "include"), None);
    assert_eq!(of_source("b", "settle-delay"), None, "there is no such source");
}

#[test]
fn there_are_none_without_a_plan() {
    let Outcome { plan, origins, .. } = outcome("[alarm]\npage-below = 0.7\nhunter2 = 3\n", Purpose::Check);
    assert!(plan.is_none());
    assert_eq!(origins, Origins::default());
}

const RULES: &str = r#"[alarm]
page-below = 0.75
evaluation-periods = 6
recover-above = 0.80

[override.support]
match = { model = "*sonnet*" }
labels = { owner = "team-support", tier = "1" }
page-below-otps = 25
recover-datapoints = 2

[override.europe]
match = { region = "eu-*" }
labels = { owner = "team-europe", on-call = "early \"shift\"" }
method = "anomaly"
anomaly-below = 0.85
evaluation-periods = 3
mode = "observe"

[override.strict]
match = { account = "1111*" }
page-below = 0.9
recover-above = 0.95
datapoints-to-alarm = 4
widest-window = 4
"#;

#[test]
fn each_key_of_a_rule_has_a_value_and_the_line_that_it_is_from() {
    let (plan, origins) = found(&[("otpsd.toml", RULES)]);
    let of = |account: &str, region: &str, model: &str| {
        shown(&effective(&plan, &origins, &Series::new(account, region, model)))
    };
    insta::assert_snapshot!(of("444455556666", "us-east-1", "us.claude-sonnet"), @r#"
    mode = "page"  # the default
    method = "threshold"  # the default
    page-below = 0.75  # otpsd.toml:2
    page-below-otps = 25.0  # otpsd.toml:9 [override.support]
    evaluation-periods = 6  # otpsd.toml:3
    datapoints-to-alarm = 3  # the default
    treat-missing-data = "neutral"  # the default
    estimator = "auto"  # the default
    min-samples = 10  # the default
    widest-window = 5  # the default
    noise-sigmas = 2.0  # the default
    recover-above = 0.8  # otpsd.toml:4
    recover-datapoints = 2  # otpsd.toml:10 [override.support]
    "#);
    insta::assert_snapshot!(of("111122223333", "eu-west-1", "eu.nova"), @r#"
    mode = "observe"  # otpsd.toml:18 [override.europe]
    method = "anomaly"  # otpsd.toml:15 [override.europe]
    page-below = 0.9  # otpsd.toml:22 [override.strict]
    anomaly-deviations = 3.0  # the default
    anomaly-below = 0.85  # otpsd.toml:16 [override.europe]
    evaluation-periods = 3  # otpsd.toml:17 [override.europe]
    datapoints-to-alarm = 3  # otpsd.toml:24 [override.strict], lowered from 4 by `evaluation-periods`
    treat-missing-data = "neutral"  # the default
    estimator = "auto"  # the default
    min-samples = 10  # the default
    widest-window = 3  # the default, lowered from 5 by `evaluation-periods`
    noise-sigmas = 2.0  # the default
    recover-above = 0.95  # otpsd.toml:23 [override.strict]
    recover-datapoints = 3  # the default
    "#);
    insta::assert_snapshot!(of("444455556666", "us-east-1", "nova"), @r#"
    mode = "page"  # the default
    method = "threshold"  # the default
    page-below = 0.75  # otpsd.toml:2
    evaluation-periods = 6  # otpsd.toml:3
    datapoints-to-alarm = 3  # the default
    treat-missing-data = "neutral"  # the default
    estimator = "auto"  # the default
    min-samples = 10  # the default
    widest-window = 5  # the default
    noise-sigmas = 2.0  # the default
    recover-above = 0.8  # otpsd.toml:4
    recover-datapoints = 3  # the default
    "#);
}

#[test]
fn where_overrides_cross_the_rule_can_still_be_met_and_says_what_changed_it() {
    let (plan, origins) = found(&[(
        "otpsd.toml",
        "[override.low]\nmatch = { model = \"*\" }\nevaluation-periods = 4\n\
         [override.high]\nmatch = { region = \"eu-*\" }\npage-below = 0.82\n\
         [override.keen]\nmatch = { account = \"1*\" }\nrecover-above = 0.81\n",
    )]);
    insta::assert_snapshot!(shown(&effective(&plan, &origins, &series("eu-west-1", "nova"))), @r#"
    mode = "page"  # the default
    method = "threshold"  # the default
    page-below = 0.82  # otpsd.toml:6 [override.high]
    evaluation-periods = 4  # otpsd.toml:3 [override.low]
    datapoints-to-alarm = 3  # the default
    treat-missing-data = "neutral"  # the default
    estimator = "auto"  # the default
    min-samples = 10  # the default
    widest-window = 4  # the default, lowered from 5 by `evaluation-periods`
    noise-sigmas = 2.0  # the default
    recover-above = 0.82  # otpsd.toml:9 [override.keen], raised from 0.81 by `page-below`
    recover-datapoints = 3  # the default
    "#);
}

#[test]
fn each_label_has_the_line_that_it_is_from() {
    let (plan, origins) = found(&[("otpsd.toml", RULES)]);
    let of = |region: &str, model: &str| shown(&effective_labels(&plan, &origins, &series(region, model)));
    insta::assert_snapshot!(of("eu-west-1", "us.claude-sonnet"), @r#"
    labels.on-call = 'early "shift"'  # otpsd.toml:14 [override.europe]
    labels.owner = "team-support"  # otpsd.toml:8 [override.support]
    labels.tier = "1"  # otpsd.toml:8 [override.support]
    "#);
    assert_eq!(of("us-east-1", "nova"), "");
}

/// Keys of a rule, each with some of its values. None of them needs another one.
fn settings() -> impl Strategy<Value = Vec<String>> {
    let setting = prop_oneof![
        prop::sample::select(vec!["mode = \"page\"", "mode = \"observe\""]).prop_map(str::to_owned),
        prop::sample::select(vec!["method = \"threshold\"", "method = \"anomaly\""]).prop_map(str::to_owned),
        prop::sample::select(vec![2.0, 4.5]).prop_map(|n| format!("anomaly-deviations = {n:?}")),
        prop::sample::select(vec![0.5, 0.95]).prop_map(|n| format!("anomaly-below = {n:?}")),
        prop::sample::select(vec![0.5, 0.7, 0.8, 0.9]).prop_map(|n| format!("page-below = {n:?}")),
        (2_u8..40).prop_map(|n| format!("page-below-otps = {n}")),
        (1_u8..=8).prop_map(|n| format!("evaluation-periods = {n}")),
        (1_u8..=6).prop_map(|n| format!("datapoints-to-alarm = {n}")),
        prop::sample::select(vec!["ignore", "missing"]).prop_map(|w| format!("treat-missing-data = \"{w}\"")),
        prop::sample::select(vec!["p50", "token-weighted"]).prop_map(|w| format!("estimator = \"{w}\"")),
        (1_u8..=20).prop_map(|n| format!("min-samples = {n}")),
        (1_u8..=8).prop_map(|n| format!("widest-window = {n}")),
        (0_u8..=4).prop_map(|n| format!("noise-sigmas = {n}.5")),
        prop::sample::select(vec![0.75, 0.85, 0.9, 1.0]).prop_map(|n| format!("recover-above = {n:?}")),
        (1_u8..=4).prop_map(|n| format!("recover-datapoints = {n}")),
    ];
    prop::collection::vec(setting, 0..6).prop_map(|mut all| {
        all.sort();
        all.dedup_by_key(|one| one.split(' ').next().unwrap_or_default().to_owned());
        all
    })
}

/// What overrides are about: some cover others, and some only cross them.
const MATCHES: [&str; 7] = [
    "model = \"*\"",
    "model = \"*haiku*\"",
    "model = [\"us.*\", \"eu.*\"]",
    "region = \"eu-*\"",
    "region = \"eu-*\", model = \"*haiku*\"",
    "account = \"1111*\"",
    "account = \"444455556666\", region = \"us-east-1\"",
];

fn written() -> impl Strategy<Value = String> {
    let one = (prop::sample::select(MATCHES.to_vec()), settings());
    (settings(), prop::collection::vec(one, 0..5)).prop_map(|(alarm, overrides)| {
        let mut text = format!("[alarm]\n{}\n", alarm.join("\n"));
        for (index, (matching, settings)) in overrides.iter().enumerate() {
            text += &format!(
                "[override.o{index}]\nmatch = {{ {matching} }}\nlabels = {{ n = \"{index}\" }}\n{}\n",
                settings.join("\n")
            );
        }
        text
    })
}

/// The rule that a text with nothing but `[alarm]` has.
fn rule(text: &str) -> Rule {
    let outcome = outcome(text, Purpose::Backtest);
    assert!(outcome.plan.is_some(), "{text}\n{:?}", outcome.problems);
    outcome.plan.unwrap().rule
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, max_global_rejects: 200_000, ..ProptestConfig::default() })]

    /// What is told of a rule is the rule that a series is judged by, and each line has what is said to be from there.
    #[test]
    fn what_is_told_of_a_rule_is_the_rule(
        text in written(),
        account in prop::sample::select(vec!["111122223333", "444455556666"]),
        region in prop::sample::select(vec!["us-east-1", "eu-west-1"]),
        model in prop::sample::select(vec!["us.haiku", "eu.haiku", "nova", "us.sonnet"]),
    ) {
        let Outcome { plan: Some(plan), origins, .. } = outcome(&text, Purpose::Backtest) else {
            return Err(TestCaseError::reject("it does not go together"));
        };
        let series = Series::new(account, region, model);
        let told = effective(&plan, &origins, &series);
        let alone: String = told.iter().map(|one| format!("{} = {}\n", one.key, one.value)).collect();
        prop_assert_eq!(rule(&format!("[alarm]\n{alone}")), plan.rule_of(&series), "{}", alone);

        let lines: Vec<_> = text.lines().collect();
        let default: Table = shown(&effective_of("")).parse().unwrap();
        for one in &told {
            let wanted = one.clamp.as_ref().map_or(&one.value, |clamp| &clamp.written);
            let wanted: Value = format!("v = {wanted}").parse::<Table>().unwrap()["v"].clone();
            let Some(origin) = &one.origin else {
                // Those of the band have a default where there is a band.
                let usual = match one.key.as_str() {
                    "anomaly-deviations" => Some(Value::Float(3.0)),
                    "anomaly-below" => Some(Value::Float(0.9)),
                    key => default.get(key).cloned(),
                };
                prop_assert_eq!(usual, Some(wanted), "{} in\n{}", one.key, text);
                prop_assert_eq!(&one.by, &None);
                continue;
            };
            let line: Table = lines[origin.line - 1].parse().unwrap();
            let same = match (&line[&one.key], &wanted) {
                (Value::Integer(written), Value::Float(told)) => *written as f64 == *told,
                (written, told) => written == told,
            };
            prop_assert!(same, "{one:?} in\n{text}");
            let header = lines[..origin.line].iter().rev().find(|line| line.starts_with('[')).unwrap();
            let table = one.by.as_ref().map_or_else(|| "[alarm]".to_owned(), |by| format!("[override.{by}]"));
            prop_assert_eq!(*header, table.as_str());
        }
    }
}

/// What holds for any series by a text.
fn effective_of(text: &str) -> Vec<Effective> {
    let (plan, origins) = found(&[("otpsd.toml", text)]);
    effective(&plan, &origins, &series("us-east-1", "nova"))
}

#[test]
fn what_is_written_can_be_listed_with_its_values() {
    let text =
        "[alarm]\npage-below = 0.70\n[override.a]\nmatch = { model = '*haiku*' }\nlabels.tier = \"2\"\n";
    let (_, origins) = found(&[("a.toml", text)]);
    assert_eq!(origins.tables().collect::<Vec<_>>(), ["alarm", "override.a"]);
    assert_eq!(origins.keys("override.a").collect::<Vec<_>>(), ["labels.tier", "match.model"]);
    assert_eq!(origins.keys("baseline").count(), 0);
    assert_eq!(origins.value("alarm", "page-below"), Some("0.7"));
    assert_eq!(origins.value("override.a", "match.model"), Some("\"*haiku*\""));
    assert_eq!(origins.value("alarm", "mode"), None);
}

/// `us.*` and `*haiku*` are no mistake by themselves: it depends on what models there are.
#[test]
fn what_two_overrides_set_for_one_series_is_named_with_both_places() {
    let (plan, origins) = found(&[
        (
            "a.toml",
            "[override.americas]\nmatch = { model = \"us.*\" }\nlabels = { tier = \"1\" }\npage-below = 0.7\n\
             method = \"anomaly\"\n[override.europe]\nmatch = { model = \"eu.*\" }\npage-below = 0.6\n",
        ),
        (
            "b.toml",
            "[override.small]\nmatch = { model = \"*haiku*\" }\nlabels = { tier = \"2\" }\nmin-samples = 20\n\
             page-below = 0.65\nmethod = \"anomaly\"\nanomaly-below = 0.85\n\
             [override.old]\nmatch = { model = \"*-3-*\" }\nmin-samples = 30\npage-below = 0.5\n",
        ),
    ]);
    let told = |model: &str| -> Vec<String> {
        conflicts(&plan, &origins, &series("us-east-1", model)).iter().map(ToString::to_string).collect()
    };
    assert_eq!(told("us.sonnet"), [""; 0]);
    assert_eq!(told("ap.haiku"), [""; 0]);
    assert_eq!(
        told("us.haiku-4"),
        [
            "`method` of `[override.americas]` at a.toml:5 holds, not `anomaly-below` of `[override.small]` at b.toml:7",
            "`method` of `[override.americas]` at a.toml:5 holds, not `method` of `[override.small]` at b.toml:6",
            "`page-below` of `[override.americas]` at a.toml:4 holds, not `page-below` of `[override.small]` at b.toml:5",
        ]
    );
    assert_eq!(
        told("eu.haiku-3-5"),
        [
            "`page-below` of `[override.europe]` at a.toml:8 holds, not `page-below` of `[override.small]` at b.toml:5",
            "`min-samples` of `[override.small]` at b.toml:4 holds, not `min-samples` of `[override.old]` at b.toml:10",
            "`page-below` of `[override.europe]` at a.toml:8 holds, not `page-below` of `[override.old]` at b.toml:11",
        ]
    );
}
