//! Spans that never train a baseline: `"2026-11-26/2026-11-28"`.

use domain::{Period, Span};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::quote::quoted;
use crate::table::Fault;

/// The hint for everything that is not one.
const FORM: &str =
    "write days as \"2026-11-26/2026-11-28\", or times as \"2026-11-26T18:00Z/2026-11-26T20:00Z\"";

/// Days in UTC, the last one included, or times; one day may stand alone. Every period that the span touches is in it.
pub(crate) fn span(text: &str) -> Result<Span, Fault> {
    let fault = |hint: &str| {
        Fault::new(format!("must hold days or times, not {}", quoted(text))).hint(hint.to_owned())
    };
    let (from, until) = text.split_once('/').unwrap_or((text, text));
    let (Some(from), Some(until)) = (Edge::parse(from), Edge::parse(until)) else {
        return Err(fault(if text.contains(':') && !text.contains(['Z', 'z', '+']) {
            "a time needs its zone, such as 2026-11-26T18:00Z"
        } else {
            FORM
        }));
    };
    if let (Edge::At(_), false) = (from, text.contains('/')) {
        return Err(fault(FORM));
    }
    let (Some(start), Some(end)) = (from.start(), until.end()) else {
        return Err(fault("it is too far away"));
    };
    if start >= end {
        return Err(Fault::new(format!("has a span that ends before it starts: {}", quoted(text)))
            .hint("the earlier one comes first"));
    }
    // The period that holds the last instant is the last one inside.
    let last = Period::containing(end.checked_sub(1.nanosecond()).unwrap_or(end));
    Ok(Span { from: Period::containing(start), until: last + 1 })
}

/// One end of a span.
#[derive(Debug, Clone, Copy)]
enum Edge {
    Day(Date),
    At(Timestamp),
}

impl Edge {
    fn parse(text: &str) -> Option<Self> {
        if text.contains(['T', 't', ':', ' ']) {
            text.parse().ok().map(Self::At)
        } else {
            text.parse().ok().map(Self::Day)
        }
    }

    /// The first instant inside, when the span begins here.
    fn start(self) -> Option<Timestamp> {
        match self {
            Self::Day(day) => midnight(day),
            Self::At(time) => Some(time),
        }
    }

    /// The first instant after, when the span ends here.
    fn end(self) -> Option<Timestamp> {
        match self {
            Self::Day(day) => midnight(day.tomorrow().ok()?),
            Self::At(time) => Some(time),
        }
    }
}

fn midnight(day: Date) -> Option<Timestamp> {
    TimeZone::UTC.to_timestamp(day.to_datetime(Time::midnight())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(text: &str) -> (String, String) {
        let span = span(text).unwrap();
        (span.from.to_string(), span.until.to_string())
    }

    fn pair(from: &str, until: &str) -> (String, String) {
        (from.to_owned(), until.to_owned())
    }

    #[test]
    fn the_last_day_is_included() {
        assert_eq!(bounds("2026-11-26/2026-11-28"), pair("2026-11-26T00:00:00Z", "2026-11-29T00:00:00Z"));
        assert_eq!(bounds("2026-11-26/2026-11-26"), pair("2026-11-26T00:00:00Z", "2026-11-27T00:00:00Z"));
        assert_eq!(bounds("2026-12-31"), pair("2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"));
        assert_eq!(bounds("2028-02-28/2028-02-29"), pair("2028-02-28T00:00:00Z", "2028-03-01T00:00:00Z"));
    }

    #[test]
    fn times_take_every_period_that_they_touch() {
        let two_hours = pair("2026-11-26T18:00:00Z", "2026-11-26T20:00:00Z");
        assert_eq!(bounds("2026-11-26T18:00Z/2026-11-26T20:00Z"), two_hours);
        assert_eq!(bounds("2026-11-26T13:00-05:00/2026-11-26T15:00-05:00"), two_hours);
        let touched = pair("2026-11-26T18:00:00Z", "2026-11-26T18:10:00Z");
        assert_eq!(bounds("2026-11-26T18:04:59Z/2026-11-26T18:05:01Z"), touched);
        let mixed = pair("2026-11-26T18:00:00Z", "2026-11-28T00:00:00Z");
        assert_eq!(bounds("2026-11-26T18:00Z/2026-11-27"), mixed);
    }

    #[test]
    fn anything_else_is_refused() {
        for (text, predicate, hint) in [
            (
                "2026-11-28/2026-11-26",
                "has a span that ends before it starts: `2026-11-28/2026-11-26`",
                "the earlier one comes first",
            ),
            (
                "2026-11-26T18:00Z/2026-11-26T18:00Z",
                "has a span that ends before it starts: `2026-11-26T18:00Z/2026-11-26T18:00Z`",
                "the earlier one comes first",
            ),
            ("2026-11-31", "must hold days or times, not `2026-11-31`", FORM),
            ("2026-11-26..2026-11-28", "must hold days or times, not `2026-11-26..2026-11-28`", FORM),
            ("2026-11-26T18:00Z", "must hold days or times, not `2026-11-26T18:00Z`", FORM),
            (
                "2026-11-26T18:00/2026-11-26T20:00",
                "must hold days or times, not `2026-11-26T18:00/2026-11-26T20:00`",
                "a time needs its zone, such as 2026-11-26T18:00Z",
            ),
            ("", "must hold days or times, not ``", FORM),
            ("9999-12-31", "must hold days or times, not `9999-12-31`", "it is too far away"),
        ] {
            let fault = span(text).unwrap_err();
            assert_eq!((fault.predicate.as_str(), fault.hint.as_deref()), (predicate, Some(hint)), "{text}");
        }
    }
}
