//! What a series has learned up to a boundary.

use baseline::{Baseline, Conditional, Pair, Sample, median};
use domain::{
    Datapoint, Estimator, EstimatorChoice, Learning, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Rule, Series,
    Span,
};

use crate::datapoint::datapoint;
use crate::history::{History, Point};
use crate::streaming::share;
use crate::tail::{median_contrast, tail_contrast};
use crate::window::Pool;

/// The p50 decides where the line of the rule lies at least this many standard deviations of its noise away: then one
/// datapoint in a thousand crosses it by chance, and three of five never do.
pub(crate) const CARRYING_SIGMAS: f64 = 3.0;
/// The median of so many requests is as well known as a ratio of sums of two fifths as many.
pub(crate) const P50_SAMPLES_FACTOR: f64 = 5.0;

/// What was learned. A pure function of the history before `boundary` and of the spans that must not train.
#[derive(Debug, Clone)]
pub(crate) struct Learned {
    pub(crate) token_weighted: Option<Baseline>,
    pub(crate) p50: Option<Baseline>,
    /// p50 OTPS over the token-weighted one, given the median reply.
    pub(crate) median_contrast: Option<Conditional>,
    /// The same of the 95th percentiles.
    pub(crate) tail_contrast: Option<Conditional>,
    /// The usual share of streaming requests.
    pub(crate) streaming_share: f64,
    /// Which estimator decides, by the choice of the rule.
    pub(crate) deciding: Estimator,
}

/// How far LEARNING has come.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Periods from the first reading to the boundary.
    pub periods: i64,
    /// Valid datapoints that train among them.
    pub datapoints: u32,
}

impl Progress {
    /// Whether it is enough.
    #[must_use]
    pub fn is_enough(&self, learning: &Learning) -> bool {
        self.periods >= i64::from(learning.min_days) * PERIODS_PER_DAY
            && self.datapoints >= learning.min_datapoints
    }
}

/// The boundary up to which a series learns, seen from `period`: the start of its own day. Series are staggered over the
/// day, so that a fleet does not relearn at one moment.
pub(crate) fn daily_boundary(series: &Series, period: Period) -> Period {
    let stagger =
        series.to_string().bytes().fold(7_i64, |hash, byte| (hash * 31 + i64::from(byte)) % PERIODS_PER_DAY);
    let since = (period.index() - stagger).rem_euclid(PERIODS_PER_DAY);
    period - since
}

/// While a series has no baseline it tries every hour.
pub(crate) fn hourly_boundary(period: Period) -> Period {
    period - period.index().rem_euclid(PERIODS_PER_HOUR)
}

/// How much there is to learn from before `boundary`. Days count from the first reading, or from where a new level was
/// accepted: a weekend without requests is a part of them.
pub(crate) fn progress(
    history: &History,
    boundary: Period,
    learning: &Learning,
    untrained: &[Span],
) -> Progress {
    let datapoints = trained(history, boundary, learning, untrained).count();
    let from = boundary - i64::from(learning.history_days) * PERIODS_PER_DAY;
    let first = history.first().max(accepted(untrained)).filter(|_| datapoints > 0);
    Progress {
        periods: first.map_or(0, |first| boundary - first.max(from)),
        datapoints: u32::try_from(datapoints).unwrap_or(u32::MAX),
    }
}

/// Where a span begins that reaches back to before anything was read.
pub(crate) const ALWAYS: Period = Period::from_index(0);

/// Where the newest span ends that reaches back to before anything: a new level was accepted there.
pub(crate) fn accepted(untrained: &[Span]) -> Option<Period> {
    untrained.iter().filter(|span| span.from <= ALWAYS).map(|span| span.until).max()
}

/// The valid datapoints that train.
fn trained<'a>(
    history: &'a History,
    boundary: Period,
    learning: &'a Learning,
    untrained: &'a [Span],
) -> impl Iterator<Item = (Period, domain::Otps, f64)> + 'a {
    let from = boundary - i64::from(learning.history_days) * PERIODS_PER_DAY;
    history
        .range(from, boundary)
        .filter(|(period, _)| {
            !untrained.iter().chain(&learning.never_train).any(|span| span.contains(*period))
        })
        .filter_map(|(period, point)| match datapoint(Some(point)) {
            Datapoint::Valid { otps, samples } => Some((period, otps, samples)),
            Datapoint::Missing(_) => None,
        })
}

