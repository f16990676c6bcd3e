//! Recordings that are a few edits away from sound ones.

use proptest::prelude::*;

use crate::edits::edited;
use crate::files::Folder;
use crate::holds;

fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let folder = format!("{}/../../tests/fuzz/seeds/{kind}", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

#[test]
fn seeds_are_sound() {
    for seed in seeds("recordings").iter().chain(&seeds("metric-data")) {
        holds::recording(seed, Folder::new().path("").as_path());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_csv(content in edited(seeds("recordings"), &[
        "Timestamp", "AccountId", "Region", "ModelId", "InvocationLatency.p50", "OutputTokenCount.Sum", "us-east-1", "a/b",
        "2026-10-01T00:05:00Z", "2026-10-01T00:00:01Z", "-9999-01-01T00:00:00Z", "9999-12-31T23:55:00Z", "1790812800", "\"", "-0", "1e308", "inf",
    ])) {
        holds::recording(&content, Folder::new().path("").as_path());
    }

    #[test]
    fn any_json(content in edited(seeds("metric-data"), &[
        "MetricDataResults", "Label", "Timestamps", "Values", "StatusCode", "PartialData", "NextToken", "Messages", "null", "true", "{}", "[]",
        "us-east-1 m OutputTokenCount Sum", "2026-10-01T00:05:00Z", "1790812800.5", "-1e300", "1790812800000", "\\ud800", "1e308",
    ])) {
        holds::recording(&content, Folder::new().path("").as_path());
    }
}
