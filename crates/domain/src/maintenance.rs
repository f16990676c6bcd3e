//! Times at which somebody works on something, and nobody is to be told.

use jiff::{SignedDuration, Timestamp};

use crate::{About, Hours, Labels, Matcher, Period, Series, Span};

/// A maintenance window: what it is about is judged and recorded, does not train a baseline, and is told nobody until it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Maintenance {
    /// The name in the configuration.
    pub name: String,
    /// What it is about. Its causes are not looked at.
    pub matcher: Matcher,
    /// When.
    pub window: Window,
    /// Why, for those who ask.
    pub comment: Option<String>,
}

impl Maintenance {
    /// Whether the window is about it, whenever it is.
    #[must_use]
    pub fn is_about(&self, about: &About<'_>) -> bool {
        Matcher { causes: Vec::new(), ..self.matcher.clone() }.takes(about)
    }

    /// Whether the window is about a series that has these labels, whenever it is.
    #[must_use]
    pub fn is_about_series(&self, series: &Series, labels: &Labels) -> bool {
        let regions = [series.region()];
        self.is_about(&About { series: Some(series), regions: &regions, cause: "", labels })
    }
}

/// When a maintenance window is.
#[derive(Debug, Clone, PartialEq)]
pub enum Window {
    /// Every week.
    Weekly(Hours),
    /// Once, from an instant, inside, until another, outside.
    Once {
        /// Its first instant.
        from: Timestamp,
        /// The first instant after it.
        until: Timestamp,
    },
}

impl Window {
    /// Whether `at` is inside.
    #[must_use]
    pub fn contains(&self, at: Timestamp) -> bool {
        match self {
            Self::Weekly(hours) => hours.contains(at),
            Self::Once { from, until } => *from <= at && at < *until,
        }
    }

    /// When the window that is open at `at` ends; `None` when none is.
    #[must_use]
    pub fn end(&self, at: Timestamp) -> Option<Timestamp> {
        let just_after = at.saturating_add(SignedDuration::from_nanos(1)).ok()?;
        self.between(at, just_after).into_iter().map(|(_, until)| until).max()
    }

    /// The periods of `range` that it touches, as spans in order.
    #[must_use]
    pub fn spans(&self, range: Span) -> Vec<Span> {
        let touched = |(from, until): (Timestamp, Timestamp)| {
            let last = until.saturating_sub(SignedDuration::from_nanos(1)).ok()?;
            Some(Span {
                from: Period::containing(from).max(range.from),
                until: (Period::containing(last) + 1).min(range.until),
            })
        };
        self.between(range.from.start(), range.until.start()).into_iter().filter_map(touched).collect()
    }

    fn between(&self, begin: Timestamp, end: Timestamp) -> Vec<(Timestamp, Timestamp)> {
        match self {
            Self::Weekly(hours) => hours.between(begin, end),
            Self::Once { from, until } => {
                if *from < end && begin < *until {
                    vec![(*from, *until)]
                } else {
                    Vec::new()
                }
            }
        }
    }
}
