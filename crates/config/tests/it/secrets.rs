//! A secret is read, is never shown, and is missed by name.

use config::{File, Problem, Purpose, Severity, read, render};
use domain::{ChannelPlan, ExitCode, Secret, SourcePlan};

use crate::surroundings::{Surroundings, file};

const SECRET: &str = "R0MARKERMARKERMARKERMARKERMARKER";

fn config(routing_key: &str) -> File {
    file(&format!(
        "[alarm]\nmode = \"observe\"\n[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n\
         [channel.pagerduty.oncall]\nrouting-key = {routing_key}\n[[route.page]]\nchannels = [\"pagerduty.oncall\"]\n"
    ))
}

fn told(routing_key: &str, surroundings: &Surroundings) -> Vec<String> {
    let problems = read(&[config(routing_key)], Purpose::Run, surroundings).problems;
    problems.into_iter().map(|problem| problem.message).collect()
}

#[test]
fn a_secret_comes_from_the_environment_or_a_file() {
    let surroundings =
        Surroundings::default().variable("PD", SECRET).file("/run/pd", format!("{SECRET}\n").as_bytes());
    for routing_key in [r#"{ env = "PD" }"#, r#"{ file = "/run/pd" }"#] {
        let outcome = read(&[config(routing_key)], Purpose::Run, &surroundings);
        let plan = outcome.plan.unwrap();
        let Some(ChannelPlan::PagerDuty(channel)) = plan.channels.first() else { panic!("{plan:?}") };
        assert_eq!(channel.routing_key.expose(), SECRET);
        assert!(!format!("{plan:?}").contains("MARKER"));
    }
}

