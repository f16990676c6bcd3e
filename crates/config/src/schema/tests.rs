//! The reference beside the keys that there are.

use domain::{ChannelPlan, Plan};

use super::*;

/// The reference with the examples of its optional keys and tables as keys and tables, and the method that has keys of its own.
pub(crate) fn uncommented() -> String {
    let uncomment = |line: &'static str| match line.strip_prefix("# ") {
        Some(rest) if rest.starts_with('[') => rest,
        Some(rest) if rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' ')) => rest,
        _ => line,
    };
    let text = crate::REFERENCE.lines().map(uncomment).collect::<Vec<_>>().join("\n");
    assert!(text.contains("\nmethod = \"threshold\""));
    text.replace("\nmethod = \"threshold\"", "\nmethod = \"anomaly\"")
}

/// Where the reference has a table: the keys on the way to it, with any name for `NAME`.
fn path(section: &Section) -> &'static str {
    match section.title {
        "match" => "override.NAME.match",
        "hours" => "route.page.hours",
        title => title.trim_matches(['[', ']']),
    }
}

#[test]
fn the_reference_has_every_key_and_every_example_can_be_used() {
    let text = uncommented();
    let document = toml::de::DeTable::parse(&text).unwrap();
    for section in SECTIONS {
        let path = path(section);
        let mut value = document.get_ref().get(path.split('.').next().unwrap()).unwrap().get_ref();
        for part in path.split('.').skip(1) {
            value = value.as_array().map_or(value, |tables| tables[0].get_ref());
            value = match part {
                "NAME" => value.as_table().unwrap().values().next().unwrap().get_ref(),
                part => value.as_table().unwrap().get(part).unwrap().get_ref(),
            };
        }
        let table = value.as_array().map_or(value, |tables| tables[0].get_ref()).as_table().unwrap();
        let mut there: Vec<_> = table.keys().map(|key| key.get_ref().to_string()).collect();
        let mut known = section.keys.to_vec();
        if let Some(lender) = section.lender() {
            // What stands with its default elsewhere is shown by example.
            known.retain(|key| !lender.keys.contains(key) || there.iter().any(|it| it == key));
        }
        there.sort();
        known.sort();
        assert_eq!(there, known, "{}", section.title);
    }
    let file = crate::File { path: "otpsd.toml".into(), text };
    let outcome = crate::read(&[file], crate::Purpose::Backtest, &crate::ProcessEnvironment);
    assert_eq!(outcome.problems, []);
}

#[test]
fn what_is_commented_out_shows_the_defaults() {
    let plan = |text: String| {
        let file = crate::File { path: "otpsd.toml".into(), text };
        crate::read(&[file], crate::Purpose::Backtest, &crate::ProcessEnvironment).plan.unwrap()
    };
    let written = plan(uncommented());
    let unwritten = plan(
        r#"
        [alarm]
        method = "anomaly"
        [heartbeat.cloudwatch]
        region = "us-east-1"
        [channel.opsitem.ops]
        region = "us-east-1"
        [channel.jira.llm]
        url = "https://example.atlassian.net"
        project = "LLMOPS"
        token = { env = "JIRA_TOKEN" }
        "#
        .to_owned(),
    );
    assert_eq!(written.rule.method, unwritten.rule.method);
    let namespace = |plan: &Plan| plan.heartbeat.as_ref().map(|heartbeat| heartbeat.namespace.clone());
    assert_eq!(namespace(&written), namespace(&unwritten));
    let shown = |plan: &Plan| {
        let mut shown = Vec::new();
        for channel in &plan.channels {
            match channel {
                ChannelPlan::OpsItem(plan) => shown.push(format!("{} {}", plan.source, plan.severity)),
                ChannelPlan::Jira(plan) => shown.push(format!(
                    "{} {:?} {:?} {:?} {}",
                    plan.issue_type, plan.labels, plan.reopen_within, plan.wont_fix, plan.delivery.in_flight
                )),
                _ => {}
            }
        }
        shown
    };
    assert_eq!(shown(&written), shown(&unwritten));
    assert_eq!(shown(&written).len(), 2);
}
