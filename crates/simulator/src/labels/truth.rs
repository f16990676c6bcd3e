//! How fast a model really was, against what it had been at that hour.

use domain::{PERIODS_PER_DAY, Period, Span};

use crate::fleet::{Event, EventKind, MOST, Model, percentile};

/// Days that the norm looks back over.
const NORM_DAYS: i64 = 14;

/// The true speed of every request over its own norm: the median of the two weeks before, at the same hour of the day.
/// As far as metrics can show it: where the milliseconds around a call weigh as much as its decoding, a lost third
/// of the speed is less.
#[derive(Debug)]
pub(super) struct Truth {
    first: Period,
    /// With everything that happens to most requests.
    whole: Vec<f64>,
    /// Without the events that are there to be noticed.
    alone: Vec<f64>,
}

impl Truth {
    /// The truth from `first` on. It is 1 where there is no past.
    pub(super) fn of(model: &Model, span: Span, first: Period) -> Self {
        let settled: Vec<f64> = periods(span)
            .map(|period| model.usual_speed(period).unwrap_or(1.0) * eroded(model, period))
            .collect();
        let at = |period: Period| usize::try_from(period - span.from).unwrap_or(0);
        let mut whole = Vec::new();
        let mut alone = Vec::new();
        let mut norms = (None, [1.0; 24]);
        for period in periods(Span { from: first, until: span.until }) {
            if norms.0 != Some(period.day()) {
                let today = Period::first_of_day(period.day()).max(span.from);
                let past = Span { from: (today - NORM_DAYS * PERIODS_PER_DAY).max(span.from), until: today };
                norms = (Some(period.day()), by_hour(past, |period| settled[at(period)]));
            }
            let norm = norms.1[period.hour_of_day()];
            let now = settled[at(period)] / norm;
            let surge = model.speed_by_surges(period);
            let events = model.speed_by_events(period) / eroded(model, period);
            alone.push(shown(model, period, norm, now * surge));
            whole.push(shown(model, period, norm, now * events * most(model, period)));
        }
        Self { first, whole, alone }
    }

    /// Speed over its norm, with the events.
    pub(super) fn whole(&self, period: Period) -> f64 {
        self.get(&self.whole, period)
    }

    /// Speed over its norm, as it would be without the events that are there to be noticed.
    pub(super) fn alone(&self, period: Period) -> f64 {
        self.get(&self.alone, period)
    }

    fn get(&self, values: &[f64], period: Period) -> f64 {
        usize::try_from(period - self.first).ok().and_then(|at| values.get(at)).copied().unwrap_or(1.0)
    }
}

/// The periods of a span.
pub(super) fn periods(span: Span) -> impl Iterator<Item = Period> {
    (span.from.index()..span.until.index()).map(Period::from_index)
}

/// The median of each hour of the day over a span; 1 where it has none.
fn by_hour(span: Span, value: impl Fn(Period) -> f64) -> [f64; 24] {
    let mut hours: [Vec<f64>; 24] = Default::default();
    for period in periods(span) {
        hours[period.hour_of_day()].push(value(period));
    }
    hours.map(|mut values| percentile(&mut values, 0.5).unwrap_or(1.0))
}

/// What erosion leaves of the speed. It never breaches, so it becomes the norm.
fn eroded(model: &Model, period: Period) -> f64 {
    let erosion = |event: &&Event| event.kind == EventKind::Erosion;
    model.events.iter().filter(erosion).map(|event| model.speed_by_event(event, period)).product()
}

/// What is left of the mean speed when most requests are slow.
fn most(model: &Model, period: Period) -> f64 {
    let hit = |event: &&Event| event.kind == EventKind::MostRequestsSlow && event.span().contains(period);
    model.events.iter().find(hit).map_or(1.0, |event| 1.0 / (1.0 - MOST + MOST / (1.0 - event.magnitude)))
}

/// What a factor of the speed does to output tokens over decode time, given that calls have an end that is not decoding.
fn shown(model: &Model, period: Period, norm: f64, factor: f64) -> f64 {
    let Some(conditions) = model.conditions(period) else { return factor };
    let decode = &model.spec.decode;
    let classes = model.spec.classes.iter().zip(&conditions.shares);
    let tokens: f64 = classes.map(|(class, share)| share * class.output.mean() * conditions.answer).sum();
    let speed = decode.tokens_per_second * norm * (-decode.spread * decode.spread / 2.0).exp();
    let decode_ms = (tokens - 1.0).max(0.0) / speed * 1_000.0;
    (decode_ms + decode.overhead_ms) / (decode_ms / factor + decode.overhead_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::{Fleet, ModelSpec};
    use domain::Series;

    fn truth(event: (EventKind, i64, i64, f64), overhead_ms: f64) -> (Truth, Period) {
        let series = Series::new("", "us-east-1", "m");
        let origin = Period::first_of_day(20_000);
        let (kind, from, until, magnitude) = event;
        let mut spec = ModelSpec::steady(series.clone(), 50.0, 60.0);
        spec.decode.overhead_ms = overhead_ms;
        let event = Event { series, kind, from: origin + from, until: origin + until, magnitude };
        let fleet = Fleet::new(1, origin, 20 * PERIODS_PER_DAY, vec![spec], vec![event]);
        (Truth::of(&fleet.models()[0], fleet.span(), origin + 15 * PERIODS_PER_DAY), origin)
    }

    #[test]
    fn a_slowdown_is_the_factor_that_it_is() {
        let (truth, origin) = truth((EventKind::Slowdown, 4_500, 4_512, 0.35), 0.0);
        assert!((truth.whole(origin + 4_500) - 0.65).abs() < 1e-9);
        assert!((truth.alone(origin + 4_500) - 1.0).abs() < 1e-9);
        assert!((truth.whole(origin + 4_512) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn most_requests_count_by_the_time_they_take() {
        let (truth, origin) = truth((EventKind::MostRequestsSlow, 4_500, 4_512, 0.5), 0.0);
        // Four of five take twice as long: 0.2 + 0.8 x 2 = 1.8 times the time.
        assert!((truth.whole(origin + 4_500) - 1.0 / 1.8).abs() < 1e-9);
    }

    #[test]
    fn erosion_becomes_the_norm() {
        let (truth, origin) = truth((EventKind::Erosion, 4_320, 5_760, 0.2), 0.0);
        let last = truth.alone(origin + 5_759);
        assert!((0.79..0.81).contains(&last), "two weeks hardly eroded at the end of five days: {last}");
        assert!((truth.whole(origin + 5_759) - last).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_decoding_hides_what_is() {
        let (seen, origin) = truth((EventKind::Slowdown, 4_500, 4_512, 0.5), 5_000.0);
        let (bare, _) = truth((EventKind::Slowdown, 4_500, 4_512, 0.5), 0.0);
        let (seen, bare) = (seen.whole(origin + 4_500), bare.whole(origin + 4_500));
        assert!((bare - 0.5).abs() < 1e-9 && (0.6..0.75).contains(&seen), "{bare} {seen}");
    }
}
