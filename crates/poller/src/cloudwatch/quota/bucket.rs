//! A bucket of tokens, that may owe some.

use std::time::{Duration, Instant};

/// So many a second, of which a second's are saved up at most.
///
/// Whoever takes more than there is owes the rest, and waits until it has come in: turns are taken in order, nobody looks
/// again, and one call may take more than fits.
#[derive(Debug)]
pub(super) struct Bucket {
    /// A second, at the whole pace.
    rate: f64,
    /// What is there; below 0 what is owed.
    level: f64,
    at: Instant,
}

impl Bucket {
    pub(super) fn new(rate: f64, now: Instant) -> Self {
        Self { rate, level: rate, at: now }
    }

    /// Takes so many, at this part of the pace: how long to wait for them.
    pub(super) fn take(&mut self, count: f64, share: f64, now: Instant) -> Duration {
        let rate = self.rate * share;
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + passed * rate).min(rate) - count;
        self.at = self.at.max(now);
        Duration::from_secs_f64((-self.level / rate).max(0.0))
    }

    /// Lets go of what was saved up. What is owed stays owed.
    pub(super) fn spend(&mut self, now: Instant) {
        self.level = self.level.min(0.0);
        self.at = self.at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_owed_is_waited_for_in_turn() {
        let now = Instant::now();
        let mut bucket = Bucket::new(10.0, now);
        let wait = |bucket: &mut Bucket, count, milliseconds| {
            bucket.take(count, 1.0, now + Duration::from_millis(milliseconds)).as_millis()
        };
        assert_eq!(wait(&mut bucket, 10.0, 0), 0);
        assert_eq!(wait(&mut bucket, 25.0, 0), 2_500, "more than ever fits");
        assert_eq!(wait(&mut bucket, 5.0, 500), 2_500, "20 are owed, and 5 more");
        assert_eq!(wait(&mut bucket, 1.0, 60_000), 0);
        assert_eq!(wait(&mut bucket, 10.0, 60_000), 100, "a second's are saved up, not a minute's");
    }

    #[test]
    fn a_slower_pace_takes_longer_and_saves_less() {
        let now = Instant::now();
        let mut bucket = Bucket::new(10.0, now);
        assert_eq!(bucket.take(5.0, 0.25, now).as_millis(), 1_000, "2.5 were saved, 2.5 are owed");
        bucket.spend(now);
        assert_eq!(bucket.take(0.0, 1.0, now).as_millis(), 250, "debts stay");
    }
}
