//! What is owed for everything that happens to a fleet, worked out from the truth and not from its metrics.
//!
//! A label says what somebody who knew the true speed of every request would ask of a detector: a page, a ticket with
//! its cause, silence, or nothing in particular. It is fair: what the requests cannot show, or what lies around the
//! line, is owed by nobody.

mod days;
mod owed;
mod truth;

use std::fmt;
use std::io;

use domain::{Cause, PERIODS_PER_DAY, Period, Series, Span};

use crate::fleet::{Fleet, percentile};

/// A speed that goes under the line without an event is labelled too, by this name.
pub const NATURAL_DRIFT: &str = "natural_drift";

/// What is owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// A page.
    Page,
    /// A ticket with this cause, and no page.
    Ticket(Cause),
    /// Silence.
    Nothing,
    /// Anything: both sides can be argued.
    Either,
    /// No page: only the tail is hit. A ticket is fine.
    Tail,
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page => f.write_str("page"),
            Self::Ticket(cause) => write!(f, "ticket:{cause}"),
            Self::Nothing => f.write_str("none"),
            Self::Either => f.write_str("either"),
            Self::Tail => f.write_str("tail"),
        }
    }
}

/// One thing that happened, and what is owed for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// To whom.
    pub series: Series,
    /// What: the name of an event's kind, or [`NATURAL_DRIFT`].
    pub kind: &'static str,
    /// From when to when.
    pub span: Span,
    /// Since when it could be known: the requests that show it have been there after this period.
    pub evident: Period,
    /// What is owed.
    pub expect: Expect,
    /// How much, in the terms of the event; of a natural drift the greatest loss of speed.
    pub magnitude: f64,
}

/// The labels of a fleet, whose first `learn_days` days are for learning: nothing in them is labelled. In order of
/// series and time.
#[must_use]
pub fn of(fleet: &Fleet, learn_days: i64) -> Vec<Label> {
    let learn_days = learn_days.max(0);
    fleet.models().iter().flat_map(|model| owed::labels(model, fleet.span(), learn_days)).collect()
}

