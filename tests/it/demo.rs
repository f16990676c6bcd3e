//! `otpsd demo`: the first thing that a newcomer runs.

use crate::process::{otpsd, run};

#[test]
fn the_story_ends_as_it_deserves() {
    let ran = run(&["demo", "--for", "40s"]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    let last = "1 page opened, 1 resolved, 1 ticket, and silence for the other 4 of 6 models.";
    assert!(ran.out.contains(last), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "a pipe gets no colour");
    // The page is the slow one's, the ticket names its cause, and everybody who should be told is.
    assert!(ran.out.contains("PAGE     to pagerduty.oncall, sns.pages, log.terminal"), "{}", ran.out);
    assert!(ran.out.contains("prompt_growth"), "{}", ran.out);
}

#[test]
fn ctrl_c_ends_it_at_once() {
    let mut child =
        otpsd().args(["demo", "--for", "60s"]).stdout(std::process::Stdio::null()).spawn().unwrap();
    let pid = child.id().to_string();
    // Whenever it comes, also before anything is set up, it ends: a process that is not yet listening is ended by default.
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let began = std::time::Instant::now();
    child.wait().unwrap();
    assert!(began.elapsed() < std::time::Duration::from_secs(10));
}

#[test]
fn the_length_has_limits() {
    assert_eq!(run(&["demo", "--for", "1s"]).code, 2);
}
