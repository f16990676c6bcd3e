//! Three slots of five are a suspicion. Before somebody is woken, all the fresh evidence since the drop began is weighed at
//! once: it must lie below the line, surely so, in more than the odd period, and must be the host rather than a few requests.

use domain::{Period, Rule, Slot, Verdict};

use crate::history::History;
use crate::learned::Learned;
use crate::stretch::{Stretch, evidence_by, fresh};
use crate::tail::may_be_the_host;
use crate::verdict::{ROUNDING, line, recovery_line};

/// A page needs this many times the noise that a single datapoint does: a series is judged 288 times a day, and each time
/// against every length of a drop.
const SURER_THAN_A_DATAPOINT: f64 = 2.0;
/// Evidence is gathered over up to this many periods (four hours): a drop that cannot be told by then is no emergency.
const LONGEST_EVIDENCE: i64 = 48;
/// Requests that the evidence must hold for each of the datapoints that the rule asks for. CloudWatch itself does not trust a
/// median of fewer.
const FEWEST_A_DATAPOINT: f64 = 20.0;

/// Requests that a page must rest on. With a smaller `min-samples` the user asks for less.
pub(crate) fn fewest_requests(rule: &Rule) -> f64 {
    f64::from(rule.datapoints_to_alarm.max(1)) * FEWEST_A_DATAPOINT.min(2.0 * f64::from(rule.min_samples))
}

/// Whether there is evidence enough to page at `period`. What lies up to `after` belongs to an incident before.
pub(crate) fn confirmed(
    history: &History,
    learned: Option<&Learned>,
    rule: &Rule,
    slots: &[Slot],
    period: Period,
    after: Period,
) -> bool {
    let Some(newest) = slots.iter().rev().find(|slot| slot.verdict == Verdict::Breaching) else {
        return false;
    };
    // Where an absolute floor decided there is nothing to compare with.
    let Some(learned) = learned else { return true };
    if rule
        .page_below_otps
        .is_some_and(|floor| newest.value().is_some_and(|value| value < floor * (1.0 - ROUNDING)))
    {
        return true;
    }
    if rule.noise_sigmas <= 0.0 {
        return true;
    }
    let estimator = evidence_by(learned, rule);
    let fewest = usize::from(rule.datapoints_to_alarm.max(1));
    let fewest_requests = fewest_requests(rule);
    // How sure a stretch is, in standard deviations below the line of recovery, if it may page at all.
    let certainty = |stretch: &Stretch| {
        let drop = stretch.log_ratio();
        let line = line(learned, rule, estimator, stretch.samples);
        let recovery = recovery_line(rule, line).ln();
        let line = (line * (1.0 - ROUNDING)).ln();
        let sigmas = (recovery - stretch.log_ratio_shared()) / stretch.sigma(learned, estimator);
        (stretch.periods.len() >= fewest
            && stretch.samples >= fewest_requests
            && drop < line
            && sigmas > SURER_THAN_A_DATAPOINT * rule.noise_sigmas
            && stretch.log_ratio_without_worst(fewest - 1) < line)
            .then_some(sigmas)
    };
    // Breaching periods that stand alone need not follow each other.
    let mut apart = Stretch::default();
    for slot in slots.iter().filter(|slot| slot.verdict == Verdict::Breaching && slot.window == 1) {
        if let Some(one) = fresh(history, learned, estimator, slot.period) {
            apart.add(one);
        }
    }
    let mut surest = certainty(&apart).map(|sigmas| (sigmas, apart));
    let mut stretch = Stretch::default();
    for back in 0..LONGEST_EVIDENCE {
        let now = period - back;
        if now <= after {
            break;
        }
        let Some(one) = fresh(history, learned, estimator, now) else { continue };
        stretch.add(one);
        if let Some(sigmas) = certainty(&stretch)
            && surest.as_ref().is_none_or(|(most, _)| sigmas > *most)
        {
            surest = Some((sigmas, stretch.clone()));
        }
    }
    surest.is_some_and(|(_, stretch)| may_be_the_host(history, learned, &stretch))
}
