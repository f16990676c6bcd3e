//! One file's text: from byte ranges to lines, columns and excerpts.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::Place;
use crate::mask::Mask;

/// A longer line is not quoted: no screen shows it, and every problem would carry it.
const MAX_EXCERPT_BYTES: usize = 2_000;
const BOM: char = '\u{feff}';

/// A file of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path, as problems name it. Relative paths in the file start at its folder.
    pub path: PathBuf,
    /// What it holds. Lines may end with CRLF, and a byte order mark may come first.
    pub text: String,
}

/// A file with its lines found.
#[derive(Debug)]
pub(crate) struct Text<'t> {
    path: &'t Path,
    text: &'t str,
    /// Where each line begins, in bytes.
    starts: Vec<usize>,
    mask: Mask,
}

impl<'t> Text<'t> {
    pub(crate) fn new(file: &'t File) -> Self {
        Self::with(file, Mask::of(&file.text))
    }

    /// A file that holds no secrets: its lines are quoted as they are.
    pub(crate) fn without_secrets(file: &'t File) -> Self {
        Self::with(file, Mask::default())
    }

    fn with(file: &'t File, mask: Mask) -> Self {
        let text = file.text.as_str();
        let first = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let after_newlines =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(first).chain(after_newlines).collect();
        Self { path: &file.path, text, starts, mask }
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The folder that relative paths in the file start at.
    pub(crate) fn folder(&self) -> &'t Path {
        self.path.parent().unwrap_or_else(|| Path::new(""))
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// The line that holds byte `at`, without its end, as a byte range.
    pub(crate) fn line(&self, at: usize) -> Range<usize> {
        let number = self.number(at);
        self.range(number)
    }

    /// The number of that line, from 0.
    pub(crate) fn number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    fn range(&self, number: usize) -> Range<usize> {
        let start = self.starts.get(number).copied().unwrap_or(self.text.len());
        let next = self.starts.get(number + 1).copied().unwrap_or(self.text.len()).max(start);
        let line = self.text.get(start..next).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        start..start + line.strip_suffix('\r').unwrap_or(line).len()
    }

    /// The place of a byte range.
    pub(crate) fn place(&self, span: &Range<usize>) -> Place {
        let number = self.number(span.start);
        let line = self.range(number);
        let column = |at: usize| {
            let at = self.text.floor_char_boundary(at.clamp(line.start, line.end));
            self.text[line.start..at].chars().count() + 1
        };
        Place {
            line: number + 1,
            column: column(span.start),
            end_column: (span.end <= line.end).then(|| column(span.end.max(span.start))),
            excerpt: (line.len() <= MAX_EXCERPT_BYTES).then(|| self.excerpt(&line, span)),
        }
    }

    /// A line with its secrets masked, character by character, so that columns stay what they are. It loses its
    /// comment, which may tell anything.
    fn excerpt(&self, line: &Range<usize>, span: &Range<usize>) -> String {
        let mut hidden = within(&self.mask.values, line).to_vec();
        let mut end = line.end;
        if let [comment, ..] = within(&self.mask.comments, line) {
            if span.end <= comment.start {
                end = comment.start;
            } else {
                hidden.push(comment.clone());
            }
        }
        let quoted = self.text.get(line.start..end).unwrap_or_default();
        let masked = quoted.char_indices().map(|(at, c)| {
            let at = line.start + at;
            let is_hidden = hidden.iter().any(|range| range.contains(&at));
            match c {
                '"' | '\'' => c,
                _ if is_hidden => '*',
                // One that is left alone could move the cursor of the terminal that shows it.
                _ if c.is_control() && c != '\t' => char::REPLACEMENT_CHARACTER,
                _ => c,
            }
        });
        masked.collect::<String>().trim_end().to_owned()
    }
}

/// Those of some ranges, which are in order, that reach into a line.
fn within<'r>(ranges: &'r [Range<usize>], line: &Range<usize>) -> &'r [Range<usize>] {
    let from = ranges.partition_point(|range| range.end <= line.start);
    let until = ranges.partition_point(|range| range.start < line.end);
    ranges.get(from..until).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, span: Range<usize>) -> (usize, usize, Option<usize>, String) {
        let file = File { path: "otpsd.toml".into(), text: text.to_owned() };
        let place = Text::new(&file).place(&span);
        (place.line, place.column, place.end_column, place.excerpt.unwrap())
    }

    #[test]
    fn columns_count_characters_and_leave_out_the_byte_order_mark() {
        assert_eq!(place("a = 1\nlog = 2\n", 6..9), (2, 1, Some(4), "log = 2".into()));
        assert_eq!(place("\u{feff}days = 1\r\nlog = 2\r\n", 3..7), (1, 1, Some(5), "days = 1".into()));
        assert_eq!(place("\u{feff}days = 1\r\nlog = 2\r\n", 13..16), (2, 1, Some(4), "log = 2".into()));
        assert_eq!(place("log = 'é', x", 12..13), (1, 12, Some(13), "log = 'é', *".into()));
    }

    #[test]
    fn the_end_of_the_text_has_a_place() {
        assert_eq!(place("", 0..0), (1, 1, Some(1), String::new()));
        assert_eq!(place("log =", 5..5), (1, 6, Some(6), "log =".into()));
        assert_eq!(place("log =\n", 6..6), (2, 1, Some(1), String::new()));
        assert_eq!(place("log =", 90..99), (1, 6, None, "log =".into()));
    }

    #[test]
    fn a_span_over_lines_has_no_end() {
        assert_eq!(place("include = [\n'a'\n]", 10..17), (1, 11, None, "include = [".into()));
    }

    #[test]
    fn masked_lines_keep_their_columns_and_every_line_loses_its_comment() {
        let text = "routing-key = \"hunter2\" # was hunter1\nlog = 3 # why\n";
        assert_eq!(place(text, 0..11).3, "routing-key = \"*******\"");
        assert_eq!(place(text, 14..23).1, 15);
        assert_eq!(place(text, 38..41).3, "log = 3");
        assert_eq!(place("log = \u{9b}31m", 0..3).3, "log = \u{fffd}31m");
        assert_eq!(place(text, 49..51), (2, 12, Some(14), "log = 3 *****".into()));
    }
}
