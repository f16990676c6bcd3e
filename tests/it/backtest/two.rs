//! `otpsd backtest --against`: two configurations on the same history.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process::{Ran, otpsd, run, write};

/// A series at 100 tokens a second but in some periods of the last day: from one, until another, at this share.
pub(super) type Slow = (i64, i64, f64);

/// Fifteen days from 2 March 2026 on, 200 requests a period.
pub(super) fn recording(folder: &Path, fleet: &[(&str, &str, &[Slow])]) -> PathBuf {
    let begin: jiff::Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let mut text = "Timestamp,Region,ModelId,InvocationLatency.SampleCount,InvocationLatency.p50,TimeToFirstToken.p50,OutputTokenCount.p50\n".to_owned();
    for (region, model, slow) in fleet {
        for period in 0..15 * 288_i64 {
            let time = begin + jiff::SignedDuration::from_secs(period * 300);
            let of_day = period - 14 * 288;
            let share = slow.iter().find(|(from, until, _)| (*from..*until).contains(&of_day));
            // 400 tokens in four seconds are 100 a second.
            let latency = 1_000.0 + 4_000.0 / share.map_or(1.0, |(_, _, share)| *share);
            writeln!(text, "{time},{region},{model},200,{latency:.3},1000,400").unwrap();
        }
    }
    write(folder, "march.csv", &text)
}

pub(super) const ALPHA: &str = "example.alpha-large-v1:0";
pub(super) const BETA: &str = "example.beta-small-v1:0";

/// Noon, three o'clock, and six.
pub(super) const NOON: i64 = 144;
pub(super) const THREE: i64 = 180;
const SIX: i64 = 216;

/// One page that nothing changes, one at 0.75 of the baseline, and one that begins at 0.75 and goes on at 0.6.
fn fleet(folder: &Path) -> PathBuf {
    recording(
        folder,
        &[
            ("eu-west-1", ALPHA, &[(NOON, NOON + 12, 2.0 / 3.0)]),
            ("eu-west-1", BETA, &[(THREE, THREE + 11, 0.75)]),
            ("us-west-2", BETA, &[(SIX, SIX + 3, 0.75), (SIX + 3, SIX + 12, 0.6)]),
            ("us-east-1", ALPHA, &[]),
        ],
    )
}

pub(super) const COMMON: &str = r#"[source.cloudwatch.prod]
regions = ["eu-west-1", "us-west-2"]

[channel.log.all]
[channel.log.daytime]

[[route.page]]
channels = ["log.all"]
[[route.ticket]]
channels = ["log.all"]
"#;

/// A folder with one configuration of so many files.
pub(super) fn configuration(folder: &Path, name: &str, files: &[(&str, &str)]) {
    std::fs::create_dir(folder.join(name)).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(name).join(file), text).unwrap();
    }
}

/// Runs in a folder, so that paths are short and the same everywhere.
pub(super) fn backtest(folder: &Path, arguments: &[&str]) -> Ran {
    otpsd()
        .current_dir(folder)
        .args(["backtest"])
        .args(arguments)
        .envs([("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE"), ("AWS_SECRET_ACCESS_KEY", "secret")])
        .output()
        .unwrap()
        .into()
}

