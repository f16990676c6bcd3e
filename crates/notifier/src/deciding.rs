//! The period that a page is about, and the line that it fell below.

use domain::{Evidence, Rule, Slot, Verdict};

/// The newest breaching period that has a value. A page always has one.
pub(crate) fn newest_breach(evidence: &Evidence) -> Option<&Slot> {
    evidence.slots.iter().rev().find(|slot| slot.verdict == Verdict::Breaching && slot.value().is_some())
}

/// The line in tokens per second that a period is compared with: its share of the baseline, or the absolute floor
/// where that decided.
pub(crate) fn line(slot: &Slot, share: Option<f64>, rule: &Rule) -> Option<f64> {
    match (share, slot.baseline) {
        (Some(share), Some(baseline)) => Some(share * baseline),
        _ => rule.page_below_otps,
    }
}
