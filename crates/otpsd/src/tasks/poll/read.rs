//! One read, within a limit, counted.

use std::time::Duration;

use domain::{
    Act, Failure, MetricSet, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, ReadAnswer, ReadRequest, Row, Series,
    SourceError, Thrift,
};
use evaluator::Effect;

use super::{Place, Poll};
use crate::app::judging::Batch;

/// One read or discovery with all its calls, each of which has a limit of its own: whatever a source does, a poll is over
/// some time.
const LONGEST_READ: Duration = Duration::from_secs(300);
/// What explains a breach may not hold up the verdict for longer.
const LONGEST_DIAGNOSIS: Duration = Duration::from_secs(15);

impl Poll {
    /// An act of the source, within [`LONGEST_READ`].
    pub(super) async fn within<T>(
        &self,
        what: &str,
        act: Act<'_, Result<T, SourceError>>,
    ) -> Result<T, SourceError> {
        let _act = self.begin(what);
        match tokio::time::timeout(LONGEST_READ, act).await {
            Ok(result) => result,
            Err(_) => Err(self.endless(what)),
        }
    }

    fn endless(&self, what: &str) -> SourceError {
        let Place { source, region } = &self.place;
        SourceError {
            failure: Failure::Timeout,
            action: None,
            message: format!(
                "gave up after {} s: to {what} source `{source}` in {region}",
                LONGEST_READ.as_secs()
            ),
            hint: Some(
                "every call was answered, but slowly: look at the route to AWS and at proxies".to_owned(),
            ),
        }
    }

    pub(super) async fn read(
        &self,
        series: &[Series],
        from: Period,
        until: Period,
        metrics: MetricSet,
    ) -> Result<ReadAnswer, SourceError> {
        let request = ReadRequest { series: series.to_vec(), from, until, metrics };
        let answer = self.within("read", self.source.read(&request)).await;
        for pace in self.quotas.paces() {
            let poller::Pace { account, region, share, throttled, waited } = pace;
            self.metrics.quota(&account, &region, share, throttled, waited);
        }
        let answer = answer?;
        let Place { source, region } = &self.place;
        self.metrics.metrics_requested(source, region, answer.billed_metrics);
        self.metrics.calls(source, region, answer.calls);
        self.judging.lock().await.spent(self.clock.now(), source, answer.billed_metrics);
        Ok(answer)
    }

    /// Series whose diagnosis metrics are to be read: hourly, unless that costs too much, and with every poll while something breaches.
    pub(super) async fn diagnosis_due(&self, series: &[Series], through: Period) -> Vec<Series> {
        let judging = self.judging.lock().await;
        let is_hourly = judging.thrift(&self.place.source) == Thrift::None;
        let hour = |period: Period| period.index().div_euclid(PERIODS_PER_HOUR);
        series
            .iter()
            .filter(|one| {
                let last = judging.diagnosed_through(one);
                let is_due = last.is_none_or(|last| hour(last + 1) < hour(through + 1));
                (is_hourly && is_due) || judging.is_breaching(one)
            })
            .cloned()
            .collect()
    }

    /// Reads diagnosis metrics since they were last read, an hour at least. A failure is no reason not to judge.
    pub(super) async fn diagnose(
        &self,
        series: &[Series],
        through: Period,
        rows: &mut Vec<Row>,
        diagnosed: &mut Vec<(Series, Period)>,
    ) {
        if series.is_empty() {
            return;
        }
        let from = {
            let judging = self.judging.lock().await;
            let last = series.iter().filter_map(|one| judging.diagnosed_through(one)).min();
            last.map_or(through - PERIODS_PER_HOUR, |last| last.min(through - PERIODS_PER_HOUR)) + 1
        };
        let from = from.max(through - PERIODS_PER_DAY);
        let read = self.read(series, from, through + 1, MetricSet::Diagnosis);
        let what = match tokio::time::timeout(LONGEST_DIAGNOSIS, read).await {
            Ok(Ok(answer)) => {
                let whole = series.iter().filter(|one| !answer.incomplete.contains(one));
                diagnosed.extend(whole.map(|one| (one.clone(), through)));
                rows.extend(answer.rows);
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {} s", LONGEST_DIAGNOSIS.as_secs()),
        };
        let Place { source, region } = &self.place;
        tracing::warn!(source, region, "what would explain a breach could not be read: {what}");
    }

    /// Judges. Gives the series that ask for diagnosis.
    pub(super) async fn take(&self, batch: Batch) -> Result<Vec<Series>, domain::LedgerError> {
        let _act = self.begin("judge");
        let judged = self.judging.lock().await.take(self.clock.now(), batch).await?;
        let mut urgent = Vec::new();
        for effect in judged.effects {
            if let Effect::Diagnose(series) = effect {
                urgent.push(series);
            }
        }
        Ok(urgent)
    }
}
