//! `ListMetrics`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{Metric, PERIOD_SECONDS, Series};

use super::catalogue::Catalogue;
use super::page_token::PageToken;
use super::shapes::{self, ListMetricsAnswer, ListMetricsRequest};
use crate::loopback::aws_error::AwsError;
use crate::loopback::fault::CallFaults;
use crate::{Observation, Telemetry};

/// Metrics on a page.
const PAGE: usize = 500;
/// Filters that a call may have.
const FILTERS_MAX: usize = 10;
/// A metric without data for this long is not listed any more, in seconds.
const LISTED_FOR: i64 = 14 * 86_400;
/// What `RecentlyActive=PT3H` means, in seconds.
const RECENTLY: i64 = 3 * 3_600;

/// Answers a request of a caller of `account` as of `now`, in Unix seconds.
pub(crate) fn list_metrics(
    telemetry: &dyn Telemetry,
    catalogue: &Catalogue,
    account: &str,
    activity: &Activity,
    now: i64,
    request: &ListMetricsRequest,
    faults: &CallFaults,
) -> Result<ListMetricsAnswer, AwsError> {
    let recent = match request.recently_active.as_deref() {
        None => false,
        Some("PT3H") => true,
        Some(other) => return Err(AwsError::not_in_set(other, "recentlyActive", "PT3H")),
    };
    if request.dimensions.len() > FILTERS_MAX {
        let message = format!("The collection Dimensions must not have a size greater than {FILTERS_MAX}.");
        return Err(AwsError::invalid_parameter_value(message));
    }
    let unpaged = ListMetricsRequest { next_token: None, ..request.clone() };
    let first = match &request.next_token {
        None => 0,
        Some(text) => match PageToken::read(text, &unpaged) {
            Some([first]) => usize::try_from(first).unwrap_or(usize::MAX),
            None => return Err(AwsError::invalid_parameter_value("The next token specified is invalid.")),
        },
    };
    let since = now - if recent { RECENTLY } else { LISTED_FOR };
    let with_linked = request.include_linked_accounts == Some(true);
    let mut metrics = Vec::new();
    for (place, series) in catalogue.series().iter().enumerate() {
        let is_wanted = request.owning_account.as_ref().is_none_or(|wanted| wanted == series.account());
        if !(is_wanted && (with_linked || catalogue.is_own(series))) {
            continue;
        }
        let last_data = activity.last_data(telemetry, series, now);
        let listed = catalogue.published(place).filter(|(kind, metric)| {
            fits(metric, request)
                && !faults.missing(*kind, series.model())
                && last_data.get(kind).is_some_and(|last| *last >= since)
        });
        metrics.extend(listed.map(|(_, metric)| (metric, series.account().to_owned())));
    }
    let put = catalogue.put_since(since).filter(|metric| fits(metric, request)).cloned();
    metrics.extend(put.map(|metric| (metric, account.to_owned())));
    let rest = metrics.len().saturating_sub(first).saturating_sub(PAGE);
    let next_token =
        (rest > 0).then(|| PageToken::new(&unpaged, [(first + PAGE).cast_signed() as i64]).text());
    let (metrics, owners): (Vec<_>, Vec<_>) = metrics.into_iter().skip(first).take(PAGE).unzip();
    Ok(ListMetricsAnswer { metrics, owning_accounts: with_linked.then_some(owners), next_token })
}

/// A filter on one dimension also lets metrics through that have others besides.
fn fits(metric: &shapes::Metric, request: &ListMetricsRequest) -> bool {
    request.namespace.as_ref().is_none_or(|namespace| *namespace == metric.namespace)
        && request.metric_name.as_ref().is_none_or(|name| *name == metric.metric_name)
        && request.dimensions.iter().all(|filter| {
            metric.dimensions.iter().any(|dimension| {
                dimension.name == filter.name
                    && filter.value.as_ref().is_none_or(|value| *value == dimension.value)
            })
        })
}

/// When metrics last had data. Each period is looked at once, and remembered.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    seen: Mutex<BTreeMap<Series, Seen>>,
}

#[derive(Debug, Default, Clone)]
struct Seen {
    /// Ends of the last period with data.
    last: BTreeMap<Metric, i64>,
    /// Periods that ended by then have been looked at.
    through: i64,
}

impl Activity {
    /// The end of the last period before `now` in which each metric of a series had data, of the last two weeks.
    fn last_data(&self, telemetry: &dyn Telemetry, series: &Series, now: i64) -> BTreeMap<Metric, i64> {
        let mut all = self.lock();
        let seen = all.entry(series.clone()).or_default();
        let newest = now.div_euclid(PERIOD_SECONDS) * PERIOD_SECONDS;
        let oldest = seen.through.max(newest - LISTED_FOR - PERIOD_SECONDS);
        let mut sought: Vec<Metric> = Metric::ALL.to_vec();
        let mut end = newest;
        while end > oldest && !sought.is_empty() {
            sought.retain(|metric| match telemetry.observe(series, *metric, end - PERIOD_SECONDS, end) {
                Observation::Nothing => true,
                Observation::Values(_) | Observation::Statistics(_) => {
                    seen.last.insert(*metric, end);
                    false
                }
            });
            end -= PERIOD_SECONDS;
        }
        seen.through = seen.through.max(newest);
        seen.last.clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Series, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
