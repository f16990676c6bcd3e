//! Recordings in CSV.

use std::fmt::Write as _;

use domain::{Metric, Period, Reading, Statistic};
use insta::assert_snapshot;
use poller::Recording;
use proptest::prelude::*;

use crate::files::{Folder, listed, read, rows, told};

#[test]
fn rows_come_out_in_order_of_time_and_series() {
    let recording = read(
        "r.csv",
        "Timestamp,Region,ModelId,InvocationLatency.p50\n\
         2026-10-01T00:05:00Z,us-east-1,b,1\n\
         2026-10-01T00:00:00Z,us-east-1,b,2.5\n\
         2026-10-01T00:05:00Z,us-east-1,a,3\n\
         2026-10-01T00:05:00Z,eu-west-1,c,4\n",
    )
    .unwrap();
    assert_eq!(
        listed(&recording),
        [
            "2026-10-01T00:00:00Z -/us-east-1/b InvocationLatency.p50=2.5",
            "2026-10-01T00:05:00Z -/eu-west-1/c InvocationLatency.p50=4",
            "2026-10-01T00:05:00Z -/us-east-1/a InvocationLatency.p50=3",
            "2026-10-01T00:05:00Z -/us-east-1/b InvocationLatency.p50=1",
        ]
    );
    let span = recording.span().unwrap();
    assert_eq!(
        (span.from.to_string(), span.until.to_string()),
        ("2026-10-01T00:00:00Z".into(), "2026-10-01T00:10:00Z".into())
    );
    assert_eq!(recording.series().len(), 3);
}

#[test]
fn columns_come_in_any_order_and_unknown_ones_are_ignored() {
    let recording = read(
        "r.csv",
        "OutputTokenCount.SampleCount,Colour,ModelId,InvocationLatency.p95,Timestamp,InvocationLatency.p90,AccountId,Region\n\
         7,blue,\"m,1\",\"8.25\",2026-10-01T00:00:00Z,nonsense,111122223333,us-east-1\n",
    )
    .unwrap();
    assert_eq!(
        listed(&recording),
        [
            "2026-10-01T00:00:00Z 111122223333/us-east-1/m,1 InvocationLatency.p95=8.25 OutputTokenCount.SampleCount=7"
        ]
    );
}

#[test]
fn cache_metrics_have_two_names() {
    let of = |header: &str, cells: &str| {
        let text = format!("Timestamp,Region,ModelId,{header}\n2026-10-01T00:00:00Z,us-east-1,m,{cells}\n");
        listed(&read("r.csv", text).unwrap())[0].replace("2026-10-01T00:00:00Z -/us-east-1/m ", "")
    };
    let read_sum = |value: u32| format!("CacheReadInputTokens.Sum={value}");
    assert_eq!(of("CacheReadInputTokenCount.Sum", "5"), read_sum(5));
    assert_eq!(of("CacheReadInputTokens.Sum", "6"), read_sum(6));
    assert_eq!(of("CacheWriteInputTokenCount.p50", "7"), "CacheWriteInputTokens.p50=7");
    // Where both are there, the metric's own name decides, and the other one fills gaps.
    assert_eq!(of("CacheReadInputTokens.Sum,CacheReadInputTokenCount.Sum", "6,5"), read_sum(6));
    assert_eq!(of("CacheReadInputTokenCount.Sum,CacheReadInputTokens.Sum", "5,6"), read_sum(6));
    assert_eq!(of("CacheReadInputTokens.Sum,CacheReadInputTokenCount.Sum", ",5"), read_sum(5));
}

#[test]
fn an_empty_cell_is_a_missing_value_and_a_row_of_them_an_empty_reading() {
    let recording = read(
        "r.csv",
        "Timestamp,Region,ModelId,InvocationLatency.p50,InvocationLatency.Sum\n\
         2026-10-01T00:00:00Z,us-east-1,m,,0\n\
         2026-10-01T00:05:00Z,us-east-1,m,,\n",
    )
    .unwrap();
    let rows = rows(&recording);
    assert_eq!(rows[0].2.get(Metric::InvocationLatency, Statistic::P50), None);
    assert_eq!(rows[0].2.get(Metric::InvocationLatency, Statistic::Sum), Some(0.0));
    assert!(rows[1].2.is_empty());
}

