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
    /// Whether `at` is inside. On the day on which a clock is put back, a window is open without a break from the first time that it shows the
    /// begin to the last time that it shows the end.
    #[must_use]
    pub fn contains(&self, at: Timestamp) -> bool {
        self.end(at).is_some()
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

#[cfg(test)]
mod tests {
    use jiff::civil::{Time, Weekday};
    use jiff::tz::TimeZone;

    use super::*;
    use crate::Weekdays;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn once(from: &str, until: &str) -> Window {
        Window::Once { from: at(from), until: at(until) }
    }

    /// Sundays by the clock of New York: in 2026 forward on 8 March and back on 1 November, both at two o'clock.
    fn sundays(from: (i8, i8), until: (i8, i8)) -> Window {
        let time = |(hour, minute)| Time::constant(hour, minute, 0, 0);
        let zone = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap();
        let days = Weekdays::of(&[Weekday::Sunday]);
        Window::Weekly(Hours { days, from: time(from), until: time(until), zone })
    }

    fn span(from: &str, until: &str) -> Span {
        Span { from: Period::containing(at(from)), until: Period::containing(at(until)) }
    }

    /// A window that is open from one instant, inside, until another, outside, and at no other time of that day.
    fn check(window: &Window, from: &str, until: &str) {
        let (from, until) = (at(from), at(until));
        let second = SignedDuration::from_secs(1);
        let mut now = from - SignedDuration::from_hours(3);
        while now < until + SignedDuration::from_hours(3) {
            let inside = from <= now && now < until;
            assert_eq!(window.contains(now), inside, "{now}");
            assert_eq!(window.end(now), inside.then_some(until), "{now}");
            now += SignedDuration::from_mins(5);
        }
        assert!(!window.contains(from - second) && window.contains(from));
        assert!(window.contains(until - second) && !window.contains(until));
    }

    #[test]
    fn one_that_is_once_ends_before_its_end() {
        let window = once("2026-06-01T10:02:00Z", "2026-06-01T11:00:00Z");
        for (time, inside) in
            [("10:01:59", false), ("10:02:00", true), ("10:59:59", true), ("11:00:00", false)]
        {
            let time = at(&format!("2026-06-01T{time}Z"));
            assert_eq!(window.contains(time), inside, "{time}");
            assert_eq!(window.end(time), inside.then_some(at("2026-06-01T11:00:00Z")), "{time}");
        }
    }

    #[test]
    fn periods_that_it_touches_are_its_own_within_what_is_asked_for() {
        let window = once("2026-06-01T10:02:00Z", "2026-06-01T11:00:00Z");
        let touched = span("2026-06-01T10:00:00Z", "2026-06-01T11:00:00Z");
        assert_eq!(window.spans(span("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")), [touched]);
        let to_the_second = once("2026-06-01T10:02:00Z", "2026-06-01T11:00:01Z");
        let touched = span("2026-06-01T10:00:00Z", "2026-06-01T11:05:00Z");
        assert_eq!(to_the_second.spans(span("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")), [touched]);
        let cut = span("2026-06-01T10:30:00Z", "2026-06-01T10:40:00Z");
        assert_eq!(window.spans(cut), [cut]);
        assert_eq!(window.spans(span("2026-06-01T11:00:00Z", "2026-06-02T00:00:00Z")), []);
        assert_eq!(window.spans(span("2026-06-01T00:00:00Z", "2026-06-01T10:00:00Z")), []);
    }

    #[test]
    fn a_weekly_one_comes_every_week() {
        // 22:00 in New York is 02:00 UTC in summer; two hours later it is Monday there too.
        let window = sundays((22, 0), (0, 0));
        check(&window, "2026-06-08T02:00:00Z", "2026-06-08T04:00:00Z");
        assert_eq!(
            window.spans(span("2026-06-01T03:00:00Z", "2026-06-15T03:00:00Z")),
            [
                span("2026-06-01T03:00:00Z", "2026-06-01T04:00:00Z"),
                span("2026-06-08T02:00:00Z", "2026-06-08T04:00:00Z"),
                span("2026-06-15T02:00:00Z", "2026-06-15T03:00:00Z"),
            ]
        );
    }

    #[test]
    fn the_day_on_which_a_clock_is_put_forward() {
        // The clock goes from 01:59 to 03:00 at 07:00 UTC: two hours of the clock are one.
        check(&sundays((1, 30), (3, 30)), "2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z");
        // What begins in the hour that is skipped begins then, and what ends in it ends then.
        check(&sundays((2, 30), (4, 0)), "2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z");
        check(&sundays((1, 0), (2, 30)), "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z");
        // What lies in it is not there.
        let skipped = sundays((2, 0), (3, 0));
        assert_eq!(skipped.spans(span("2026-03-08T00:00:00Z", "2026-03-09T00:00:00Z")), []);
        assert!(!skipped.contains(at("2026-03-08T07:00:00Z")));
    }

    #[test]
    fn the_day_on_which_a_clock_is_put_back() {
        // The clock shows one to two o'clock twice, from 05:00 and from 06:00 UTC: two hours of the clock are three.
        check(&sundays((0, 30), (2, 30)), "2026-11-01T04:30:00Z", "2026-11-01T07:30:00Z");
        // Begins and ends that are shown twice: from the first to the last, without a break.
        check(&sundays((1, 30), (2, 30)), "2026-11-01T05:30:00Z", "2026-11-01T07:30:00Z");
        check(&sundays((0, 30), (1, 30)), "2026-11-01T04:30:00Z", "2026-11-01T06:30:00Z");
        check(&sundays((1, 10), (1, 40)), "2026-11-01T05:10:00Z", "2026-11-01T06:40:00Z");
    }

    #[test]
    fn what_it_is_about_is_asked_without_causes() {
        let matcher = Matcher {
            causes: vec!["queueing".to_owned()],
            regions: vec!["us-*".to_owned()],
            labels: Labels::from([("tier".to_owned(), "2".to_owned())]),
            ..Matcher::default()
        };
        let window = once("2026-06-01T10:00:00Z", "2026-06-01T11:00:00Z");
        let one = Maintenance { name: "upgrade".to_owned(), matcher, window, comment: None };
        let labels = |tier: &str| Labels::from([("tier".to_owned(), tier.to_owned())]);
        let series = |region| Series::new("111122223333", region, "m");
        assert!(one.is_about_series(&series("us-east-1"), &labels("2")));
        assert!(!one.is_about_series(&series("us-east-1"), &labels("1")));
        assert!(!one.is_about_series(&series("eu-west-1"), &labels("2")));
        let regions = ["eu-west-1", "us-west-2"];
        let source = About { series: None, regions: &regions, cause: "source_failing", labels: &labels("2") };
        assert!(one.is_about(&source), "one of its Regions is enough");
    }
}
