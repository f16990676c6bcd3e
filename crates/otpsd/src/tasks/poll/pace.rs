//! When to poll next.

use domain::Failure;
use jiff::{SignedDuration, Timestamp};

/// After a poll that failed, and the first pause where pauses double.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(60);
/// However long it lasts: a period, since there is nothing new to be read before.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(domain::PERIOD_SECONDS);

/// How a poll ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Everything that has settled was read.
    Whole,
    /// Some series were not answered whole. They alone are asked again.
    Behind,
    /// Nothing was read.
    Failed(Failure),
    /// What was read could not be written down.
    NotWritten,
}

/// How polls have gone lately.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Polls in a row after which the pauses double.
    strained: u32,
}

impl Pace {
    /// When to poll again after one that ended so at `now`. `next` is when there is something new to be read.
    ///
    /// A source that is throttled is asked less and less often, even when something new could be read. So are series that
    /// are not answered whole, but they hold up nobody. After any other failure a minute is soon enough to be back within a
    /// period, and seldom enough to be no burden.
    pub(super) fn until(&mut self, end: End, next: Timestamp, now: Timestamp) -> Timestamp {
        let doubled = |strained: u32| (FIRST_PAUSE * 2_i32.pow(strained.min(10))).min(LONGEST_PAUSE);
        let after = |pause| now.saturating_add(pause).unwrap_or(next);
        let until = match end {
            End::Whole => next,
            End::Failed(Failure::Throttled) => after(doubled(self.strained)),
            End::Behind => after(doubled(self.strained)).min(next),
            End::Failed(_) | End::NotWritten => after(FIRST_PAUSE).min(next),
        };
        self.strained = match end {
            End::Failed(Failure::Throttled) | End::Behind => self.strained.saturating_add(1),
            End::Whole | End::Failed(_) | End::NotWritten => 0,
        };
        until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_796_083_200 + seconds).unwrap()
    }

    /// The pauses after polls that all end so, each with the next period far away.
    fn pauses(end: End, polls: usize) -> Vec<i64> {
        let mut pace = Pace::default();
        let pause = |_| pace.until(end, at(10_000), at(0)).duration_since(at(0)).as_secs();
        (0..polls).map(pause).collect()
    }

    #[test]
    fn a_failure_is_tried_again_after_a_minute_or_with_the_next_period() {
        assert_eq!(pauses(End::Failed(Failure::Timeout), 3), [60, 60, 60]);
        assert_eq!(pauses(End::NotWritten, 2), [60, 60]);
        let until = Pace::default().until(End::Failed(Failure::Denied), at(20), at(0));
        assert_eq!(until, at(20));
    }

    #[test]
    fn throttling_is_answered_with_longer_and_longer_pauses_up_to_a_period() {
        assert_eq!(pauses(End::Failed(Failure::Throttled), 6), [60, 120, 240, 300, 300, 300]);
        let mut pace = Pace::default();
        let throttled = End::Failed(Failure::Throttled);
        assert_eq!(pace.until(throttled, at(20), at(0)), at(60), "even when a new period has settled");
        pace.until(throttled, at(20), at(0));
        assert_eq!(pace.until(End::Whole, at(20), at(0)), at(20));
        assert_eq!(pace.until(throttled, at(20), at(0)), at(60), "from the beginning");
    }

    #[test]
    fn series_that_lag_behind_hold_up_nobody() {
        assert_eq!(pauses(End::Behind, 4), [60, 120, 240, 300]);
        let mut pace = Pace::default();
        pace.until(End::Behind, at(300), at(0));
        pace.until(End::Behind, at(300), at(60));
        assert_eq!(pace.until(End::Behind, at(300), at(180)), at(300), "the next period");
    }
}
