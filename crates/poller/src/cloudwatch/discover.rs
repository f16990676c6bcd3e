//! Who is there.

use std::collections::BTreeSet;

use aws_sdk_cloudwatch::types::{self, DimensionFilter};
use domain::{Metric, Series, SourceError};

use super::failure::Operation;
use super::names::Names;
use super::{CloudWatch, MAX_PAGES, MODEL_ID, NAMESPACE};

pub(super) async fn discover(source: &CloudWatch) -> Result<Vec<Series>, SourceError> {
    let account = source.account.id(source.place(Operation::GetCallerIdentity)).await?;
    let models = models_with(source, Metric::TimeToFirstToken.name()).await?;
    let mut names = Names::default();
    for (metric, other_name) in Names::doubtful() {
        let other = models_with(source, other_name).await?;
        if !other.is_empty() {
            names.found(metric, models_with(source, metric.name()).await?, other);
        }
    }
    *source.names() = names;
    Ok(models
        .into_iter()
        .filter(|model| source.plan.watches(model))
        .map(|model| Series::new(&account, &source.region, &model))
        .collect())
}

/// Models that have a metric of this name with no other dimension, sorted.
pub(super) async fn models_with(source: &CloudWatch, metric: &str) -> Result<BTreeSet<String>, SourceError> {
    let place = source.place(Operation::ListMetrics);
    let mut models = BTreeSet::new();
    let mut token: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let page = source
            .client
            .list_metrics()
            .namespace(NAMESPACE)
            .metric_name(metric)
            .dimensions(DimensionFilter::builder().name(MODEL_ID).build())
            .set_next_token(token.clone())
            .send()
            .await
            .map_err(|error| place.failed(&error))?;
        models.extend(page.metrics().iter().filter_map(model_alone).map(str::to_owned));
        let next = page.next_token.filter(|next| !next.is_empty());
        match next {
            None => return Ok(models),
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
