//! Faults that configurations of other programs are known for.

use config::{Purpose, REFERENCE};
use domain::ExitCode;

use crate::surroundings::{outcome, told};

/// The reference with one of its lines as another one.
fn with(line: &str, instead: &str) -> String {
    assert!(REFERENCE.lines().any(|other| other.starts_with(line)), "{line}");
    let swap =
        |other: &'static str| if other.starts_with(line) { instead.to_owned() } else { other.to_owned() };
    REFERENCE.lines().map(swap).collect::<Vec<_>>().join("\n")
}

fn line_of(text: &str) -> usize {
    1 + REFERENCE.lines().position(|line| line.starts_with(text)).unwrap()
}

#[test]
fn a_misspelt_key_does_not_become_a_silent_default() {
    let text = with("page-below = ", "page-belw = 0.8");
    let line = line_of("page-below = ");
    assert_eq!(told(&text, Purpose::Run), [format!("{line}:1 unknown key `page-belw` in `[alarm]`")]);
    let outcome = outcome(&text, Purpose::Run);
    assert_eq!(outcome.problems[0].hint.as_deref(), Some("did you mean `page-below`?"));
    assert_eq!(outcome.exit_code(), ExitCode::No);
    assert!(outcome.plan.is_none());
}

#[test]
fn a_misspelt_key_in_the_second_of_three_tables_is_found_there() {
    let text = r#"[channel.log.all]
[[route.page]]
models = ["*haiku*"]
channels = ["log.all"]
[[route.page]]
modles = ["*sonnet*"]
channels = ["log.all"]
[[route.page]]
channels = ["log.all"]
"#;
    let problems = outcome(text, Purpose::Backtest).problems;
    assert_eq!(
        (problems[0].place.as_ref().unwrap().line, problems[0].place.as_ref().unwrap().column),
        (6, 1)
    );
    assert_eq!(problems[0].message, "unknown key `modles` in `[[route.page]]`");
    assert_eq!(problems[0].hint.as_deref(), Some("did you mean `models`?"));
}

#[test]
fn a_key_one_level_too_high_is_told_where_it_belongs() {
    let problems = outcome(&format!("page-below = 0.8\n{REFERENCE}"), Purpose::Run).problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].place.as_ref().unwrap().line, 1);
    assert_eq!(problems[0].hint.as_deref(), Some("`page-below` belongs to `[alarm]`"));
}

#[test]
fn a_quoted_number_and_a_repeated_key_are_told_with_their_places() {
    let text = with("evaluation-periods", "evaluation-periods = \"3\"");
    let line = line_of("evaluation-periods");
    let message = "`evaluation-periods` must be an integer, not a string";
    assert_eq!(told(&text, Purpose::Run), [format!("{line}:22 {message}")]);

    let text = with("estimator", "page-below = 0.7");
    let line = line_of("estimator");
    assert_eq!(told(&text, Purpose::Run), [format!("{line}:1 the key `page-below` is there twice")]);
}

#[test]
fn crlf_and_a_byte_order_mark_are_no_problem_and_move_no_column() {
    let windows = format!("\u{feff}{}", REFERENCE.replace('\n', "\r\n"));
    assert_eq!(told(&windows, Purpose::Run), [""; 0]);
    assert_eq!(
        told("\u{feff}page-below = 1\r\n[alarm]\r\npage-below = 80\r\n", Purpose::Backtest),
        [
            "1:1 unknown key `page-below` outside of any table",
            "3:14 `page-below` must be above 0 and below 1, not 80"
        ]
    );
    assert_eq!(
        told("\u{feff}[alarm]\r\nmode = \r\n", Purpose::Backtest),
        ["2:8 this is not TOML: a value is missing"]
    );
}

