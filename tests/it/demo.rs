//! `otpsd demo`: the first thing that a newcomer runs.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{Ran, otpsd, run};

/// Runs it with its temporary files in a folder of its own, of which nothing may be left.
fn demo(arguments: &[&str], columns: Option<&str>) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let mut command = otpsd();
    command.arg("demo").args(arguments).env("TMPDIR", folder.path());
    if let Some(columns) = columns {
        command.env("COLUMNS", columns);
    }
    let ran = command.output().unwrap().into();
    assert!(is_empty(folder.path()), "something is left in the folder for temporary files");
    ran
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

/// Day, time and word of every line that has them, such as `("Mon", "02:17", "PAGE")`.
fn told(out: &str) -> Vec<(&str, &str, &str)> {
    let days = ["Mon", "Tue", "Wed"];
    out.lines()
        .filter(|line| days.iter().any(|day| line.starts_with(day)))
        .map(|line| {
            let mut words = line.split_whitespace();
            let mut next = || words.next().unwrap_or_default();
            (next(), next(), next())
        })
        .collect()
}

fn assert_in_order(out: &str) {
    let times: Vec<(&str, &str)> = told(out).into_iter().map(|(day, time, _)| (day, time)).collect();
    assert!(times.len() > 20, "{out}");
    // "Mon" is before "Tue", and times have two digits.
    assert!(times.is_sorted(), "{out}");
}

#[test]
fn the_story_ends_as_it_deserves() {
    let ran = demo(&["--for", "20s"], None);
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    assert_eq!(ran.err, "");
    let last = "1 page opened, 1 resolved, 1 ticket, and silence for the other 4 of 6 models.";
    assert!(ran.out.contains(last), "{}", ran.out);
    assert!(ran.out.starts_with("Status page while this plays: http://127.0.0.1:"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "a pipe gets no colour");
    let widest = ran.out.lines().map(|line| line.chars().count()).max();
    assert!(widest.unwrap() <= 100, "{}", ran.out);
    // The page is the slow one's, the ticket names its cause, and everybody who should be told is.
    assert!(ran.out.contains("PAGE    to log.terminal, pagerduty.oncall and sns.pages\n"), "{}", ran.out);
    assert!(ran.out.contains("│ us-east-1 us.example.sonnet-large-v1:0 decodes "), "{}", ran.out);
    assert!(ran.out.contains("ticket  to sns.tickets and log.terminal\n"), "{}", ran.out);
    assert!(ran.out.contains("│ Ticket prompt_growth, opened Tue 3 Nov 00:00Z."), "{}", ran.out);
    assert_in_order(&ran.out);
    // The story in order: what happens, what is said about it, and when it is over.
    let words = told(&ran.out).into_iter().map(|line| line.2);
    let words: Vec<&str> =
        words.filter(|word| ["story", "PAGE", "resolve", "ticket"].contains(word)).collect();
    // Prompts that grow, a slow model; then its hour is over; two that begin and end, and one that outlasts its ticket.
    let expected = [
        "story", "story", "PAGE", "story", "resolve", "story", "story", "story", "story", "story", "ticket",
        "story",
    ];
    assert_eq!(words, expected, "{}", ran.out);
}

#[test]
fn a_machine_too_slow_for_it_tells_the_same_in_order() {
    // A period is over in 12 milliseconds: nobody keeps up, and the clock waits for whoever does not.
    let ran = demo(&["--for", "5s"], Some("80"));
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    assert_in_order(&ran.out);
    let widest = ran.out.lines().map(|line| line.chars().count()).max();
    assert!(widest.unwrap() <= 80, "{}", ran.out);
    assert!(ran.out.contains("  │   02:05Z  "), "figures are not wrapped: {}", ran.out);
}

/// Sixteen days of one series at 100 tokens a second, of which the last has a slow hour from 12:00 on.
fn recording(folder: &Path) -> PathBuf {
    let begin: jiff::Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let mut text = "Timestamp,Region,ModelId,InvocationLatency.p50,InvocationLatency.SampleCount,\
                    TimeToFirstToken.p50,OutputTokenCount.p50\n"
        .to_owned();
    for k in 0..16 * 288_i64 {
        let time = begin + jiff::SignedDuration::from_secs(k * 300);
        let slow = (15 * 288 + 144..15 * 288 + 156).contains(&k);
        let latency = if slow { 7_000 } else { 5_000 };
        text.push_str(&format!("{time},eu-west-1,example.alpha-large-v1:0,{latency},200,1000,400\n"));
    }
    crate::process::write(folder, "recording.csv", &text)
}

#[test]
fn a_recording_is_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let ran = demo(&["--for", "5s", "--recording", path.to_str().unwrap()], None);
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    // It ends on 18 March at 00:00; a day and a half before is Monday at 12:00.
    assert!(ran.out.contains("from 2026-03-16T12:00:00Z to 2026-03-18T00:00:00Z"), "{}", ran.out);
    assert!(ran.out.contains("alpha-large   100 tokens/s   example.alpha-large-v1:0\n"), "{}", ran.out);
    let told = told(&ran.out);
    assert!(told.iter().all(|line| line.2 != "story"), "{}", ran.out);
    // Slow on Tuesday from 12:00; the third period ends at 12:15 and settles two minutes later.
    let page = told.iter().find(|line| line.2 == "PAGE").unwrap();
    assert!(("Tue", "12:17") <= (page.0, page.1), "{}", ran.out);
    assert!(ran.out.contains("Account: not known, Region eu-west-1\n"), "no account is made up: {}", ran.out);
    assert!(ran.out.contains("\nalpha-large  PAGE Tue 12:"), "{}", ran.out);
    assert!(ran.out.ends_with("\n1 page opened, 1 resolved, 0 tickets.\n"));
}

#[test]
fn a_recording_can_be_played_from_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let play =
        |from: &str| demo(&["--for", "5s", "--recording", path.to_str().unwrap(), "--from", from], None);
    let after = play("2026-03-17T18:00:00Z");
    assert_eq!(after.code, 0, "{}\n{}", after.out, after.err);
    assert!(
        after.out.contains("0 pages opened, 0 resolved, 0 tickets, and silence for 1 model."),
        "{}",
        after.out
    );
    let never = play("2026-03-18T00:00:00Z");
    assert_eq!(never.code, 2);
    assert!(never.err.contains("from 2026-03-02T00:00:00Z to 2026-03-18T00:00:00Z"), "{}", never.err);
}

#[test]
fn ctrl_c_ends_it_at_once_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = otpsd()
        .args(["demo", "--for", "60s"])
        .env("TMPDIR", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    // While the history is read: the store is there.
    let mut line = String::new();
    while !line.contains("history") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended by itself");
    }
    assert!(!is_empty(folder.path()));
    let began = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let code = child.wait().unwrap().code();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(code, Some(0));
    assert!(rest.ends_with("Stopped by Ctrl-C. Nothing is left behind.\n"), "{rest}");
    assert!(is_empty(folder.path()));
}

#[test]
fn a_reader_who_has_seen_enough_ends_it() {
    let mut child =
        otpsd().args(["demo", "--for", "60s"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn the_length_has_limits() {
    assert_eq!(run(&["demo", "--for", "1s"]).code, 2);
    assert_eq!(run(&["demo", "--from", "2026-03-17T18:00:00Z"]).code, 2, "of which recording?");
}
