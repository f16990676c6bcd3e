//! What holds of every text, whatever it is: of those that tests make up, and of those that a fuzzer finds (`tests/fuzz/`).

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use config::{Environment, File, Outcome, Place, Purpose, Severity, render, scenario};
use domain::Series;
use jiff::Timestamp;

/// A machine with nothing on it, at noon on the first of December 2026.
struct Nothing;

impl Environment for Nothing {
    fn variable(&self, _name: &str) -> Option<OsString> {
        None
    }

    fn file(&self, _path: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn folder(&self, _path: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn now(&self) -> Timestamp {
        Timestamp::constant(1_796_126_400, 0)
    }
}

/// A line that parts a text into the files of a folder.
pub(crate) const PART: &str = "\n#= next\n";

/// Of a configuration, of one file or of several.
pub(crate) fn configuration(text: &str) {
    let files: Vec<File> = text
        .split(PART)
        .enumerate()
        .map(|(n, text)| File { path: format!("{n}.toml").into(), text: text.to_owned() })
        .collect();
    for purpose in [Purpose::Run, Purpose::Check, Purpose::Backtest] {
        let outcome = config::read(&files, purpose, &Nothing);
        outputs(&outcome, &files);
        let Some(plan) = &outcome.plan else { continue };
        for model in ["us.anthropic.claude-haiku-4-5-20251001-v1:0", "*", ""] {
            let series = Series::new("111122223333", "us-east-1", model);
            let rule = plan.rule_of(&series);
            assert!((1..=rule.evaluation_periods).contains(&rule.datapoints_to_alarm), "{rule:?}");
            assert!(rule.recover_above >= rule.page_below, "{rule:?}");
            let effective = config::effective(plan, &outcome.origins, &series);
            assert!(effective.iter().any(|one| one.key == "page-below"), "{effective:?}");
            let labels = config::effective_labels(plan, &outcome.origins, &series);
            assert_eq!(labels.len(), plan.labels_of(&series).len());
            let conflicts = config::conflicts(plan, &outcome.origins, &series);
            assert!(plan.overrides.len() > 1 || conflicts.is_empty(), "{conflicts:?}");
        }
    }
}

/// Every output of an outcome. Its places exist in the files, and nothing in it moves a terminal.
pub(crate) fn outputs(outcome: &Outcome, files: &[File]) -> Vec<String> {
    for problem in &outcome.problems {
        let related = problem.related.as_ref().map(|related| (&related.file, &related.place));
        for (name, place) in problem.place.iter().map(|place| (&problem.file, place)).chain(related) {
            let file = files.iter().find(|file| file.path.as_os_str() == name.as_str());
            exists(place, &file.expect("a place in a file that is there").text);
        }
    }
    let has_errors = outcome.problems.iter().any(|problem| problem.severity == Severity::Error);
    assert_eq!(outcome.plan.is_none(), has_errors);
    let problems = &outcome.problems;
    for output in [render::text(problems, false), render::json(problems), render::github(problems)] {
        assert!(!output.contains(|c: char| c.is_control() && c != '\n'), "{output:?}");
    }
    vec![
        render::text(problems, false),
        render::text(problems, true),
        render::json(problems),
        render::github(problems),
    ]
}

/// Of a file of alarm tests.
pub(crate) fn alarm_tests(text: &str) {
    let file = File { path: "a.test.toml".into(), text: text.to_owned() };
    let read = scenario::read(&file);
    assert!(read.problems.is_empty() || read.tests.is_empty());
    for problem in &read.problems {
        if let Some(place) = &problem.place {
            exists(place, text);
        }
    }
    let _ = render::text(&read.problems, false);
    for test in &read.tests {
        assert!(!test.series.is_empty() && !test.name.is_empty(), "{test:?}");
        let places = [Some(test.line), test.expectations.last().map(|expectation| expectation.line)];
        assert!(places.into_iter().flatten().all(|line| line <= text.split('\n').count()));
        for course in &test.series {
            for period in [0, 1, test.length / 2, test.length, u32::MAX] {
                assert!(course.otps.at(i64::from(period)).is.is_finite(), "{course:?}");
            }
        }
    }
}

fn exists(place: &Place, text: &str) {
    let line =
        text.trim_start_matches('\u{feff}').split('\n').nth(place.line - 1).expect("a line that is there");
    let after = line.chars().count() + 1;
    assert!((1..=after).contains(&place.column), "{place:?} in {line:?}");
    assert!(place.end_column.is_none_or(|end| place.column <= end && end <= after), "{place:?} in {line:?}");
}
