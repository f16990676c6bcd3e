//! Which metrics are published, under which dimensions.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Metric, Series};

use super::shapes;
use crate::Telemetry;
use crate::loopback::caller::Caller;

/// The namespace of Amazon Bedrock's runtime metrics.
const NAMESPACE: &str = "AWS/Bedrock";

/// Under which names the metrics of the prompt cache are published; AWS has used two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheNames {
    /// `CacheReadInputTokens`, `CacheWriteInputTokens`.
    #[default]
    Tokens,
    /// `CacheReadInputTokenCount`, `CacheWriteInputTokenCount`.
    TokenCount,
}

impl CacheNames {
    fn name(self, metric: Metric) -> &'static str {
        match self {
            Self::Tokens => metric.name(),
            Self::TokenCount => metric.other_name().unwrap_or_else(|| metric.name()),
        }
    }
}

/// The unit that a metric is published with.
pub(crate) const fn unit(metric: Metric) -> &'static str {
    match metric {
        Metric::InvocationLatency | Metric::TimeToFirstToken => "Milliseconds",
        _ => "Count",
    }
}

/// What a caller can see in a Region.
#[derive(Debug)]
pub(crate) struct Catalogue {
    /// In order.
    series: Vec<Series>,
    /// By `ModelId`, places in `series`; several where a caller sees several accounts.
    by_model: BTreeMap<String, Vec<usize>>,
    /// Whose series are the caller's own; `None` where it sees those of all accounts.
    own: Option<String>,
    /// Accounts that are linked to the caller's.
    linked: BTreeSet<String>,
    names: CacheNames,
    /// What callers published themselves, with when it last had data.
    put: BTreeMap<shapes::Metric, i64>,
}

impl Catalogue {
    pub(crate) fn new(
        telemetry: &dyn Telemetry,
        caller: &Caller,
        linked: Option<&BTreeSet<String>>,
        names: CacheNames,
    ) -> Self {
        let linked = linked.cloned().unwrap_or_default();
        // A key that sees all accounts is, where some are linked, of the one that it is at home in.
        let own = caller.account.clone().or_else(|| (!linked.is_empty()).then(|| caller.home.clone()));
        let mut series = telemetry.series();
        series.retain(|series| {
            let is_seen = visible(series, own.as_deref()) || linked.contains(series.account());
            series.region() == caller.region && is_seen
        });
        let mut by_model: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, one) in series.iter().enumerate() {
            by_model.entry(one.model().to_owned()).or_default().push(place);
        }
        Self { series, by_model, own, linked, names, put: BTreeMap::new() }
    }

    /// Also with what callers published themselves, and when each of it last had data.
    pub(crate) fn with_put(self, put: BTreeMap<shapes::Metric, i64>) -> Self {
        Self { put, ..self }
    }

    /// What callers published themselves and had data since then.
    pub(crate) fn put_since(&self, since: i64) -> impl Iterator<Item = &shapes::Metric> {
        self.put.iter().filter(move |(_, last)| **last >= since).map(|(metric, _)| metric)
    }

    pub(crate) fn series(&self) -> &[Series] {
        &self.series
    }

    /// Whether a series is of the caller's own account, and not of one that is linked to it.
    pub(crate) fn is_own(&self, series: &Series) -> bool {
        visible(series, self.own.as_deref())
    }

    /// Whether the caller may name an account: its own, and those that are linked to it.
    pub(crate) fn may_see(&self, account: Option<&str>) -> bool {
        match (account, &self.own) {
            (Some(account), Some(own)) => account == own || self.linked.contains(account),
            _ => true,
        }
    }

    /// What a metric is about. The dimensions must be exactly those of a published metric; `ModelId` alone does not
    /// find one that has others too.
    pub(crate) fn find(&self, metric: &shapes::Metric, account: Option<&str>) -> Option<(&Series, Metric)> {
        if metric.namespace != NAMESPACE {
            return None;
        }
        let kind = Metric::from_name(&metric.metric_name)
            .filter(|kind| self.names.name(*kind) == metric.metric_name)?;
        let model = metric.dimensions.iter().find(|dimension| dimension.name == "ModelId")?;
        let places = self.by_model.get(&model.value)?;
        let account = account.or(self.own.as_deref());
        let place = places.iter().copied().find(|place| visible(&self.series[*place], account))?;
        let mut wanted = metric.dimensions.clone();
        wanted.sort();
        self.dimension_sets(place).into_iter().any(|set| set == wanted).then(|| (&self.series[place], kind))
    }

    /// Every metric of the series at `place`, with its dimensions.
    pub(crate) fn published(&self, place: usize) -> impl Iterator<Item = (Metric, shapes::Metric)> {
        let sets = self.dimension_sets(place);
        Metric::ALL.into_iter().flat_map(move |kind| {
            let metric_name = self.names.name(kind).to_owned();
            let published = sets.clone().into_iter().map(move |dimensions| {
                let metric_name = metric_name.clone();
                (kind, shapes::Metric { namespace: NAMESPACE.to_owned(), metric_name, dimensions })
            });
            published.collect::<Vec<_>>()
        })
    }

    /// The sets of dimensions that a series is published under, each in order. Every other one is published by service
    /// tier too, as some models are; all its requests are of the default tier, so that both say the same.
    fn dimension_sets(&self, place: usize) -> Vec<Vec<shapes::Dimension>> {
        let dimension =
            |name: &str, value: &str| shapes::Dimension { name: name.to_owned(), value: value.to_owned() };
        let model = dimension("ModelId", self.series[place].model());
        let mut sets = vec![vec![model.clone()]];
        if place.is_multiple_of(2) {
            sets.push(vec![
                model,
                dimension("ResolvedServiceTier", "default"),
                dimension("ServiceTier", "default"),
            ]);
        }
        sets
    }
}

/// A series of unknown account belongs to everyone.
fn visible(series: &Series, account: Option<&str>) -> bool {
    series.account() == domain::UNKNOWN_ACCOUNT || account.is_none_or(|account| account == series.account())
}
