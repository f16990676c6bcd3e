//! What creeps: days against the same days a week before, and against the oldest days that are kept.

use baseline::{median, spread};
use domain::{Cause, OpenTicket, Terms, TicketRule};

use super::{Found, Sight};
use crate::days::Day;

const WEEK: i64 = 7;
/// OTPS held if it lost less than this share; where it lost more, decoding is the story and this is not a creep.
const OTPS_HELD: f64 = 0.10;
/// Share of a prompt that the cache serves less, for the cache to be the cause.
const CACHE_LOST: f64 = 0.15;
/// A ticket closes after this many days in a row within half the growth that opens one.
const DAYS_TO_CLOSE: i64 = 3;
/// What is ordinary is learned from two weeks, at least one.
const ORDINARY_DAYS: i64 = 14;
const FEWEST_ORDINARY_DAYS: usize = 7;
/// A day of evidence lies this many standard deviations of ordinary days above them: one ordinary day in a hundred and sixty
/// does, and three of five must.
const STRAYS_OF_ORDINARY_DAYS: f64 = 2.5;
/// The oldest days that the newest are compared with: two weeks, so that no single one of them decides.
const ANCHOR_DAYS: usize = 14;
/// They must lie this long before today: nearer days are what the trailing baseline is for.
const ANCHOR_AGE: i64 = 14;
/// Against the oldest days a late first token must have grown by so many times what it takes from week to week: over months,
/// prompts and fleets change in many small ways.
const SLOW_GROWTH: f64 = 2.0;

fn grew(before: f64, after: f64, growth: f64) -> bool {
    before > 0.0 && after >= before * (1.0 + growth)
}

/// Whether a figure grew by its median, its mean and its 95th percentile. A change of mix moves the first two; the third,
/// which lies in the slowest kind of requests under any mix, must have grown at least half as much.
fn all_grew(medians: (f64, f64), means: (f64, f64), tails: (Option<f64>, Option<f64>), growth: f64) -> bool {
    grew(medians.0, medians.1, growth)
        && grew(means.0, means.1, growth)
        && match tails {
            (Some(before), Some(after)) => grew(before, after, growth / 2.0),
            _ => true,
        }
}

fn otps_held(reference: &Day, now: &Day) -> bool {
    match (reference.speed, now.speed) {
        (Some(before), Some(after)) => after >= before * (1.0 - OTPS_HELD),
        _ => false,
    }
}

/// What a day is evidence of, against the same day a week before.
fn evidence(reference: &Day, now: &Day, rule: &TicketRule) -> Option<Cause> {
    if !otps_held(reference, now) {
        return None;
    }
    let first_token = all_grew(
        (reference.terms.ttft_ms, now.terms.ttft_ms),
        (reference.mean_ttft, now.mean_ttft),
        (reference.ttft_p95, now.ttft_p95),
        rule.growth,
    );
    if first_token {
        return Some(ttft_cause(reference, now, rule));
    }
    all_grew(
        (reference.terms.output_tokens, now.terms.output_tokens),
        (reference.mean_output, now.mean_output),
        (reference.output_p95, now.output_p95),
        rule.growth,
    )
    .then_some(Cause::LongerResponses)
}

/// Why the first token comes later, in the order in which the causes explain it.
fn ttft_cause(reference: &Day, now: &Day, rule: &TicketRule) -> Cause {
    if let (Some(before), Some(after)) = (reference.terms.cache_read_share, now.terms.cache_read_share)
        && after <= before - CACHE_LOST
    {
        return Cause::CacheRegression;
    }
    // A part of the wait does not depend on the prompt, so that it grows less than the prompt does. A prompt that grew by
    // less than half as much as the wait does not explain it.
    let waited = now.mean_ttft / reference.mean_ttft - 1.0;
    match (reference.mean_prompt, now.mean_prompt) {
        (Some(before), Some(after)) if grew(before, after, rule.growth.max(waited) / 2.0) => {
            Cause::PromptGrowth
        }
        _ => Cause::Queueing,
    }
}

/// The oldest days in one: the median of each figure that is compared with, and how far their speed and first token stray.
struct Anchor {
    day: Day,
    speed_strays: f64,
    ttft_strays: f64,
}

fn anchor(sight: &Sight<'_>, today: i64) -> Option<Anchor> {
    let from = sight.accepted.map_or(i64::MIN, |period| period.day() + 1);
    let oldest: Vec<&Day> = sight
        .days
        .all_busy()
        .filter(|(day, _)| *day >= from && *day <= today - ANCHOR_AGE && !sight.was_slow(*day))
        .take(ANCHOR_DAYS)
        .map(|(_, day)| day)
        .collect();
    if oldest.len() < FEWEST_ORDINARY_DAYS {
        return None;
    }
    let middle = |of: &dyn Fn(&Day) -> Option<f64>| {
        median(&mut oldest.iter().filter_map(|day| of(day)).collect::<Vec<_>>())
    };
    let mut day = (*oldest.first()?).clone();
    day.speed = middle(&|day| day.speed);
    day.mean_ttft = middle(&|day| Some(day.mean_ttft))?;
    day.ttft_p95 = middle(&|day| day.ttft_p95);
    day.mean_prompt = middle(&|day| day.mean_prompt);
    day.terms.otps_p50 = middle(&|day| day.terms.otps_p50);
    day.terms.otps_token_weighted = middle(&|day| day.terms.otps_token_weighted);
    day.terms.ttft_ms = middle(&|day| Some(day.terms.ttft_ms))?;
    day.terms.cache_read_share = middle(&|day| day.terms.cache_read_share);
    let strays = |of: &dyn Fn(&Day) -> Option<f64>, centre: f64| {
        spread(&mut oldest.iter().filter_map(|day| Some(of(day)?.ln())).collect::<Vec<_>>(), centre.ln())
    };
    Some(Anchor {
        speed_strays: strays(&|day| day.speed, day.speed?)?,
        ttft_strays: strays(&|day| Some(day.mean_ttft), day.mean_ttft)?,
        day,
    })
}

