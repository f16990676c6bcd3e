//! What the services serve to the SDKs of these tests, and to those of `tests/loopback/` at the top of the project.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::{Metric, Series};
use jiff::{SignedDuration, Timestamp};
use simulator::loopback::{Options, Script};

/// The key of account 111122223333.
pub(crate) const KEY_A: &str = "AKIALOOPBACKEXAMPLE1";
/// The key of account 444455556666.
pub(crate) const KEY_B: &str = "AKIALOOPBACKEXAMPLE2";

/// 12:01:30 on 15 October 2026: the period from 11:55 is just published.
pub(crate) fn now() -> Timestamp {
    noon() + SignedDuration::from_secs(90)
}

fn noon() -> Timestamp {
    // 2026-10-15T12:00:00Z.
    Timestamp::from_second(1_792_065_600).unwrap_or_default()
}

/// Services over a few requests of two accounts, with a clock that stands still.
pub(crate) fn options() -> Options {
    let mut options = Options::new(Arc::new(telemetry()), Arc::new(now));
    options.accounts = BTreeMap::from([
        (KEY_A.to_owned(), "111122223333".to_owned()),
        (KEY_B.to_owned(), "444455556666".to_owned()),
    ]);
    options.topics = BTreeSet::from([
        "arn:aws:sns:us-east-1:111122223333:llm-pages".to_owned(),
        "arn:aws:sns:us-east-1:111122223333:llm-tickets".to_owned(),
        "arn:aws:sns:us-east-1:111122223333:llm-pages.fifo".to_owned(),
        "arn:aws:sns:us-east-1:111122223333:llm-tickets.fifo".to_owned(),
    ]);
    options.deduplicated_by_content =
        BTreeSet::from(["arn:aws:sns:us-east-1:111122223333:llm-tickets.fifo".to_owned()]);
    options.jira_projects = BTreeSet::from(["OPS".to_owned()]);
    options
}

/// Minutes before noon, and what was published then.
fn telemetry() -> Script {
    let alpha = Series::new("111122223333", "us-east-1", "example.alpha-v1:0");
    let beta = Series::new("111122223333", "us-east-1", "example.beta-v1:0");
    let gamma = Series::new("444455556666", "us-east-1", "example.gamma-v1:0");
    let europe = Series::new("111122223333", "eu-west-1", "example.alpha-v1:0");
    let published: [(&Series, Metric, i64, &[f64]); 12] = [
        (&alpha, Metric::InvocationLatency, 25, &[7_000.0]),
        (&alpha, Metric::InvocationLatency, 18, &[1_000.0, 2_000.0]),
        (&alpha, Metric::InvocationLatency, 10, &[9_000.0, 4_000.0]),
        (&alpha, Metric::InvocationLatency, 7, &[6_000.0, 5_000.0]),
        (&alpha, Metric::InvocationLatency, 1, &[5_000.5]),
        (&alpha, Metric::TimeToFirstToken, 9, &[500.0, 900.0, 700.0]),
        (&alpha, Metric::OutputTokenCount, 8, &[100.0, 400.0, 200.0, 300.0]),
        (&beta, Metric::InvocationLatency, 4 * 60, &[300.0]),
        (&beta, Metric::InputTokenCount, 10, &[12.0]),
        (&gamma, Metric::InvocationLatency, 10, &[444.0]),
        (&europe, Metric::InvocationLatency, 10, &[800.0]),
        (&europe, Metric::InvocationLatency, 20 * 24 * 60, &[900.0]),
    ];
    published.into_iter().fold(Script::new(), |script, (series, metric, minutes, values)| {
        script.values(series, metric, noon() - SignedDuration::from_mins(minutes), values)
    })
}
