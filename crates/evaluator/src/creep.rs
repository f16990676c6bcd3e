//! Tickets about what creeps: days against the same days a week before.

use baseline::median;
use domain::{Cause, Key, OpenTicket, Period, Series, Terms, Ticket, TicketAction, TicketRule};

use crate::diagnosis::{cache_read_share, findings, terms};
use crate::history::{History, Point};

const WEEK: i64 = 7;
/// A day with fewer requests is no evidence: its medians would be noise.
const FEWEST_REQUESTS: f64 = 500.0;
/// OTPS held if it lost less than this share; where it lost more, decoding is the story and this is not a creep.
const OTPS_HELD: f64 = 0.10;
/// Share of a prompt that the cache serves less, for the cache to be the cause.
const CACHE_LOST: f64 = 0.15;
/// A ticket closes after this many days in a row within half the growth that opens one.
const DAYS_TO_CLOSE: i64 = 3;
/// A ticket that stands is told again after so many days.
const DAYS_TO_UPDATE: i64 = 7;

/// One day in figures.
#[derive(Debug, Clone)]
struct Day {
    terms: Terms,
    /// Mean output tokens of a request: a median of a bimodal mix jumps, the mean does not.
    mean_output: f64,
    mean_ttft: f64,
    /// Mean tokens of the whole prompt: read afresh, from the cache, and written to it.
    mean_prompt: Option<f64>,
}

fn day(history: &History, day: i64) -> Option<Day> {
    let points =
        history.range(Period::first_of_day(day), Period::first_of_day(day + 1)).map(|(_, point)| point);
    let sum = |column: fn(&Point) -> Option<f64>| points.clone().filter_map(column).sum::<f64>();
    let requests = sum(Point::samples);
    if requests < FEWEST_REQUESTS {
        return None;
    }
    let prompt = |point: &Point| {
        let whole =
            point.input_sum()? + point.cache_read().unwrap_or(0.0) + point.cache_write().unwrap_or(0.0);
        Some(whole / point.samples()?)
    };
    Some(Day {
        terms: Terms {
            cache_read_share: points.clone().find_map(Point::cache_read).and_then(|_| {
                cache_read_share(
                    Some(sum(Point::input_sum)),
                    Some(sum(Point::cache_read)),
                    Some(sum(Point::cache_write)),
                )
            }),
            ..terms(points.clone())
        },
        mean_output: sum(Point::output_sum) / requests,
        mean_ttft: sum(Point::ttft_sum) / sum(Point::streamed).max(1.0),
        mean_prompt: median(&mut points.clone().filter_map(prompt).collect::<Vec<_>>()),
    })
}

/// What a day is evidence of, against the same day a week before.
fn evidence(reference: &Day, now: &Day, rule: &TicketRule) -> Option<Cause> {
    let grew = |before: f64, after: f64| before > 0.0 && after >= before * (1.0 + rule.growth);
    let held = match (reference.terms.otps_token_weighted, now.terms.otps_token_weighted) {
        (Some(before), Some(after)) => after >= before * (1.0 - OTPS_HELD),
        _ => match (reference.terms.otps_p50, now.terms.otps_p50) {
            (Some(before), Some(after)) => after >= before * (1.0 - OTPS_HELD),
            _ => false,
        },
    };
    if !held {
        return None;
    }
    if grew(reference.terms.ttft_ms, now.terms.ttft_ms) && grew(reference.mean_ttft, now.mean_ttft) {
        return Some(ttft_cause(reference, now, rule));
    }
    (grew(reference.terms.output_tokens, now.terms.output_tokens)
        && grew(reference.mean_output, now.mean_output))
    .then_some(Cause::LongerResponses)
}

