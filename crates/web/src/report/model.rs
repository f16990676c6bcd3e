//! What is reported. Everything is a value that the caller worked out; nothing here is decided anew.

use domain::{Cause, Estimator, Key, Period, Rule, Series, Slot, Span, Verdict};

/// A whole backtest.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How it was made.
    pub made: Made,
    /// The history that was judged.
    pub history: Span,
    /// The whole in one line.
    pub headline: Headline,
    /// The figures that sum it up.
    pub tally: Vec<Figure>,
    /// How far it carries, a sentence each.
    pub notes: Vec<String>,
    /// What would have paged, and what no longer would, in order of time.
    pub incidents: Vec<Incident>,
    /// What would have become a ticket, in order of time.
    pub tickets: Vec<Ticket>,
    /// What came closest to paging and did not, closest first.
    pub near: Vec<NearMiss>,
    /// How many more came close.
    pub near_more: usize,
    /// Every series.
    pub series: Vec<SeriesLine>,
    /// The comparison with another configuration.
    pub against: Option<Against>,
}

/// How a report was made, so that it can be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The version of otpsd.
    pub version: String,
    /// The command line.
    pub command: String,
    /// The configuration, as it was named.
    pub configuration: String,
    /// Where the history comes from: recordings, or a source.
    pub history: Vec<String>,
}

/// The whole in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    /// How loudly it is said.
    pub tone: Tone,
    /// `6 pages and 4 tickets in 30 days`
    pub text: String,
}

/// How loudly something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing to do.
    Calm,
    /// To be read.
    Quiet,
    /// To be read now: a page is lost.
    Alarm,
}

impl Tone {
    /// The class that gives it its colour.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Quiet => "quiet",
            Self::Alarm => "alarm",
        }
    }
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Of what.
    pub what: &'static str,
    /// As it is read.
    pub value: String,
}

/// How much of a series could be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Periods in which a series had requests, after it had learned its baseline.
    pub with_requests: u64,
    /// Those of them that had a verdict.
    pub judged: u64,
}

/// One incident: a series and the periods in which it was slow.
#[derive(Debug, Clone, PartialEq)]
pub struct Incident {
    /// Whose.
    pub series: Series,
    /// Its name.
    pub key: Key,
    /// One line.
    pub summary: String,
    /// The first slow period.
    pub onset: Period,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// The first period that was back, if it was resolved.
    pub recovered: Option<Period>,
    /// The period whose verdict resolved it, if one did.
    pub resolved: Option<Period>,
    /// How it ended, in one line.
    pub ended: Option<String>,
    /// The lowest ratio to the baseline.
    pub worst: Option<f64>,
    /// The rule that decided.
    pub rule: Rule,
    /// The periods of the decision, oldest first.
    pub slots: Vec<Slot>,
    /// The periods that the charts show, oldest first; see [`super::shown`]. A period that is not there is a gap.
    pub points: Vec<Point>,
    /// Who would have been told of it.
    pub told: Told,
    /// How the other configuration differs, where it does.
    pub difference: Option<Difference>,
}

/// One period of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Which.
    pub period: Period,
    /// What it said.
    pub verdict: Option<Verdict>,
    /// The estimator that decided.
    pub estimator: Estimator,
    /// OTPS by [`Estimator::P50`], in tokens per second.
    pub otps_p50: Option<f64>,
    /// OTPS by [`Estimator::TokenWeighted`], in tokens per second.
    pub otps_token_weighted: Option<f64>,
    /// OTPS of the p95 figures, in tokens per second: context, which never decides.
    pub otps_p95: Option<f64>,
    /// What the deciding estimator usually is, in tokens per second.
    pub baseline: Option<f64>,
    /// Below this it breaches by the configuration that is looked at, in tokens per second. The verdict of a lost page is that of the other
    /// one.
    pub threshold: Option<f64>,
    /// Below this it breaches by the configuration that is compared with, where that is another line.
    pub threshold_before: Option<f64>,
    /// p50 of TimeToFirstToken, in milliseconds.
    pub ttft_p50_ms: Option<f64>,
    /// p95 of TimeToFirstToken, in milliseconds.
    pub ttft_p95_ms: Option<f64>,
    /// p50 of InvocationLatency, in milliseconds.
    pub latency_p50_ms: Option<f64>,
    /// p95 of InvocationLatency, in milliseconds.
    pub latency_p95_ms: Option<f64>,
    /// p50 of OutputTokenCount.
    pub output_tokens_p50: Option<f64>,
    /// p95 of OutputTokenCount.
    pub output_tokens_p95: Option<f64>,
    /// Requests.
    pub requests: Option<f64>,
}

/// Who would have been told of an incident.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// These pages.
    Pages(Vec<Message>),
    /// It is in a page with another incident, by its key, whose messages are those of this one too.
    With(Key),
    /// Nobody, and why; with the page that would have been sent.
    Nobody(String, Message),
}

/// A text as it would have been sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The channels, by their names in the configuration.
    pub to: Vec<String>,
    /// The whole text.
    pub text: String,
}

/// How a page differs between two configurations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// In which way.
    pub kind: Kind,
    /// Why, a line each, with the lines of the configuration that do it. Names stand between backticks.
    pub why: Vec<String>,
}

/// In which way a page differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It went out before, and would no longer.
    Lost,
    /// It would go out now, and did not before.
    Gained,
    /// It goes out at another time, or to others.
    Moved,
}

/// One ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Whose.
    pub series: Series,
    /// Why.
    pub cause: Cause,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// The period whose verdict closed it, if one did.
    pub closed: Option<Period>,
    /// Its name.
    pub key: Key,
    /// One line.
    pub summary: String,
    /// What would have been sent when it opened.
    pub message: Message,
    /// How the other configuration differs, where it does.
    pub difference: Option<Difference>,
}

/// What came close to paging.
#[derive(Debug, Clone, PartialEq)]
pub struct NearMiss {
    /// Whose.
    pub series: Series,
    /// The period in which it was closest.
    pub period: Period,
    /// How many of the periods of the rule were breaching.
    pub breaching: u8,
    /// How many periods the rule looks at.
    pub of: u8,
    /// How many would have had to breach.
    pub needed: u8,
    /// The lowest ratio to the baseline.
    pub ratio: Option<f64>,
    /// What kept it from paging.
    pub why: String,
}

/// One series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesLine {
    /// Which.
    pub series: Series,
    /// The first period with a verdict.
    pub judged_from: Option<Period>,
    /// How much of it could be judged.
    pub coverage: Coverage,
    /// Why it could not be judged, or what else is to be said of it.
    pub note: Option<String>,
}

/// The comparison with another configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Against {
    /// The other configuration, as it was named.
    pub configuration: String,
    /// What changes, in words.
    pub changes: Vec<Change>,
    /// Figures side by side.
    pub compared: Vec<Compared>,
}

/// One change of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// In words.
    pub text: String,
    /// `config/batch.toml:4`
    pub at: Option<String>,
    /// Where its value came from before.
    pub was: Option<String>,
}

/// One figure, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Of what.
    pub what: String,
    /// By the other configuration.
    pub before: String,
    /// By this one.
    pub after: String,
    /// The difference in words.
    pub note: String,
}

impl Point {
    /// OTPS by the estimator that decided, in tokens per second.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match self.estimator {
            Estimator::P50 => self.otps_p50,
            Estimator::TokenWeighted => self.otps_token_weighted,
        }
    }

    /// OTPS over its baseline.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        Some(self.value()? / self.baseline?)
    }
}
