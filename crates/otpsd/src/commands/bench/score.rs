//! What was said about one model against what was owed.
//!
//! A page belongs to what happened if it came from one period after its begin up to half an hour after its end. A slowdown
//! that begins while an incident is open, and is outlasted by it up to where it could be known, is held by that incident:
//! it is owed no page of its own. Whatever belongs to nothing that happened, or to something that is owed silence, is false.

use domain::{Cause, PERIODS_PER_DAY, Period};
use simulator::labels::Expect;

use super::labelled::{Label, Model};
use super::said::{Episode, Said, What, episodes};
use super::tally::Tally;
use super::wrong::{Wrong, WrongKind};

/// Nothing that began in this very period can have been said about it before its end.
const SOONEST: i64 = 1;
/// A page up to half an hour after the end is still about it.
const GRACE: i64 = 6;
/// A rule of three periods needs three: a delay counts from when it could have been known at the soonest.
const FLOOR: i64 = 3;
/// Resolved up to ten minutes before the end is resolved at its end: the last period may be a part of one.
const NOT_EARLY: i64 = 2;
/// A ticket up to two days after the end is still about it.
const TICKET_GRACE: i64 = 2 * PERIODS_PER_DAY;

/// Tickets that are scored: what labels can owe, and two that a tail or a mix deserves.
const SCORED: [Cause; 9] = [
    Cause::PromptGrowth,
    Cause::Queueing,
    Cause::LongerResponses,
    Cause::CacheRegression,
    Cause::DecodeErosion,
    Cause::StreamingMix,
    Cause::NoData,
    Cause::SlowTail,
    Cause::LowConfidence,
];
/// Tickets that are no more than fair while one of [`EXCUSING`] happens.
const EXCUSABLE: [Cause; 3] = [Cause::SlowTail, Cause::StreamingMix, Cause::LowConfidence];
const EXCUSING: [&str; 4] = ["slow_minority", "nonstreaming_burst", "level_shift", "long_slowdown"];
/// It lasts to the end of the recording, so nobody owes its resolve.
const ENDLESS: &str = "level_shift";

/// Scores what was said about one model, in any order.
pub(super) fn score(fleet: &str, model: &Model, mut said: Vec<Said>, tally: &mut Tally) {
    said.sort_unstable();
    let mut one = Scoring { fleet, model, tally };
    one.tally.of(model.tier).months += model.months;
    one.pages(&said);
    one.tickets(&said);
}

struct Scoring<'a> {
    fleet: &'a str,
    model: &'a Model,
    tally: &'a mut Tally,
}

