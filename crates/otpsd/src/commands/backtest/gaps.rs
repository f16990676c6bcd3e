//! Times in which a whole Region has nothing: what was not seen, rather than what was calm.

use std::collections::BTreeMap;

use domain::{Period, Series};
use poller::Recording;

/// What is shorter happens anywhere where there is little traffic.
const LEAST: i64 = domain::PERIODS_PER_HOUR;
/// A Region that has something in fewer of all periods than this share is quiet by itself.
const BUSY: f64 = 0.9;

/// A time in which nothing of a Region of an account is there, though it usually is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gap {
    /// Any series of the place.
    pub(super) series: Series,
    pub(super) from: Period,
    /// The first period after it.
    pub(super) until: Period,
}

/// What is known of a place so far.
#[derive(Debug)]
struct Place {
    series: Series,
    first: Period,
    last: Period,
    periods: i64,
    gaps: Vec<(Period, Period)>,
}

/// The gaps of a recording, in order of place and time.
pub(super) fn gaps(recording: &Recording) -> Vec<Gap> {
    let mut places: BTreeMap<(&str, &str), Place> = BTreeMap::new();
    let all = recording.series();
    for rows in recording.periods() {
        let period = rows.period();
        for (index, _) in rows.rows() {
            let series = &all[index];
            let place = places.entry((series.account(), series.region())).or_insert_with(|| Place {
                series: series.clone(),
                first: period,
                last: period - 1,
                periods: 0,
                gaps: Vec::new(),
            });
            if place.last == period {
                continue;
            }
            if period - place.last - 1 > LEAST {
                place.gaps.push((place.last + 1, period));
            }
            place.last = period;
            place.periods += 1;
        }
    }
    let busy = |place: &Place| place.periods as f64 >= BUSY * (place.last - place.first + 1) as f64;
    let of = |place: Place| {
        let series = place.series;
        place.gaps.into_iter().map(move |(from, until)| Gap { series: series.clone(), from, until })
    };
    places.into_values().filter(busy).flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use domain::{Metric, Reading, Row, Statistic};
    use poller::RecordingBuilder;

    use super::*;

    fn recording(series: &[(&str, &dyn Fn(i64) -> bool)]) -> Recording {
        let mut builder = RecordingBuilder::default();
        for (region, has) in series {
            for index in (0..1_000).filter(|index| has(*index)) {
                let mut reading = Reading::default();
                reading.of_mut(Metric::InvocationLatency).set(Statistic::SampleCount, Some(5.0));
                let series = Series::new("-", region, "m");
                builder.add(&Row { series, period: Period::from_index(index), reading });
            }
        }
        builder.finish()
    }

    #[test]
    fn a_busy_region_without_anything_was_not_seen() {
        let all = gaps(&recording(&[
            ("eu-west-1", &|index| !(100..148).contains(&index)),
            // An hour is not longer than an hour, and who is called now and then is quiet.
            ("us-east-1", &|index| !(100..112).contains(&index)),
            ("us-west-2", &|index| index % 20 == 0),
        ]));
        let found: Vec<_> =
            all.iter().map(|gap| (gap.series.region(), gap.from.index(), gap.until.index())).collect();
        assert_eq!(found, [("eu-west-1", 100, 148)]);
    }
}
