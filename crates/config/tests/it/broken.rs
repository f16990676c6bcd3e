//! Broken configurations as their authors left them, in `tests/fixtures/broken`: a file or a folder each, by the kind of the mistake.
//! What is said of them stands in one snapshot a kind.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use config::{Environment, Outcome, ProcessEnvironment, Purpose, load, render};
use domain::ExitCode;
use jiff::Timestamp;

use crate::schema;

/// What `otpsd check` promises to find. A folder of fixtures each.
const KINDS: [&str; 16] = [
    "durations",
    "duplicates",
    "encoding",
    "files",
    "fleet",
    "globs",
    "m-of-n",
    "periods",
    "routes",
    "secrets",
    "shares",
    "tickets",
    "toml",
    "types",
    "unknown-keys",
    "windows",
];

/// The fixtures as if they lay in the current folder, on the first of December 2026.
struct Fixtures;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/broken")
}

impl Environment for Fixtures {
    fn variable(&self, name: &str) -> Option<OsString> {
        match name {
            "PD_ROUTING_KEY" => Some("R0TESTTESTTESTTESTTESTTESTTEST00".into()),
            "OTPSD_EXTERNAL_ID" => Some("E0TESTTESTTESTTESTTESTTESTTEST00".into()),
            _ => None,
        }
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.ends_with("unreadable.toml") || path.ends_with("20-unreadable.toml") {
            // Whoever runs the tests may be allowed to read everything.
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        ProcessEnvironment.file(&root().join(path))
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let names = ProcessEnvironment.folder(&root().join(path))?;
        Ok(names.iter().filter_map(|name| Some(path.join(name.file_name()?))).collect())
    }

    fn now(&self) -> Timestamp {
        "2026-12-01T12:00:00Z".parse().unwrap()
    }
}

/// The names in a folder, in their order.
fn names(folder: &Path) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// All of them, as `kind/name`.
fn fixtures() -> Vec<String> {
    let of_kind =
        |kind: String| names(&root().join(&kind)).into_iter().map(move |name| format!("{kind}/{name}"));
    names(&root()).into_iter().flat_map(of_kind).collect()
}

/// Read as the daemon reads it, so that a secret that is not there is an error too.
fn outcome(fixture: &str) -> Outcome {
    load(&[PathBuf::from(fixture)], Purpose::Run, &Fixtures)
}

#[test]
fn there_are_more_than_a_hundred_and_some_of_every_kind() {
    let mut of_kind: BTreeMap<String, usize> = BTreeMap::new();
    for fixture in fixtures() {
        *of_kind.entry(fixture.split_once('/').unwrap().0.to_owned()).or_default() += 1;
    }
    assert_eq!(of_kind.keys().map(String::as_str).collect::<BTreeSet<_>>(), KINDS.into());
    assert!(of_kind.values().all(|count| *count >= 3), "{of_kind:?}");
    assert!(of_kind.values().sum::<usize>() > 100, "{of_kind:?}");
}

#[test]
fn what_is_said_of_them() {
    for kind in KINDS {
        let mut told = String::new();
        for fixture in fixtures().iter().filter(|fixture| fixture.starts_with(&format!("{kind}/"))) {
            let outcome = outcome(fixture);
            assert!(!outcome.problems.is_empty(), "{fixture}");
            told += &format!("== {fixture}\n\n{}\n", render::text(&outcome.problems, false));
        }
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(format!("broken_{kind}"), told);
        });
    }
}

/// A mistake is refused by one exit code, a file that cannot be read by another one; what may be meant is only warned of.
#[test]
fn every_problem_has_a_place_and_one_exit_code() {
    let mut warned = Vec::new();
    for fixture in fixtures() {
        let outcome = outcome(&fixture);
        for problem in &outcome.problems {
            assert!(problem.file.starts_with(&fixture), "{fixture}: {problem:?}");
            let is_whole_file =
                fixture.starts_with("files/") || problem.message.starts_with("there is no `[[");
            assert!(problem.place.is_some() || is_whole_file, "{fixture}: {problem:?}");
        }
        match outcome.exit_code() {
            ExitCode::No => assert!(!fixture.starts_with("files/"), "{fixture}"),
            ExitCode::CannotRun => assert!(fixture.starts_with("files/"), "{fixture}"),
            _ => warned.push(fixture),
        }
    }
    insta::assert_snapshot!(warned.join("\n"), @"
    duplicates/a-channel-in-a-route-twice.toml
    duplicates/overrides-that-may-meet.toml
    fleet/a-source-is-read-twice.toml
    fleet/dual-stack-for-another-address.toml
    fleet/fips-where-there-is-none.toml
    globs/a-model-that-no-source-watches.toml
    globs/a-region-that-no-source-reads.toml
    globs/a-region-with-a-letter-too-many.toml
    globs/an-account-that-no-source-reads.toml
    globs/learns-from-what-is-not-watched.toml
    routes/a-label-that-nothing-has.toml
    routes/none-for-tickets.toml
    routes/one-that-is-never-reached.toml
    routes/the-last-one-leaves-a-rest.toml
    windows/one-that-has-ended.toml
    ");
}

#[test]
fn no_secret_is_shown_in_any_way_of_showing_problems() {
    let marked = |fixture: &String| {
        std::fs::read_to_string(root().join(fixture)).is_ok_and(|text| text.contains("MARKER"))
    };
    let with_marker: Vec<_> = fixtures().into_iter().filter(|fixture| marked(fixture)).collect();
    assert!(with_marker.len() >= 6, "{with_marker:?}");
    for fixture in with_marker {
        let problems = outcome(&fixture).problems;
        for shown in [render::text(&problems, true), render::json(&problems), render::github(&problems)] {
            assert!(!shown.contains("MARKER"), "{fixture}: {shown}");
        }
    }
}

/// An editor that knows the schema marks the first of these while somebody types; the others need the whole.
#[test]
fn what_the_schema_refuses() {
    let validator = schema::validator();
    let (mut refused, mut taken) = (Vec::new(), Vec::new());
    for fixture in fixtures() {
        // What is no TOML is marked by any editor, and a schema looks at one file.
        let Ok(text) = std::fs::read_to_string(root().join(&fixture)) else { continue };
        let Ok(table) = text.trim_start_matches('\u{feff}').parse::<toml::Table>() else { continue };
        let is_taken = validator.is_valid(&serde_json::to_value(table).unwrap());
        if is_taken { taken.push(fixture) } else { refused.push(fixture) }
    }
    let told = format!("refused:\n{}\n\ntaken:\n{}", refused.join("\n"), taken.join("\n"));
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(told) });
}