/// Writes the labels and the models of a fleet as CSV, each with a header:
///
/// - `ModelId,Kind,Start,End,Evident,Expect,Magnitude`
/// - `ModelId,MedianSamples,Days,LearnDays,Start`; the median is over the periods that had requests.
///
/// # Errors
///
/// When either cannot be written.
pub fn write(
    fleet: &Fleet,
    learn_days: i64,
    labels: impl io::Write,
    models: impl io::Write,
) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(labels);
    out.write_record(["ModelId", "Kind", "Start", "End", "Evident", "Expect", "Magnitude"])?;
    for label in of(fleet, learn_days) {
        out.write_record([
            label.series.model(),
            label.kind,
            &label.span.from.to_string(),
            &label.span.until.to_string(),
            &label.evident.to_string(),
            &label.expect.to_string(),
            &format!("{:.2}", label.magnitude),
        ])?;
    }
    out.flush()?;

    let mut out = csv::Writer::from_writer(models);
    out.write_record(["ModelId", "MedianSamples", "Days", "LearnDays", "Start"])?;
    let Span { from, until } = fleet.span();
    let days = (until - from) / PERIODS_PER_DAY;
    for model in fleet.models() {
        let mut counts: Vec<f64> = (from.index()..until.index())
            .map(|index| model.count(Period::from_index(index)) as f64)
            .filter(|count| *count > 0.0)
            .collect();
        let median = percentile(&mut counts, 0.5).unwrap_or(0.0);
        out.write_record([
            model.spec.series.model(),
            &format!("{median:.0}"),
            &days.to_string(),
            &learn_days.to_string(),
            &from.to_string(),
        ])?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::{Event, EventKind, ModelSpec, PromptCache};

    /// A fleet of one model, with events at some hours after two weeks; and what is owed for each, with the period
    /// of its evidence after its start.
    fn owed(spec: &ModelSpec, events: &[(EventKind, i64, i64, f64)]) -> Vec<(&'static str, String, i64)> {
        let origin = Period::first_of_day(20_727);
        let events = events.iter().map(|(kind, hour, periods, magnitude)| {
            let from = origin + 14 * PERIODS_PER_DAY + hour * 12;
            Event {
                series: spec.series.clone(),
                kind: *kind,
                from,
                until: from + *periods,
                magnitude: *magnitude,
            }
        });
        let fleet = Fleet::new(5, origin, 35 * PERIODS_PER_DAY, vec![spec.clone()], events.collect());
        let labels = of(&fleet, 14);
        labels.iter().map(|it| (it.kind, it.expect.to_string(), it.evident - it.span.from)).collect()
    }

    fn spec(requests: f64) -> ModelSpec {
        ModelSpec::steady(Series::new("111122223333", "us-east-1", "m"), requests, 60.0)
    }

    fn one(spec: &ModelSpec, kind: EventKind, periods: i64, magnitude: f64) -> (String, i64) {
        let mut labels = owed(spec, &[(kind, 30, periods, magnitude)]);
        assert_eq!(labels.len(), 1, "{labels:?}");
        let (name, expect, evident) = labels.remove(0);
        assert_eq!(name, kind.as_str());
        (expect, evident)
    }

    #[test]
    fn plain_slowdowns_are_owed_a_page_from_the_sixtieth_request_on() {
        // 200 requests in a period: the first shows it. 25 in a period: the third does.
        assert_eq!(one(&spec(200.0), EventKind::Slowdown, 12, 0.35), ("page".to_owned(), 0));
        assert_eq!(one(&spec(25.0), EventKind::Slowdown, 12, 0.35), ("page".to_owned(), 2));
        assert_eq!(one(&spec(200.0), EventKind::LongSlowdown, 864, 0.4), ("page".to_owned(), 0));
        assert_eq!(one(&spec(200.0), EventKind::LevelShift, 3_000, 0.3), ("page".to_owned(), 0));
        assert_eq!(one(&spec(200.0), EventKind::MostRequestsSlow, 12, 0.4), ("page".to_owned(), 0));
    }

    #[test]
    fn what_cannot_be_known_is_owed_by_nobody() {
        // The sixtieth request is in the twelfth of 14 periods, and the rest is too short.
        assert_eq!(one(&spec(5.0), EventKind::Slowdown, 14, 0.35).0, "either");
        assert_eq!(one(&spec(5.0), EventKind::Slowdown, 36, 0.35).0, "page");
        assert_eq!(
            one(&spec(2.0), EventKind::Slowdown, 72, 0.35).0,
            "either",
            "ten requests in five periods"
        );
        assert_eq!(one(&spec(200.0), EventKind::Slowdown, 4, 0.35).0, "either", "too short for the evidence");
        assert_eq!(one(&spec(200.0), EventKind::Slowdown, 12, 0.22).0, "either", "too small to be plain");
        assert_eq!(one(&spec(200.0), EventKind::Grey, 12, 0.2).0, "either");
    }

    #[test]
    fn creeps_are_owed_a_ticket_with_their_cause() {
        let day = PERIODS_PER_DAY;
        assert_eq!(
            one(&spec(40.0), EventKind::LongerResponses, 6 * day, 0.5),
            // From 06:00 on, so that the first day is one of the three.
            ("ticket:longer_responses".to_owned(), 3 * day - 72)
        );
        assert_eq!(one(&spec(40.0), EventKind::LongerResponses, 6 * day, 0.1).0, "either");
        assert_eq!(one(&spec(40.0), EventKind::PromptGrowth, 8 * day, 2.0).0, "ticket:prompt_growth");
        assert_eq!(one(&spec(40.0), EventKind::Queueing, 8 * day, 1.0).0, "ticket:queueing");
        let cached = PromptCache { prefix_share: 0.9, hit_share: 0.95, writes: true };
        let cached = ModelSpec { cache: Some(cached), ..spec(40.0) };
        assert_eq!(one(&cached, EventKind::CacheRegression, 7 * day, 0.9).0, "ticket:cache_regression");
        assert_eq!(one(&spec(40.0), EventKind::Erosion, 18 * day, 0.25).0, "ticket:decode_erosion");
        assert_eq!(one(&spec(40.0), EventKind::Erosion, 18 * day, 0.1).0, "either");
        assert_eq!(
            one(&spec(40.0), EventKind::StreamingShift, 4 * day, 0.5),
            ("ticket:streaming_mix".to_owned(), 1)
        );
    }

    #[test]
    fn a_silence_is_owed_a_ticket_where_there_would_have_been_requests() {
        // A third of 18 hours is 72 periods.
        let silence = one(&spec(40.0), EventKind::WentSilent, 576, 1.0);
        assert_eq!(silence, ("ticket:no_data".to_owned(), 71));
        let mut closed = spec(40.0);
        closed.rhythm.weekend = 0.0;
        // 14 days after Thursday 1 October, and 30 hours: Friday 06:00. Two days of it are 18 open hours.
        assert_eq!(one(&closed, EventKind::WentSilent, 576, 1.0).0, "ticket:no_data");
        closed.rhythm.open = Some((7, 19));
        assert_eq!(one(&closed, EventKind::WentSilent, 576, 1.0).0, "either");
        assert_eq!(one(&spec(0.2), EventKind::WentSilent, 576, 1.0).0, "either");
    }

    #[test]
    fn the_rest_is_owed_silence() {
        for (kind, magnitude) in [
            (EventKind::Dip, 0.5),
            (EventKind::ChattySpell, 1.0),
            (EventKind::BigPromptsSpell, 1.0),
            (EventKind::MixShift, 2.0),
            (EventKind::TrafficTrough, 0.9),
            (EventKind::NonstreamingBurst, 0.5),
            (EventKind::Gap, 1.0),
            (EventKind::LoadSurge, 2.0),
            (EventKind::LevelShift, -0.4),
        ] {
            assert_eq!(one(&spec(100.0), kind, 2, magnitude).0, "none", "{}", kind.as_str());
        }
        assert_eq!(one(&spec(100.0), EventKind::SlowMinority, 24, 0.8).0, "tail");
    }

    #[test]
    fn a_speed_that_falls_by_itself_is_labelled_too() {
        let mut drifting = spec(100.0);
        drifting.decode.drift = 0.12;
        let labels = owed(&drifting, &[(EventKind::Dip, 30, 2, 0.5)]);
        assert!(labels.iter().any(|label| label.0 == NATURAL_DRIFT && label.1 == "either"));
        assert_eq!(owed(&spec(100.0), &[]), []);
    }

    #[test]
    fn files_have_their_columns() {
        let origin = Period::first_of_day(20_727);
        let from = origin + 14 * PERIODS_PER_DAY;
        let events = vec![Event {
            series: spec(40.0).series,
            kind: EventKind::Slowdown,
            from,
            until: from + 12,
            magnitude: 0.35,
        }];
        let fleet = Fleet::new(5, origin, 15 * PERIODS_PER_DAY, vec![spec(40.0)], events);
        let (mut labels, mut models) = (Vec::new(), Vec::new());
        write(&fleet, 14, &mut labels, &mut models).unwrap();
        assert_eq!(
            String::from_utf8(labels).unwrap(),
            "ModelId,Kind,Start,End,Evident,Expect,Magnitude\n\
             m,slowdown,2026-10-15T00:00:00Z,2026-10-15T01:00:00Z,2026-10-15T00:05:00Z,page,0.35\n"
        );
        assert_eq!(
            String::from_utf8(models).unwrap(),
            "ModelId,MedianSamples,Days,LearnDays,Start\nm,40,15,14,2026-10-01T00:00:00Z\n"
        );
    }
}
