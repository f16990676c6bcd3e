//! What a series has learned up to a boundary.

use std::sync::OnceLock;

use baseline::{Baseline, Conditional, Pair, Sample, median};
use domain::{
    Datapoint, Estimator, EstimatorChoice, Learning, Otps, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Rule,
    Series, Span,
};

use crate::datapoint::datapoint;
use crate::history::{History, Point};
use crate::settings::Settings;
use crate::streaming::share;
use crate::tail::{median_contrast, tail_contrast};
use crate::window::Pool;

/// The p50 decides where the line of the rule lies at least this many standard deviations of its noise away: then one
/// datapoint in a thousand crosses it by chance, and three of five never do.
pub(crate) const CARRYING_SIGMAS: f64 = 3.0;
/// The p50 needs so many times the requests of the token-weighted estimator: 50 by default. CloudWatch trusts a median from 20
/// on, and OTPS by p50 is a ratio of three.
pub(crate) const P50_SAMPLES_FACTOR: f64 = 5.0;

/// What was learned. A pure function of the history before `boundary`, of the settings, and of the spans that must not train.
#[derive(Debug, Clone)]
pub(crate) struct Learned {
    pub(crate) token_weighted: Option<Baseline>,
    pub(crate) p50: Option<Baseline>,
    /// The usual share of streaming requests.
    pub(crate) streaming_share: f64,
    /// Which estimator decides, by the choice of the rule.
    pub(crate) deciding: Estimator,
    training: Training,
    contrasts: OnceLock<Contrasts>,
}

/// How the median and the 95th percentile usually compare with the sums.
#[derive(Debug, Clone)]
pub(crate) struct Contrasts {
    /// p50 OTPS over the token-weighted one, given the median reply.
    pub(crate) median: Option<Conditional>,
    /// The same of the 95th percentiles, given the long reply.
    pub(crate) tail: Option<Conditional>,
}

/// Which periods train: those of a span, without others.
#[derive(Debug, Clone)]
struct Training {
    span: Span,
    without: Vec<Span>,
}

impl Training {
    fn new(boundary: Period, settings: &Settings, series: &Series, untrained: &[Span]) -> Self {
        let learning = &settings.learning;
        let span =
            Span { from: boundary - i64::from(learning.history_days) * PERIODS_PER_DAY, until: boundary };
        let overlaps = |other: &Span| other.from < span.until && span.from < other.until;
        let never = untrained.iter().chain(&learning.never_train).copied().filter(overlaps);
        Self { span, without: never.chain(settings.maintained(series, span)).collect() }
    }

    fn points<'a>(&'a self, history: &'a History) -> impl Iterator<Item = (Period, &'a Point)> + 'a {
        history
            .range(self.span.from, self.span.until)
            .filter(|(period, _)| !self.without.iter().any(|span| span.contains(*period)))
    }

    /// How far so many datapoints have come.
    fn progress(&self, history: &History, untrained: &[Span], datapoints: usize) -> Progress {
        let first = history.first().max(accepted(untrained)).filter(|_| datapoints > 0);
        Progress {
            periods: first.map_or(0, |first| self.span.until - first.max(self.span.from)),
            datapoints: u32::try_from(datapoints).unwrap_or(u32::MAX),
        }
    }

    /// The valid datapoints that train.
    fn rows<'a>(&'a self, history: &'a History) -> impl Iterator<Item = Trained<'a>> + 'a {
        self.points(history).filter_map(|(period, point)| match datapoint(Some(point)) {
            Datapoint::Valid { otps, samples } => Some(Trained { period, point, otps, samples }),
            Datapoint::Missing(_) => None,
        })
    }
}

/// A valid datapoint that trains.
struct Trained<'a> {
    period: Period,
    point: &'a Point,
    otps: Otps,
    samples: f64,
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

