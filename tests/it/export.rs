//! `otpsd export`: what is printed is read by AWS and by Terraform, so it is held against what they want.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::process::{Ran, run, write};

/// Everything that can need a permission, and everything that needs none.
const EVERYTHING: &str = r#"
[source.cloudwatch.main]
regions = ["us-east-1", "eu-west-1"]

[source.cloudwatch.other]
regions = ["ap-south-1"]
profile = "other"

[heartbeat.cloudwatch]
region = "us-east-1"
namespace = "llm/otpsd"

[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"

[channel.sns.more]
topic-arn = "arn:aws:sns:eu-west-1:111122223333:llm-pages.fifo"
profile = "other"

[channel.opsitem.ops]
region = "eu-west-1"

[channel.log.all]

[[route.page]]
channels = ["sns.pages", "sns.more"]

[[route.ticket]]
channels = ["opsitem.ops", "log.all"]
"#;

/// Exports a configuration.
fn policy(config: &str, arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), "otpsd.toml", config);
    run(&[&["export", "iam-policy", "--config", config.to_str().unwrap()], arguments].concat())
}

/// Every action of a policy document, each with what it is allowed on and under which condition.
fn allowed(ran: &Ran) -> Vec<(String, Value, Value)> {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["Version"], "2012-10-17");
    let mut allowed = Vec::new();
    for statement in document["Statement"].as_array().unwrap() {
        assert_eq!(statement["Effect"], "Allow");
        let sid = statement["Sid"].as_str().unwrap();
        assert!(sid.chars().all(|letter| letter.is_ascii_alphanumeric()), "{sid}");
        for action in statement["Action"].as_array().unwrap() {
            let action = action.as_str().unwrap().to_owned();
            allowed.push((action, statement["Resource"].clone(), statement["Condition"].clone()));
        }
    }
    allowed
}

#[test]
fn a_policy_has_exactly_the_actions_that_the_configuration_needs() {
    let source = "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n";
    let log = "[channel.log.all]\n[[route.ticket]]\nchannels = [\"log.all\"]\n";
    let page = |kind: &str, keys: &str| {
        format!("{source}{log}[channel.{kind}.x]\n{keys}\n[[route.page]]\nchannels = [\"{kind}.x\"]\n")
    };
    let read = ["cloudwatch:GetMetricData", "cloudwatch:ListMetrics"];
    let ops = ["ssm:CreateOpsItem", "ssm:DescribeOpsItems", "ssm:GetOpsItem", "ssm:UpdateOpsItem"];
    let cases: [(&str, String, Vec<&str>); 7] = [
        ("log", format!("{source}{log}[[route.page]]\nchannels = [\"log.all\"]\n"), read.to_vec()),
        (
            "pagerduty",
            page("pagerduty", "routing-key = { file = \"key\" }\nurl = \"http://127.0.0.1:9/v2/enqueue\""),
            read.to_vec(),
        ),
        ("webhook", page("webhook", "url = \"https://hooks.example.com/x\""), read.to_vec()),
        (
            "jira",
            page(
                "jira",
                "url = \"https://example.atlassian.net\"\nproject = \"OPS\"\ntoken = { file = \"t\" }",
            ),
            read.to_vec(),
        ),
        (
            "sns",
            page("sns", "topic-arn = \"arn:aws:sns:us-east-1:111122223333:p\""),
            [&read[..], &["sns:Publish"]].concat(),
        ),
        ("opsitem", page("opsitem", "region = \"us-east-1\""), [&read[..], &ops].concat()),
        (
            "heartbeat",
            format!(
                "{source}{log}[heartbeat.cloudwatch]\nregion = \"us-east-1\"\n[[route.page]]\nchannels = [\"log.all\"]\n"
            ),
            [&read[..], &["cloudwatch:PutMetricData"]].concat(),
        ),
    ];
    for (name, config, actions) in cases {
        let folder = tempfile::tempdir().unwrap();
        for secret in ["key", "t"] {
            write(folder.path(), secret, "R0123456789abcdefghijklmnopqrstu");
        }
        let config = write(folder.path(), "otpsd.toml", &config);
        let ran = run(&["export", "iam-policy", "--config", config.to_str().unwrap()]);
        let got: Vec<String> = allowed(&ran).into_iter().map(|(action, ..)| action).collect();
        assert_eq!(got, actions, "{name}");
    }
}

