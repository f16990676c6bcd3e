//! The end of an incident: fresh evidence since the recovery began, not windows that still hold the slow requests.

use domain::{Incident, PERIODS_PER_DAY, Period, Resolve, Rule, Slot, Verdict};

use crate::history::History;
use crate::learned::Learned;
use crate::stretch::{Stretch, evidence_by, fresh};
use crate::verdict::{ROUNDING, judge, line, recovery_line};

/// A recovery is looked for in the last day: older datapoints say nothing about now.
const LOOKS_BACK: i64 = PERIODS_PER_DAY;
/// A recovery must be surer than a datapoint: while an incident stands it is looked for with every period, and a wrong one pages
/// again.
const SIGMAS: f64 = 2.5;
/// And rest on this many requests: CloudWatch itself does not trust a median of fewer.
const FEWEST_REQUESTS: f64 = 20.0;

/// Whether `slot` alone is above the line of recovery.
fn is_back(slot: &Slot, rule: &Rule) -> bool {
    let Some(value) = slot.value() else { return false };
    let reaches = |line: f64| value >= line * (1.0 - ROUNDING);
    match (slot.baseline, rule.page_below_otps) {
        (Some(baseline), floor) => reaches(rule.recover_above * baseline) && floor.is_none_or(reaches),
        (None, floor) => floor.is_some_and(reaches),
    }
}

/// The end of an incident at `period`, if it is one.
pub(crate) fn recovered(
    history: &History,
    learned: Option<&Learned>,
    rule: &Rule,
    incident: &Incident,
    period: Period,
) -> Option<Resolve> {
    let slot = |period| judge(history, learned, rule, period);
    if matches!(slot(period).verdict, Verdict::Missing(_)) {
        return None;
    }
    let oldest = (period - LOOKS_BACK).max(incident.opened);
    let fewest = usize::from(rule.recover_datapoints.max(1));
    let mut back: Vec<Slot> = Vec::new();
    let mut stretch = Stretch::default();
    let mut candidate = period;
    while candidate > oldest {
        let one = slot(candidate);
        candidate = candidate - 1;
        if matches!(one.verdict, Verdict::Missing(_)) {
            continue;
        }
        match learned.filter(|_| rule.noise_sigmas > 0.0) {
            None if is_back(&one, rule) => {}
            None => return None,
            Some(learned) => {
                let estimator = evidence_by(learned, rule);
                let Some(found) = fresh(history, learned, estimator, one.period) else { continue };
                let mut alone = Stretch::default();
                alone.add(found);
                if is_surely_not_back(learned, rule, &alone) {
                    return None;
                }
                stretch.add(found);
            }
        }
        back.push(one);
        if back.len() < fewest {
            continue;
        }
        if is_sure(learned, rule, &stretch) {
            let recovered = one.period;
            back.truncate(usize::from(rule.evaluation_periods).max(fewest));
            back.reverse();
            return Some(Resolve {
                incident: incident.clone(),
                recovered,
                resolved: period,
                slots: back,
                accepted: None,
                unwatched: false,
            });
        }
    }
    None
}

/// Whether one period contradicts a recovery.
fn is_surely_not_back(learned: &Learned, rule: &Rule, alone: &Stretch) -> bool {
    let estimator = evidence_by(learned, rule);
    let line = recovery_line(rule, line(learned, rule, estimator, alone.samples));
    alone.log_ratio() + SIGMAS * alone.sigma(learned, estimator) < (line * (1.0 - ROUNDING)).ln()
}

/// Whether the evidence is above the line of recovery, and surely above that of the page.
fn is_sure(learned: Option<&Learned>, rule: &Rule, stretch: &Stretch) -> bool {
    let Some(learned) = learned.filter(|_| rule.noise_sigmas > 0.0) else { return true };
    if stretch.samples < FEWEST_REQUESTS.min(2.0 * f64::from(rule.min_samples)) {
        return false;
    }
    let ratio = stretch.log_ratio();
    let estimator = evidence_by(learned, rule);
    let sigma = stretch.sigma(learned, estimator);
    let line = line(learned, rule, estimator, stretch.samples);
    ratio >= (recovery_line(rule, line) * (1.0 - ROUNDING)).ln() && ratio - SIGMAS * sigma > line.ln()
}
