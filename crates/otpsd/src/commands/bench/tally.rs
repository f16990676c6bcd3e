//! What was counted, over models and fleets.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::labelled::Tier;
use super::wrong::Wrong;

/// Everything that was counted of one detector.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Tally {
    tiers: [TierTally; Tier::ALL.len()],
    pub(super) tickets: TicketTally,
    /// False pages by what was going on.
    pub(super) false_pages_during: BTreeMap<String, u32>,
    /// Each thing that was wrong.
    pub(super) wrong: Vec<Wrong>,
}

/// Pages of the models of one tier.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TierTally {
    /// Model-months that were scored.
    pub(super) months: f64,
    pub(super) owed: u32,
    pub(super) missed: u32,
    pub(super) false_pages: u32,
    /// Slow minorities, and those of them that paged.
    pub(super) tails: u32,
    pub(super) tails_paged: u32,
    /// Pages beyond the first for one thing.
    pub(super) repeats: u32,
    pub(super) never_resolved: u32,
    pub(super) resolved_early: u32,
    /// Periods from when it could be known to the page.
    pub(super) delays: Vec<i64>,
    /// Periods from the end to the resolve.
    pub(super) resolve_delays: Vec<i64>,
}

/// Tickets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TicketTally {
    pub(super) owed: u32,
    /// Owed ones that came with the right cause.
    pub(super) right: u32,
    /// Beyond the first for one thing.
    pub(super) extra: u32,
    pub(super) false_ones: u32,
}

impl Tally {
    pub(super) fn of(&mut self, tier: Tier) -> &mut TierTally {
        &mut self.tiers[tier as usize]
    }

    /// One tier.
    pub(super) fn tier(&self, tier: Tier) -> &TierTally {
        &self.tiers[tier as usize]
    }

    /// All tiers together.
    pub(super) fn all(&self) -> TierTally {
        let mut all = TierTally::default();
        for tier in &self.tiers {
            all += tier;
        }
        all
    }
}

impl AddAssign<Self> for Tally {
    fn add_assign(&mut self, other: Self) {
        for (tier, more) in self.tiers.iter_mut().zip(&other.tiers) {
            *tier += more;
        }
        self.tickets.owed += other.tickets.owed;
        self.tickets.right += other.tickets.right;
        self.tickets.extra += other.tickets.extra;
        self.tickets.false_ones += other.tickets.false_ones;
        for (kind, count) in other.false_pages_during {
            *self.false_pages_during.entry(kind).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }
}

impl AddAssign<&Self> for TierTally {
    fn add_assign(&mut self, other: &Self) {
        self.months += other.months;
        self.owed += other.owed;
        self.missed += other.missed;
        self.false_pages += other.false_pages;
        self.tails += other.tails;
        self.tails_paged += other.tails_paged;
        self.repeats += other.repeats;
        self.never_resolved += other.never_resolved;
        self.resolved_early += other.resolved_early;
        self.delays.extend(&other.delays);
        self.resolve_delays.extend(&other.resolve_delays);
    }
}