fn pages(folder: &Path, old: &str, new: &str) -> Vec<Value> {
    let ran = backtest(folder, &["--config", new, "--against", old, "--format", "jsonl", "march.csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What became of the page of a series, how that is known, and the lines.
fn why(page: &Value) -> (&str, &str, Vec<&str>) {
    let lines = page["why"]["lines"].as_array().unwrap();
    let places = lines.iter().map(|line| line["at"].as_str().unwrap_or_default()).collect();
    (page["event"].as_str().unwrap(), page["why"]["how"].as_str().unwrap(), places)
}

const BATCH: &str = r#"# Batch may be slower.
[override.batch]
match = { model = "*beta*" }
page-below = 0.70
"#;

/// What a pull request changes: a lower line for some, and another Region.
fn reviewed(folder: &Path) {
    fleet(folder);
    configuration(folder, "old", &[("common.toml", COMMON)]);
    let more = COMMON.replace("\"us-west-2\"", "\"us-west-2\", \"us-east-1\"");
    configuration(folder, "new", &[("common.toml", &more), ("batch.toml", BATCH)]);
}

#[test]
fn a_lost_page_comes_first_with_the_line_that_lost_it() {
    let folder = tempfile::tempdir().unwrap();
    reviewed(folder.path());
    let pages = pages(folder.path(), "old", "new");
    let lost = why(&pages[0]);
    assert_eq!(lost, ("page_lost", "only", vec!["new/batch.toml:4, [override.batch]"]));
    assert_eq!(pages[0]["time"], "2026-03-16T15:15:00Z");
    assert_eq!((&pages[0]["before"]["ratio"], &pages[0]["before"]["breaching"]), (&0.75.into(), &11.into()));
    assert_eq!(pages[0]["after"], Value::Null);
    let moved = &pages[1];
    assert_eq!(why(moved), ("page_moved", "only", vec!["new/batch.toml:4, [override.batch]"]));
    // The first three periods are above the new line.
    assert_eq!(moved["before"]["opened"], "2026-03-16T18:10:00Z");
    assert_eq!(moved["after"]["opened"], "2026-03-16T18:25:00Z");
    assert_eq!((pages.len(), &pages[2]["event"]), (3, &"page_same".into()));
}

#[test]
fn two_configurations_side_by_side_are_for_people() {
    let folder = tempfile::tempdir().unwrap();
    reviewed(folder.path());
    let arguments = ["--config", "new", "--against", "old", "march.csv"];
    let ran = backtest(folder.path(), &arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
    insta::assert_snapshot!("against_as_a_table", ran.out);
    let ran = backtest(folder.path(), &[&arguments[..], &["--format", "markdown"]].concat());
    insta::assert_snapshot!("against_as_markdown", ran.out);
    let ran = backtest(folder.path(), &["--config", "old", "--format", "markdown", "march.csv"]);
    insta::assert_snapshot!("one_as_markdown", ran.out);
}

#[test]
fn of_several_lines_the_one_is_blamed_without_which_the_page_is_back() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    // An hour that is slow is five of five, so only the line loses the page.
    let alarm = "[alarm]\npage-below = 0.70\ndatapoints-to-alarm = 5\n";
    configuration(folder.path(), "new", &[("common.toml", COMMON), ("alarm.toml", alarm)]);
    let pages = pages(folder.path(), "old", "new");
    assert_eq!(why(&pages[0]), ("page_lost", "put_back", vec!["new/alarm.toml:2"]));
    // The page of alpha is decided two periods later by five of five, whatever the line is.
    let alpha = pages.iter().find(|page| page["model"] == ALPHA).unwrap();
    assert_eq!(why(alpha), ("page_moved", "put_back", vec!["new/alarm.toml:3"]));
}

#[test]
fn where_two_lines_move_two_things_both_are_named() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path(), &[("eu-west-1", BETA, &[(NOON, NOON + 12, 0.6)])]);
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    // It is decided a period later, and over a period sooner.
    let alarm = "[alarm]\ndatapoints-to-alarm = 4\nrecover-datapoints = 2\n";
    configuration(folder.path(), "new", &[("common.toml", COMMON), ("alarm.toml", alarm)]);
    let pages = pages(folder.path(), "old", "new");
    assert_eq!(why(&pages[0]), ("page_moved", "part", vec!["new/alarm.toml:2", "new/alarm.toml:3"]));
    assert_eq!(pages[0]["why"]["text"], "decided 5 min later; over 5 min sooner");
}

#[test]
fn where_each_of_two_lines_would_do_both_are_named() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path(), &[("eu-west-1", BETA, &[(NOON, NOON + 3, 0.75)])]);
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    let alarm = "[alarm]\npage-below = 0.70\ndatapoints-to-alarm = 5\n";
    configuration(folder.path(), "new", &[("common.toml", COMMON), ("alarm.toml", alarm)]);
    let pages = pages(folder.path(), "old", "new");
    let both = vec!["new/alarm.toml:2", "new/alarm.toml:3"];
    assert_eq!(why(&pages[0]), ("page_lost", "each_alone", both));
}

#[test]
fn where_it_takes_two_lines_both_are_named() {
    let folder = tempfile::tempdir().unwrap();
    // Gained: three periods at 0.85 are neither below 0.80, nor five of five.
    recording(folder.path(), &[("eu-west-1", BETA, &[(NOON, NOON + 3, 0.85)])]);
    let alarm = "[alarm]\ndatapoints-to-alarm = 5\n";
    configuration(folder.path(), "old", &[("common.toml", COMMON), ("alarm.toml", alarm)]);
    let alarm = "[alarm]\ndatapoints-to-alarm = 3\npage-below = 0.90\nrecover-above = 0.95\n";
    configuration(folder.path(), "new", &[("common.toml", COMMON), ("alarm.toml", alarm)]);
    let pages = pages(folder.path(), "old", "new");
    let both = vec!["new/alarm.toml:3", "new/alarm.toml:2"];
    assert_eq!(why(&pages[0]), ("page_gained", "put_back", both));
}

