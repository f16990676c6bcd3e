//! A fleet of models whose every request is drawn, seen as a metrics service would see it.
//!
//! Any period can be asked for in any order: its requests depend on the seed, the series and the period alone. The
//! slow processes (load, drift, the mix of requests) are drawn once over the horizon. Every request falls on a second,
//! so that what is asked by the minute, in five minutes or by the hour agrees.
//!
//! The metrics follow the identity `InvocationLatency = TimeToFirstToken + (OutputTokenCount - 1) / speed x 1000`, and
//! a few milliseconds.

mod demo;
mod event;
mod model;
mod random;
mod recent;
mod request;
mod schedule;
mod seed;
mod spec;
mod statistics;
mod walk;

#[cfg(test)]
mod tests;

use domain::{Metric, PERIOD_SECONDS, Period, Reading, Row, Series, Span};

pub use demo::{DEMO_HISTORY, DEMO_STORY};
pub(crate) use event::MOST;
pub use event::{Event, EventKind};
pub(crate) use model::Model;
pub use random::FleetOptions;
pub use spec::{Decode, FirstToken, ModelSpec, PromptCache, RequestClass, Rhythm, Tokens};
pub(crate) use statistics::percentile;

use crate::{Observation, Telemetry};
use recent::Recent;
use statistics::statistics;

/// Models and what happens to them, over a horizon outside of which nothing is published.
#[derive(Debug)]
pub struct Fleet {
    span: Span,
    /// In order of their series.
    models: Vec<Model>,
    /// In order of time.
    events: Vec<Event>,
    recent: Recent,
}

impl Fleet {
    /// A fleet from `origin` on, for `horizon` periods. A series that is there twice is taken once; an event of a
    /// series that is not there happens to nobody.
    #[must_use]
    pub fn new(
        seed: u64,
        origin: Period,
        horizon: i64,
        mut specs: Vec<ModelSpec>,
        mut events: Vec<Event>,
    ) -> Self {
        let span = Span { from: origin, until: origin + horizon.max(0) };
        specs.sort_by(|a, b| a.series.cmp(&b.series));
        specs.dedup_by(|later, kept| later.series == kept.series);
        events.sort_by(|a, b| (a.from, &a.series).cmp(&(b.from, &b.series)));
        let models = specs
            .into_iter()
            .map(|spec| {
                let own = events.iter().filter(|event| event.series == spec.series).cloned().collect();
                Model::new(seed, span, spec, own)
            })
            .collect();
        Self { span, models, events, recent: Recent::default() }
    }

    /// The same fleet with an earlier end, after which nothing is published. Nothing before it changes.
    #[must_use]
    pub fn ending(mut self, until: Period) -> Self {
        self.span.until = self.span.until.min(until).max(self.span.from);
        self
    }

    /// The horizon.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What the models are like, in order of their series.
    pub fn specs(&self) -> impl Iterator<Item = &ModelSpec> {
        self.models.iter().map(|model| &model.spec)
    }

    /// Everything that happens on purpose, in order of time.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The statistics of every metric over one period; none if nothing was published.
    #[must_use]
    pub fn reading(&self, series: &Series, period: Period) -> Option<Reading> {
        self.models.get(self.place(series)?)?.reading(period).filter(|_| self.span.contains(period))
    }

    /// All readings there are: series after series, each in order of time. Slow only in that every request is drawn.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        self.models.iter().flat_map(|model| {
            (self.span.from.index()..self.span.until.index()).map(Period::from_index).filter_map(|period| {
                let reading = model.reading(period)?;
                Some(Row { series: model.spec.series.clone(), period, reading })
            })
        })
    }

    pub(crate) fn models(&self) -> &[Model] {
        &self.models
    }

    fn place(&self, series: &Series) -> Option<usize> {
        self.models.binary_search_by(|model| model.spec.series.cmp(series)).ok()
    }
}

impl Model {
    fn reading(&self, period: Period) -> Option<Reading> {
        let traffic = self.traffic(period)?;
        let mut reading = Reading::default();
        let mut values = Vec::with_capacity(traffic.requests.len());
        for metric in Metric::ALL {
            values.clear();
            traffic.values(metric, &WHOLE, &mut values);
            *reading.of_mut(metric) = statistics(&mut values);
        }
        (!reading.is_empty()).then_some(reading)
    }
}

/// All seconds of a period.
const WHOLE: std::ops::Range<u16> = 0..PERIOD_SECONDS as u16;

impl Telemetry for Fleet {
    fn series(&self) -> Vec<Series> {
        self.specs().map(|spec| spec.series.clone()).collect()
    }

    fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation {
        let Some(place) = self.place(series) else { return Observation::Nothing };
        let mut values = Vec::new();
        let first = from.div_euclid(PERIOD_SECONDS).max(self.span.from.index());
        let last = until.saturating_sub(1).div_euclid(PERIOD_SECONDS).min(self.span.until.index() - 1);
        for index in first..=last {
            let period = Period::from_index(index);
            let Some(traffic) = self.recent.get(place, period, || self.models[place].traffic(period)) else {
                continue;
            };
            let second =
                |time: i64| time.saturating_sub(index * PERIOD_SECONDS).clamp(0, PERIOD_SECONDS) as u16;
            traffic.values(metric, &(second(from)..second(until)), &mut values);
        }
        if values.is_empty() { Observation::Nothing } else { Observation::Values(values) }
    }
}
