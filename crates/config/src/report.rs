//! Problems while they are being found.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::text::Text;
use crate::{Origin, Problem, Related, Severity};

/// Nobody reads more, and a file that is no configuration at all should not take minutes to say so.
pub(crate) const MAX_PROBLEMS: usize = 100;

/// A byte range of one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) file: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl At {
    pub(crate) fn new(file: usize, span: Range<usize>) -> Self {
        Self { file, start: span.start, end: span.end }
    }

    fn span(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A problem that is being described.
#[derive(Debug)]
pub(crate) struct Draft {
    severity: Severity,
    at: Option<At>,
    message: String,
    hint: Option<String>,
    related: Option<(At, String)>,
}

impl Draft {
    /// Says what to do about it.
    pub(crate) fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }

    /// Points at another place that has to do with it.
    pub(crate) fn see(&mut self, at: At, label: impl Into<String>) -> &mut Self {
        self.related = Some((at, label.into()));
        self
    }
}

/// The files, and what was found in them so far.
#[derive(Debug)]
pub(crate) struct Report<'t> {
    texts: Vec<Text<'t>>,
    drafts: Vec<Draft>,
}

impl<'t> Report<'t> {
    pub(crate) fn new(texts: Vec<Text<'t>>) -> Self {
        Self { texts, drafts: Vec::new() }
    }

    pub(crate) fn error(&mut self, at: At, message: impl Into<String>) -> &mut Draft {
        self.add(Severity::Error, Some(at), message.into())
    }

    pub(crate) fn warning(&mut self, at: At, message: impl Into<String>) -> &mut Draft {
        self.add(Severity::Warning, Some(at), message.into())
    }

    /// Something is wrong at a place, or with the whole when there is none.
    pub(crate) fn add(&mut self, severity: Severity, at: Option<At>, message: String) -> &mut Draft {
        self.drafts.push_mut(Draft { severity, at, message, hint: None, related: None })
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.drafts.iter().any(|draft| draft.severity == Severity::Error)
    }

    pub(crate) fn text(&self, file: usize) -> &'t str {
        self.texts.get(file).map_or("", Text::text)
    }

    /// The line that holds a place.
    pub(crate) fn line(&self, at: At) -> At {
        At::new(at.file, self.texts.get(at.file).map_or_else(|| at.span(), |text| text.line(at.start)))
    }

    /// The file and the line of a place.
    pub(crate) fn origin(&self, at: At) -> Origin {
        let text = self.texts.get(at.file);
        Origin {
            file: text.map(Text::name).unwrap_or_default(),
            line: text.map_or(0, |text| text.number(at.start)) + 1,
        }
    }

    /// The folder that relative paths in a file start at.
    pub(crate) fn folder(&self, file: usize) -> &'t Path {
        self.texts.get(file).map_or_else(|| Path::new(""), Text::folder)
    }

    /// The first [`MAX_PROBLEMS`] in the order of the files, from top to bottom, and then those of the whole.
    pub(crate) fn finish(mut self) -> Vec<Problem> {
        self.drafts.sort_by_key(|draft| (draft.at.is_none(), draft.at));
        // What several tables share is wrong once.
        let mut told = BTreeSet::new();
        self.drafts.retain(|draft| told.insert((draft.at, draft.message.clone())));
        let more = self.drafts.split_off(self.drafts.len().min(MAX_PROBLEMS));
        if let Some(severity) = more.iter().map(|draft| draft.severity).min() {
            self.add(severity, None, format!("{} more problems are not shown", more.len()));
        }
        let name = |file: usize| self.texts.get(file).map(Text::name).unwrap_or_default();
        let place = |at: At| self.texts.get(at.file).map(|text| text.place(&at.span()));
        let related =
            |(at, label): (At, String)| Some(Related { file: name(at.file), place: place(at)?, label });
        let problem = |draft: Draft| Problem {
            severity: draft.severity,
            file: name(draft.at.map_or(0, |at| at.file)),
            place: draft.at.and_then(place),
            message: draft.message,
            hint: draft.hint,
            related: draft.related.and_then(related),
        };
        self.drafts.into_iter().map(problem).collect()
    }
}