/// When in the day a series learns. Series are staggered, so that a fleet does not relearn at one moment.
pub(crate) fn stagger(series: &Series) -> i64 {
    series.to_string().bytes().fold(7_i64, |hash, byte| (hash * 31 + i64::from(byte)) % PERIODS_PER_DAY)
}

/// The boundary up to which a series learns, seen from `period`: the start of its own day.
pub(crate) fn daily_boundary(stagger: i64, period: Period) -> Period {
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
    settings: &Settings,
    series: &Series,
    untrained: &[Span],
) -> Progress {
    let training = Training::new(boundary, settings, series, untrained);
    training.progress(history, untrained, training.rows(history).count())
}

/// Where a span begins that reaches back to before anything was read.
pub(crate) const ALWAYS: Period = Period::from_index(0);

/// Where the newest span ends that reaches back to before anything: a new level was accepted there.
pub(crate) fn accepted(untrained: &[Span]) -> Option<Period> {
    untrained.iter().filter(|span| span.from <= ALWAYS).map(|span| span.until).max()
}

impl Learned {
    /// Learns from what lies before `boundary`, if that is enough.
    pub(crate) fn learn(
        history: &History,
        boundary: Period,
        settings: &Settings,
        series: &Series,
        untrained: &[Span],
    ) -> Option<Self> {
        let Settings { rule, learning, .. } = settings;
        let training = Training::new(boundary, settings, series, untrained);
        let rows: Vec<Trained<'_>> = training.rows(history).collect();
        if !training.progress(history, untrained, rows.len()).is_enough(learning) {
            return None;
        }
        let streaming_share = streaming_share(&rows);
        let fewest = f64::from(rule.min_samples);
        let of = |estimator, fewest| {
            Baseline::learn(&samples(&rows, estimator, fewest, streaming_share), learning.seasonal)
        };
        let token_weighted = of(Estimator::TokenWeighted, fewest);
        let p50 = of(Estimator::P50, fewest * P50_SAMPLES_FACTOR);
        let deciding = deciding(rule, token_weighted.as_ref(), p50.as_ref())?;
        drop(rows);
        let contrasts = OnceLock::new();
        Some(Self { token_weighted, p50, streaming_share, deciding, training, contrasts })
    }

    /// How the median and the 95th percentile usually compare with the sums. Learned when it is first asked for, which most
    /// days it is not, from the same history.
    pub(crate) fn contrasts(&self, history: &History) -> &Contrasts {
        self.contrasts.get_or_init(|| {
            let of = |contrast: fn(&Point) -> Option<(f64, f64)>| {
                let rows: Vec<Pair> = self
                    .training
                    .points(history)
                    .filter_map(|(period, point)| {
                        let (x, y) = contrast(point)?;
                        Some(Pair { period, x, y, samples: point.samples()? })
                    })
                    .collect();
                Conditional::learn(&rows)
            };
            Contrasts { median: of(median_contrast), tail: of(tail_contrast) }
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
fn samples(rows: &[Trained<'_>], estimator: Estimator, fewest: f64, usual_share: f64) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(rows.len());
    let mut pool = Pool::new(estimator);
    for (index, row) in rows.iter().enumerate() {
        pool.add_datapoint(row.point, row.otps, row.samples, usual_share);
        let hour_ends = rows
            .get(index + 1)
            .is_none_or(|next| hourly_boundary(next.period) != hourly_boundary(row.period));
        if pool.samples() >= fewest || hour_ends {
            let enough = pool.samples() >= FEWEST_IN_AN_HOUR.min(fewest);
            if let Some(log_otps) = pool.log_value().filter(|_| enough) {
                samples.push(Sample { period: row.period, log_otps, samples: pool.samples() });
            }
            pool = Pool::new(estimator);
        }
    }
    samples
}

fn streaming_share(rows: &[Trained<'_>]) -> f64 {
    let mut shares: Vec<f64> = rows.iter().filter_map(|row| share(row.point)).collect();
    median(&mut shares).unwrap_or(1.0)
}
