//! The fourth step: value against baseline, by the rule.

use domain::{
    Datapoint, Estimator, EstimatorChoice, Method, MissingReason, Otps, Period, Rule, Slot, Verdict,
};

use crate::datapoint::datapoint;
use crate::history::{History, Point};
use crate::learned::{Learned, P50_SAMPLES_FACTOR};
use crate::streaming::is_about_other_requests;
use crate::window::{Ask, Window, window};

/// A value counts as below a line only by more than this share: readings are kept in single precision, and what lies on
/// the line is not below it.
pub(crate) const ROUNDING: f64 = 1e-6;
/// The verdict on one period with all that it rests on. A pure function of the history up to the period and of what was
/// learned.
pub(crate) fn judge(history: &History, learned: Option<&Learned>, rule: &Rule, period: Period) -> Slot {
    let mut slot = Slot {
        period,
        verdict: Verdict::Missing(MissingReason::NoData),
        estimator: usual_estimator(learned, rule),
        otps: None,
        baseline: None,
        noise: None,
        samples: 0.0,
        window: 1,
    };
    let (otps, samples) = match datapoint(history.get(period)) {
        Datapoint::Valid { otps, samples } => (otps, samples),
        Datapoint::Missing(reason) => {
            slot.verdict = Verdict::Missing(reason);
            return slot;
        }
    };
    slot.samples = samples;
    slot.otps = Some(otps);
    let mut found = None;
    // Where one could judge but found too few requests, that is the reason; else that of the usual one.
    let mut refused = None;
    for estimator in candidates(slot.estimator, rule) {
        match able(estimator, otps, history.get(period), learned) {
            Ok(()) => {
                found = window(history, period, otps, samples, ask(estimator, learned, rule));
                refused = Some(MissingReason::TooFewSamples);
            }
            Err(reason) => refused = refused.or(Some(reason)),
        }
        if found.is_some() {
            slot.estimator = estimator;
            break;
        }
    }
    let Some(found) = found else {
        slot.verdict = Verdict::Missing(refused.unwrap_or(MissingReason::IncompleteInputs));
        return slot;
    };
    slot.samples = found.samples;
    slot.window = found.width;
    slot.otps = Some(with(otps, slot.estimator, found.value));
    if let Some(baseline) = learned.and_then(|learned| learned.baseline(slot.estimator)) {
        slot.baseline = Some(baseline.expected(period));
        slot.noise = Some(match slot.estimator {
            Estimator::P50 => baseline.noise().sigma(found.samples),
            Estimator::TokenWeighted => baseline.noise().sampling_sigma(found.samples),
        });
    }
    slot.verdict = against(&slot, found, learned, rule);
    slot
}

/// Requests that a window must hold.
pub(crate) fn fewest_samples(estimator: Estimator, rule: &Rule) -> f64 {
    let fewest = f64::from(rule.min_samples);
    match estimator {
        Estimator::TokenWeighted => fewest,
        Estimator::P50 => fewest * P50_SAMPLES_FACTOR,
    }
}

fn usual_estimator(learned: Option<&Learned>, rule: &Rule) -> Estimator {
    match (learned, rule.estimator) {
        (Some(learned), _) => learned.deciding,
        (None, EstimatorChoice::P50) => Estimator::P50,
        (None, _) => Estimator::TokenWeighted,
    }
}

/// Who may judge, in order. Only `auto` may take the other one: the sums need fewer requests than the medians.
fn candidates(usual: Estimator, rule: &Rule) -> impl Iterator<Item = Estimator> {
    let other = match usual {
        Estimator::P50 => Estimator::TokenWeighted,
        Estimator::TokenWeighted => Estimator::P50,
    };
    let also = (rule.estimator == EstimatorChoice::Auto).then_some(other);
    std::iter::once(usual).chain(also)
}

/// Whether an estimator can judge this period, or why it cannot.
fn able(
    estimator: Estimator,
    otps: Otps,
    point: Option<&Point>,
    learned: Option<&Learned>,
) -> Result<(), MissingReason> {
    let usual_share = learned.map_or(1.0, |learned| learned.streaming_share);
    if point.is_some_and(|point| is_about_other_requests(point, usual_share, estimator)) {
        Err(MissingReason::StreamingShift)
    } else if otps.by(estimator).is_none()
        || learned.is_some_and(|learned| learned.baseline(estimator).is_none())
    {
        Err(MissingReason::IncompleteInputs)
    } else {
        Ok(())
    }
}

/// What a rule asks of a window.
fn ask(estimator: Estimator, learned: Option<&Learned>, rule: &Rule) -> Ask {
    Ask {
        estimator,
        fewest: fewest_samples(estimator, rule),
        widest: rule.widest_window,
        usual_share: learned.map_or(1.0, |learned| learned.streaming_share),
    }
}

fn with(otps: Otps, estimator: Estimator, value: f64) -> Otps {
    match estimator {
        Estimator::P50 => Otps { p50: Some(value), ..otps },
        Estimator::TokenWeighted => Otps { token_weighted: Some(value), ..otps },
    }
}

fn against(slot: &Slot, found: Window, learned: Option<&Learned>, rule: &Rule) -> Verdict {
    let below = |line: f64| found.value < line * (1.0 - ROUNDING);
    if rule.page_below_otps.is_some_and(below) {
        return Verdict::Breaching;
    }
    let (Some(baseline), Some(learned)) = (slot.baseline, learned) else {
        // While LEARNING an absolute floor is all that there is, and what reaches it is not slow.
        return match rule.page_below_otps {
            Some(_) => Verdict::Within,
            None => Verdict::Missing(MissingReason::NoBaseline),
        };
    };
    let improbable = (found.value / baseline).ln() <= -rule.noise_sigmas * slot.noise.unwrap_or(0.0);
    let line = line(learned, rule, slot.estimator, found.samples);
    if below(line * baseline) && improbable { Verdict::Breaching } else { Verdict::Within }
}

/// The share of the baseline below which evidence of so many requests breaches.
pub(crate) fn line(learned: &Learned, rule: &Rule, estimator: Estimator, samples: f64) -> f64 {
    match rule.method {
        Method::Threshold => rule.page_below,
        Method::Anomaly { deviations, below } => {
            let sigma = learned.baseline(estimator).map_or(0.0, |usual| usual.noise().sigma(samples));
            below.min((-deviations * sigma).exp())
        }
    }
}

/// The share of the baseline above which an incident that opened below `line` is over.
pub(crate) fn recovery_line(rule: &Rule, line: f64) -> f64 {
    line * rule.recover_above.max(rule.page_below) / rule.page_below
}
