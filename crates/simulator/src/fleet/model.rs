//! One model over the horizon of its fleet: what every period of it is like.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Span};

use super::event::{Event, EventKind, MINORITY, MOST};
use super::request::{self, Traffic};
use super::seed::{Purpose, Root};
use super::spec::{Decode, ModelSpec, PromptCache, Rhythm};
use super::walk::walk;

/// Memory of the load, in periods.
const LOAD_MEMORY: f64 = 3.0 * PERIODS_PER_HOUR as f64;
/// Memory of the drift within hours.
const DRIFT_MEMORY: f64 = 4.0 * PERIODS_PER_HOUR as f64;
/// Memory of the drift from day to day.
const DAY_DRIFT_MEMORY: f64 = 2.0 * PERIODS_PER_DAY as f64;
/// Memory of the weights of the classes.
const MIX_MEMORY: f64 = 6.0 * PERIODS_PER_HOUR as f64;
/// A host is never idle, since others use it too: the load that its speed answers to.
const LEAST_LOAD: f64 = 0.2;

/// A model with its slow processes, drawn once over the horizon.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) spec: ModelSpec,
    pub(crate) events: Vec<Event>,
    root: Root,
    span: Span,
    load: Vec<f32>,
    drift: Vec<f32>,
    mix: Vec<Vec<f32>>,
}

/// What the requests of one period have in common.
#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    /// How many are expected.
    pub(crate) requests: f64,
    /// How many are expected to be throttled.
    pub(crate) throttled: f64,
    /// How many are expected to fail.
    pub(crate) failed: f64,
    /// Shares of the classes, which sum to one.
    pub(crate) shares: Vec<f64>,
    /// Factor of the prompts.
    pub(crate) prompt: f64,
    /// Factor of the answers.
    pub(crate) answer: f64,
    /// Milliseconds in a queue.
    pub(crate) queue_ms: f64,
    /// Tokens a second of the median request.
    pub(crate) tokens_per_second: f64,
    /// Share of requests that are slow, and what share of their speed they lose.
    pub(crate) slow: (f64, f64),
    /// The prompt cache.
    pub(crate) cache: Option<PromptCache>,
    /// Share of requests that stream.
    pub(crate) streaming: f64,
}

impl Model {
    /// Draws the slow processes of a model over `span`.
    pub(crate) fn new(seed: u64, span: Span, spec: ModelSpec, events: Vec<Event>) -> Self {
        let root = Root::of(seed, &spec.series);
        let len = usize::try_from(span.until - span.from).unwrap_or(0);
        let decode = &spec.decode;
        let load = walk(root.generator(Purpose::Load, 0), len, spec.rhythm.noise, LOAD_MEMORY);
        let hours = walk(root.generator(Purpose::Drift, 0), len, decode.drift, DRIFT_MEMORY);
        let days = walk(root.generator(Purpose::DayDrift, 0), len, decode.day_drift, DAY_DRIFT_MEMORY);
        let drift = hours.into_iter().zip(days).map(|(hour, day)| hour + day).collect();
        let mix = (0..spec.classes.len())
            .map(|class| walk(root.generator(Purpose::Mix, class as i64), len, spec.mix_wander, MIX_MEMORY))
            .collect();
        Self { spec, events, root, span, load, drift, mix }
    }

    /// The place of a period in the slow processes.
    fn at(&self, period: Period) -> Option<usize> {
        self.span.contains(period).then(|| usize::try_from(period - self.span.from).ok())?
    }

    /// Load without events: 1 is the mean of a working day.
    pub(crate) fn usual_load(&self, period: Period) -> Option<f64> {
        let noise = f64::from(*self.load.get(self.at(period)?)?).exp();
        Some(self.spec.rhythm.factor(period) * noise)
    }

