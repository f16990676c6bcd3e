//! `otpsd test`, on the shipped scenarios and on files that are written here.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::process::{ROOT, Ran, run, write};

const SHIPPED: &str = "config/scenarios";

/// Runs the tests of one text, with its folder as `DIR` in what is printed.
fn tested(text: &str, arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "alarms.test.toml", text);
    in_folder(folder.path(), arguments)
}

fn in_folder(folder: &Path, arguments: &[&str]) -> Ran {
    let path = folder.to_str().unwrap();
    let ran = run(&[&["test"], arguments, &[path]].concat());
    Ran { out: ran.out.replace(path, "DIR"), err: ran.err.replace(path, "DIR"), ..ran }
}

/// A test of an hour at 60 % after an hour as ever.
fn slow_hour(lines: &str) -> String {
    format!("[[test]]\nname = \"a slow hour\"\n[[test.series]]\notps = \"100x11 60x11\"\n{lines}\n")
}

#[test]
fn the_shipped_scenarios_hold() {
    let ran = run(&["test", SHIPPED]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let tests = ran.out.lines().filter(|line| line.starts_with("  ok    ")).count();
    assert!(tests >= 30, "{}", ran.out);
    assert_eq!(ran.out.lines().last(), Some(format!("{tests} tests, {tests} passed, 0 failed").as_str()));
    assert_eq!(run(&["test", SHIPPED]).out, ran.out, "the same every time");
}

/// A test that holds whatever happens is none: by a line that nothing crosses, those that expect a page fail, and no other.
#[test]
fn the_shipped_scenarios_can_fail() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(format!("{ROOT}/{SHIPPED}/slow-host.test.toml")).unwrap();
    write(folder.path(), "slow-host.test.toml", &format!("config = \"deaf.toml\"\n{text}"));
    write(folder.path(), "deaf.toml", "[alarm]\npage-below = 0.1\n");
    let deaf = in_folder(folder.path(), &["--format", "json"]);
    assert_eq!(deaf.code, 1, "{}", deaf.err);
    let deaf: Value = serde_json::from_str(&deaf.out).unwrap();
    let expects_a_page = |test: &Value| {
        let rows = test["rows"].as_array().unwrap();
        rows.iter().any(|row| row["expected"].as_str().is_some_and(|text| text.starts_with("page ")))
    };
    let tests = deaf["tests"].as_array().unwrap();
    assert!(tests.iter().all(|test| test["passed"] == !expects_a_page(test)), "{deaf:#}");

    // And by one that is crossed all the time, those that expect silence.
    write(folder.path(), "deaf.toml", "[alarm]\npage-below = 0.9\nrecover-above = 0.95\n");
    let nervous = in_folder(folder.path(), &["--filter", "a fifth slower is not yet below 80 %"]);
    assert_eq!(nervous.code, 1, "{}", nervous.out);
}

