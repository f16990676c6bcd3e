//! A secret is read, is never shown, and is missed by name.

use config::{File, Purpose, read, render};
use domain::ChannelPlan;

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
        format!("[channel.pagerduty]\nrouting-key = \"{SECRET}\"\n"),
        format!("routing-key = \"{SECRET}\"\n"),
        format!("channel = {{ pagerduty = {{ oncall = {{ routing-key = \"{SECRET}\", url = 3 }} }} }}\n"),
        format!("[[route.page]]\nchannels = [\"{SECRET}\"]\n"),
    ] {
        let problems = read(&[file(&text)], Purpose::Run, &Surroundings::default()).problems;
        assert!(problems.iter().any(|problem| problem.place.is_some()), "{text}");
        let outputs = [
            render::text(&problems, false),
            render::text(&problems, true),
            render::json(&problems),
            render::github(&problems),
            format!("{problems:?}"),
        ];
        for output in outputs {
            assert!(!output.contains("MARKER"), "{text}\n{output}");
        }
    }
}
