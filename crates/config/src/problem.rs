//! What is wrong with a configuration, as values; `render` turns them into text.

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The configuration cannot be used.
    Error,
    /// It can be used, and probably is not what was meant.
    Warning,
}

impl Severity {
    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One problem. Nothing in it holds a secret: messages never quote one, and excerpts have it masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as its path was given.
    pub file: String,
    /// Where in the file, unless the problem is that something is not there.
    pub place: Option<Place>,
    /// What is wrong, in lower case, on one line.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Another place that has to do with it.
    pub related: Option<Related>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The first character, from 1.
    pub column: usize,
    /// The first character after, from 1, when it is on the same line.
    pub end_column: Option<usize>,
    /// The line itself without its comment, unless it is very long. Every character of a possible secret is a `*`.
    pub excerpt: Option<String>,
}

/// Another place that has to do with a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The file.
    pub file: String,
    /// Where in it.
    pub place: Place,
    /// What is there.
    pub label: String,
}