#[test]
fn a_failure_shows_what_was_expected_beside_what_was_said() {
    let ran = tested(
        &slow_hour(
            "[[test.expect]]\nat = \"+1h10m\"\npage = true\n\n\
             [[test.expect]]\nat = \"+1h5m\"\nstate = \"OK\"\n\n\
             [[test.expect]]\nwithin = [\"+1h\", \"+2h\"]\nticket = \"queueing\"\n",
        ),
        &[],
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_nobody_expects_fails_unless_it_may_be() {
    let expect = "[[test.expect]]\nat = \"+1h\"\nstate = \"OK\"\n";
    let ran = tested(&slow_hour(expect), &[]);
    assert_eq!(ran.code, 1);
    let mut wrong = ran.out.lines().filter(|line| line.starts_with("    !!  "));
    assert!(
        wrong.next().is_some_and(|line| line.contains("nothing ") && line.contains(" page at +1h15m: ")),
        "{}",
        ran.out
    );
    assert_eq!(wrong.next(), None);
    let text = slow_hour(expect).replace("[[test.series]]", "only-expected = false\n[[test.series]]");
    assert_eq!(tested(&text, &[]).code, 0);
    // What is said where silence is expected is wrong either way.
    let ran = tested(&text.replace("at = \"+1h\"\nstate = \"OK\"", "silence = true"), &[]);
    assert_eq!(ran.code, 1, "{}", ran.out);
}

#[test]
fn a_page_that_goes_to_nobody_says_why() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "observe.toml", "[alarm]\nmode = \"observe\"\n");
    let text = slow_hour("[[test.expect]]\nat = \"+1h15m\"\npage = true\n");
    write(folder.path(), "alarms.test.toml", &format!("config = \"observe.toml\"\n{text}"));
    let ran = in_folder(folder.path(), &[]);
    assert_eq!(ran.code, 1);
    let rows = ran.out.lines().take_while(|line| !line.contains("At +1h15m")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(rows);
}

#[test]
fn it_can_be_asked_for_some_and_as_json() {
    let ran = run(&["test", SHIPPED, "--filter", "two slow periods", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&report["passed"], &report["failed"]), (&1.into(), &0.into()));
    let test = &report["tests"][0];
    assert_eq!(test["file"], "config/scenarios/slow-host.test.toml");
    assert_eq!((&test["name"], &test["passed"]), (&"two slow periods do not page".into(), &true.into()));
    assert_eq!(test["moments"], serde_json::json!([]));
    let row = test["rows"].as_array().unwrap().iter().find(|row| row["expected"] == "OK at +1h10m").unwrap();
    assert_eq!((&row["holds"], &row["got"]), (&true.into(), &"OK at +1h10m".into()));
    assert_eq!(row["time"], "2026-03-16T13:10:00Z");

    let failed = tested(&slow_hour("[[test.expect]]\nsilence = true\n"), &["--format", "json"]);
    assert_eq!(failed.code, 1);
    let report: Value = serde_json::from_str(&failed.out).unwrap();
    let moment = &report["tests"][0]["moments"][0];
    // The third slow period ends then: OTPS 60 of 100 in three of the five slots.
    assert_eq!(
        (&moment["time"], &moment["explained"]["state"]),
        (&"2026-03-16T13:15:00Z".into(), &"ALARM".into())
    );
    let ratios: Vec<_> = moment["explained"]["slots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slot| slot["ratio"].as_f64().unwrap())
        .collect();
    assert!(
        ratios.iter().zip([1.0, 1.0, 0.6, 0.6, 0.6]).all(|(is, was)| (is - was).abs() < 1e-6),
        "{ratios:?}"
    );
}

#[test]
fn nothing_runs_while_a_file_is_wrong() {
    let ran = tested(&slow_hour("[[test.expect]]\nat = \"+1h12m\"\npage = true\n"), &[]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    insta::assert_snapshot!(ran.err);
    // A configuration that is wrong is shown once, whatever number of tests it has.
    let folder = tempfile::tempdir().unwrap();
    let one = slow_hour("[[test.expect]]\nsilence = true\n");
    let two = one.replace("a slow hour", "another one");
    write(folder.path(), "alarms.test.toml", &format!("config = \"otpsd.toml\"\n{one}{two}"));
    write(folder.path(), "otpsd.toml", "[alarm]\npage-below = 80\n");
    let ran = in_folder(folder.path(), &[]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    insta::assert_snapshot!(ran.err);
    fs::remove_file(folder.path().join("otpsd.toml")).unwrap();
    let ran = in_folder(folder.path(), &[]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    insta::assert_snapshot!(ran.err);
}

#[test]
fn nothing_to_run_is_no_success() {
    let none = run(&["test", SHIPPED, "--filter", "no such thing"]);
    assert_eq!((none.code, none.out.as_str()), (3, ""));
    assert!(none.err.contains("no test has `no such thing` in its name"), "{}", none.err);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "otpsd.toml", "");
    let empty = in_folder(folder.path(), &[]);
    assert_eq!(empty.code, 3);
    assert!(empty.err.contains("there is no test in `DIR`\nhint: "), "{}", empty.err);
    assert_eq!(run(&["test", "no-such-file.test.toml"]).code, 3);
    assert_eq!(run(&["test"]).code, 2);
}

/// The help shows a file that holds.
#[test]
fn the_example_of_the_help_holds() {
    let help = run(&["test", "--help"]).out;
    let (_, example) = help.split_once("Example:\n").unwrap();
    let (example, _) = example.split_once("  Before the start").unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "otpsd.toml", "");
    write(folder.path(), "help.test.toml", example);
    let ran = in_folder(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// The page about it shows a file and what comes of it, and both are so.
#[test]
fn the_documented_example_is_what_is_printed() {
    let page = fs::read_to_string(format!("{ROOT}/docs/reference/test.md")).unwrap();
    let block = |language: &str| {
        let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "otpsd.test.toml", &block("toml"));
    write(
        folder.path(),
        "otpsd.toml",
        &fs::read_to_string(format!("{ROOT}/config/examples/team.toml")).unwrap(),
    );
    let ran = in_folder(folder.path(), &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.out.replace("DIR/", ""), block("text"));
}