impl Scoring<'_> {
    fn pages(&mut self, said: &[Said]) {
        let begin = self.model.begin;
        let mut episodes = episodes(said);
        episodes.retain(|episode| episode.resolved.is_none_or(|resolved| resolved > begin));
        let mut accounted = vec![false; episodes.len()];
        for label in &self.model.labels {
            if !matches!(label.expect, Expect::Page | Expect::Either | Expect::Tail) {
                continue;
            }
            let (from, until) = (label.span.from + SOONEST, label.span.until + GRACE);
            let mut inside = Vec::new();
            for (episode, accounted) in episodes.iter().zip(&mut accounted) {
                if from <= episode.paged && episode.paged <= until {
                    *accounted = true;
                    inside.push(*episode);
                }
            }
            let holds = |episode: &Episode| {
                episode.paged < from && episode.resolved.is_none_or(|resolved| resolved > label.evident)
            };
            match label.expect {
                Expect::Page if episodes.iter().any(holds) => self.tally.of(self.model.tier).owed += 1,
                Expect::Page => self.owed_page(label, &inside),
                Expect::Tail => {
                    let tally = self.tally.of(self.model.tier);
                    tally.tails += 1;
                    tally.tails_paged += u32::from(!inside.is_empty());
                    if let Some(first) = inside.first() {
                        self.wrong(WrongKind::TailPaged, Some(label), first.paged);
                    }
                }
                _ => {}
            }
        }
        for (episode, accounted) in episodes.iter().zip(accounted) {
            if !accounted && episode.paged >= begin {
                self.false_page(episode.paged);
            }
        }
    }

    /// A page that no earlier incident stands for.
    fn owed_page(&mut self, label: &Label, inside: &[Episode]) {
        let tally = self.tally.of(self.model.tier);
        tally.owed += 1;
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else {
            tally.missed += 1;
            self.wrong(WrongKind::MissedPage, Some(label), label.span.from);
            return;
        };
        let knowable = label.span.from.max(label.evident + 1 - FLOOR);
        tally.delays.push(first.paged - knowable);
        tally.repeats += inside.len() as u32 - 1;
        for again in &inside[1..] {
            self.wrong(WrongKind::RepeatedPage, Some(label), again.paged);
        }
        if label.kind == ENDLESS {
            return;
        }
        let tally = self.tally.of(self.model.tier);
        match last.resolved {
            None => {
                tally.never_resolved += 1;
                self.wrong(WrongKind::NeverResolved, Some(label), last.paged);
            }
            Some(resolved) if resolved < label.span.until - NOT_EARLY => {
                tally.resolved_early += 1;
                self.wrong(WrongKind::ResolvedEarly, Some(label), resolved);
            }
            Some(resolved) => tally.resolve_delays.push(resolved - label.span.until),
        }
    }

    fn false_page(&mut self, paged: Period) {
        let during = self
            .model
            .labels
            .iter()
            .find(|label| label.span.from <= paged && paged <= label.span.until + GRACE);
        self.tally.of(self.model.tier).false_pages += 1;
        let kind = during.map_or("nothing", |label| &label.kind).to_owned();
        *self.tally.false_pages_during.entry(kind).or_default() += 1;
        self.wrong(WrongKind::FalsePage, during, paged);
    }

    fn tickets(&mut self, said: &[Said]) {
        let mut opened: Vec<(Period, Cause, bool)> = said
            .iter()
            .filter(|one| one.at >= self.model.begin)
            .filter_map(|one| match one.what {
                What::Ticket(cause) if SCORED.contains(&cause) => Some((one.at, cause, false)),
                _ => None,
            })
            .collect();
        let about =
            |label: &Label, at: Period| label.span.from <= at && at <= label.span.until + TICKET_GRACE;
        for label in &self.model.labels {
            let Expect::Ticket(owed) = label.expect else { continue };
            let mut causes = Vec::new();
            for (at, cause, accounted) in &mut opened {
                if about(label, *at) {
                    *accounted = true;
                    causes.push((*at, *cause));
                }
            }
            let tickets = &mut self.tally.tickets;
            tickets.owed += 1;
            tickets.extra += (causes.len() as u32).saturating_sub(1);
            let right = causes.iter().position(|(_, cause)| *cause == owed);
            tickets.right += u32::from(right.is_some());
            if causes.is_empty() {
                self.wrong(WrongKind::MissedTicket(owed), Some(label), label.span.from);
            }
            for (index, (at, cause)) in causes.into_iter().enumerate() {
                if right.is_none() && index == 0 {
                    self.wrong(WrongKind::WrongCause(cause), Some(label), at);
                } else if index != right.unwrap_or(0) {
                    self.wrong(WrongKind::ExtraTicket(cause), Some(label), at);
                }
            }
        }
        for (at, cause, accounted) in opened {
            let excused = EXCUSABLE.contains(&cause)
                && self
                    .model
                    .labels
                    .iter()
                    .any(|label| EXCUSING.contains(&label.kind.as_str()) && about(label, at));
            if !accounted && !excused {
                self.tally.tickets.false_ones += 1;
                let during = self.model.labels.iter().find(|label| about(label, at));
                self.wrong(WrongKind::FalseTicket(cause), during, at);
            }
        }
    }

    fn wrong(&mut self, kind: WrongKind, label: Option<&Label>, at: Period) {
        self.tally.wrong.push(Wrong::new(self.fleet, &self.model.name, kind, label, at));
    }
}

#[cfg(test)]
mod tests;
