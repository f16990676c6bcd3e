//! What is written can be read.

use domain::{Metric, Period, Reading, Series, Statistic};
use insta::assert_snapshot;
use poller::{Recording, RecordingWriter};
use proptest::prelude::*;

use crate::files::{Folder, rows, told};

type Row = (Period, Series, Reading);

fn any_value() -> impl Strategy<Value = Option<f64>> {
    proptest::option::of(prop_oneof![
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
        (0..1_000_000_u32).prop_map(|tenths| f64::from(tenths) / 10.0),
    ])
}

fn any_reading() -> impl Strategy<Value = Reading> {
    proptest::collection::vec(any_value(), Metric::ALL.len() * Statistic::ALL.len()).prop_map(|values| {
        let mut reading = Reading::default();
        let mut values = values.into_iter();
        for metric in Metric::ALL {
            for statistic in Statistic::ALL {
                reading.of_mut(metric).set(statistic, values.next().unwrap());
            }
        }
        reading
    })
}

fn any_series() -> impl Strategy<Value = Series> {
    ("(-|[0-9]{12})", "[a-z]{2}-[a-z]{4}-[1-9]", "[ -~éλ]{1,20}")
        .prop_map(|(account, region, model)| Series::new(&account, &region, &model))
}

/// Rows in the order that a recording hands them out.
fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let period = (-1_000_000..10_000_000_i64).prop_map(Period::from_index);
    proptest::collection::btree_map((period, any_series()), any_reading(), 0..12).prop_map(|rows| {
        rows.into_iter().map(|((period, series), reading)| (period, series, reading)).collect()
    })
}

fn write(folder: &Folder, name: &str, rows: &[Row]) -> std::path::PathBuf {
    let path = folder.path(name);
    let mut writer = RecordingWriter::create(&path).unwrap();
    for (period, series, reading) in rows {
        writer.write(series, *period, reading).unwrap();
    }
    writer.finish().unwrap();
    path
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_recording_is_read_back_as_it_was(written in any_rows(), name in "r\\.csv(|\\.gz|\\.zst)") {
        let folder = Folder::new();
        let path = write(&folder, &name, &written);
        let recording = Recording::read(&[path]).unwrap();
        prop_assert_eq!(rows(&recording), written);
    }
}

#[test]
fn a_written_recording_looks_like_this() {
    let folder = Folder::new();
    let mut reading = Reading::default();
    reading.of_mut(Metric::InvocationLatency).p50 = Some(6161.7);
    reading.of_mut(Metric::InvocationLatency).p95 = Some(f64::NAN);
    reading.of_mut(Metric::CacheWriteInputTokens).sum = Some(12.0);
    let series = Series::new("111122223333", "us-east-1", "us.anthropic.claude-sonnet-4-5-20250929-v1:0");
    let period = Period::containing("2026-10-01T00:00:00Z".parse().unwrap());
    let path = write(&folder, "r.csv", &[(period, series, reading)]);
    assert_snapshot!(std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_ending_of_the_name_says_how_it_is_compressed() {
    let folder = Folder::new();
    for (name, start) in
        [("r.csv", &b"Time"[..]), ("r.csv.gz", &[0x1f, 0x8b]), ("r.csv.zst", &[0x28, 0xb5, 0x2f, 0xfd])]
    {
        let path = write(&folder, name, &[]);
        assert!(std::fs::read(path).unwrap().starts_with(start), "{name}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let folder = Folder::new();
    let error = RecordingWriter::create(folder.path("no-folder.csv").join("r.csv")).err().unwrap();
    assert_snapshot!(told(&error), @r"
    r.csv: cannot be written
      because: No such file or directory (os error 2)
      hint: look at the folder, its rights and the space that is left
    ");
}