#[test]
fn all_faults_of_a_file_are_told_in_one_run_from_top_to_bottom() {
    let text = r#"listen = "127.0.0.1:9464"
[alarm]
page-belw = 0.8
evaluation-periods = "5"
page-below = 80
page-below = 90
[baseline]
history = "14"
[source.cloudwatch.main]
regions = ["us-east-1a"]
settle-delay = "2h"
[channel.pagerduty.oncall]
routing-key = "hunter2"
[[route.page]]
channels = ["pagerduty.onclal"]
[[route.ticket]]
channels = ["pagerduty.oncall"]
"#;
    assert_eq!(
        told(text, Purpose::Run),
        [
            "1:1 unknown key `listen` outside of any table",
            "3:1 unknown key `page-belw` in `[alarm]`",
            "4:22 `evaluation-periods` must be an integer, not a string",
            "5:14 `page-below` must be above 0 and below 1, not 80",
            "6:1 the key `page-below` is there twice",
            "8:11 `history` needs a unit: `14`",
            "10:12 `regions` must name AWS Regions, such as \"us-east-1\", not `us-east-1a`",
            "11:16 `settle-delay` must be at most 1h, not 2h",
            "13:15 `routing-key` is a secret, and must not stand in the file",
            "15:13 there is no channel `pagerduty.onclal`",
            "17:13 a ticket wakes nobody, so it cannot go to `pagerduty.oncall`",
        ]
    );
}

#[test]
fn impossible_rules_are_told_with_both_numbers() {
    let m = "`datapoints-to-alarm` must be between 1 and `evaluation-periods`, but the rule is";
    let n = "`evaluation-periods` must be between 1 and 12, but the rule is";
    for (datapoints, periods, message) in [
        (15, 1, format!("2:23 {m} 15 of 1")),
        (0, 5, format!("2:23 {m} 0 of 5")),
        (3, 0, format!("3:22 {n} 3 of 0")),
        (6, 5, format!("2:23 {m} 6 of 5")),
        (-1, 5, format!("2:23 {m} -1 of 5")),
        (3, 13, format!("3:22 {n} 3 of 13")),
    ] {
        let text = format!("[alarm]\ndatapoints-to-alarm = {datapoints}\nevaluation-periods = {periods}\n");
        assert_eq!(told(&text, Purpose::Backtest), [message]);
        assert_eq!(outcome(&text, Purpose::Backtest).exit_code(), ExitCode::No);
    }
}

#[test]
fn nonsense_thresholds_are_refused() {
    for (value, hint) in [
        ("80", Some("it is a share, not a percentage: did you mean 0.8?")),
        ("0", Some("nothing would ever page: that is `mode = \"observe\"`")),
        ("1.0", Some("half of all ordinary periods are below their baseline")),
        ("-0.2", None),
        ("nan", None),
        ("inf", None),
        ("-inf", None),
        ("1e999", None),
    ] {
        let problems = outcome(&format!("[alarm]\npage-below = {value}\n"), Purpose::Backtest).problems;
        assert_eq!(problems.len(), 1, "{value}");
        assert_eq!(problems[0].place.as_ref().map(|place| (place.line, place.column)), Some((2, 14)));
        assert_eq!(problems[0].hint.as_deref(), hint, "{value}");
    }
}

#[test]
fn a_period_cannot_be_set_and_a_baseline_is_longer_than_the_rule_looks_back() {
    let problems = outcome("[alarm]\nperiod = \"250s\"\n", Purpose::Backtest).problems;
    assert_eq!(problems[0].message, "unknown key `period` in `[alarm]`");
    assert_eq!(
        problems[0].hint.as_deref(),
        Some("a period is five minutes: the rule, and all that is learned, is defined on it")
    );
    assert_eq!(
        told("[alarm]\nevaluation-periods = 12\n[baseline]\nhistory = \"55m\"\n", Purpose::Backtest),
        [
            "4:11 `history` must be longer than what the rule looks at, but 55m is shorter than 12 periods of 5m"
        ]
    );
}

#[test]
fn two_of_one_name_are_told() {
    let text = "[channel.log.ops]\n[channel.log.tickets]\n[channel.log.ops]\n";
    assert_eq!(told(text, Purpose::Backtest), ["3:14 the table `[channel.log.ops]` is there twice"]);
    // One name of two kinds is two names.
    let text = "[channel.log.ops]\n[channel.sns.ops]\ntopic-arn = \"arn:aws:sns:us-east-1:111122223333:t\"\n";
    assert_eq!(told(text, Purpose::Backtest), [""; 0]);
}

#[test]
fn every_fault_ends_with_the_same_exit_code() {
    for text in ["[alarm]\npage-below = 80\n", "[alrm]\n", "[alarm\n", "[alarm]\n[alarm]\n", "x = 1\n"] {
        assert_eq!(outcome(text, Purpose::Backtest).exit_code(), ExitCode::No, "{text}");
    }
    assert_eq!(outcome("", Purpose::Backtest).exit_code(), ExitCode::Success);
}
