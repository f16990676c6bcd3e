//! The last periods of a series, as a strip of marks and as a table.

use domain::{Estimator, Rule, Slot, Verdict};
use jiff::Timestamp;

use crate::figures::{count, finite, percent, ratio, speed};
use crate::snapshot::threshold;
use crate::times::When;

/// One period in the strip.
pub(crate) struct Mark {
    /// The class that gives it its colour.
    pub(crate) class: &'static str,
    /// What is seen without colour.
    pub(crate) sign: &'static str,
}

/// One period in the table.
pub(crate) struct SlotRow {
    pub(crate) period: When,
    pub(crate) class: &'static str,
    pub(crate) verdict: String,
    pub(crate) p50: String,
    pub(crate) token_weighted: String,
    /// Whether the token-weighted figure is the one that decided.
    pub(crate) weighted_decides: bool,
    pub(crate) baseline: String,
    pub(crate) threshold: String,
    pub(crate) ratio: String,
    pub(crate) noise: String,
    pub(crate) samples: String,
    /// `2 periods`, where a window spans more than one.
    pub(crate) window: Option<String>,
}

impl Mark {
    /// The mark of a verdict.
    pub(crate) const fn new(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Breaching => Self { class: "breaching", sign: "✕" },
            Verdict::Within => Self { class: "within", sign: "•" },
            Verdict::Missing(_) => Self { class: "missing", sign: "–" },
        }
    }
}

impl SlotRow {
    /// The row of `slot`.
    pub(crate) fn new(slot: &Slot, rule: &Rule, now: Timestamp) -> Self {
        Self {
            period: When::new(slot.period.start(), now),
            class: Mark::new(slot.verdict).class,
            verdict: match slot.verdict {
                Verdict::Breaching => "breaching".to_owned(),
                Verdict::Within => "within".to_owned(),
                Verdict::Missing(reason) => format!("missing: {reason}"),
            },
            p50: speed(slot.otps.and_then(|otps| otps.p50)),
            token_weighted: speed(slot.otps.and_then(|otps| otps.token_weighted)),
            weighted_decides: slot.estimator == Estimator::TokenWeighted,
            baseline: speed(slot.baseline),
            threshold: speed(threshold(rule, slot.baseline)),
            ratio: ratio(slot.ratio(), rule.page_below),
            noise: finite(slot.noise)
                .map_or_else(|| percent(None), |noise| format!("±{}", percent(Some(noise)))),
            samples: count(slot.samples),
            window: (slot.window > 1).then(|| format!("{} periods", slot.window)),
        }
    }
}

/// The strip in words: `3 of 5 breaching`.
pub(crate) fn in_words(slots: &[Slot]) -> String {
    let breaching = slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).count();
    let missing = slots.iter().filter(|slot| matches!(slot.verdict, Verdict::Missing(_))).count();
    let total = slots.len();
    match missing {
        0 => format!("{breaching} of {total} breaching"),
        _ => format!("{breaching} of {total} breaching, {missing} missing"),
    }
}
