//! No more values a second than CloudWatch gives.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::{Metric, Row, Statistic};
use tokio::time::Instant;

/// Values that an account gets in a Region in a second, of times that are more than three hours ago. Source: Amazon CloudWatch
/// endpoints and quotas, "GetMetricData datapoints". An account may have been given more; one that is throttled all the same is
/// waited for.
const VALUES_A_SECOND: f64 = 396_000.0;

/// What one account may ask for in one Region.
#[derive(Debug, Default)]
pub(super) struct Quota {
    /// When what was read has been paid for.
    paid: Mutex<Option<Instant>>,
}

impl Quota {
    /// Waits until what was read before is paid for. How much the next read brings is known only after it.
    pub(super) async fn wait(&self) {
        // Others may have read meanwhile, so that it is looked at again.
        while let Some(paid) = self.paid().filter(|paid| *paid > Instant::now()) {
            tokio::time::sleep_until(paid).await;
        }
    }

    /// So many values were read.
    pub(super) fn charge(&self, values: u64) {
        let now = Instant::now();
        let cost = Duration::from_secs_f64(values as f64 / VALUES_A_SECOND);
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        *paid = Some(paid.map_or(now, |paid| paid.max(now)) + cost);
    }

    fn paid(&self) -> Option<Instant> {
        *self.paid.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many values a row has.
pub(super) fn values(row: &Row) -> u64 {
    let of = |metric| {
        let statistics = row.reading.of(metric);
        Statistic::ALL.iter().filter(|statistic| statistics.get(**statistic).is_some()).count()
    };
    Metric::ALL.into_iter().map(of).sum::<usize>() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_read_is_paid_for_before_more_is_asked() {
        let (quota, begun) = (Quota::default(), Instant::now());
        quota.wait().await;
        assert_eq!(begun.elapsed(), Duration::ZERO, "nothing was read yet");
        quota.charge(396_000);
        quota.charge(198_000);
        quota.wait().await;
        assert_eq!(begun.elapsed().as_millis(), 1_500);
        tokio::time::sleep(Duration::from_secs(10)).await;
        quota.wait().await;
        assert_eq!(begun.elapsed().as_millis(), 11_500, "time that passed is not saved up, nor owed");
    }
}
