//! Why the state changed, in the words that a CloudWatch notification uses, with the figures.

use domain::{AlarmState, Evidence, Rule, Slot, Verdict};

use crate::deciding::line;
use crate::moments;
use crate::notice::hundredths;

/// `Threshold Crossed: 3 out of the last 5 datapoints were less than the threshold (49.6). …`
pub(super) fn alarm(evidence: &Evidence, rule: &Rule, threshold: Option<f64>, from: AlarmState) -> String {
    let breaching: Vec<&Slot> =
        evidence.slots.iter().rev().filter(|slot| slot.verdict == Verdict::Breaching).collect();
    let moves = breaching
        .iter()
        .any(|slot| line(slot, evidence.line, rule).map(hundredths) != threshold.map(hundredths));
    let learned = if moves { " The threshold is learned and moves with the hour." } else { "" };
    format!(
        "Threshold Crossed: {} out of the last {} datapoints were less than the threshold{}. The most recent \
         datapoints which crossed the threshold: [{}] (minimum {} datapoints for {from} -> ALARM transition).{learned}",
        breaching.len(),
        evidence.m_of_n.1,
        parenthesised(threshold),
        datapoints(&breaching),
        evidence.m_of_n.0,
    )
}

/// What else the page is about, after the reason of the first series.
pub(super) fn others(series: usize, first: &str) -> String {
    match series {
        0 | 1 => String::new(),
        _ => format!(" This is {first}, one of {series} series of this page."),
    }
}

/// `Threshold Crossed: 3 out of the last 3 datapoints were not less than the threshold (49.6). …`
pub(super) fn ok(slots: &[Slot], rule: &Rule, threshold: Option<f64>) -> String {
    let back: Vec<&Slot> = slots.iter().rev().filter(|slot| slot.verdict == Verdict::Within).collect();
    format!(
        "Threshold Crossed: {} out of the last {} datapoints were not less than the threshold{}. The most recent \
         datapoints: [{}] (minimum {} datapoints for ALARM -> OK transition).",
        back.len(),
        slots.len(),
        parenthesised(threshold),
        datapoints(&back),
        rule.recover_datapoints,
    )
}

/// Nobody knows whether OTPS came back.
pub(super) fn unwatched() -> String {
    "The series is not watched any more: whether it is above the threshold is not known.".to_owned()
}

/// OTPS did not come back: somebody accepted its level.
pub(super) fn accepted(threshold: Option<f64>) -> String {
    format!(
        "The level of now was accepted as the new normal; it is below the earlier threshold{}.",
        parenthesised(threshold)
    )
}

fn parenthesised(threshold: Option<f64>) -> String {
    threshold.map(|threshold| format!(" ({:?})", hundredths(threshold))).unwrap_or_default()
}

/// `41.0 (03/12/26 06:10:00), …`, the newest first.
fn datapoints(slots: &[&Slot]) -> String {
    let shown: Vec<String> = slots
        .iter()
        .filter_map(|slot| {
            Some(format!("{:?} ({})", hundredths(slot.value()?), moments::reason(slot.period.start())))
        })
        .collect();
    shown.join(", ")
}