#[test]
fn a_secret_that_is_not_there_is_missed_by_name() {
    let surroundings = Surroundings::default()
        .variable("EMPTY", " ")
        .variable("TWO", "a b")
        .file("/run/empty", b"\n")
        .file("/run/two", b"one\ntwo\n")
        .file("/run/binary", &[0xff, 0xfe]);
    for (routing_key, message) in [
        (r#"{ env = "PD" }"#, "the environment variable `PD` is not set"),
        (r#"{ env = "EMPTY" }"#, "the environment variable `EMPTY` is empty"),
        (r#"{ env = "TWO" }"#, "the environment variable `TWO` holds more than one word"),
        (r#"{ file = "/run/pd" }"#, "cannot read the file `/run/pd`: there is no such file"),
        (r#"{ file = "/run/empty" }"#, "the file `/run/empty` is empty"),
        (r#"{ file = "/run/two" }"#, "the file `/run/two` holds more than one word"),
        (r#"{ file = "/run/binary" }"#, "the file `/run/binary` does not hold a text"),
    ] {
        assert_eq!(told(routing_key, &surroundings), [message]);
    }
}

#[test]
fn no_output_shows_what_may_be_a_secret() {
    let wrong = |line: &str| format!("[channel.pagerduty.oncall]\n{line}\n");
    for text in [
        wrong(&format!("routing-key = \"{SECRET}\" # {SECRET}")),
        wrong(&format!("routing-key = \"{SECRET}")),
        wrong(&format!("routing-key = {SECRET}")),
        wrong(&format!("routing-key \"{SECRET}\"")),
        wrong(&format!("routing-key = {{ env = \"{SECRET}\" }}")),
        wrong(&format!("routing-key = {{ value = \"{SECRET}\" }}")),
        wrong(&format!("routing-key = {{ \"{SECRET}\" }}")),
        wrong(&format!("routing-key = [\"{SECRET}\"]")),
        wrong(&format!("routing-key = \"\"\"\n{SECRET}\"\"\"")),
        wrong(&format!("routing-key = \"\"\"\n\\q{SECRET}")),
        wrong(&format!("routing-kye = \"{SECRET}\"")),
        wrong(&format!("integration-key = \"{SECRET}\"")),
        wrong(&format!("routing-key = {{ env = \"PD\" }}\nrouting-key = \"{SECRET}\"")),
        wrong(&format!("routing-key.env = \"{SECRET}\"")),
        wrong(&format!("severity = \"{SECRET}\"")),
        wrong(&format!("url = \"https://me:{SECRET}@example.com\"")),
        wrong(&format!("url = \"https://example.com/hook?token={SECRET}\"")),
        wrong(&format!("url = \"me:{SECRET}@example.com\"")),
        format!("[channel.webhook.ops]\ntoken = \"{SECRET}\"\n"),
        format!("[channel.webhook.ops]\nurl = \"{SECRET}\"\n"),
        format!("[channel.webhook.ops]\nurl = \"hooks.example.com/{SECRET}\"\n"),
        format!("[channel.webhook.ops]\nurl = \"https://hooks.example.com/T00/{SECRET}\"\n"),
        "[channel.webhook.ops]\nurl = \"https://hooks.example.com/?token=MARKER\"\n".to_owned(),
        "[channel.webhook.ops]\nurl = \"https://me:MARKER@hooks.example.com/\"\n".to_owned(),
        "[channel.webhook.ops]\nurl = \"https://hooks.example.com/MARKER\"\nsecret = 3\n".to_owned(),
        "[channel.webhook.ops]\nurl = \"https://hooks.example.com/MARKER\" 3\n".to_owned(),
        "[channel.webhook.ops]\nurl = { url = \"https://hooks.example.com/MARKER\" }\n".to_owned(),
        format!("[channel.webhook.ops]\nurl = {{ env = \"{SECRET}\" }}\n"),
        "[channel.webhook.ops]\nurl = [\"https://hooks.example.com/MARKER\"]\n".to_owned(),
        "[channel.webhook.ops]\nurl = { env = \"W\" }\nsecret = \"MARKER\"\n".to_owned(),
        "[channel.jira.llm]\ntoken = \"MARKER\"\n".to_owned(),
        "[channel.jira.llm]\ntoken = { \"MARKER\" }\n".to_owned(),
        "[channel.jira.llm]\napi-token = \"MARKER\"\n".to_owned(),
        "[channel.jira.llm]\nurl = \"https://me:MARKER@example.atlassian.net\"\n".to_owned(),
        "[channel.jira.llm]\nuser = \"me@example.com:MARKER\" 3\ntoken = \"MARKER\"\n".to_owned(),
        format!("[daemon]\nheartbeat-url = \"https://beats.example.com/{SECRET}\"\n"),
        "[daemon]\nheartbeat-url = \"https://beats.example.com/MARKER\" 3\n".to_owned(),
        "[source.cloudwatch.main]\nheartbeat-url = \"https://beats.example.com/?key=MARKER\"\n".to_owned(),
        format!(
            "[override.a]\nmatch = {{ model = \"*\" }}\nlabels = {{ runbook = \"https://me:{SECRET}@example.com\" }}\n"
        ),
        format!("[channel.pagerduty]\nrouting-key = \"{SECRET}\"\n"),
        format!("routing-key = \"{SECRET}\"\n"),
        format!("channel = {{ pagerduty = {{ oncall = {{ routing-key = \"{SECRET}\", url = 3 }} }} }}\n"),
        format!("[[route.page]]\nchannels = [\"{SECRET}\"]\n"),
    ] {
        let problems = read(&[file(&text)], Purpose::Run, &Surroundings::default()).problems;
        shows_no_secret(&problems, &text);
    }
}

fn shows_no_secret(problems: &[Problem], text: &str) {
    assert!(problems.iter().any(|problem| problem.place.is_some()), "{text}");
    let outputs = [
        render::text(problems, false),
        render::text(problems, true),
        render::json(problems),
        render::github(problems),
        format!("{problems:?}"),
    ];
    for output in outputs {
        assert!(!output.contains("MARKER"), "{text}\n{output}");
    }
}

/// A configuration with a secret of each kind, each where it belongs.
const ALL_SECRETS: &str = r#"[daemon]
heartbeat-url = { env = "BEAT" }
[alarm]
mode = "observe"
[source.cloudwatch.main]
regions = ["us-east-1"]
heartbeat-url = { file = "/run/beat" }
[channel.webhook.chat]
url = { env = "CHAT" }
secret = { file = "/run/signing" }
[channel.webhook.same]
url = { env = "CHAT" }
[channel.jira.llm]
url = "https://example.atlassian.net"
project = "LLMOPS"
token = { env = "JIRA" }
"#;

#[test]
fn every_secret_arrives_and_is_not_seen() {
    let surroundings = Surroundings::default()
        .variable("BEAT", "https://beats.example.com/MARKER-daemon")
        .file("/run/beat", b"https://beats.example.com/MARKER-main\n")
        .variable("CHAT", "https://hooks.example.com/?token=MARKER-chat")
        .file("/run/signing", b"MARKER-signing\n")
        .variable("JIRA", "MARKER-jira");
    let outcome = read(&[file(ALL_SECRETS)], Purpose::Run, &surroundings);
    // Two channels to one address are told, and not by the address.
    shows_no_secret(&outcome.problems, ALL_SECRETS);
    let plan = outcome.plan.unwrap();
    assert!(!format!("{plan:?}").contains("MARKER"));
    let SourcePlan::CloudWatch(source) = &plan.sources[0];
    let secret = |secret: &Option<Secret>| secret.as_ref().unwrap().expose().to_owned();
    assert_eq!(secret(&plan.daemon.heartbeat_url), "https://beats.example.com/MARKER-daemon");
    assert_eq!(secret(&source.heartbeat_url), "https://beats.example.com/MARKER-main");
    for channel in &plan.channels {
        match channel {
            ChannelPlan::Webhook(plan) if plan.name == "chat" => {
                assert_eq!(plan.url.expose(), "https://hooks.example.com/?token=MARKER-chat");
                assert_eq!(secret(&plan.secret), "MARKER-signing");
            }
            ChannelPlan::Webhook(plan) => assert_eq!(plan.secret, None),
            ChannelPlan::Jira(plan) => assert_eq!(plan.token.expose(), "MARKER-jira"),
            other => panic!("{other:?}"),
        }
        assert!(!channel.receiver().contains("MARKER"));
    }
}

#[test]
fn a_secret_that_is_no_address_is_told_by_its_name() {
    let surroundings = Surroundings::default()
        .variable("BEAT", "MARKER")
        .file("/run/beat", b"ftp://MARKER.example.com\n")
        .variable("CHAT", "hooks.example.com/MARKER")
        .file("/run/signing", b"MARKER\n")
        .variable("JIRA", "MARKER");
    let problems = read(&[file(ALL_SECRETS)], Purpose::Run, &surroundings).problems;
    shows_no_secret(&problems, ALL_SECRETS);
    let errors: Vec<_> = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .map(|problem| problem.message.clone())
        .collect();
    let of = "must hold a URL with http:// or https://";
    assert_eq!(
        errors,
        [
            format!("the environment variable `BEAT` {of}"),
            format!("the file `/run/beat` {of}"),
            format!("the environment variable `CHAT` {of}"),
            format!("the environment variable `CHAT` {of}"),
        ]
    );
    // To look at the file where none of them is, is no error.
    let outcome = read(&[file(ALL_SECRETS)], Purpose::Check, &Surroundings::default());
    assert_eq!(outcome.exit_code(), ExitCode::Success);
    let missed = |problem: &&Problem| {
        problem.message.contains("is not set") || problem.message.contains("no such file")
    };
    assert_eq!(outcome.problems.iter().filter(missed).count(), 6);
}