#[test]
fn a_series_that_is_not_read_any_more_loses_its_pages_to_that_line() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    let fewer =
        COMMON.replace(", \"us-west-2\"", "").replace("\n\n[channel", "\nignore = [\"*alpha*\"]\n\n[channel");
    configuration(folder.path(), "new", &[("common.toml", &fewer)]);
    let pages = pages(folder.path(), "old", "new");
    let of = |region: &str, model: &str| {
        let page = pages.iter().find(|page| page["region"] == region && page["model"] == model).unwrap();
        (why(page), page["why"]["lines"][0]["what"].as_str().unwrap())
    };
    assert_eq!(
        of("us-west-2", BETA),
        (
            ("page_lost", "only", vec!["new/common.toml:2"]),
            "source `prod` does not read `us-west-2` any more"
        )
    );
    assert_eq!(
        of("eu-west-1", ALPHA),
        (("page_lost", "only", vec!["new/common.toml:3"]), "source `prod` does not take this model any more")
    );
    let rest: Vec<_> = pages.iter().filter(|page| page["event"] == "page_same").collect();
    assert_eq!((rest.len(), &rest[0]["model"]), (1, &BETA.into()));
}

#[test]
fn a_page_that_nobody_is_told_of_any_more_is_lost_and_one_for_others_moved() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    let observed = "[override.quiet]\nmatch = { model = \"*alpha*\" }\nmode = \"observe\"\n";
    let others = COMMON.replacen(
        "[[route.page]]",
        "[[route.page]]\nregions = [\"us-*\"]\nchannels = [\"log.daytime\"]\n[[route.page]]",
        1,
    );
    configuration(folder.path(), "new", &[("common.toml", &others), ("quiet.toml", observed)]);
    let pages = pages(folder.path(), "old", "new");
    assert_eq!(why(&pages[0]), ("page_lost", "only", vec!["new/quiet.toml:3, [override.quiet]"]));
    assert_eq!(pages[0]["after"]["untold"], "the rule only observes");
    assert_eq!(why(&pages[1]), ("page_moved", "only", vec!["new/common.toml:7"]));
    assert_eq!(pages[1]["after"]["channels"], serde_json::json!(["log.daytime"]));
}

/// Two slow hours with twenty minutes at 0.9 between them are two pages, or one where 0.9 is not back.
#[test]
fn two_pages_that_become_one_are_not_lost_and_one_that_becomes_two_is_gained() {
    let folder = tempfile::tempdir().unwrap();
    let slow: &[Slow] = &[(NOON, NOON + 12, 0.6), (NOON + 12, NOON + 16, 0.9), (NOON + 16, NOON + 28, 0.6)];
    recording(folder.path(), &[("eu-west-1", BETA, slow)]);
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    let alarm = "[alarm]\nrecover-above = 0.95\n";
    configuration(folder.path(), "new", &[("common.toml", COMMON), ("alarm.toml", alarm)]);
    let events = |pages: &[Value]| pages.iter().map(|page| page["event"].clone()).collect::<Vec<_>>();
    let merged = pages(folder.path(), "old", "new");
    assert_eq!(events(&merged), ["page_moved", "page_moved"]);
    assert_eq!(
        merged[1]["why"]["text"],
        "now a part of the page decided 2026-03-16 12:15, which is still open then"
    );
    assert_eq!(why(&merged[1]), ("page_moved", "only", vec!["new/alarm.toml:2"]));
    let split = pages(folder.path(), "new", "old");
    assert_eq!(events(&split), ["page_gained", "page_moved"]);
    assert_eq!(split[0]["why"]["text"], "before it was a part of the page decided 2026-03-16 12:15");
    // The line that does it is gone now, and named where it was.
    assert_eq!(split[0]["why"]["lines"][0]["was"], "new/alarm.toml:2");
}

