//! The daemon's clock: the wall's, or one that runs faster for a rehearsal.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// What time it is, and how to wait for another one.
#[derive(Debug, Clone)]
pub(crate) enum Clock {
    /// The wall's.
    Wall,
    /// One that shows a time of its own, and runs at a rate of its own.
    Rehearsal(watch::Receiver<Mapping>),
}

/// How a rehearsal's clock follows from the wall's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mapping {
    /// What it shows at the anchor.
    pub(crate) origin: Timestamp,
    /// The wall time at which it starts to run; `None` while it stands still.
    pub(crate) anchor: Option<Timestamp>,
    /// Its seconds in one second of the wall.
    pub(crate) rate: f64,
}

/// The least and the greatest rate. Slower than the wall is no rehearsal; faster, and a period is over before one poll is.
pub(crate) const RATES: std::ops::RangeInclusive<f64> = 1.0..=100_000.0;

impl Mapping {
    fn at(&self, wall: Timestamp) -> Timestamp {
        let Some(anchor) = self.anchor else { return self.origin };
        let passed = wall.duration_since(anchor).as_secs_f64().max(0.0) * self.rate;
        self.origin.saturating_add(SignedDuration::from_secs_f64(passed)).unwrap_or(Timestamp::MAX)
    }

    fn until(&self, time: Timestamp, wall: Timestamp) -> Duration {
        let left = time.duration_since(self.at(wall)).as_secs_f64().max(0.0);
        Duration::from_secs_f64(left / self.rate)
    }
}

impl Clock {
    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::Wall => Timestamp::now(),
            Self::Rehearsal(mapping) => mapping.borrow().at(Timestamp::now()),
        }
    }

    /// Returns at `time`, or at once when it has passed. May return a little early; callers look at the clock again.
    pub(crate) async fn sleep_until(&self, time: Timestamp) {
        match self {
            Self::Wall => {
                let left = time.duration_since(Timestamp::now());
                tokio::time::sleep(Duration::try_from(left).unwrap_or_default()).await;
            }
            Self::Rehearsal(mapping) => {
                let mut mapping = mapping.clone();
                loop {
                    let current = *mapping.borrow_and_update();
                    if current.at(Timestamp::now()) >= time {
                        return;
                    }
                    let left = current.until(time, Timestamp::now());
                    tokio::select! {
                        () = tokio::time::sleep(left), if current.anchor.is_some() => return,
                        changed = mapping.changed() => if changed.is_err() { return tokio::time::sleep(left).await },
                    }
                }
            }
        }
    }

    /// Its seconds in one second of the wall.
    pub(crate) fn rate(&self) -> f64 {
        match self {
            Self::Wall => 1.0,
            Self::Rehearsal(mapping) => mapping.borrow().rate,
        }
    }

    /// The clock as a function, for those who only look at it.
    pub(crate) fn reader(&self) -> std::sync::Arc<dyn Fn() -> Timestamp + Send + Sync> {
        let clock = self.clone();
        std::sync::Arc::new(move || clock.now())
    }
}

/// `ORIGIN,ANCHOR,RATE`: at the wall time ANCHOR the clock shows ORIGIN, and runs RATE times as fast. Given in full, so that a
/// process that is started again is on the same clock.
impl FromStr for Mapping {
    type Err = ParseMappingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split(',').collect();
        let [origin, anchor, rate] = parts[..] else { return Err(ParseMappingError) };
        let rate: f64 = rate.parse().map_err(|_| ParseMappingError)?;
        if !RATES.contains(&rate) {
            return Err(ParseMappingError);
        }
        Ok(Self {
            origin: origin.parse().map_err(|_| ParseMappingError)?,
            anchor: Some(anchor.parse().map_err(|_| ParseMappingError)?),
            rate,
        })
    }
}

/// A text that is no mapping.
#[derive(Debug)]
pub(crate) struct ParseMappingError;

impl fmt::Display for ParseMappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected ORIGIN,ANCHOR,RATE: two times such as 2026-12-01T00:00:00Z and a number from {} to {}",
            RATES.start(),
            RATES.end()
        )
    }
}

impl std::error::Error for ParseMappingError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_minute_at_sixty_times_is_an_hour() {
        let mapping: Mapping = "2026-12-01T00:00:00Z,2027-03-01T12:00:00Z,60".parse().unwrap();
        assert_eq!(mapping.at(time("2027-03-01T12:01:00Z")), time("2026-12-01T01:00:00Z"));
        assert_eq!(
            mapping.at(time("2027-03-01T11:00:00Z")),
            time("2026-12-01T00:00:00Z"),
            "before its anchor it stands"
        );
        let left = mapping.until(time("2026-12-01T02:00:00Z"), time("2027-03-01T12:01:00Z"));
        assert_eq!(left, Duration::from_secs(60));
    }

    #[test]
    fn what_is_no_mapping_is_refused() {
        for text in ["", "a,b,c", "2026-12-01T00:00:00Z,2026-12-01T00:00:00Z,0", "2026-12-01T00:00:00Z,60"] {
            assert!(text.parse::<Mapping>().is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_clock_that_stands_still_lets_nobody_through_until_it_runs() {
        let origin = time("2026-12-01T00:00:00Z");
        let (sender, mapping) = watch::channel(Mapping { origin, anchor: None, rate: 100_000.0 });
        let clock = Clock::Rehearsal(mapping);
        assert_eq!(clock.now(), origin);
        let mut waiting = tokio_test_pin(clock.clone(), time("2026-12-01T01:00:00Z"));
        assert!(futures_now(&mut waiting).await.is_none());
        sender.send_modify(|mapping| mapping.anchor = Some(Timestamp::now()));
        waiting.await;
        assert!(clock.now() >= time("2026-12-01T00:59:59Z"));
    }

    fn tokio_test_pin(clock: Clock, until: Timestamp) -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(async move { clock.sleep_until(until).await })
    }

    /// Polls once.
    async fn futures_now<T>(future: &mut std::pin::Pin<Box<dyn Future<Output = T>>>) -> Option<T> {
        std::future::poll_fn(|context| match future.as_mut().poll(context) {
            std::task::Poll::Ready(value) => std::task::Poll::Ready(Some(value)),
            std::task::Poll::Pending => std::task::Poll::Ready(None),
        })
        .await
    }
}
