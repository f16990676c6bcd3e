//! Which service tiers serve the requests of a model, and under which dimensions CloudWatch has that.
//!
//! CloudWatch has the metrics of some models also by `ResolvedServiceTier`, the tier that served, and `ServiceTier`, the one that was asked for.
//! A metric is found only by all of its dimensions, as they were published.
//!
//! Source: Amazon Bedrock user guide, "Service tiers for optimizing performance and cost".

use std::collections::BTreeMap;

use aws_sdk_cloudwatch::types;
use domain::{Metric, Series, SourceError, Tier};

use super::discover::listed;
use super::{CloudWatch, MODEL_ID};

/// The dimension for the tier that served a request, and for the one that was asked for.
const SERVED: &str = "ResolvedServiceTier";
const ASKED: &str = "ServiceTier";

/// The tiers of every model that has any.
#[derive(Debug, Default)]
pub(super) struct Tiers {
    by_series: BTreeMap<Series, Vec<Part>>,
}

/// Requests of a model that are counted apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The tier that served them.
    pub(super) served: Tier,
    /// The tier that was asked for, where they are counted by that too.
    pub(super) asked: Option<String>,
}

impl Part {
    /// The dimensions beside the model.
    pub(super) fn dimensions(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [(SERVED, self.served.name())].into_iter().chain(self.asked.as_deref().map(|asked| (ASKED, asked)))
    }
}

impl Tiers {
    /// The parts of a series' requests.
    pub(super) fn of(&self, series: &Series) -> &[Part] {
        self.by_series.get(series).map_or(&[], Vec::as_slice)
    }

    /// Of all that is published. Where requests are counted by the tier that served alone, and by both, the first is all of them.
    fn published(parts: impl Iterator<Item = (Series, Part)>) -> Self {
        let mut by_series: BTreeMap<Series, Vec<Part>> = BTreeMap::new();
        for (series, part) in parts {
            let of_model = by_series.entry(series).or_default();
            if !of_model.contains(&part) {
                of_model.push(part);
            }
        }
        for of_model in by_series.values_mut() {
            if of_model.iter().any(|part| part.asked.is_none()) {
                of_model.retain(|part| part.asked.is_none());
            }
            of_model.sort_by(|one, other| (one.served, &one.asked).cmp(&(other.served, &other.asked)));
        }
        Self { by_series }
    }
}

/// Asks which series have them.
pub(super) async fn look(source: &CloudWatch, account: &str) -> Result<Tiers, SourceError> {
    let listed = listed(source, account, (Metric::InvocationLatency.name(), SERVED)).await?;
    let of_series = |(owner, metric): &(String, types::Metric)| {
        let (model, part) = part(metric)?;
        Some((Series::new(owner, &source.region, &model), part))
    };
    Ok(Tiers::published(listed.iter().filter_map(of_series)))
}

/// The model and the part of a metric. One of an unknown tier, or with further dimensions, is none.
fn part(metric: &types::Metric) -> Option<(String, Part)> {
    let of = |name: &str| {
        metric.dimensions().iter().find(|one| one.name() == Some(name)).and_then(types::Dimension::value)
    };
    let (model, served, asked) = (of(MODEL_ID)?, Tier::from_name(of(SERVED)?)?, of(ASKED));
    let is_whole = metric.dimensions().len() == 2 + usize::from(asked.is_some());
    is_whole.then(|| (model.to_owned(), Part { served, asked: asked.map(str::to_owned) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(dimensions: &[(&str, &str)]) -> types::Metric {
        let dimension =
            |(name, value): &(&str, &str)| types::Dimension::builder().name(*name).value(*value).build();
        types::Metric::builder().set_dimensions(Some(dimensions.iter().map(dimension).collect())).build()
    }

    fn series(model: &str) -> Series {
        Series::new("111122223333", "us-east-1", model)
    }

    fn of_series(metric: &types::Metric) -> Option<(Series, Part)> {
        part(metric).map(|(model, part)| (series(&model), part))
    }

    fn both(served: Tier, asked: &str) -> Part {
        Part { served, asked: Some(asked.to_owned()) }
    }

    #[test]
    fn a_model_has_the_parts_that_are_published_with_nothing_else() {
        let published = [
            metric(&[(MODEL_ID, "m"), (SERVED, "priority"), (ASKED, "priority")]),
            metric(&[(ASKED, "priority"), (SERVED, "default"), (MODEL_ID, "m")]),
            metric(&[(MODEL_ID, "m"), (SERVED, "priority"), (ASKED, "priority")]),
            metric(&[(MODEL_ID, "m"), (SERVED, "turbo"), (ASKED, "turbo")]),
            metric(&[(MODEL_ID, "m"), (SERVED, "flex"), ("ContextWindow", "long")]),
            metric(&[(MODEL_ID, "m")]),
            metric(&[(SERVED, "flex")]),
        ];
        let tiers = Tiers::published(published.iter().filter_map(of_series));
        assert_eq!(
            tiers.of(&series("m")),
            [both(Tier::Priority, "priority"), both(Tier::Default, "priority")]
        );
        assert_eq!(tiers.of(&series("other")), []);
        let dimensions: Vec<_> = tiers.of(&series("m"))[1].dimensions().collect();
        assert_eq!(dimensions, [(SERVED, "default"), (ASKED, "priority")]);
    }

    #[test]
    fn what_is_counted_by_the_tier_that_served_alone_is_not_counted_twice() {
        let published = [
            metric(&[(MODEL_ID, "m"), (SERVED, "flex"), (ASKED, "flex")]),
            metric(&[(MODEL_ID, "m"), (SERVED, "flex")]),
            metric(&[(MODEL_ID, "m"), (SERVED, "default")]),
        ];
        let tiers = Tiers::published(published.iter().filter_map(of_series));
        let alone = |served| Part { served, asked: None };
        assert_eq!(tiers.of(&series("m")), [alone(Tier::Default), alone(Tier::Flex)]);
    }
}