#[test]
fn a_pipeline_fails_where_a_page_is_lost_or_gained() {
    let folder = tempfile::tempdir().unwrap();
    reviewed(folder.path());
    let code = |new: &str, old: &str| {
        backtest(folder.path(), &["--config", new, "--against", old, "--fail-on-page", "march.csv"]).code
    };
    assert_eq!((code("new", "old"), code("old", "new"), code("old", "old")), (1, 1, 0));
    // A page that only moves does not fail it.
    let later = "[alarm]\ndatapoints-to-alarm = 4\n";
    configuration(folder.path(), "later", &[("common.toml", COMMON), ("alarm.toml", later)]);
    assert_eq!(code("later", "old"), 0);
}

#[test]
fn what_is_compared_with_may_be_in_git() {
    let folder = tempfile::tempdir().unwrap();
    reviewed(folder.path());
    let git = |arguments: &[&str]| {
        let run =
            std::process::Command::new("git").args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    git(&["add", "old"]);
    git(&["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "one"]);
    std::fs::remove_dir_all(folder.path().join("old")).unwrap();
    let ran = backtest(folder.path(), &["--config", "new", "--against", "main:old", "march.csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("Against main:old ("), "{}", ran.out);
    assert!(ran.out.contains("1 page lost, 0 gained, 1 moved"), "{}", ran.out);
    let ran = backtest(folder.path(), &["--config", "new", "--against", "other:old", "march.csv"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("git knows no commit `other`"), "{}", ran.err);
}

#[test]
fn a_comment_holds_whatever_a_recording_has() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "a`</details><script>|@everybody";
    let names: Vec<String> = (0..80).map(|number| format!("{hostile}{number:0>200}")).collect();
    let slow: &[Slow] = &[(NOON, NOON + 12, 0.5)];
    let mut text = std::fs::read_to_string(recording(folder.path(), &[("eu-west-1", ALPHA, slow)])).unwrap();
    let rows: Vec<String> = text.lines().skip(1 + 11 * 288).map(str::to_owned).collect();
    text = text.lines().next().unwrap().to_owned() + "\n";
    for name in &names {
        rows.iter().for_each(|row| writeln!(text, "{}", row.replace(ALPHA, name)).unwrap());
    }
    write(folder.path(), "march.csv", &text);
    configuration(folder.path(), "old", &[("common.toml", COMMON)]);
    let quiet = "[override.quiet]\nmatch = { model = \"*\" }\npage-below = 0.4\n";
    configuration(folder.path(), "new", &[("common.toml", COMMON), ("quiet.toml", quiet)]);
    let ran = backtest(
        folder.path(),
        &["--config", "new", "--against", "old", "--format", "markdown", "march.csv"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("### otpsd: 80 pages lost, 0 gained, 0 moved"), "{}", &ran.out[..200]);
    assert!(ran.out.chars().count() < 65_536, "{}", ran.out.chars().count());
    assert!(ran.out.contains("more; `--format jsonl` has all."), "it is cut with a count");
    // Outside of code nothing of the name is markup, and nothing in it ends the code.
    for line in ran.out.lines().filter(|line| line.contains("script")) {
        assert!(line.matches('`').count().is_multiple_of(2), "{line}");
        let outside: String = line.split('`').step_by(2).collect();
        assert!(!outside.contains("<script>") && !outside.contains("@everybody"), "{line}");
        let cells = line.replace("\\|", "").matches('|').count();
        assert!([0, 7].contains(&cells), "{line}");
    }
}

#[test]
fn a_report_is_there_whole_or_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    reviewed(folder.path());
    let arguments = ["--config", "new", "--against", "old", "--format", "markdown", "--out"];
    let ran = backtest(folder.path(), &[&arguments[..], &["comment.md", "march.csv"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let text = std::fs::read_to_string(folder.path().join("comment.md")).unwrap();
    assert!(text.starts_with("### otpsd: 1 page lost"), "{text}");
    let ran = backtest(folder.path(), &[&arguments[..], &["none/comment.md", "march.csv"]].concat());
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("none/comment.md cannot be written"), "{}", ran.err);
    assert!(ran.err.contains("hint: "), "{}", ran.err);
}

#[test]
fn a_history_comes_from_files_or_from_cloudwatch() {
    let ran = run(&["backtest", "--config", "config/examples/backtest.toml"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("<RECORDING>"), "{}", ran.err);
    let ran = run(&["backtest", "--config", "config/examples/backtest.toml", "--since", "30d", "a.csv"]);
    assert_eq!(ran.code, 2);
    let ran = run(&["backtest", "--config", "config/examples/backtest.toml", "--since", "30d"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("the configuration has no source"), "{}", ran.err);
}
