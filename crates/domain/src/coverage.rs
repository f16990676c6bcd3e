//! What of a source is not watched as its configuration wants it: one ticket for each such gap. It is about what is seen, so it cannot page.

use jiff::Timestamp;

use crate::{Cause, Key, Period, Series, TicketAction};

/// A gap between what a source should watch and what it watches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// No model that is there matches this name or glob of `expect`.
    ModelMissing(String),
    /// There are more series than `max-series`.
    SeriesLimit,
    /// What `max-monthly-usd` leaves does not pay for all that would be read.
    CostLimit,
}

impl Gap {
    /// Why there is a ticket.
    #[must_use]
    pub const fn cause(&self) -> Cause {
        match self {
            Self::ModelMissing(_) => Cause::ModelMissing,
            Self::SeriesLimit => Cause::SeriesLimit,
            Self::CostLimit => Cause::CostLimit,
        }
    }

    /// The name or glob that it is about; empty where it is about the source.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::ModelMissing(expected) => expected,
            Self::SeriesLimit | Self::CostLimit => "",
        }
    }

    /// The gap of a cause and a subject; `None` where no gap has that cause.
    #[must_use]
    pub fn from_parts(cause: Cause, subject: &str) -> Option<Self> {
        match cause {
            Cause::ModelMissing => Some(Self::ModelMissing(subject.to_owned())),
            Cause::SeriesLimit => Some(Self::SeriesLimit),
            Cause::CostLimit => Some(Self::CostLimit),
            _ => None,
        }
    }
}

/// A ticket about a gap that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenGap {
    /// Its name to every receiver.
    pub key: Key,
    /// What is missing.
    pub gap: Gap,
    /// Since when.
    pub since: Timestamp,
}

impl OpenGap {
    /// A gap of a source that was found at `since`.
    #[must_use]
    pub fn new(source: &str, gap: Gap, since: Timestamp) -> Self {
        let (cause, opened) = (gap.cause(), Period::containing(since).index().to_string());
        let key = Key::from_parts(&["gap", source, cause.as_str(), gap.subject(), &opened]);
        Self { key, gap, since }
    }
}

/// The figures of a gap, as they are now.
#[derive(Debug, Clone, PartialEq)]
pub enum GapFigures {
    /// Of [`Gap::ModelMissing`].
    Missing {
        /// Where was looked, sorted.
        regions: Vec<String>,
        /// Series that are still known by that name: they had data once.
        known: Vec<Series>,
    },
    /// Of [`Gap::SeriesLimit`].
    LeftOut {
        /// `max-series`.
        limit: u32,
        /// Series that are not watched, those with the most requests first.
        left_out: Vec<LeftOut>,
    },
    /// Of [`Gap::CostLimit`].
    Cost {
        /// `max-monthly-usd`.
        limit_usd: f64,
        /// What was asked this month.
        spent_usd: f64,
        /// What the month comes to if nothing is shed.
        full_usd: f64,
        /// What it comes to as it is read now.
        thrifty_usd: f64,
        /// How it is read now.
        thrift: Thrift,
        /// When the next month begins.
        until: Timestamp,
    },
}

/// A series that is not watched.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Which.
    pub series: Series,
    /// Its requests of the last day, where they were read.
    pub requests: Option<f64>,
}

/// How much is read, for the sake of what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Thrift {
    /// Everything.
    #[default]
    None,
    /// What explains is read only while a series breaches, not every hour.
    Diagnosis,
    /// Neither is, and only every second period is polled: pages come up to five minutes later.
    Polling,
}

impl Thrift {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::None, Self::Diagnosis, Self::Polling];

    /// As output formats write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Diagnosis => "diagnosis",
            Self::Polling => "polling",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|thrift| thrift.as_str() == name)
    }

    /// Every how many periods is polled.
    #[must_use]
    pub const fn periods(self) -> i64 {
        match self {
            Self::None | Self::Diagnosis => 1,
            Self::Polling => 2,
        }
    }
}

/// What was asked of a source in a month, and how it is read because of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spending {
    /// The month, as the year times twelve and the month from zero, in UTC.
    pub month: i32,
    /// Metrics that were asked for in it, as CloudWatch bills them.
    pub billed_metrics: u64,
    /// How the source is read.
    pub thrift: Thrift,
}

/// Something is said of a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct GapTicket {
    /// The source, by its name in the configuration.
    pub source: String,
    /// What is missing.
    pub open: OpenGap,
    /// How it stands.
    pub figures: GapFigures,
    /// When this is said.
    pub at: Timestamp,
    /// What is said.
    pub action: TicketAction,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_made_again_of_its_parts() {
        for gap in [Gap::ModelMissing("*nova*".to_owned()), Gap::SeriesLimit, Gap::CostLimit] {
            assert_eq!(Gap::from_parts(gap.cause(), gap.subject()), Some(gap));
        }
        assert_eq!(Gap::from_parts(Cause::NoData, ""), None);
        for thrift in Thrift::ALL {
            assert_eq!(Thrift::from_name(thrift.as_str()), Some(thrift));
        }
    }

    #[test]
    fn the_key_of_a_gap_is_a_contract() {
        // gap|main|model_missing|*nova*|5970000, by an independent FNV-1a.
        let since = Period::from_index(5_970_000).start();
        let open = OpenGap::new("main", Gap::ModelMissing("*nova*".to_owned()), since);
        assert_eq!(open.key.as_str(), "otpsd-1728baf36de16357");
    }
}
