//! What is written can be read.

use domain::{Metric, Period, Reading, Series, Statistic, Tier};
use insta::assert_snapshot;
use poller::{Recording, RecordingBuilder, RecordingWriter};
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
    let cells = Metric::ALL.len() * Statistic::ALL.len() + Tier::ALL.len();
    proptest::collection::vec(any_value(), cells).prop_map(|values| {
        let mut reading = Reading::default();
        let mut values = values.into_iter();
        for metric in Metric::ALL {
            for statistic in Statistic::ALL {
                reading.of_mut(metric).set(statistic, values.next().unwrap());
            }
        }
        for (tier, value) in Tier::ALL.into_iter().zip(values) {
            reading.set_served(tier, value);
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

#[test]
fn parts_can_be_appended_whatever_they_are_compressed_with() {
    let folder = Folder::new();
    let row = |model: &str| {
        let mut reading = Reading::default();
        reading.of_mut(Metric::TimeToFirstToken).p50 = Some(339.3);
        (Period::from_index(5_969_376), Series::new("111122223333", "us-east-1", model), reading)
    };
    for ending in ["csv", "csv.gz", "csv.zst"] {
        let mut whole = std::fs::read(write(&folder, &format!("whole.{ending}"), &[row("a")])).unwrap();
        for model in ["b", "c"] {
            let path = folder.path(&format!("part.{ending}"));
            let mut part = RecordingWriter::create_part(&path).unwrap();
            let (period, series, reading) = row(model);
            part.write(&series, period, &reading).unwrap();
            part.finish().unwrap();
            whole.extend(std::fs::read(path).unwrap());
        }
        let joined = folder.path(&format!("joined.{ending}"));
        std::fs::write(&joined, whole).unwrap();
        let recording = Recording::read(&[joined]).unwrap();
        assert_eq!(rows(&recording), ["a", "b", "c"].map(row), "{ending}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_from_elsewhere_are_as_those_of_a_file(written in any_rows()) {
        let mut builder = RecordingBuilder::default();
        // In another order than they are handed out.
        for (period, series, reading) in written.iter().rev() {
            builder.add(&domain::Row { series: series.clone(), period: *period, reading: *reading });
        }
        prop_assert_eq!(rows(&builder.finish()), written);
    }
}

#[test]
fn of_two_rows_about_the_same_the_later_one_wins() {
    let mut builder = RecordingBuilder::default();
    let (series, period) = (Series::new("", "us-east-1", "a"), Period::from_index(5_969_376));
    for values in [(Some(1.0), Some(2.0)), (Some(3.0), None), (Some(f64::NAN), None)] {
        let mut reading = Reading::default();
        reading.of_mut(Metric::InvocationLatency).p50 = values.0;
        reading.of_mut(Metric::InvocationLatency).p95 = values.1;
        builder.add(&domain::Row { series: series.clone(), period, reading });
    }
    let mut expected = Reading::default();
    expected.of_mut(Metric::InvocationLatency).p50 = Some(3.0);
    expected.of_mut(Metric::InvocationLatency).p95 = Some(2.0);
    assert_eq!(rows(&builder.finish()), [(period, series, expected)]);
}
