//! Whether latency-optimized traffic came back under the name of its series.
//!
//! Once the usage quota of latency optimization is reached, Bedrock serves the same requests with Standard latency, and CloudWatch counts
//! them under another `ModelId`. Two series move at once then, and neither says so alone. The figures are requests, of both series in the
//! same periods; nothing here judges.

use domain::{Incident, PERIODS_PER_DAY, Period, Split};

use crate::history::{History, Point};

/// The usual is that of the same hours of so many days before: half an hour to both sides of the newest slow period.
const DAYS: i64 = 14;
const TO_EACH_SIDE: i64 = 6;
/// A smaller share of optimized requests cannot be what an incident of the series is about.
const LEAST_SHARE: f64 = 0.05;
/// Fewer requests than that may be missing by chance. CloudWatch itself calls fewer than that too few for a median.
const FEWEST_REQUESTS: f64 = 20.0;
/// At least this share of the optimized requests is gone, and at least this share of what is gone came to the series.
const MOST: f64 = 0.5;

/// What is usual and what is now, if traffic fell back in the slow periods of an incident up to the one that opened it. Both histories are
/// to be read up to there: a period without a point had no requests.
pub(crate) fn fell_back(series: &History, twin: &History, incident: &Incident) -> Option<(Split, Split)> {
    let (from, until) = (incident.onset, incident.opened + 1);
    let usual = usual(series, twin, from, incident.opened)?;
    let now = mean(series, twin, from, until)?;
    let (gone, came) = (usual.optimized - now.optimized, now.standard - usual.standard);
    let periods = (until - from) as f64;
    let is_traffic = usual.share()? >= LEAST_SHARE && usual.optimized * periods >= FEWEST_REQUESTS;
    (is_traffic && gone >= MOST * usual.optimized && came >= MOST * gone).then_some((usual, now))
}

/// Requests of a period at the hours of `newest` on the days before, as far as both were there. No slow period is among them.
fn usual(series: &History, twin: &History, onset: Period, newest: Period) -> Option<Split> {
    let both_from = series.first()?.max(twin.first()?);
    let mut total = Total::default();
    for day in 1..=DAYS {
        let centre = newest - day * PERIODS_PER_DAY;
        let from = (centre - TO_EACH_SIDE).max(both_from);
        total.add(series, twin, from, (centre + TO_EACH_SIDE).min(onset));
    }
    total.mean()
}

fn mean(series: &History, twin: &History, from: Period, until: Period) -> Option<Split> {
    let mut total = Total::default();
    total.add(series, twin, from, until);
    total.mean()
}

/// Requests of both series in all of some periods.
#[derive(Debug, Default)]
struct Total {
    requests: Split,
    periods: f64,
}

impl Total {
    fn add(&mut self, series: &History, twin: &History, from: Period, until: Period) {
        let of = |history: &History| {
            history.range(from, until).filter_map(|(_, point)| Point::samples(point)).sum::<f64>()
        };
        self.requests.standard += of(series);
        self.requests.optimized += of(twin);
        self.periods += (until - from).max(0) as f64;
    }

    fn mean(&self) -> Option<Split> {
        (self.periods > 0.0).then(|| Split {
            standard: self.requests.standard / self.periods,
            optimized: self.requests.optimized / self.periods,
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::{Metric, Reading, Series};

    use super::*;

    /// The period that opened the incident; its slow periods are this one and the two before.
    const OPENED: i64 = 30 * PERIODS_PER_DAY + 120;

    fn incident() -> Incident {
        let at = Period::from_index;
        Incident::new(Series::new("-", "us-east-2", "m"), at(OPENED - 2), at(OPENED))
    }

    /// So many requests in every period of the fourteen days before, and in each of the slow ones.
    fn history(usual: f64, now: f64) -> History {
        let mut history = History::new();
        for index in OPENED - DAYS * PERIODS_PER_DAY - TO_EACH_SIDE..=OPENED {
            let requests = if index > OPENED - 3 { now } else { usual };
            if requests > 0.0 {
                let mut reading = Reading::default();
                reading.of_mut(Metric::InvocationLatency).sample_count = Some(requests);
                history.lay(Period::from_index(index), &reading);
            }
        }
        history
    }

    fn found(series: (f64, f64), twin: (f64, f64)) -> Option<(Split, Split)> {
        fell_back(&history(series.0, series.1), &history(twin.0, twin.1), &incident())
    }

    #[test]
    fn what_vanished_there_came_here() {
        // 60 of 100 requests were optimized, 3 of 98 are: 57 are gone, 55 came.
        let (usual, now) = found((40.0, 95.0), (60.0, 3.0)).unwrap();
        assert_eq!(usual, Split { standard: 40.0, optimized: 60.0 });
        assert_eq!(now, Split { standard: 95.0, optimized: 3.0 });
        // A twin without any point since has no requests.
        let (_, now) = found((40.0, 95.0), (60.0, 0.0)).unwrap();
        assert_eq!(now, Split { standard: 95.0, optimized: 0.0 });
    }

    #[test]
    fn half_of_each_is_the_least() {
        // 30 of 60 gone and 15 of these came, and one request less of either.
        assert!(found((40.0, 55.0), (60.0, 30.0)).is_some());
        assert!(found((40.0, 55.0), (60.0, 31.0)).is_none(), "29 of 60 are gone");
        assert!(found((40.0, 54.0), (60.0, 30.0)).is_none(), "14 of 30 came");
    }

    #[test]
    fn callers_that_left_did_not_fall_back() {
        assert!(found((40.0, 40.0), (60.0, 0.0)).is_none(), "nothing came");
        assert!(found((40.0, 100.0), (60.0, 60.0)).is_none(), "nothing is gone");
        assert!(found((100.0, 104.0), (4.0, 0.0)).is_none(), "4 of 104 are less than 5 %");
        // 6 requests in each of three periods are 18, 7 are 21.
        assert!(found((10.0, 16.0), (6.0, 0.0)).is_none(), "too few to miss");
        assert!(found((10.0, 17.0), (7.0, 0.0)).is_some());
    }

    #[test]
    fn a_twin_that_is_new_is_compared_with_the_days_it_was_there() {
        let series = history(40.0, 95.0);
        let mut twin = history(60.0, 3.0);
        // Yesterday's hour is the only one: the hour has twelve periods.
        twin.forget_before(Period::from_index(OPENED - PERIODS_PER_DAY - TO_EACH_SIDE));
        let (usual, _) = fell_back(&series, &twin, &incident()).unwrap();
        assert_eq!(usual, Split { standard: 40.0, optimized: 60.0 });
        // Without a day before there is nothing to compare with.
        twin.forget_before(Period::from_index(OPENED - 20));
        assert_eq!(fell_back(&series, &twin, &incident()), None);
        assert_eq!(fell_back(&series, &History::new(), &incident()), None);
    }
}