#[test]
fn each_action_is_allowed_on_as_little_as_it_knows() {
    let ran = policy(EVERYTHING, &[]);
    let allowed = allowed(&ran);
    let of = |action: &str| {
        let (_, resource, condition) = allowed.iter().find(|one| one.0 == action).unwrap();
        (resource.clone(), condition.clone())
    };
    let (resource, condition) = of("sns:Publish");
    let topics =
        ["arn:aws:sns:eu-west-1:111122223333:llm-pages.fifo", "arn:aws:sns:us-east-1:111122223333:llm-pages"];
    assert_eq!((resource, condition), (serde_json::json!(topics), Value::Null));
    let regions = |regions: &[&str]| serde_json::json!({"StringEquals": {"aws:RequestedRegion": regions}});
    assert_eq!(of("cloudwatch:ListMetrics").1, regions(&["ap-south-1", "eu-west-1", "us-east-1"]));
    assert_eq!(of("ssm:CreateOpsItem").1, regions(&["eu-west-1"]));
    let (_, condition) = of("cloudwatch:PutMetricData");
    assert_eq!(condition["StringEquals"]["cloudwatch:namespace"], serde_json::json!(["llm/otpsd"]));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_source_is_asked_for_what_its_credentials_are_used_for() {
    let actions = |name: &str| -> BTreeSet<(String, String)> {
        let allowed = allowed(&policy(EVERYTHING, &["--source", name]));
        allowed
            .into_iter()
            .map(|(action, resource, _)| (action, resource[0].as_str().unwrap().to_owned()))
            .collect()
    };
    let (main, other) = (actions("main"), actions("other"));
    let has = |all: &BTreeSet<(String, String)>, action: &str, resource: &str| {
        all.contains(&(action.to_owned(), resource.to_owned()))
    };
    assert!(has(&main, "sns:Publish", "arn:aws:sns:us-east-1:111122223333:llm-pages"), "{main:?}");
    assert!(has(&main, "cloudwatch:PutMetricData", "*") && has(&main, "ssm:CreateOpsItem", "*"), "{main:?}");
    assert!(has(&other, "sns:Publish", "arn:aws:sns:eu-west-1:111122223333:llm-pages.fifo"), "{other:?}");
    assert_eq!((main.len(), other.len()), (8, 3));
    let ran = policy(EVERYTHING, &["--source", "mian"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert_eq!(ran.err, "error: the configuration has no source \"mian\"\nhint: it has main, other\n");
}

#[test]
fn terraform_gets_the_same_policy() {
    insta::assert_snapshot!(policy(EVERYTHING, &["--format", "terraform"]).out);
}

/// One source of its own account, and two that are read through a role of another.
const ROLES: &str = r#"
[default.cloudwatch]
regions = ["us-east-1"]

[source.cloudwatch.main]

[source.cloudwatch.search]
regions = ["eu-west-1"]
role-arn = "arn:aws:iam::444455556666:role/ops/metrics-reader"
external-id = { file = "external-id" }

[source.cloudwatch.chat]
role-arn = "arn:aws:iam::777788889999:role/metrics-reader"

[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"

[channel.log.all]

[[route.page]]
channels = ["sns.pages"]

[[route.ticket]]
channels = ["log.all"]
"#;

/// Exports that one, whose external id must not be shown.
fn of_roles(arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "external-id", "of-otpsd-4711");
    let config = write(folder.path(), "otpsd.toml", ROLES);
    let ran = run(&[&["export", "iam-policy", "--config", config.to_str().unwrap()], arguments].concat());
    assert!(!ran.out.contains("4711") && !ran.err.contains("4711"), "{}{}", ran.out, ran.err);
    ran
}

#[test]
fn whoever_runs_it_may_assume_the_roles_and_read_nothing_with_them() {
    let ran = of_roles(&[]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.err);
    let allowed = allowed(&Ran { err: String::new(), ..ran });
    let of = |action: &str| allowed.iter().find(|one| one.0 == action).unwrap();
    let roles = [
        "arn:aws:iam::444455556666:role/ops/metrics-reader",
        "arn:aws:iam::777788889999:role/metrics-reader",
    ];
    assert_eq!(of("sts:AssumeRole").1, serde_json::json!(roles));
    // The Regions of the sources without a role alone.
    let regions = serde_json::json!({"StringEquals": {"aws:RequestedRegion": ["us-east-1"]}});
    assert_eq!(of("cloudwatch:GetMetricData").2, regions);
    assert_eq!(allowed.len(), 4, "{allowed:?}");
}

#[test]
fn a_role_may_read_and_do_nothing_else_and_is_assumed_with_its_external_id() {
    let allowed = allowed(&of_roles(&["--source", "search"]));
    let actions: Vec<&str> = allowed.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(actions, ["cloudwatch:GetMetricData", "cloudwatch:ListMetrics"]);
    let regions = serde_json::json!({"StringEquals": {"aws:RequestedRegion": ["eu-west-1"]}});
    assert_eq!(allowed[0].2, regions);

    let runner = "arn:aws:iam::111122223333:role/otpsd";
    let trust = of_roles(&["--source", "search", "--trust", "--principal", runner]);
    assert_eq!(trust.code, 0);
    insta::assert_snapshot!(format!("{}{}", trust.err, trust.out));
    let trust = of_roles(&["--source", "chat", "--trust", "--principal", runner]);
    assert_eq!((trust.code, trust.err.as_str()), (0, ""));
    assert!(!trust.out.contains("Condition"), "{}", trust.out);

    assert_eq!(of_roles(&["--source", "search", "--trust"]).code, 2, "nobody is let in by guess");
    let none = of_roles(&["--source", "main", "--trust", "--principal", runner]);
    assert_eq!((none.code, none.out.as_str()), (3, ""));
    insta::assert_snapshot!(none.err);
}

#[test]
fn terraform_gets_a_role_with_its_trust() {
    insta::assert_snapshot!(of_roles(&["--source", "search", "--format", "terraform"]).out);
    let given = ["--principal", "arn:aws:iam::111122223333:role/otpsd"];
    let ran = of_roles(&[&["--source", "chat", "--format", "terraform"], &given[..]].concat());
    assert!(!ran.out.contains("variable \"otpsd"), "{}", ran.out);
    assert!(ran.out.contains("identifiers = [\"arn:aws:iam::111122223333:role/otpsd\"]"), "{}", ran.out);
}

#[test]
fn a_look_needs_to_see_the_topics_besides() {
    let without: Vec<String> = allowed(&policy(EVERYTHING, &[])).into_iter().map(|one| one.0).collect();
    let with = allowed(&policy(EVERYTHING, &["--check-live"]));
    let more: Vec<&(String, Value, Value)> = with.iter().filter(|one| !without.contains(&one.0)).collect();
    let [(action, topics, _)] = more[..] else { panic!("{more:?}") };
    assert_eq!((action.as_str(), topics.as_array().unwrap().len()), ("sns:GetTopicAttributes", 2));
}

#[test]
fn a_configuration_without_aws_needs_no_policy() {
    let ran = policy("[alarm]\nmode = \"observe\"\n", &[]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    let last = ran.err.lines().rev().take(2).collect::<Vec<_>>();
    assert_eq!(last[1], "error: this configuration calls nothing of AWS, so it needs no policy");
    assert!(last[0].starts_with("hint: a policy is needed for [source.cloudwatch.NAME], "), "{}", last[0]);
}

const RULES: &str = r#"
[alarm]
treat-missing-data = "notBreaching"

[override.quiet]
match = { model = "example.beta*" }
mode = "observe"
page-below = 0.70
evaluation-periods = 6
datapoints-to-alarm = 4
treat-missing-data = "neutral"

[override.band]
match = { model = "example.gamma*" }
method = "anomaly"
"#;

/// Fifteen days of three series at 100, 50 and 80 tokens a second, and one day of a fourth.
fn recording() -> String {
    let begin: jiff::Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let mut text = "Timestamp,AccountId,Region,ModelId,InvocationLatency.p50,InvocationLatency.SampleCount,TimeToFirstToken.p50,OutputTokenCount.p50\n".to_owned();
    for k in 0..15 * 288_i64 {
        let time = begin + jiff::SignedDuration::from_secs(k * 300);
        for (account, region, model, latency, tokens) in [
            ("111122223333", "eu-west-1", "example.alpha-large-v1:0", 5_000, 400),
            ("111122223333", "us-east-1", "example.beta-v1:0+latency-optimized", 5_000, 200),
            ("444455556666", "us-east-1", "example.gamma-v1:0", 6_000, 400),
            ("444455556666", "us-east-1", "example.new-v1:0", 5_000, 400),
        ] {
            if model != "example.new-v1:0" || k >= 14 * 288 {
                text += &format!("{time},{account},{region},{model},{latency},400,1000,{tokens}\n");
            }
        }
    }
    text
}

/// Exports what is learned of that recording.
fn learned(what: &str, rules: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), "otpsd.toml", rules);
    let recording = write(folder.path(), "recording.csv", &recording());
    run(&["export", what, "--config", config.to_str().unwrap(), recording.to_str().unwrap()])
}

#[test]
fn the_nearest_native_alarms_are_a_template() {
    let ran = learned("cloudwatch-alarms", RULES);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // 80 % of 400 tokens in 5 - 1 seconds, and 70 % of 200 in as many.
    assert_eq!(ran.out.matches("      Threshold: ").count(), 2);
    assert!(ran.out.contains("      Threshold: 80.00\n") && ran.out.contains("      Threshold: 35.00\n"));
    assert!(ran.out.contains("  # 444455556666/us-east-1/example.new-v1:0: no alarm, it is LEARNING, "));
    assert_eq!(ran.out, learned("cloudwatch-alarms", RULES).out);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn an_alarm_keeps_its_name_when_other_series_come() {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), "otpsd.toml", RULES);
    let all = recording();
    let alone: String = all
        .lines()
        .filter(|line| !line.contains(".beta") && !line.contains(".gamma"))
        .map(|line| format!("{line}\n"))
        .collect();
    let alone = write(folder.path(), "alone.csv", &alone);
    let alone =
        run(&["export", "cloudwatch-alarms", "--config", config.to_str().unwrap(), alone.to_str().unwrap()]);
    let names = |text: &str| -> BTreeSet<String> {
        text.lines().filter(|line| line.starts_with("  Otps")).map(str::to_owned).collect()
    };
    let (few, many) = (names(&alone.out), names(&learned("cloudwatch-alarms", RULES).out));
    assert_eq!((few.len(), many.len()), (1, 3));
    assert!(few.is_subset(&many), "{few:?} {many:?}");
}

#[test]
fn of_nothing_that_is_learned_there_is_no_alarm() {
    let none = run(&["export", "cloudwatch-alarms", "--config", "config/examples/backtest.toml"]);
    assert_eq!((none.code, none.out.as_str()), (3, ""));
    insta::assert_snapshot!(none.err);
    let young = learned("cloudwatch-alarms", "[baseline]\nmin-history = \"20d\"\nhistory = \"28d\"\n");
    assert_eq!((young.code, young.out.as_str()), (3, ""), "{}", young.err);
    assert!(
        young.err.contains(
            "error: no alarm can be made: nothing is usual yet at the end of the recording\nhint: "
        ),
        "{}",
        young.err
    );
}

/// Holds a metric of a dashboard against the form that CloudWatch reads: namespace, name, dimension, options; or an expression.
fn is_a_metric(metric: &Value) -> bool {
    match metric.as_array().unwrap().as_slice() {
        [expression] => expression["expression"].is_string() && expression["id"].is_string(),
        [namespace, _, dimension, _, options] => {
            namespace == "AWS/Bedrock" && dimension == "ModelId" && options["stat"].is_string()
        }
        _ => false,
    }
}

#[test]
fn a_dashboard_has_the_same_figures() {
    let ran = learned("cloudwatch-dashboard", RULES);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let body: Value = serde_json::from_str(&ran.out).unwrap();
    let widgets = body["widgets"].as_array().unwrap();
    // Five graphs of four series, none over another.
    assert_eq!(widgets.len(), 20);
    let mut cells = BTreeSet::new();
    for widget in widgets {
        let number = |key: &str| widget[key].as_u64().unwrap();
        for x in number("x")..number("x") + number("width") {
            for y in number("y")..number("y") + number("height") {
                assert!(x < 24 && cells.insert((x, y)), "{widget}");
            }
        }
        let metrics = widget["properties"]["metrics"].as_array().unwrap();
        assert!(metrics.iter().all(is_a_metric), "{widget}");
    }
    let line = |place: usize| widgets[place]["properties"]["annotations"]["horizontal"][0]["value"].clone();
    // 80 % of 100 and 70 % of 50; then a band, and a series that is LEARNING.
    assert_eq!([line(0), line(5), line(10), line(15)], [80.0.into(), 35.0.into(), Value::Null, Value::Null]);
    let band = widgets[10]["properties"]["metrics"].as_array().unwrap().last().unwrap();
    assert_eq!(band[0]["expression"], "ANOMALY_DETECTION_BAND(otps, 3)");
    let learning = widgets[15]["properties"]["title"].as_str().unwrap();
    assert_eq!(learning, "444455556666/us-east-1/example.new-v1:0: OTPS, still LEARNING");
    insta::assert_snapshot!(serde_json::to_string_pretty(&widgets[..5]).unwrap());
}

#[test]
fn a_dashboard_of_one_account_asks_for_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), "otpsd.toml", RULES);
    let recording: Vec<String> =
        recording().lines().map(|line| line.replace("444455556666", "111122223333")).collect();
    let recording = write(folder.path(), "recording.csv", &recording.join("\n"));
    let ran = run(&[
        "export",
        "cloudwatch-dashboard",
        "--config",
        config.to_str().unwrap(),
        recording.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("\"title\": \"us-east-1/example.gamma-v1:0: throttles\""), "{}", ran.out);
    assert!(
        !ran.out.contains("accountId") && learned("cloudwatch-dashboard", RULES).out.contains("accountId")
    );
}

#[test]
fn there_is_no_dashboard_of_nothing() {
    let none = run(&["export", "cloudwatch-dashboard", "--config", "config/examples/backtest.toml"]);
    assert_eq!((none.code, none.out.as_str()), (3, ""));
    assert!(none.err.starts_with("error: without a recording no model is known"), "{}", none.err);
    assert!(none.err.contains("\nhint: name recordings after the configuration"), "{}", none.err);
}
