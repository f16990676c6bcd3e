//! Round times along the bottom of a chart, in UTC.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period};
use jiff::tz::Offset;

/// Periods between two vertical lines, from a quarter of an hour to two weeks.
const STEPS: [i64; 11] = [
    PERIODS_PER_HOUR / 4,
    PERIODS_PER_HOUR / 2,
    PERIODS_PER_HOUR,
    2 * PERIODS_PER_HOUR,
    3 * PERIODS_PER_HOUR,
    6 * PERIODS_PER_HOUR,
    12 * PERIODS_PER_HOUR,
    PERIODS_PER_DAY,
    2 * PERIODS_PER_DAY,
    7 * PERIODS_PER_DAY,
    14 * PERIODS_PER_DAY,
];
/// Steps that a chart may span, so that their labels fit on a phone.
const MOST_STEPS: i64 = 6;

/// A vertical line.
#[derive(Debug, PartialEq)]
pub(super) struct Hour {
    /// Periods after the start of the chart.
    pub(super) at: i64,
    /// `18:00Z`, or `15 Oct` where a chart is longer than a day.
    pub(super) text: String,
}

/// The round times of a chart of so many periods.
pub(super) fn hours(from: Period, periods: i64) -> Vec<Hour> {
    let fits = |step: &&i64| periods / **step <= MOST_STEPS;
    let step = STEPS.iter().find(fits).copied().unwrap_or(28 * PERIODS_PER_DAY);
    let first = (step - from.index().rem_euclid(step)) % step;
    (first..=periods)
        .step_by(usize::try_from(step).unwrap_or(1))
        .map(|at| {
            let time = Offset::UTC.to_datetime((from + at).start());
            let midnight = (from.index() + at).rem_euclid(PERIODS_PER_DAY) == 0;
            let format = if midnight && periods > PERIODS_PER_DAY { "%-d %b" } else { "%H:%MZ" };
            Hour { at, text: time.strftime(format).to_string() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(from: &str, periods: i64) -> Vec<(i64, String)> {
        let from = Period::containing(from.parse().unwrap());
        hours(from, periods).into_iter().map(|hour| (hour.at, hour.text)).collect()
    }

    fn expected(texts: &[(i64, &str)]) -> Vec<(i64, String)> {
        texts.iter().map(|(at, text)| (*at, (*text).to_owned())).collect()
    }

    #[test]
    fn a_day_has_four() {
        // 00:00 is 5 h 40 min after the start: 68 periods.
        let day = [(68, "00:00Z"), (140, "06:00Z"), (212, "12:00Z"), (284, "18:00Z")];
        assert_eq!(texts("2026-10-14T18:20:00Z", 288), expected(&day));
    }

    #[test]
    fn an_hour_has_quarters_and_a_morning_has_hours() {
        let hour = [(0, "06:00Z"), (3, "06:15Z"), (6, "06:30Z"), (9, "06:45Z"), (12, "07:00Z")];
        assert_eq!(texts("2026-10-14T06:00:00Z", 12), expected(&hour));
        // Four and a half hours, from 06:10.
        let morning = [(10, "07:00Z"), (22, "08:00Z"), (34, "09:00Z"), (46, "10:00Z")];
        assert_eq!(texts("2026-10-14T06:10:00Z", 54), expected(&morning));
    }

    #[test]
    fn several_days_have_dates_at_midnight() {
        let halves = [(0, "12:00Z"), (144, "15 Oct"), (288, "12:00Z"), (432, "16 Oct"), (576, "12:00Z")];
        assert_eq!(texts("2026-10-14T12:00:00Z", 576), expected(&halves));
        // A week has every other day, counted from 1970: 16 October 2026 is day 20,742.
        let week = [(432, "16 Oct"), (1_008, "18 Oct"), (1_584, "20 Oct")];
        assert_eq!(texts("2026-10-14T12:00:00Z", 7 * 288), expected(&week));
    }

    #[test]
    fn a_chart_of_half_a_year_ends() {
        assert!(hours(Period::from_index(0), 180 * 288).len() < 20);
        assert_eq!(hours(Period::from_index(1), 0).len(), 0);
    }
}
