//! `otpsd backtest --format html`: what the file says is what the lines for machines say.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::process::{Ran, run, write};

/// Somebody outside chose this name.
const MARKUP: &str = "<script>alert(1)</script>";

/// Fifteen days of three series of two Regions, of which two are slow for an hour on the last day. One of the names is markup.
fn recording(folder: &Path) -> PathBuf {
    let begin: jiff::Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let mut text =
        "InvocationLatency.SampleCount,InvocationLatency.p50,TimeToFirstToken.p50,OutputTokenCount.p50,\
                    Timestamp,Region,ModelId\n"
            .to_owned();
    let series = [
        ("eu-west-1", "example.alpha-large-v1:0", true),
        ("eu-west-1", MARKUP, true),
        ("us-east-1", "example.beta", false),
    ];
    for (region, model, is_hit) in series {
        for k in 0..15 * 288_i64 {
            let time = begin + jiff::SignedDuration::from_secs(k * 300);
            let slow = is_hit && (14 * 288 + 144..14 * 288 + 156).contains(&k);
            let latency = if slow { 7_000 } else { 5_000 };
            writeln!(text, "200,{latency},1000,400,{time},{region},{model}").unwrap();
        }
    }
    write(folder, "recording.csv", &text)
}

fn backtest(config: &str, format: &str, recording: &Path) -> Ran {
    let ran = run(&["backtest", "--config", config, "--format", format, recording.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// How many lines for machines are of that event.
fn lines(jsonl: &str, event: &str) -> usize {
    jsonl.lines().filter(|line| line.contains(&format!("\"event\":\"{event}\""))).count()
}

/// What the strip below the headline says of something.
fn tally<'h>(html: &'h str, what: &str) -> &'h str {
    let (_, after) = html.split_once(&format!("<dt>{what}</dt><dd>")).unwrap();
    after.split('<').next().unwrap()
}

#[test]
fn it_counts_as_the_lines_for_machines_do_and_shows_each_incident() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path());
    let jsonl = backtest("config/examples/backtest.toml", "jsonl", &recording).out;
    let html = backtest("config/examples/backtest.toml", "html", &recording).out;
    let incidents = lines(&jsonl, "page_opened");
    assert_eq!(incidents, 2);
    // Where nobody is told of anything, what is decided counts.
    assert_eq!(tally(&html, "pages"), incidents.to_string());
    assert_eq!(tally(&html, "tickets"), lines(&jsonl, "ticket_opened").to_string());
    assert_eq!(html.matches("The page that nobody would have got: the rule only observes").count(), 2);
    assert_eq!(tally(&html, "series judged"), "3 of 3");
    assert_eq!(html.matches("<article ").count(), incidents);
    for line in jsonl.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(html.contains(event["key"].as_str().unwrap()), "{line}");
    }
    // Slow from 12:00, paged by the third period, and well from 13:00: as the lines say.
    assert!(html.contains("slow since 12:00Z") && html.contains("decided 12:15Z"), "{html}");
    assert!(html.contains("resolved 13:15Z"), "{html}");
    // 400 tokens in four seconds, and in six.
    assert!(html.contains("66.7 of 100.0 tok/s"), "{html}");
}

#[test]
fn two_incidents_of_a_region_are_one_page_whose_text_knows_the_rest_of_the_fleet() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[channel.log.oncall]\n\n[[route.page]]\nchannels = [\"log.oncall\"]\n";
    let config = write(folder.path(), "otpsd.toml", text);
    let html = backtest(config.to_str().unwrap(), "html", &recording(folder.path())).out;
    assert_eq!((tally(&html, "pages"), tally(&html, "after grouping")), ("2", "1"));
    assert_eq!(html.matches("The page, as sent to <code>log.oncall</code>").count(), 1);
    assert_eq!(html.matches("Told in the page of <a href=\"#incident-").count(), 1);
    assert!(html.contains("Elsewhere normal: us-east-1 1.00 (1 series)."), "{html}");
}

#[test]
fn a_name_from_outside_is_text_and_nothing_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let html = backtest("config/examples/backtest.toml", "html", &recording(folder.path())).out;
    assert!(!html.contains("<script") && html.contains("&#60;script&#62;alert(1)"), "{html}");
    let html = html.replace("xmlns='http://www.w3.org/2000/svg'", "");
    for reference in ["http:", "https:", "src=", "url(", "@import"] {
        assert!(!html.contains(reference), "{reference}");
    }
}

#[test]
fn a_page_that_is_lost_comes_first_with_its_evidence_and_the_line_that_loses_it() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path());
    // OTPS falls to two thirds.
    let text = "[override.batch]\nmatch = { model = \"example.alpha*\" }\npage-below = 0.60\n";
    let new = write(folder.path(), "new.toml", text);
    let against = |format: &str| -> String {
        let old = ["--against", "config/examples/backtest.toml", "--format", format];
        let arguments = [&["backtest", "--config", new.to_str().unwrap()], &old[..]].concat();
        let ran = run(&[&arguments[..], &[recording.to_str().unwrap()]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let (jsonl, html) = (against("jsonl"), against("html"));
    assert_eq!((lines(&jsonl, "page_lost"), lines(&jsonl, "page_same")), (1, 1));
    assert!(html.contains("<h1 class=\"alarm\">1 page lost, 0 gained, 0 moved</h1>"), "{html}");
    let articles: Vec<&str> = html.split("<article ").skip(1).collect();
    assert_eq!(articles.len(), 2);
    let lost = articles[0];
    assert!(
        lost.contains("<span class=\"badge alarm\">lost</span>") && !articles[1].contains("badge"),
        "{lost}"
    );
    assert!(lost.contains("66.7 of 100.0 tok/s") && lost.contains("was decided 12:15Z"), "{lost}");
    assert!(lost.contains("new.toml:3"), "{lost}");
    // The line of before at 80 tokens a second, and that of now at 60.
    assert!(lost.contains("paged below before") && lost.contains("pages below 60.0"), "{lost}");
    assert_eq!(tally(&html, "pages"), "1");
}