    /// Decode speed without events, as a factor of what the model is said to have.
    pub(crate) fn usual_speed(&self, period: Period) -> Option<f64> {
        let drift = f64::from(*self.drift.get(self.at(period)?)?).exp();
        let Decode { diurnal, load_exponent, .. } = self.spec.decode;
        let busy = 0.5 + 0.5 * self.spec.rhythm.phase(period);
        let load = self.usual_load(period)?.max(LEAST_LOAD).powf(-load_exponent);
        Some(drift * (1.0 - diurnal * busy) * load)
    }

    /// What events make of the speed of every request, as a factor.
    pub(crate) fn speed_by_events(&self, period: Period) -> f64 {
        self.events.iter().map(|event| self.speed_by_event(event, period)).product()
    }

    /// What surges of the load make of it: nobody's event, but a host that is busier.
    pub(crate) fn speed_by_surges(&self, period: Period) -> f64 {
        let surges = self.events.iter().filter(|event| event.kind == EventKind::LoadSurge);
        surges.map(|event| self.speed_by_event(event, period)).product()
    }

    /// What one event makes of it.
    pub(crate) fn speed_by_event(&self, event: &Event, period: Period) -> f64 {
        if period < event.from {
            return 1.0;
        }
        if event.kind == EventKind::Erosion {
            return (1.0 - event.magnitude).powf(event.progress(period));
        }
        if period >= event.until {
            return 1.0;
        }
        match event.kind {
            EventKind::Slowdown
            | EventKind::LongSlowdown
            | EventKind::LevelShift
            | EventKind::Dip
            | EventKind::Grey => 1.0 - event.magnitude,
            EventKind::LoadSurge => (1.0 + event.magnitude).powf(-self.spec.decode.load_exponent),
            _ => 1.0,
        }
    }

    /// What the requests of a period have in common; none outside of the horizon.
    pub(crate) fn conditions(&self, period: Period) -> Option<Conditions> {
        let at = self.at(period)?;
        let usual_load = self.usual_load(period)?;
        let speed = self.usual_speed(period)? * self.speed_by_events(period);
        let spec = &self.spec;
        let mut load = usual_load;
        let mut weights: Vec<f64> = spec
            .classes
            .iter()
            .zip(&self.mix)
            .map(|(class, walk)| class.weight.max(0.0) * f64::from(walk[at]).exp())
            .collect();
        let mut now = Conditions {
            requests: 0.0,
            throttled: 0.0,
            failed: 0.0,
            shares: Vec::new(),
            prompt: 1.0,
            answer: 1.0,
            queue_ms: 0.0,
            tokens_per_second: spec.decode.tokens_per_second * speed,
            slow: (0.0, 0.0),
            cache: spec.cache,
            streaming: spec.streaming_share,
        };
        for event in self.events.iter().filter(|event| event.span().contains(period)) {
            let magnitude = event.magnitude;
            match event.kind {
                EventKind::MostRequestsSlow => now.slow = (MOST, magnitude),
                EventKind::SlowMinority => now.slow = (MINORITY, magnitude),
                EventKind::PromptGrowth => now.prompt *= 1.0 + magnitude * event.progress(period),
                EventKind::BigPromptsSpell => now.prompt *= 1.0 + magnitude,
                EventKind::LongerResponses | EventKind::ChattySpell => now.answer *= 1.0 + magnitude,
                EventKind::Queueing => {
                    now.queue_ms += spec.usual_ttft_ms() * magnitude * event.progress(period);
                }
                EventKind::CacheRegression => {
                    now.cache = now
                        .cache
                        .map(|cache| PromptCache { hit_share: cache.hit_share * (1.0 - magnitude), ..cache });
                }
                EventKind::StreamingShift | EventKind::NonstreamingBurst => now.streaming = 1.0 - magnitude,
                EventKind::MixShift => {
                    if let Some(first) = weights.first_mut() {
                        *first *= magnitude.exp();
                    }
                }
                EventKind::TrafficTrough => load *= 1.0 - magnitude,
                EventKind::LoadSurge => load *= 1.0 + magnitude,
                EventKind::Gap | EventKind::WentSilent => load = 0.0,
                EventKind::Slowdown
                | EventKind::LongSlowdown
                | EventKind::LevelShift
                | EventKind::Erosion
                | EventKind::Dip
                | EventKind::Grey => {}
            }
        }
        let total: f64 = weights.iter().sum();
        if total > 0.0 {
            now.shares = weights.into_iter().map(|weight| weight / total).collect();
            now.requests = spec.rhythm.requests * load;
        }
        now.failed = now.requests * spec.server_error_share;
        // A quota is hit by the part of the load that is more than usual.
        let surge = if usual_load > 0.0 { (load / usual_load).max(1.0) } else { 1.0 };
        now.throttled = now.requests * spec.throttle_share * surge * surge;
        now.queue_ms += spec.first_token.queue_ms * load;
        Some(now)
    }

