//! Configurations and alarm tests that are a few edits away from those of this project.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::edits::edited;
use crate::holds;

/// The files under a folder of the project whose names end so.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let mut next = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = next.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                next.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    assert!(paths.len() >= 3, "{paths:?}");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_configuration(content in edited(
        [files("config/examples", ".toml"), files("crates/config/tests/fixtures", ".toml"), vec![config::REFERENCE.into()]].concat(),
        &[
            "[alarm]", "[override.a]", "[[route.page]]", "[default.cloudwatch]", "[source.cloudwatch.b]", "match", "labels", "model", "source",
            "learn-from", "page-below", "evaluation-periods", "channels", "hours", "zone", "from", "to", "\"14d\"", "\"0s\"", "\"99999999999999999999d\"",
            "{ env = \"A\" }", "\"*\"", "{}", "[]", "true", "2026-12-01", "12:00:00", "\"2026-12-24T22:00\"", "\"Europe/Berlin\"", holds::PART,
        ],
    )) {
        holds::configuration(&String::from_utf8_lossy(&content));
    }

    #[test]
    fn any_alarm_tests(content in edited(files("config/scenarios", ".test.toml"), &[
        "[[test]]", "[[test.series]]", "[[test.expect]]", "name", "otps", "start", "\"100x2015 70x5 _x3 98x10\"", "\"_x3\"", "\"1x4294967295\"",
        "\"1+1e308x99\"", "\"-1x3\"", "\"100-20x6\"", "page", "ticket", "nothing", "\"5m\"", "[]", "{}", "true",
    ])) {
        holds::alarm_tests(&String::from_utf8_lossy(&content));
    }
}
