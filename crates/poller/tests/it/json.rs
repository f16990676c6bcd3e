//! Recordings as `aws cloudwatch get-metric-data` prints them.

use std::fmt::Write as _;

use insta::assert_snapshot;
use poller::Recording;

use crate::files::{Folder, listed, read, told};

#[test]
fn results_become_rows() {
    let recording = read(
        "answer.json",
        r#"
{
    "MetricDataResults": [
        {
            "Id": "q0",
            "Label": "us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 InvocationLatency p50",
            "Timestamps": ["2026-10-01T00:05:00+00:00", "2026-10-01T00:00:00+00:00"],
            "Values": [6161.7, 0.1],
            "StatusCode": "Complete"
        },
        {
            "Id": "q1",
            "Label": "us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 OutputTokenCount SampleCount",
            "Timestamps": ["2026-10-01T00:05:00Z"],
            "Values": [6],
            "StatusCode": "Complete"
        },
        {
            "Id": "q2",
            "Label": "eu-west-1 my own model CacheReadInputTokenCount Sum",
            "Timestamps": [1790812800, 1790813100.0],
            "Values": [1e3, 2],
            "StatusCode": "Complete"
        },
        { "Id": "q3", "Label": "eu-west-1 my own model TimeToFirstToken p95", "Timestamps": [], "Values": [] }
    ],
    "Messages": []
}
"#,
    )
    .unwrap();
    // 1790812800 is 2026-10-01T00:00:00Z: 20,727 days of 86,400 seconds.
    assert_eq!(
        listed(&recording),
        [
            "2026-10-01T00:00:00Z -/eu-west-1/my own model CacheReadInputTokens.Sum=1000",
            "2026-10-01T00:00:00Z -/us-east-1/us.anthropic.claude-sonnet-4-5-20250929-v1:0 InvocationLatency.p50=0.1",
            "2026-10-01T00:05:00Z -/eu-west-1/my own model CacheReadInputTokens.Sum=2",
            "2026-10-01T00:05:00Z -/us-east-1/us.anthropic.claude-sonnet-4-5-20250929-v1:0 InvocationLatency.p50=6161.7 \
             OutputTokenCount.SampleCount=6",
        ]
    );
}

fn page(label: &str, timestamps: &str, values: &str, more: &str) -> String {
    format!(
        r#"{{"MetricDataResults":[{{"Id":"q","Label":"{label}","Timestamps":[{timestamps}],"Values":[{values}]{more}}}]}}"#
    )
}

const LABEL: &str = "us-east-1 m InvocationLatency p50";
const START: &str = r#""2026-10-01T00:00:00Z""#;
const NEXT: &str = r#""2026-10-01T00:05:00Z""#;
const PARTIAL: &str = r#","StatusCode":"PartialData""#;
const COMPLETE: &str = r#","StatusCode":"Complete""#;

#[test]
fn pages_are_merged_within_a_file_and_over_files() {
    let expected = [
        "2026-10-01T00:00:00Z -/us-east-1/m InvocationLatency.p50=1",
        "2026-10-01T00:05:00Z -/us-east-1/m InvocationLatency.p50=2",
    ];
    let (first, second) = (page(LABEL, START, "1", PARTIAL), page(LABEL, NEXT, "2", COMPLETE));
    assert_eq!(listed(&read("pages.json", format!("{first}\n{second}\n")).unwrap()), expected);

    let folder = Folder::new();
    let files = [folder.file("1.json", &first), folder.file("2.json", &second)];
    assert_eq!(listed(&Recording::read(&files).unwrap()), expected);

    let csv = folder.file(
        "3.csv",
        "Timestamp,Region,ModelId,InvocationLatency.p50\n2026-10-01T00:05:00Z,us-east-1,m,3\n",
    );
    let mixed = Recording::read(&[&files[0], &files[1], &csv]).unwrap();
    assert_eq!(listed(&mixed)[1], "2026-10-01T00:05:00Z -/us-east-1/m InvocationLatency.p50=3");
}

#[test]
fn of_two_values_for_the_same_the_later_one_wins() {
    let pages = format!("{}{}", page(LABEL, START, "1", ""), page(LABEL, START, "2", ""));
    assert_eq!(
        listed(&read("pages.json", pages).unwrap()),
        ["2026-10-01T00:00:00Z -/us-east-1/m InvocationLatency.p50=2"]
    );
}

#[test]
fn values_are_the_nearest_numbers() {
    // Written by hand so that a careless reader misses its last bit.
    let text = "1.2345678901234567";
    let recording = read("answer.json", page(LABEL, START, text, "")).unwrap();
    let value: f64 = text.parse().unwrap();
    assert!(listed(&recording)[0].ends_with(&format!("={value}")));
}

#[test]
fn compressed_json_is_read_too() {
    let packed = zstd::encode_all(page(LABEL, START, "1", "").as_bytes(), 3).unwrap();
    assert_eq!(listed(&read("answer.json.zst", packed).unwrap()).len(), 1);
}

#[test]
fn faults_are_told() {
    let with_token = page(LABEL, START, "1", COMPLETE).replace("]}]}", "]}],\"NextToken\":\"abc\"}");
    let with_token = with_token.replacen("\"}]}", "\"}],\"NextToken\":\"abc\"}", 1);
    let mut texts = String::new();
    for text in [
        page("InvocationLatency", START, "1", ""),
        page("us-east-1 m InvocationLatency Average", START, "1", ""),
        page("us-east-1 m Invocations Sum", START, "1", ""),
        page("us-east-1 InvocationLatency p50", START, "1", ""),
        page(LABEL, START, "1, 2", ""),
        page(LABEL, START, r#""fast""#, ""),
        page(LABEL, START, "null", ""),
        page(LABEL, START, "1e999", ""),
        page(LABEL, START, "NaN", ""),
        page(LABEL, r#""2026-10-01T00:01:00Z""#, "1", ""),
        page(LABEL, r#""2026-10-01T00:00:00""#, "1", ""),
        page(LABEL, "1790812801", "1", ""),
        page(LABEL, "1790812800.5", "1", ""),
        page(LABEL, "1e300", "1", ""),
        page(LABEL, START, "1", PARTIAL),
        page(LABEL, START, "1", r#","StatusCode":"InternalError""#),
        with_token,
        r#"{"Metrics":[]}"#.to_owned(),
        "{\n\n\"MetricDataResults\": [".to_owned(),
        "{}{".to_owned(),
    ] {
        let error = read("answer.json", &text).unwrap_err();
        writeln!(texts, "{text}\n{}\n", told(&error)).unwrap();
    }
    assert_snapshot!(texts);
}