impl Learned {
    /// Learns from what lies before `boundary`, if that is enough.
    pub(crate) fn learn(
        history: &History,
        boundary: Period,
        rule: &Rule,
        learning: &Learning,
        untrained: &[Span],
    ) -> Option<Self> {
        if !progress(history, boundary, learning, untrained).is_enough(learning) {
            return None;
        }
        let periods: Vec<Period> =
            trained(history, boundary, learning, untrained).map(|(p, _, _)| p).collect();
        let streaming_share = streaming_share(history, &periods);
        let fewest = f64::from(rule.min_samples);
        let of = |estimator, fewest| {
            let samples = samples(history, &periods, estimator, fewest, streaming_share);
            Baseline::learn(&samples, learning.seasonal)
        };
        let token_weighted = of(Estimator::TokenWeighted, fewest);
        let p50 = of(Estimator::P50, fewest * P50_SAMPLES_FACTOR);
        let deciding = deciding(rule, token_weighted.as_ref(), p50.as_ref())?;
        Some(Self {
            streaming_share,
            token_weighted,
            p50,
            median_contrast: contrast(history, &periods, median_contrast),
            tail_contrast: contrast(history, &periods, tail_contrast),
            deciding,
        })
    }

    /// The baseline of one estimator.
    pub(crate) fn baseline(&self, estimator: Estimator) -> Option<&Baseline> {
        match estimator {
            Estimator::P50 => self.p50.as_ref(),
            Estimator::TokenWeighted => self.token_weighted.as_ref(),
        }
    }
}

/// Which estimator decides. One that has no baseline cannot.
fn deciding(rule: &Rule, token_weighted: Option<&Baseline>, p50: Option<&Baseline>) -> Option<Estimator> {
    match (rule.estimator, token_weighted, p50) {
        (EstimatorChoice::P50, _, p50) => p50.map(|_| Estimator::P50),
        (EstimatorChoice::TokenWeighted, usual, _) => usual.map(|_| Estimator::TokenWeighted),
        (EstimatorChoice::Auto, None, p50) => p50.map(|_| Estimator::P50),
        (EstimatorChoice::Auto, Some(_), None) => Some(Estimator::TokenWeighted),
        (EstimatorChoice::Auto, Some(_), Some(p50)) => {
            let sigma = p50.noise().sigma(f64::from(rule.min_samples) * P50_SAMPLES_FACTOR);
            let carries = CARRYING_SIGMAS * sigma <= -rule.page_below.ln();
            Some(if carries { Estimator::P50 } else { Estimator::TokenWeighted })
        }
    }
}

/// An hour of fewer requests than this is left out: so few say nothing even about an hour.
const FEWEST_IN_AN_HOUR: f64 = 3.0;

/// Values of windows that do not overlap, each the shortest with enough requests within an hour: overlapping windows would make
/// sampling noise look lasting. What is left of an hour is a window too, or the quiet hours would never be learned.
fn samples(
    history: &History,
    periods: &[Period],
    estimator: Estimator,
    fewest: f64,
    usual_share: f64,
) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(periods.len());
    let mut pool = Pool::new(estimator);
    for (index, &period) in periods.iter().enumerate() {
        pool.add(history, usual_share, period);
        let hour_ends =
            periods.get(index + 1).is_none_or(|next| hourly_boundary(*next) != hourly_boundary(period));
        if pool.samples() >= fewest || hour_ends {
            if let Some(otps) = pool.value().filter(|_| pool.samples() >= FEWEST_IN_AN_HOUR.min(fewest)) {
                samples.push(Sample { period, otps, samples: pool.samples() });
            }
            pool = Pool::new(estimator);
        }
    }
    samples
}

/// How a contrast usually is.
fn contrast(
    history: &History,
    periods: &[Period],
    of: fn(&Point) -> Option<(f64, f64)>,
) -> Option<Conditional> {
    let rows: Vec<Pair> = periods
        .iter()
        .filter_map(|&period| {
            let point = history.get(period)?;
            let (x, y) = of(point)?;
            Some(Pair { period, x, y, samples: point.samples()? })
        })
        .collect();
    Conditional::learn(&rows)
}

fn streaming_share(history: &History, periods: &[Period]) -> f64 {
    let mut shares: Vec<f64> = periods.iter().filter_map(|&period| share(history.get(period)?)).collect();
    median(&mut shares).unwrap_or(1.0)
}
