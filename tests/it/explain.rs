//! `otpsd explain`: from a recording, and from the running daemon.

use serde_json::Value;

use crate::bench::recording;
use crate::process::{Ran, run, write};
use crate::rehearsal::{Rehearsal, series};

/// Explains the only series of the recording of a slow hour from 12:00 on.
fn explain(arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "recording.csv", &recording());
    run(&[&["explain"], arguments, &[path.to_str().unwrap()]].concat())
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_page_of_a_recording_is_explained() {
    // The third slow period ends at 12:15.
    let ran = explain(&["alpha", "--at", "2026-03-16T12:15:00Z"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn any_moment_can_be_asked_for() {
    let at = |time: &str| json(&explain(&["alpha", "--format", "json", "--at", time]));
    // 12:14:59 is before the end of the third slow period.
    let before = at("2026-03-16T12:14:59Z");
    assert_eq!((&before["state"], &before["judged_through"]), (&"OK".into(), &"2026-03-16T12:05:00Z".into()));
    assert_eq!(before["next"], serde_json::json!({"pages_after": 1}));
    let slots = before["slots"].as_array().unwrap();
    assert_eq!(slots.len(), 5);
    assert_eq!((&slots[3]["verdict"], &slots[2]["verdict"]), (&"breaching".into(), &"within".into()));
    // 400 tokens in 7 - 1 seconds, against 5 - 1.
    for (field, value) in [("value", 66.667), ("baseline", 100.0), ("threshold", 80.0), ("ratio", 0.666_67)] {
        assert!((slots[4][field].as_f64().unwrap() - value).abs() < 1e-3, "{field}: {}", slots[4]);
    }

    let paged = at("2026-03-16T12:15:00Z");
    assert_eq!((&paged["state"], &paged["since"]), (&"ALARM".into(), &"2026-03-16T12:10:00Z".into()));
    assert_eq!(paged["incident"]["onset"], "2026-03-16T12:00:00Z");
    let resolves = &paged["next"]["resolves_after"];
    assert_eq!((&resolves["needed"], &resolves["back"]), (&3.into(), &0.into()));
    // Without a time it is the end of the recording, which is the end of a day.
    let end = json(&explain(&["alpha", "--format", "json"]));
    assert_eq!((&end["state"], &end["judged_through"]), (&"OK".into(), &"2026-03-16T23:55:00Z".into()));
    let learning = at("2026-03-03T12:00:00Z");
    assert_eq!((&learning["state"], &learning["next"]), (&"LEARNING".into(), &"learns".into()));
    assert_eq!(
        (&learning["learning"]["datapoints"], &learning["usual"]),
        (&(288 + 144).into(), &Value::Null)
    );
}

#[test]
fn the_rules_of_a_configuration_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), "otpsd.toml", "[alarm]\nmode = \"observe\"\npage-below = 0.6\n");
    let ran = explain(&["alpha", "--at", "2026-03-16T12:15:00Z", "--config", config.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("\nOK since ") && ran.out.contains("page-below = 0.60"), "{}", ran.out);
    assert!(ran.out.contains("nothing is sent"), "{}", ran.out);
    let written = ran.out.lines().skip_while(|line| !line.starts_with("  Written, ")).skip(1);
    let path = config.to_str().unwrap();
    assert_eq!(
        written.collect::<Vec<_>>(),
        [format!("  mode = \"observe\"  {path}:2"), format!("  page-below = 0.6  {path}:3")]
    );
}

#[test]
fn the_line_that_decides_is_named_for_each_series() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[override.slow]\nmatch = { model = \"*alpha*\" }\npage-below = 0.82\n\
                [override.keen]\nmatch = { region = \"eu-*\" }\nrecover-above = 0.81\n\
                [alarm]\nevaluation-periods = 4\nmin-samples = 12\n";
    let config = write(folder.path(), "otpsd.toml", text);
    let path = config.to_str().unwrap();
    let explained = json(&explain(&["alpha", "--format", "json", "--config", path]));
    assert_eq!(
        explained["written"],
        serde_json::json!([
            {"key": "page-below", "value": "0.82", "at": format!("{path}:3"), "override": "slow"},
            {"key": "evaluation-periods", "value": "4", "at": format!("{path}:8"), "override": null},
            {"key": "min-samples", "value": "12", "at": format!("{path}:9"), "override": null},
            {"key": "widest-window", "value": "4", "at": null, "override": null,
                "changed": "lowered from 5 by `evaluation-periods`"},
            {"key": "recover-above", "value": "0.82", "at": format!("{path}:6"), "override": "keen",
                "changed": "raised from 0.81 by `page-below`"},
        ])
    );
}

#[test]
fn a_series_that_is_not_one_is_no_answer() {
    let none = explain(&["haiku"]);
    assert_eq!((none.code, none.out.as_str()), (1, ""));
    assert!(none.err.contains("-/eu-west-1/example.alpha-large-v1:0"), "{}", none.err);
    let early = explain(&["alpha", "--at", "2026-03-01T00:00:00Z"]);
    assert_eq!(early.code, 1);
    assert!(early.err.contains("hint: the recording is from 2026-03-02T00:00:00Z"), "{}", early.err);
    assert_eq!(run(&["explain", "alpha", "no-such-file.csv"]).code, 3);
    assert_eq!(run(&["explain", "alpha"]).code, 2, "neither a recording nor a daemon");
    assert_eq!(explain(&["alpha", "--at", "noon"]).code, 2);
}

#[test]
fn the_running_daemon_explains_what_it_does() {
    let rehearsal = Rehearsal::new(4, |k| (0..4_000).contains(&k));
    let config = rehearsal.state_dir().join("otpsd.toml");
    let config = config.to_str().unwrap();
    let ask = |arguments: &[&str]| run(&[&["explain", "--config", config], arguments].concat());
    assert_eq!(ask(&["sonnet"]).code, 3, "nobody is there");

    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1);
    rehearsal.wait_until_judged(2, &daemon);
    let text = ask(&["sonnet"]);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.starts_with(&format!("{}\n\nALARM since 2 Nov 00:15Z: ", series())), "{}", text.out);
    let key = &rehearsal.alerts()[0].dedup_key;
    let incident = domain::Key::of_incident(&series(), rehearsal.story + 2);
    assert!(text.out.contains(&format!("Incident {incident}: slow since 2 Nov 00:00Z")), "{}", text.out);
    let told = format!("Told pagerduty.oncall and sns.pages under the key {key}.");
    assert!(text.out.contains(&told), "{}", text.out);

    // An hour before the story: replayed from what is stored.
    let then = json(&ask(&["sonnet", "--format", "json", "--at", "2026-11-01T23:00:00Z"]));
    assert_eq!((&then["state"], &then["judged_through"]), (&"OK".into(), &"2026-11-01T22:55:00Z".into()));
    assert!((then["usual"]["p50"]["baseline"].as_f64().unwrap() - 100.0).abs() < 0.1, "{}", then["usual"]);

    let unknown = ask(&["haiku"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (1, ""));
    assert!(unknown.err.contains(&series().to_string()), "{}", unknown.err);
    assert_eq!(ask(&["sonnet", "--at", "2020-01-01T00:00:00Z"]).code, 1);
    daemon.terminate();

    // Without a daemon, the last one's store says the same, and to whom it was told.
    let stored = ask(&["sonnet"]);
    assert_eq!(stored.code, 0, "{}", stored.err);
    assert!(stored.err.starts_with("note: no daemon runs here; "), "{}", stored.err);
    assert!(stored.out.contains(&format!("Incident {incident}: ")), "{}", stored.out);
    assert!(stored.out.contains(&told), "{}", stored.out);
    assert_eq!(json(&ask(&["sonnet", "--format", "json", "--at", "2026-11-01T23:00:00Z"])), then);
    let unknown = ask(&["haiku"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (1, ""));
    assert!(unknown.err.contains(&series().to_string()), "{}", unknown.err);
}
