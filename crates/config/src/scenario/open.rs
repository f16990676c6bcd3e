//! From a path to a text, and from a node to a table.

use std::path::Path;

use crate::environment::{Environment, MAX_FILE_BYTES, reason};
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::schema::Section;
use crate::table::{Node, Table};
use crate::text::File;
use crate::{Place, Problem, Severity};

/// The text of a file.
pub(super) fn file(path: &Path, environment: &dyn Environment) -> Result<File, Box<Problem>> {
    let name = path.display().to_string();
    let problem = |message: String, hint: Option<&str>| {
        let (severity, hint) = (Severity::Error, hint.map(str::to_owned));
        Box::new(Problem { severity, file: name.clone(), place: None, message, hint, related: None })
    };
    let bytes = environment
        .file(path)
        .map_err(|error| problem(format!("cannot read {}: {}", quoted(&name), reason(&error)), None))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(problem("this is larger than any file of tests: over 1 MiB".to_owned(), None));
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| problem("this is not UTF-8".to_owned(), Some("save the file as UTF-8")))?;
    Ok(File { path: path.to_owned(), text })
}

/// A table of a file of tests.
pub(super) fn table<'r, 'd, 't>(
    report: &'r mut Report<'t>,
    section: &Section,
    node: Node<'d>,
) -> Table<'r, 'd, 't> {
    Table::open(report, section, section.title, &[node])
}

/// A place in a file without secrets, on one line.
pub(super) fn place(report: &Report<'_>, at: At) -> Place {
    let text = report.text(at.file);
    let own = report.line(at);
    let column = |end: usize| text.get(own.start..end).map_or(1, |before| before.chars().count() + 1);
    Place {
        line: line(report, at),
        column: column(at.start),
        end_column: Some(column(at.end.min(own.end))),
        excerpt: text.get(own.start..own.end).map(|line| line.trim_end().to_owned()),
    }
}

/// The line of a place, from 1.
pub(super) fn line(report: &Report<'_>, at: At) -> usize {
    let before = report.text(at.file).get(..at.start).unwrap_or_default();
    before.matches('\n').count() + 1
}
