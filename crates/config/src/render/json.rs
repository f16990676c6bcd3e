//! For scripts: one array.

use serde::Serialize;

use crate::Problem;

/// What `check --format json` promises. Columns count characters from 1; a problem of the whole file has none.
#[derive(Debug, Serialize)]
struct Row<'p> {
    file: &'p str,
    line: Option<usize>,
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
    severity: &'static str,
    message: &'p str,
    hint: Option<&'p str>,
}

/// All problems as one JSON array, on one line.
#[must_use]
pub fn json(problems: &[Problem]) -> String {
    let rows: Vec<_> = problems.iter().map(Row::of).collect();
    serde_json::to_string(&rows).expect("texts and numbers under fixed names are always JSON")
}

impl<'p> Row<'p> {
    fn of(problem: &'p Problem) -> Self {
        let place = problem.place.as_ref();
        Self {
            file: &problem.file,
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            end_column: place.and_then(|place| place.end_column),
            severity: problem.severity.as_str(),
            message: &problem.message,
            hint: problem.hint.as_deref(),
        }
    }
}
