//! The figures of a tally, and the goals that they are held against.

use domain::PERIOD_SECONDS;

use super::intervals::{Estimate, rate, share};
use super::labelled::Tier;
use super::tally::{Tally, TierTally};

/// Figures about pages, of a tier or of all.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pages {
    pub(super) months: f64,
    pub(super) owed: u32,
    /// Owed pages that came.
    pub(super) came: u32,
    pub(super) recall: Option<Estimate>,
    pub(super) false_pages: u32,
    pub(super) false_per_month: Option<Estimate>,
    pub(super) delay: Option<Delay>,
}

/// Minutes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Delay {
    pub(super) median: f64,
    pub(super) p95: f64,
}

/// All figures of one detector.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figures {
    pub(super) tiers: [Pages; Tier::ALL.len()],
    pub(super) all: Pages,
    pub(super) tails: u32,
    pub(super) tails_paged: u32,
    pub(super) tail_share: Option<Estimate>,
    pub(super) repeats: u32,
    pub(super) never_resolved: u32,
    pub(super) resolved_early: u32,
    /// Resolves that came, early or not.
    pub(super) resolved: u32,
    pub(super) early_share: Option<Estimate>,
    pub(super) resolve_delay: Option<Delay>,
    pub(super) tickets_owed: u32,
    pub(super) tickets_right: u32,
    pub(super) ticket_share: Option<Estimate>,
    pub(super) tickets_extra: u32,
    pub(super) tickets_false: u32,
    pub(super) tickets_false_per_month: Option<Estimate>,
}

impl Figures {
    pub(super) fn of(tally: &Tally) -> Self {
        let all = tally.all();
        let tickets = tally.tickets;
        let resolved = all.resolved_early + all.resolve_delays.len() as u32;
        Self {
            tiers: Tier::ALL.map(|tier| Pages::of(tally.tier(tier))),
            all: Pages::of(&all),
            tails: all.tails,
            tails_paged: all.tails_paged,
            tail_share: share(all.tails_paged, all.tails),
            repeats: all.repeats,
            never_resolved: all.never_resolved,
            resolved_early: all.resolved_early,
            resolved,
            early_share: share(all.resolved_early, resolved),
            resolve_delay: Delay::of(&all.resolve_delays),
            tickets_owed: tickets.owed,
            tickets_right: tickets.right,
            ticket_share: share(tickets.right, tickets.owed),
            tickets_extra: tickets.extra,
            tickets_false: tickets.false_ones,
            tickets_false_per_month: rate(tickets.false_ones, all.months),
        }
    }
}

impl Pages {
    fn of(tally: &TierTally) -> Self {
        let came = tally.owed - tally.missed;
        Self {
            months: tally.months,
            owed: tally.owed,
            came,
            recall: share(came, tally.owed),
            false_pages: tally.false_pages,
            false_per_month: rate(tally.false_pages, tally.months),
            delay: Delay::of(&tally.delays),
        }
    }
}

impl Delay {
    /// Of numbers of periods.
    fn of(periods: &[i64]) -> Option<Self> {
        let mut sorted = periods.to_vec();
        sorted.sort_unstable();
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)?;
        let median =
            if sorted.len() % 2 == 1 { upper as f64 } else { (sorted[middle - 1] + upper) as f64 / 2.0 };
        // The value that 95 % of the others are not above.
        let p95 = sorted[(sorted.len() * 95 / 100).min(sorted.len() - 1)];
        let minutes = PERIOD_SECONDS as f64 / 60.0;
        Some(Self { median: median * minutes, p95: p95 as f64 * minutes })
    }
}

/// What the figures should reach, by tier where there are several: no more, or no less, than this.
pub(super) struct Goals {
    pub(super) recall: [f64; Tier::ALL.len()],
    pub(super) false_pages_per_month: [f64; Tier::ALL.len()],
    pub(super) tail_share: f64,
    pub(super) repeats: u32,
    pub(super) never_resolved: u32,
    pub(super) early_share: f64,
    pub(super) delay: Delay,
    pub(super) resolve_delay: Delay,
    pub(super) ticket_share: f64,
    pub(super) tickets_extra: u32,
    pub(super) tickets_false_per_month: f64,
}

/// One false page in twenty model-months is one in half a year for a team with three models. Below twenty requests a
/// period an oracle that knows the true norm of every hour pages falsely too, so that less is asked for there. Fifteen
/// minutes are the three periods that the rule itself takes.
pub(super) const GOALS: Goals = Goals {
    recall: [0.995, 0.99, 0.95],
    false_pages_per_month: [0.05, 0.08, 0.10],
    tail_share: 0.10,
    repeats: 0,
    never_resolved: 0,
    early_share: 0.01,
    delay: Delay { median: 15.0, p95: 25.0 },
    resolve_delay: Delay { median: 15.0, p95: 30.0 },
    ticket_share: 0.90,
    tickets_extra: 0,
    tickets_false_per_month: 0.05,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_minutes() {
        assert_eq!(Delay::of(&[]), None);
        assert_eq!(Delay::of(&[3]), Some(Delay { median: 15.0, p95: 15.0 }));
        assert_eq!(Delay::of(&[5, 3, 4, 3]), Some(Delay { median: 17.5, p95: 25.0 }));
        // Of a hundred the ninety-sixth, of twenty the twentieth.
        let hundred: Vec<i64> = (1..=100).rev().collect();
        assert_eq!(Delay::of(&hundred), Some(Delay { median: 252.5, p95: 480.0 }));
        assert_eq!(Delay::of(&hundred[..20]).map(|delay| delay.p95), Some(500.0));
    }

    #[test]
    fn figures_are_those_of_the_counts() {
        let mut tally = Tally::default();
        *tally.of(Tier::Busy) = TierTally {
            months: 2.0,
            owed: 10,
            missed: 1,
            false_pages: 1,
            resolved_early: 1,
            resolve_delays: vec![3; 7],
            tails: 4,
            tails_paged: 1,
            ..TierTally::default()
        };
        *tally.of(Tier::Quiet) = TierTally { months: 2.0, owed: 10, ..TierTally::default() };
        tally.tickets.owed = 4;
        tally.tickets.right = 3;
        tally.tickets.false_ones = 2;
        let figures = Figures::of(&tally);
        let value = |estimate: Option<Estimate>| estimate.map(|one| one.value);
        assert_eq!(value(figures.tiers[0].recall), Some(0.9));
        assert_eq!(value(figures.tiers[1].recall), None, "nobody was owed anything");
        assert_eq!(value(figures.tiers[2].recall), Some(1.0));
        assert_eq!(value(figures.all.recall), Some(0.95));
        assert_eq!(value(figures.tiers[0].false_per_month), Some(0.5));
        assert_eq!(value(figures.all.false_per_month), Some(0.25));
        assert_eq!((figures.resolved, value(figures.early_share)), (8, Some(0.125)));
        assert_eq!((value(figures.tail_share), value(figures.ticket_share)), (Some(0.25), Some(0.75)));
        assert_eq!(value(figures.tickets_false_per_month), Some(0.5));
    }
}
