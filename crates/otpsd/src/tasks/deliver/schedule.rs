//! How much may go to each channel at once.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A minute, as receivers count.
const MINUTE: Duration = Duration::from_secs(60);
/// Of what a receiver takes in a minute, a quarter may go at once and the rest evenly, so that no minute has more than it takes.
const AT_ONCE: f64 = 0.25;

/// What is under way, and what may be begun.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    lanes: BTreeMap<String, Lane>,
}

/// One channel.
#[derive(Debug)]
struct Lane {
    under_way: usize,
    in_flight: usize,
    bucket: Option<Bucket>,
}

impl Lane {
    fn is_full(&mut self, now: Instant) -> bool {
        let is_empty = |bucket: &mut Bucket| {
            bucket.fill(now);
            bucket.tokens < 1.0
        };
        self.under_way >= self.in_flight || self.bucket.as_mut().is_some_and(is_empty)
    }
}

/// Messages that may be begun now, and how many more come with time.
#[derive(Debug)]
struct Bucket {
    tokens: f64,
    most: f64,
    per_second: f64,
    filled: Instant,
}

impl Bucket {
    fn new(per_minute: u32, now: Instant) -> Self {
        let per_minute = f64::from(per_minute.max(1));
        let most = (per_minute * AT_ONCE).floor().max(1.0);
        // A receiver that takes one a minute gets one, and the next a minute later.
        let per_second = (per_minute - most).max(1.0) / MINUTE.as_secs_f64();
        Self { tokens: most, most, per_second, filled: now }
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * self.per_second).min(self.most);
        self.filled = now;
    }

    fn next(&self) -> Instant {
        let lacking = (1.0 - self.tokens).max(0.0);
        self.filled + Duration::from_secs_f64(lacking / self.per_second)
    }
}

impl Schedule {
    /// Whether a channel takes one more now.
    pub(super) fn takes(
        &mut self,
        channel: &str,
        (in_flight, per_minute): (usize, Option<u32>),
        now: Instant,
    ) -> bool {
        let lane = self.lanes.entry(channel.to_owned()).or_insert_with(|| Lane {
            under_way: 0,
            in_flight,
            bucket: per_minute.map(|per_minute| Bucket::new(per_minute, now)),
        });
        !lane.is_full(now)
    }

    /// Begins one that it takes.
    pub(super) fn begin(&mut self, channel: &str) {
        if let Some(lane) = self.lanes.get_mut(channel) {
            lane.under_way += 1;
            if let Some(bucket) = &mut lane.bucket {
                bucket.tokens -= 1.0;
            }
        }
    }

    /// One is over, however it ended.
    pub(super) fn end(&mut self, channel: &str) {
        if let Some(lane) = self.lanes.get_mut(channel) {
            lane.under_way = lane.under_way.saturating_sub(1);
        }
    }

    /// The channels that take nothing now.
    pub(super) fn full(&mut self, now: Instant) -> Vec<String> {
        self.lanes.iter_mut().filter_map(|(name, lane)| lane.is_full(now).then(|| name.clone())).collect()
    }

    /// When a channel that has taken all that it takes in a minute takes the next one.
    pub(super) fn next(&self) -> Option<Instant> {
        let empty =
            self.lanes.values().filter_map(|lane| lane.bucket.as_ref()).filter(|one| one.tokens < 1.0);
        empty.map(Bucket::next).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(schedule: &mut Schedule, channel: &str, limits: (usize, Option<u32>), now: Instant) -> bool {
        let takes = schedule.takes(channel, limits, now);
        if takes {
            schedule.begin(channel);
        }
        takes
    }

    #[test]
    fn no_more_is_under_way_than_may_be() {
        let (mut schedule, now) = (Schedule::default(), Instant::now());
        assert!(begin(&mut schedule, "sns.ops", (2, None), now));
        assert!(begin(&mut schedule, "sns.ops", (2, None), now));
        assert!(!begin(&mut schedule, "sns.ops", (2, None), now));
        assert_eq!(schedule.full(now), ["sns.ops"]);
        assert!(begin(&mut schedule, "log.all", (1, None), now), "one channel holds up no other");
        schedule.end("sns.ops");
        assert!(begin(&mut schedule, "sns.ops", (2, None), now));
    }

    #[test]
    fn no_minute_has_more_than_the_receiver_takes() {
        let (mut schedule, start) = (Schedule::default(), Instant::now());
        let mut begun: Vec<Duration> = Vec::new();
        for tick in 0..3_000 {
            let at = Duration::from_millis(100) * tick;
            if begin(&mut schedule, "pagerduty.oncall", (1_000, Some(120)), start + at) {
                schedule.end("pagerduty.oncall");
                begun.push(at);
            }
        }
        let in_minute =
            |from: Duration| begun.iter().filter(|at| from <= **at && **at < from + MINUTE).count();
        let most = begun.iter().map(|from| in_minute(*from)).max();
        assert_eq!(most, Some(119), "30 at once, and 89 in the 59.9 s after that: 120 are allowed");
        assert_eq!(begun.len(), 30 + 449, "five minutes without a pause in between");
    }

    #[test]
    fn an_empty_lane_says_when_it_goes_on() {
        let (mut schedule, start) = (Schedule::default(), Instant::now());
        assert!(begin(&mut schedule, "jira.llm", (8, Some(1)), start));
        schedule.end("jira.llm");
        assert!(!begin(&mut schedule, "jira.llm", (8, Some(1)), start));
        assert_eq!(schedule.full(start), ["jira.llm"]);
        assert_eq!(schedule.next(), Some(start + MINUTE));
        assert!(begin(&mut schedule, "jira.llm", (8, Some(1)), start + MINUTE));
    }
}
