//! A strict reader of the OpenMetrics 1.0 text format: whatever it does not know is an error.

use std::collections::{BTreeMap, BTreeSet};

/// A family with its samples.
#[derive(Debug, Default)]
pub(crate) struct Family {
    pub(crate) kind: String,
    pub(crate) help: String,
    pub(crate) unit: Option<String>,
    /// Name, labels, value.
    pub(crate) samples: Vec<(String, BTreeMap<String, String>, f64)>,
}

/// The families of a text by name.
pub(crate) fn parse(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("the text ends with `# EOF`");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut current = String::new();
    let mut seen = BTreeSet::new();
    for line in body.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let (keyword, rest) = comment.split_once(' ').expect(line);
            let (name, value) = rest.split_once(' ').expect(line);
            if name != current {
                assert!(!families.contains_key(name), "a family stands in one place: {line}");
                current = name.to_owned();
            }
            let family = families.entry(current.clone()).or_default();
            assert!(family.samples.is_empty(), "what a family is comes before its samples: {line}");
            match keyword {
                "HELP" => family.help = value.to_owned(),
                "TYPE" => family.kind = value.to_owned(),
                "UNIT" => family.unit = Some(value.to_owned()),
                _ => panic!("unknown keyword: {line}"),
            }
            continue;
        }
        let (name, labels, value) = sample(line);
        let family = families.get_mut(&current).expect(line);
        let suffix = name.strip_prefix(&current).expect(line);
        let allowed: &[&str] = match family.kind.as_str() {
            "counter" => &["_total"],
            "gauge" => &[""],
            "info" => &["_info"],
            "histogram" => &["_sum", "_count", "_bucket"],
            kind => panic!("unknown type {kind}: {line}"),
        };
        assert!(allowed.contains(&suffix), "{line}");
        assert!(seen.insert((name.clone(), labels.clone())), "a sample stands once: {line}");
        assert!(!value.is_nan(), "{line}");
        family.samples.push((name, labels, value));
    }
    for (name, family) in &families {
        assert!(!family.kind.is_empty() && !family.help.is_empty(), "{name} has HELP and TYPE");
        if let Some(unit) = &family.unit {
            assert!(name.ends_with(&format!("_{unit}")), "{name} ends with its unit");
        }
    }
    families
}

fn sample(line: &str) -> (String, BTreeMap<String, String>, f64) {
    let end = line.find(['{', ' ']).expect(line);
    let name = &line[..end];
    assert!(
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
        "{line}"
    );
    let mut labels = BTreeMap::new();
    let mut rest = &line[end..];
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once("=\"").expect(line);
            let (value, after) = quoted(after).expect(line);
            labels.insert(label.to_owned(), value);
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        rest = &rest[1..];
    }
    let value = rest.strip_prefix(' ').expect(line);
    (name.to_owned(), labels, value.parse().expect(line))
}

/// The text up to the closing quote, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[place + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                escaped @ ('\\' | '"') => value.push(escaped),
                _ => return None,
            },
            _ => value.push(character),
        }
    }
    None
}