/// What a day is evidence of, against the oldest ones.
fn since_the_oldest(anchor: &Anchor, now: &Day, rule: &TicketRule) -> Option<Cause> {
    let lost = (now.speed? / anchor.day.speed?).ln();
    if lost <= (1.0 - rule.erosion).ln() && lost <= -STRAYS_OF_ORDINARY_DAYS * anchor.speed_strays {
        return Some(Cause::DecodeErosion);
    }
    // What grew by less in every week than shows from one week to the next.
    let slowly = TicketRule { growth: SLOW_GROWTH * rule.growth, ..rule.clone() };
    let waited = (now.mean_ttft / anchor.day.mean_ttft).ln();
    evidence(&anchor.day, now, &slowly).filter(|cause| {
        *cause != Cause::LongerResponses && waited >= STRAYS_OF_ORDINARY_DAYS * anchor.ttft_strays
    })
}

/// What a mean usually is, as `ln`, and how far its days stray: over the two weeks before the days that are looked at.
fn ordinary(sight: &Sight<'_>, until: i64, of: &dyn Fn(&Day) -> f64) -> Option<(f64, f64)> {
    let logs: Vec<f64> = (1..=ORDINARY_DAYS)
        .filter_map(|back| Some(of(sight.days.busy(until - back)?).ln()).filter(|log| log.is_finite()))
        .collect();
    if logs.len() < FEWEST_ORDINARY_DAYS {
        return None;
    }
    let centre = median(&mut logs.clone())?;
    Some((centre, spread(&mut logs.clone(), centre)?))
}

/// Whether the mean that a cause is about lies beyond what ordinary days do: replies of a mixed workload are longer on some days.
fn is_out_of_the_ordinary(sight: &Sight<'_>, until: i64, day: &Day, cause: Cause) -> bool {
    let of = |day: &Day| if cause == Cause::LongerResponses { day.mean_output } else { day.mean_ttft };
    ordinary(sight, until, &of)
        .is_none_or(|(centre, stray)| of(day).ln() - centre >= STRAYS_OF_ORDINARY_DAYS * stray)
}

/// What the day that has just ended shows, together with those before it.
pub(super) fn look(sight: &Sight<'_>, incident: bool) -> Vec<Found> {
    let rule = &sight.settings.ticket_rule;
    let today = sight.period.day();
    let mut found = Vec::new();
    let Some(now) = sight.days.busy(today) else { return found };
    let backs = || (0..i64::from(rule.days)).filter_map(|back| Some((back, sight.days.busy(today - back)?)));
    let before = today + 1 - i64::from(rule.days);
    let shown = |back: i64, day: &Day| {
        evidence(sight.days.busy(today - back - WEEK)?, day, rule)
            .filter(|cause| is_out_of_the_ordinary(sight, before, day, *cause))
    };
    let votes: Vec<Cause> = backs().filter_map(|(back, day)| shown(back, day)).collect();
    // The newest day must be one of them: a creep that has already gone is no news.
    let newest = sight.days.busy(today - WEEK).and_then(|reference| Some((reference, shown(0, now)?)));
    if let Some((reference, cause)) = newest {
        let count = votes.iter().filter(|vote| super::same_matter(**vote, cause)).count();
        if count >= usize::from(rule.days_to_ticket) {
            let days = (u8::try_from(count).unwrap_or(u8::MAX), rule.days);
            found.push(Found { cause, usual: reference.terms, now: now.terms, days });
        }
    }
    // While an incident is open, that is the story.
    if let Some(anchor) = anchor(sight, today).filter(|_| !incident && !sight.was_slow(today))
        && let Some(cause) = since_the_oldest(&anchor, now, rule)
    {
        let count = backs()
            .filter(|(back, day)| {
                !sight.was_slow(today - back) && since_the_oldest(&anchor, day, rule) == Some(cause)
            })
            .count();
        if count >= usize::from(rule.days_to_ticket) {
            let days = (u8::try_from(count).unwrap_or(u8::MAX), rule.days);
            found.push(Found { cause, usual: anchor.day.terms, now: now.terms, days });
        }
    }
    found
}

/// The terms of the day, once the figure of a ticket is back at the level that was frozen when it opened.
pub(super) fn is_over(sight: &Sight<'_>, ticket: &OpenTicket) -> Option<Terms> {
    let rule = &sight.settings.ticket_rule;
    let today = sight.period.day();
    let is_back = |terms: &Terms| match ticket.cause {
        Cause::LongerResponses => {
            terms.output_tokens <= ticket.usual.output_tokens * (1.0 + rule.growth / 2.0)
        }
        Cause::DecodeErosion => match (ticket.usual.otps_token_weighted, terms.otps_token_weighted) {
            (Some(before), Some(after)) => after >= before * (1.0 - rule.erosion / 2.0),
            _ => {
                matches!((ticket.usual.otps_p50, terms.otps_p50), (Some(before), Some(after)) if after >= before * (1.0 - rule.erosion / 2.0))
            }
        },
        _ => terms.ttft_ms <= ticket.usual.ttft_ms * (1.0 + rule.growth / 2.0),
    };
    let over = (0..DAYS_TO_CLOSE).all(|back| {
        today - back > ticket.opened.day()
            && sight.days.busy(today - back).is_some_and(|day| is_back(&day.terms))
    });
    over.then(|| sight.days.get(today).map(|day| day.terms))?
}
