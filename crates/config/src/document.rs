//! TOML text to a document with places, or what is not TOML about it.

use std::collections::BTreeSet;

use toml::de::{DeTable, Error};

use crate::quote::quoted;
use crate::report::{At, MAX_PROBLEMS, Report};

/// What TOML's parser says of a key or table that was there before. All else can still be read then.
const DUPLICATE: &str = "duplicate key";

/// Parses one file. A key that is there twice is a problem, and so is the first thing that is not TOML; what follows
/// that may mean anything, so the file is not looked at further.
pub(crate) fn parse<'t>(report: &mut Report<'t>, file: usize) -> Option<DeTable<'t>> {
    let (document, errors) = DeTable::parse_recoverable(report.text(file));
    let (mut duplicates, mut broken): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|error| error.message() == DUPLICATE);
    duplicates.sort_by_key(start);
    broken.sort_by_key(start);
    let end = broken.first().map(start);
    let mut tables = BTreeSet::new();
    let duplicates = duplicates.iter().filter(|duplicate| end.is_none_or(|end| start(duplicate) < end));
    for duplicate in duplicates.take(MAX_PROBLEMS) {
        twice(report, at(file, duplicate), &mut tables);
    }
    let Some(first) = broken.first() else { return Some(document.into_inner()) };
    let foreign = foreign(report.text(file), report.line(at(file, first)));
    let draft = report.error(at(file, first), format!("this is not TOML: {}", plainly(first)));
    // What is not closed is found at the end of the file, and what stands in between is misread before that.
    let is_unclosed = |what: &str| broken.iter().skip(1).any(|error| error.message().starts_with(what));
    if is_unclosed("unclosed array") {
        draft.hint("perhaps a `]` is missing further up");
    } else if is_unclosed("unclosed inline table") {
        draft.hint("perhaps a `}` is missing further up");
    } else if let Some(other) = foreign {
        draft.hint(format!("it looks like {other}: write `[alarm]`, and under it `page-below = 0.8`"));
    }
    None
}

/// The other language that a text is most likely written in, by its beginning and the line that is wrong.
fn foreign(text: &str, line: At) -> Option<&'static str> {
    let line = text.get(line.start..line.end).unwrap_or_default().trim_start();
    let is_key = |key: &str| {
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    if text.trim_start().starts_with('{') {
        Some("JSON")
    } else if line.starts_with("- ") || line.split_once(':').is_some_and(|(key, _)| is_key(key)) {
        Some("YAML")
    } else {
        None
    }
}

/// The parser's words, where they are clear, or clearer ones.
fn plainly(error: &Error) -> &str {
    match error.message().split_once(", expected ") {
        Some(("string values must be quoted", _)) if error.span().is_some_and(|span| span.is_empty()) => {
            "a value is missing"
        }
        Some((message @ "string values must be quoted", _) | (message, "nothing")) => message,
        Some(("invalid basic string", "`\"`")) => "a string does not end",
        _ => error.message(),
    }
}

fn start(error: &Error) -> usize {
    error.span().unwrap_or_default().start
}

fn at(file: usize, error: &Error) -> At {
    At::new(file, error.span().unwrap_or_default())
}

/// Reports a key or a table that is there for the second time. Keys in a table that is itself there twice are not told
/// one by one; `tables` has where the lines of those tables begin.
fn twice(report: &mut Report<'_>, at: At, tables: &mut BTreeSet<usize>) {
    let text = report.text(at.file);
    let line = report.line(at);
    let key = text.get(at.start..at.end).unwrap_or_default();
    let own = text.get(line.start..line.end).unwrap_or_default();
    let before = text.get(..line.start).unwrap_or_default();
    let lines = before.split_inclusive('\n').scan(0, |next, line| {
        let offset = *next;
        *next += line.len();
        Some((offset, line))
    });

    let begins = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let table = lines.clone().filter(|(_, line)| header(line).is_some()).last();
    let (message, first) = match header(own) {
        Some(title) => {
            tables.insert(line.start);
            let first = lines.clone().find(|(_, line)| header(line) == Some(title));
            (format!("the table {} is there twice", quoted(title)), first.map(|first| (first, title)))
        }
        None if table.is_some_and(|(offset, _)| tables.contains(&offset)) => return,
        None => {
            // Only a key that begins its line, in this table, is surely the same one.
            let here = table.map_or(0, |(offset, _)| offset);
            let first = lines.clone().find(|(offset, line)| *offset >= here && begins(line) && begins(own));
            (format!("the key {} is there twice", quoted(key)), first.map(|first| (first, key)))
        }
    };
    let draft = report.error(at, message);
    match first {
        Some(((offset, line), word)) => {
            let start = offset + line.find(word).unwrap_or_default();
            draft.see(At::new(at.file, start..start + word.len()), "it is here already");
        }
        None => {
            draft.hint("it is set further up already");
        }
    }
}

/// The header of a table, if the line is one.
fn header(line: &str) -> Option<&str> {
    let line = line.split('#').next().unwrap_or_default().trim().trim_start_matches('\u{feff}');
    Some(line).filter(|line| line.starts_with('['))
}
