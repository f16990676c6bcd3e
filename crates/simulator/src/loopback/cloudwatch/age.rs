//! What CloudWatch keeps, by age. Source: its API reference, `GetMetricData` and `MetricStat`.

const DAY: i64 = 86_400;

/// How long datapoints of one minute are kept.
const MINUTES_KEPT: i64 = 15 * DAY;
/// How long datapoints of five minutes are kept.
const FIVE_MINUTES_KEPT: i64 = 63 * DAY;
/// How long datapoints of an hour are kept.
const HOURS_KEPT: i64 = 455 * DAY;

/// The shortest period, in seconds, of which all others at this age are multiples; `None` when nothing is kept.
fn grain(age: i64) -> Option<i64> {
    let grains = [(MINUTES_KEPT, 60), (FIVE_MINUTES_KEPT, 300), (HOURS_KEPT, 3_600)];
    grains.into_iter().find(|(kept, _)| age <= *kept).map(|(_, grain)| grain)
}

/// Whether a datapoint of `period` seconds is still kept when it is `age` seconds old.
pub(crate) fn kept(period: i64, age: i64) -> bool {
    grain(age).is_some_and(|grain| period % grain == 0)
}

/// `StartTime` is rounded down: to the minute, to five minutes or to the hour, the older the coarser.
pub(crate) fn rounded_start(start: i64, now: i64) -> i64 {
    let grain = grain(now - start).unwrap_or(3_600);
    start.div_euclid(grain) * grain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datapoints_go_by_age() {
        assert!(kept(60, 15 * DAY));
        assert!(!kept(60, 15 * DAY + 1));
        assert!(kept(300, 15 * DAY + 1));
        assert!(kept(900, 63 * DAY));
        assert!(!kept(300, 63 * DAY + 1));
        assert!(kept(3_600, 63 * DAY + 1));
        assert!(kept(7_200, 455 * DAY));
        assert!(!kept(3_600, 455 * DAY + 1));
    }

    #[test]
    fn start_is_rounded_down_the_older_the_coarser() {
        let now = 1_792_065_600; // 2026-10-15T12:00:00Z
        assert_eq!(rounded_start(now - 3_661, now), now - 3_720);
        let old = now - 20 * DAY;
        assert_eq!(rounded_start(old + 119, now), old);
        let older = now - 70 * DAY;
        assert_eq!(rounded_start(older + 3_599, now), older);
        assert_eq!(rounded_start(older - 1, now), older - 3_600);
    }
}