    /// Every request of a period; the same whenever it is asked.
    pub(crate) fn traffic(&self, period: Period) -> Option<Traffic> {
        let conditions = self.conditions(period)?;
        let numbers = self.root.generator(Purpose::Requests, period.index());
        Some(request::draw(&self.spec, &conditions, numbers))
    }

    /// How many requests [`Self::traffic`] has, without drawing them.
    pub(crate) fn count(&self, period: Period) -> usize {
        self.conditions(period).map_or(0, |conditions| {
            request::count(&mut self.root.generator(Purpose::Requests, period.index()), conditions.requests)
        })
    }
}

impl Rhythm {
    /// Where in the day a period is: 1 at the peak, -1 twelve hours from it.
    fn phase(&self, period: Period) -> f64 {
        let hour = period.index().rem_euclid(PERIODS_PER_DAY) as f64 / PERIODS_PER_HOUR as f64;
        ((hour - self.peak_hour) / 24.0 * std::f64::consts::TAU).cos()
    }

    /// Load of a period by the clock and the calendar.
    pub(crate) fn factor(&self, period: Period) -> f64 {
        let hour = period.hour_of_day();
        let open = self.open.is_none_or(|(from, until)| {
            let (from, until) = (usize::from(from), usize::from(until));
            if from <= until { from <= hour && hour < until } else { from <= hour || hour < until }
        });
        // 1970-01-01 was a Thursday.
        let weekend = if matches!(period.day().rem_euclid(7), 2 | 3) { self.weekend } else { 1.0 };
        if open { (1.0 + self.daily * self.phase(period)).max(0.0) * weekend } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rhythm_follows_the_clock_and_the_calendar() {
        let rhythm = Rhythm {
            requests: 100.0,
            daily: 0.4,
            peak_hour: 15.0,
            weekend: 0.5,
            open: Some((8, 20)),
            noise: 0.0,
        };
        let at = |time: &str| rhythm.factor(Period::containing(time.parse().unwrap()));
        assert!((at("2026-10-15T15:00:00Z") - 1.4).abs() < 1e-9, "a Thursday at the peak");
        assert!((at("2026-10-15T09:00:00Z") - 1.0).abs() < 1e-9, "six hours before the peak");
        assert!((at("2026-10-17T15:00:00Z") - 0.7).abs() < 1e-9, "a Saturday");
        assert!((at("2026-10-18T15:00:00Z") - 0.7).abs() < 1e-9, "a Sunday");
        assert!((at("2026-10-19T15:00:00Z") - 1.4).abs() < 1e-9, "a Monday");
        assert_eq!((at("2026-10-15T07:55:00Z"), at("2026-10-15T20:00:00Z")), (0.0, 0.0));
        let night = Rhythm { open: Some((22, 4)), ..rhythm };
        let at = |time: &str| night.factor(Period::containing(time.parse().unwrap())) > 0.0;
        assert!(at("2026-10-15T23:00:00Z") && at("2026-10-15T03:55:00Z"));
        assert!(!at("2026-10-15T04:00:00Z") && !at("2026-10-15T21:55:00Z"));
    }
}
