//! What came of the tests, for scripts. docs/reference/test.md describes it.

use serde::Serialize;

use super::Outcome;
use crate::explained::Explained;

#[derive(Debug, Serialize)]
struct Report<'o> {
    passed: usize,
    failed: usize,
    tests: Vec<One<'o>>,
}

#[derive(Debug, Serialize)]
struct One<'o> {
    file: String,
    line: usize,
    name: &'o str,
    passed: bool,
    rows: Vec<Row<'o>>,
    /// How the series were where something else was said, after the period that ends at the time.
    moments: Vec<Moment<'o>>,
}

#[derive(Debug, Serialize)]
struct Row<'o> {
    holds: bool,
    line: Option<usize>,
    /// The end of the period.
    time: String,
    series: String,
    expected: Option<&'o str>,
    got: Option<&'o str>,
}

#[derive(Debug, Serialize)]
struct Moment<'o> {
    time: String,
    explained: &'o Explained,
}

pub(super) fn json(outcomes: &[Outcome<'_>]) -> serde_json::Result<String> {
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    let tests = outcomes.iter().map(|outcome| One {
        file: outcome.file.display().to_string(),
        line: outcome.test.line,
        name: &outcome.test.name,
        passed: outcome.passed(),
        rows: outcome
            .rows
            .iter()
            .map(|row| Row {
                holds: row.holds,
                line: row.line,
                time: row.period.end().to_string(),
                series: row.series.to_string(),
                expected: row.expected.as_deref(),
                got: row.got.as_deref(),
            })
            .collect(),
        moments: outcome
            .moments
            .iter()
            .map(|(period, explained)| Moment { time: period.end().to_string(), explained })
            .collect(),
    });
    serde_json::to_string_pretty(&Report { passed: outcomes.len() - failed, failed, tests: tests.collect() })
}
