//! Who is there.

use std::collections::BTreeSet;

use aws_sdk_cloudwatch::types::{self, DimensionFilter};
use domain::{Failure, Metric, Series, SourceError};

use super::failure::{self, Operation};
use super::names::Names;
use super::quota::{Take, Turns};
use super::tiers;
use super::{CloudWatch, MAX_PAGES, MODEL_ID, NAMESPACE};

pub(super) async fn discover(source: &CloudWatch) -> Result<Vec<Series>, SourceError> {
    let account = source.own_account().await?;
    let found = series_with(source, &account, Metric::TimeToFirstToken.name()).await?;
    let mut names = Names::default();
    for (metric, other_name) in Names::doubtful() {
        let other = series_with(source, &account, other_name).await?;
        if !other.is_empty() {
            names.found(metric, series_with(source, &account, metric.name()).await?, other);
        }
    }
    *source.names() = names;
    source.found(tiers::look(source, &account).await?);
    Ok(found.into_iter().filter(|one| source.plan.watches(one.model())).collect())
}

/// Series that have a metric of this name with no other dimension, sorted: of `account`, and of those that are linked to
/// it, where the plan wants them too.
pub(super) async fn series_with(
    source: &CloudWatch,
    account: &str,
    metric: &str,
) -> Result<BTreeSet<Series>, SourceError> {
    let listed = listed(source, account, (metric, MODEL_ID)).await?;
    let series = |(owner, metric): &(String, types::Metric)| {
        model_alone(metric).map(|model| Series::new(owner, &source.region, model))
    };
    Ok(listed.iter().filter_map(series).collect())
}

/// The metrics of a name that have a dimension, each with the account that it is of: `account`, or one that is linked to
/// it, where the plan wants them too.
pub(super) async fn listed(
    source: &CloudWatch,
    account: &str,
    (metric, dimension): (&str, &str),
) -> Result<Vec<(String, types::Metric)>, SourceError> {
    let place = source.place(Operation::ListMetrics);
    let linked = source.plan.linked_accounts;
    let mut found = Vec::new();
    let mut token: Option<String> = None;
    let mut turns = Turns::default();
    for _ in 0..MAX_PAGES {
        source.turn(account, Take::Listing).await;
        let page = source
            .client
            .list_metrics()
            .namespace(NAMESPACE)
            .metric_name(metric)
            .dimensions(DimensionFilter::builder().name(dimension).build())
            .set_include_linked_accounts(linked.then_some(true))
            .set_next_token(token.clone())
            .send()
            .await;
        let page = match page {
            Ok(page) => page,
            Err(error) => {
                turns.again_after(place.failed(&error))?;
                continue;
            }
        };
        turns = Turns::default();
        let metrics = page.metrics.unwrap_or_default();
        let owners = match page.owning_accounts {
            Some(owners) if linked && owners.len() == metrics.len() => owners,
            owners if linked => {
                // Whose a metric is, is told by place alone.
                let owners = owners.unwrap_or_default().len();
                let what = format!("{} metrics are of {owners} accounts", metrics.len());
                return Err(place.error(Failure::Malformed, &what, failure::MALFORMED_HINT));
            }
            _ => vec![account.to_owned(); metrics.len()],
        };
        found.extend(owners.into_iter().zip(metrics));
        match page.next_token.filter(|next| !next.is_empty()) {
            None => return Ok(found),
            Some(next) if token.as_ref() == Some(&next) => break,
            next => token = next,
        }
    }
    Err(place.endless())
}

/// The model of a metric that has no dimension but the model. The filter of the call also lets those through that have
/// others, such as a service tier: they are parts of the same traffic.
fn model_alone(metric: &types::Metric) -> Option<&str> {
    match metric.dimensions() {
        [only] if only.name() == Some(MODEL_ID) => only.value().filter(|model| !model.is_empty()),
        _ => None,
    }
}
