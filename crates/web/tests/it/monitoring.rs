//! The rules in `deploy/monitoring` watch what is there.

use std::collections::BTreeSet;

use domain::PERIOD_SECONDS;

const RULES: &str = include_str!("../../../../deploy/monitoring/rules.yml");
const README: &str = include_str!("../../../../deploy/monitoring/README.md");
const REFERENCE: &str = include_str!("../../../../docs/reference/metrics.md");

/// The names of metrics in a text.
fn metrics(text: &str) -> BTreeSet<&str> {
    text.split(|each: char| !each.is_ascii_alphanumeric() && each != '_')
        .filter(|word| word.starts_with("otpsd_"))
        .collect()
}

/// What follows `key` on its lines.
fn values(key: &str) -> impl Iterator<Item = &str> {
    RULES.lines().filter_map(move |line| line.trim_start().strip_prefix(key)?.strip_prefix(' '))
}

#[test]
fn every_metric_of_the_rules_is_in_the_reference() {
    let listed: BTreeSet<&str> = REFERENCE
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `otpsd_")?.split_once('`')?.0))
        .collect();
    let used = metrics(RULES);
    assert!(used.len() >= 8, "{used:?}");
    for metric in used {
        assert!(listed.contains(metric.strip_prefix("otpsd_").unwrap()), "{metric} is not in the reference");
    }
}

#[test]
fn the_readme_lists_every_rule_and_its_severity() {
    let rules: Vec<(&str, &str)> = values("- alert:").zip(values("severity:")).collect();
    let listed: Vec<(&str, &str)> = README
        .lines()
        .filter_map(|line| {
            let (rule, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
            Some((rule, rest.split_once(' ')?.0))
        })
        .collect();
    assert_eq!(rules.len(), 12);
    assert_eq!(rules, listed);
    for key in ["expr:", "summary:", "description:"] {
        assert_eq!(values(key).count(), rules.len(), "{key}");
    }
}

/// What the daemon calls too long, the rules call too long.
#[test]
fn the_limits_of_the_rules_are_those_of_the_daemon() {
    let stale = web::STALE_AFTER_PERIODS * PERIOD_SECONDS;
    let unsent = web::UNSENT_PAGE_LIMIT.as_secs();
    for text in [RULES, REFERENCE] {
        assert!(text.contains(&format!("otpsd_last_evaluation_age_seconds > {stale}")));
        assert!(text.contains(&format!("otpsd_oldest_unsent_page_seconds > {unsent}")));
    }
}