#[test]
fn a_repeated_row_counts_once_and_what_the_later_one_has_wins() {
    let recording = read(
        "r.csv",
        "Timestamp,Region,ModelId,InvocationLatency.p50,InvocationLatency.p95,InvocationLatency.Sum\n\
         2026-10-01T00:00:00Z,us-east-1,m,1,2,3\n\
         2026-10-01T00:05:00Z,us-east-1,m,1,2,3\n\
         2026-10-01T00:00:00Z,us-east-1,m,10,,3\n",
    )
    .unwrap();
    assert_eq!(
        listed(&recording),
        [
            "2026-10-01T00:00:00Z -/us-east-1/m InvocationLatency.p50=10 InvocationLatency.p95=2 InvocationLatency.Sum=3",
            "2026-10-01T00:05:00Z -/us-east-1/m InvocationLatency.p50=1 InvocationLatency.p95=2 InvocationLatency.Sum=3",
        ]
    );
}

#[test]
fn several_files_are_one_recording() {
    let folder = Folder::new();
    let header = "Timestamp,Region,ModelId,InvocationLatency.p50\n";
    let first = folder.file("1.csv", format!("{header}2026-10-01T00:00:00Z,us-east-1,m,1\n"));
    let second = folder.file(
        "2.csv",
        "AccountId,ModelId,Region,Timestamp,InvocationLatency.p50\n\
         -,m,us-east-1,2026-10-01T00:00:00Z,2\n\
         111122223333,m,us-east-1,2026-10-01T00:00:00Z,3\n",
    );
    assert_eq!(
        listed(&Recording::read(&[first, second]).unwrap()),
        [
            "2026-10-01T00:00:00Z -/us-east-1/m InvocationLatency.p50=2",
            "2026-10-01T00:00:00Z 111122223333/us-east-1/m InvocationLatency.p50=3",
        ]
    );
    assert!(Recording::read::<&str>(&[]).unwrap().periods().next().is_none());
}

#[test]
fn times_may_have_any_offset_and_windows_line_ends_and_a_byte_order_mark_do_no_harm() {
    let recording = read(
        "r.csv",
        "\u{feff}Timestamp,Region,ModelId,InvocationLatency.p50\r\n\
         2026-10-01T02:00:00+02:00,us-east-1,m,1\r\n\
         \r\n\
         2026-10-01 00:05:00.000Z,us-east-1,m,1e3\r\n",
    )
    .unwrap();
    assert_eq!(
        listed(&recording),
        [
            "2026-10-01T00:00:00Z -/us-east-1/m InvocationLatency.p50=1",
            "2026-10-01T00:05:00Z -/us-east-1/m InvocationLatency.p50=1000",
        ]
    );
}

#[test]
fn a_recording_without_rows_is_one() {
    let recording = read("r.csv", "Timestamp,Region,ModelId,InvocationLatency.p50\n").unwrap();
    assert_eq!((recording.series().len(), recording.span()), (0, None));
}

/// The header of the faulty files; their first row is right.
const HEADER: &str = "Timestamp,Region,ModelId,InvocationLatency.p50\n2026-10-01T00:00:00Z,us-east-1,m,1\n";

#[test]
fn faults_are_told_with_file_and_line() {
    let mut texts = String::new();
    for (line, row) in [
        (3, "2026-10-01T00:05:00Z,us-east-1,m,fast"),
        (3, "2026-10-01T00:05:00Z,us-east-1,m,NaN"),
        (3, "2026-10-01T00:05:00Z,us-east-1,m,inf"),
        (3, "2026-10-01T00:05:00Z,us-east-1,m,1e999"),
        (3, "2026-10-01T00:05:00Z,us-east-1,m, "),
        (3, "yesterday,us-east-1,m,1"),
        (3, "2026-10-01T00:05:00,us-east-1,m,1"),
        (3, "2026-02-30T00:05:00Z,us-east-1,m,1"),
        (3, ",us-east-1,m,1"),
        (3, "2026-10-01T00:05:01Z,us-east-1,m,1"),
        (3, "2026-10-01T00:05:00.5Z,us-east-1,m,1"),
        (3, "2026-10-01T00:05:00Z,us-east-1,m"),
        (3, "2026-10-01T00:05:00Z,us-east-1,m,1,2"),
        (3, "2026-10-01T00:05:00Z,,m,1"),
        (3, "2026-10-01T00:05:00Z,us-east-1,,1"),
        (3, "2026-10-01T00:05:00Z,us/east,m,1"),
        (3, "2026-10-01T00:05:00Z,us-east-1,\"m\nn\",1"),
        // Lines are counted, not rows.
        (5, "\n\n2026-10-01T00:05:00Z,us-east-1,m,fast"),
        (4, "2026-10-01T00:05:00Z,us-east-1,m,1\r\n2026-10-01T00:05:00Z,us-east-1,m,fast\r"),
        (5, "\"2026-10-01T00:05:00Z\",us-east-1,m,\"1\"\r\n\r\n2026-10-01T00:05:00Z,us-east-1,m,fast"),
    ] {
        let error = read("r.csv", format!("{HEADER}{row}\n")).unwrap_err();
        assert_eq!(error.line, Some(line), "{row:?}");
        writeln!(texts, "{row:?}\n{}\n", told(&error)).unwrap();
    }
    assert_snapshot!(texts);
}

