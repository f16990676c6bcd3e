//! The fourth step: value against baseline, by the rule.

use domain::{Datapoint, Estimator, EstimatorChoice, MissingReason, Otps, Period, Rule, Slot, Verdict};

use crate::datapoint::datapoint;
use crate::history::History;
use crate::learned::{Learned, P50_SAMPLES_FACTOR};
use crate::window::{Window, window};

/// A value counts as below a line only by more than this share: readings are kept in single precision, and what lies on
/// the line is not below it.
pub(crate) const ROUNDING: f64 = 1e-6;
/// The p50 of latency and the p50 of the first token are about different requests once this much of the usual streaming
/// share is gone.
const STREAMING_SHARE_LOST: f64 = 0.25;
/// Below this share of streaming requests the mean first token of the rest says nothing about them all.
const FEWEST_STREAMING: f64 = 0.2;

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
    slot.estimator = match able(slot.estimator, otps, streaming(history, period), learned, rule) {
        Ok(estimator) => estimator,
        Err(reason) => {
            slot.verdict = Verdict::Missing(reason);
            return slot;
        }
    };
    let fewest = fewest_samples(slot.estimator, rule);
    let Some(found) = window(history, period, otps, samples, slot.estimator, fewest, rule.widest_window)
    else {
        slot.verdict = Verdict::Missing(MissingReason::TooFewSamples);
        return slot;
    };
    slot.samples = found.samples;
    slot.window = found.width;
    slot.otps = Some(with(otps, slot.estimator, found.value));
    if let Some(baseline) = learned.and_then(|learned| learned.baseline(slot.estimator)) {
        slot.baseline = Some(baseline.expected(period));
        slot.noise = Some(baseline.noise().sigma(found.samples));
    }
    slot.verdict = against(&slot, found, rule);
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

/// The estimator that can judge this period, or why none can. Only `auto` may take the other one.
fn able(
    usual: Estimator,
    otps: Otps,
    share: Option<f64>,
    learned: Option<&Learned>,
    rule: &Rule,
) -> Result<Estimator, MissingReason> {
    let usual_share = learned.map_or(1.0, |learned| learned.streaming_share);
    let lost = share.is_some_and(|share| share < usual_share - STREAMING_SHARE_LOST);
    if lost && share.is_some_and(|share| share < FEWEST_STREAMING) {
        return Err(MissingReason::StreamingShift);
    }
    let has = |estimator| {
        otps.by(estimator).is_some()
            && learned.is_none_or(|learned| learned.baseline(estimator).is_some())
            && !(estimator == Estimator::P50 && lost)
    };
    let other = match usual {
        Estimator::P50 => Estimator::TokenWeighted,
        Estimator::TokenWeighted => Estimator::P50,
    };
    if has(usual) {
        Ok(usual)
    } else if rule.estimator == EstimatorChoice::Auto && has(other) {
        Ok(other)
    } else if lost {
        Err(MissingReason::StreamingShift)
    } else {
        Err(MissingReason::IncompleteInputs)
    }
}

fn streaming(history: &History, period: Period) -> Option<f64> {
    let point = history.get(period)?;
    Some(point.streamed()? / point.samples()?)
}

fn with(otps: Otps, estimator: Estimator, value: f64) -> Otps {
    match estimator {
        Estimator::P50 => Otps { p50: Some(value), ..otps },
        Estimator::TokenWeighted => Otps { token_weighted: Some(value), ..otps },
    }
}

fn against(slot: &Slot, found: Window, rule: &Rule) -> Verdict {
    let below = |line: f64| found.value < line * (1.0 - ROUNDING);
    if rule.page_below_otps.is_some_and(below) {
        return Verdict::Breaching;
    }
    let Some(baseline) = slot.baseline else {
        return Verdict::Missing(MissingReason::NoBaseline);
    };
    let improbable = (found.value / baseline).ln() <= -rule.noise_sigmas * slot.noise.unwrap_or(0.0);
    if below(rule.page_below * baseline) && improbable { Verdict::Breaching } else { Verdict::Within }
}