/// Why the first token comes later, in the order in which the causes explain it.
fn ttft_cause(reference: &Day, now: &Day, rule: &TicketRule) -> Cause {
    if let (Some(before), Some(after)) = (reference.terms.cache_read_share, now.terms.cache_read_share)
        && after <= before - CACHE_LOST
    {
        return Cause::CacheRegression;
    }
    match (reference.mean_prompt, now.mean_prompt) {
        // Half of the growth of the first token in the prompt is enough: a part of the wait does not depend on it.
        (Some(before), Some(after)) if after >= before * (1.0 + rule.growth / 2.0) => Cause::PromptGrowth,
        _ => Cause::Queueing,
    }
}

/// Tickets that are about the same thing: the causes of a late first token exclude one another.
fn same_matter(one: Cause, other: Cause) -> bool {
    let ttft = |cause| matches!(cause, Cause::PromptGrowth | Cause::CacheRegression | Cause::Queueing);
    one == other || (ttft(one) && ttft(other))
}

/// What is to be said at the end of a day, when `last` is its last period. Updates `open`.
pub(crate) fn at_end_of_day(
    series: &Series,
    history: &History,
    rule: &TicketRule,
    last: Period,
    open: &mut Vec<OpenTicket>,
) -> Vec<Ticket> {
    let mut said = Vec::new();
    let today = last.day();
    let Some(now) = day(history, today) else { return said };
    open.retain_mut(|ticket| {
        let action = if is_over(history, rule, ticket, today) {
            TicketAction::Closed
        } else if today - ticket.told_day >= DAYS_TO_UPDATE {
            TicketAction::Updated
        } else {
            return true;
        };
        ticket.told_day = today;
        said.push(tell(series, ticket, action, last, &now.terms, (rule.days, rule.days)));
        action != TicketAction::Closed
    });
    let days: Vec<(Day, Cause)> = (0..i64::from(rule.days))
        .filter_map(|back| {
            let (reference, later) = (day(history, today - back - WEEK)?, day(history, today - back)?);
            let cause = evidence(&reference, &later, rule)?;
            Some((reference, cause))
        })
        .collect();
    let Some((reference, cause)) = days.first() else { return said };
    let votes = days.iter().filter(|(_, other)| same_matter(*other, *cause)).count();
    let taken = open.iter().any(|ticket| same_matter(ticket.cause, *cause));
    // The newest day must be one of them: a creep that has already gone is no news.
    if votes < usize::from(rule.days_to_ticket) || taken || evidence_today(history, rule, today).is_none() {
        return said;
    }
    let key = Key::of_ticket(series, *cause, last);
    let ticket = OpenTicket { cause: *cause, opened: last, key, usual: reference.terms, told_day: today };
    let evidence = (u8::try_from(votes).unwrap_or(u8::MAX), rule.days);
    said.push(tell(series, &ticket, TicketAction::Opened, last, &now.terms, evidence));
    open.push(ticket);
    said
}

fn evidence_today(history: &History, rule: &TicketRule, today: i64) -> Option<Cause> {
    evidence(&day(history, today - WEEK)?, &day(history, today)?, rule)
}

/// Whether the figure of a ticket is back at the level that was frozen when it opened.
fn is_over(history: &History, rule: &TicketRule, ticket: &OpenTicket, today: i64) -> bool {
    let figure = |terms: &Terms| match ticket.cause {
        Cause::LongerResponses => terms.output_tokens,
        _ => terms.ttft_ms,
    };
    let limit = figure(&ticket.usual) * (1.0 + rule.growth / 2.0);
    (0..DAYS_TO_CLOSE).all(|back| {
        today - back > ticket.opened.day()
            && day(history, today - back).is_some_and(|d| figure(&d.terms) <= limit)
    })
}

fn tell(
    series: &Series,
    ticket: &OpenTicket,
    action: TicketAction,
    decided: Period,
    now: &Terms,
    days: (u8, u8),
) -> Ticket {
    Ticket {
        series: series.clone(),
        cause: ticket.cause,
        action,
        opened: ticket.opened,
        decided,
        key: ticket.key.clone(),
        usual: ticket.usual,
        now: *now,
        days,
        findings: findings(&ticket.usual, now),
    }
}