#[test]
fn faulty_headers_are_told() {
    let mut texts = String::new();
    for header in [
        "Timestamp,Region,InvocationLatency.p50",
        "time,region,model,value",
        "Timestamp,Region,ModelId",
        "Timestamp,Region,ModelId,InvocationLatency_p50",
        "Timestamp,Region,ModelId,TimeToFirstToken.p50,TimeToFirstToken.p50",
        "Timestamp;Region;ModelId;TimeToFirstToken.p50",
        "\n\n",
    ] {
        let error = read("r.csv", format!("{header}\n")).unwrap_err();
        writeln!(texts, "{header:?}\n{}\n", told(&error)).unwrap();
    }
    assert_snapshot!(texts);
}

#[test]
fn text_that_is_not_utf_8_is_told() {
    let mut latin1 = format!("{HEADER}2026-10-01T00:05:00Z,us-east-1,").into_bytes();
    latin1.extend_from_slice(b"caf\xe9,1\n");
    let error = read("r.csv", &latin1).unwrap_err();
    assert_snapshot!(told(&error), @r#"
    r.csv:3: ModelId "caf�" is not UTF-8 text
      hint: save the file as CSV in UTF-8
    "#);

    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(HEADER.bytes().flat_map(|byte| [byte, 0])).collect();
    let error = read("r.csv", utf16).unwrap_err();
    assert_snapshot!(told(&error), @r"
    r.csv:1: is not UTF-8 text
      hint: save it as CSV in UTF-8
    ");
}

/// A row of a recording with one value, as its parts: period, series, column, value.
type Cell = (u8, u8, u8, u32);

fn csv_of(cells: &[Cell]) -> String {
    let mut text = String::from("Timestamp,Region,ModelId,InvocationLatency.p50,TimeToFirstToken.Sum\n");
    for &(period, series, column, value) in cells {
        let start = Period::from_index(5_969_376 + i64::from(period));
        let cells = if column == 0 { format!("{value},") } else { format!(",{value}") };
        writeln!(text, "{start},us-east-1,m{series},{cells}").unwrap();
    }
    text
}

proptest! {
    /// What a recording says does not depend on the order of its rows, but for rows about the same.
    #[test]
    fn the_order_of_rows_does_not_matter(
        (sorted, shuffled) in proptest::collection::btree_map((0..6_u8, 0..4_u8, 0..2_u8), 0..1_000_u32, 1..40)
            .prop_map(|cells| cells.into_iter().map(|((p, s, c), v)| (p, s, c, v)).collect::<Vec<Cell>>())
            .prop_flat_map(|cells| (Just(cells.clone()), Just(cells).prop_shuffle()))
    ) {
        let of = |cells: &[Cell]| rows(&read("r.csv", csv_of(cells)).unwrap());
        prop_assert_eq!(of(&sorted), of(&shuffled));
    }

    /// Rows about the same are merged as `Reading::merge` merges them, in the order of the file.
    #[test]
    fn repeated_rows_are_merged_in_their_order(
        cells in proptest::collection::vec((Just(0), Just(0), 0..2_u8, 0..1_000_u32), 1..10)
    ) {
        let mut expected = Reading::default();
        for &(_, _, column, value) in &cells {
            let mut row = Reading::default();
            if column == 0 {
                row.of_mut(Metric::InvocationLatency).p50 = Some(f64::from(value));
            } else {
                row.of_mut(Metric::TimeToFirstToken).sum = Some(f64::from(value));
            }
            expected.merge(&row);
        }
        let read = rows(&read("r.csv", csv_of(&cells)).unwrap());
        prop_assert_eq!(read.len(), 1);
        prop_assert_eq!(read[0].2, expected);
    }
}
