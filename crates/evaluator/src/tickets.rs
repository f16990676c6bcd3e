//! What deserves a reader in the morning, and never wakes anybody.
//!
//! # Layout
//!
//! - `creep`: days against the same days a week before, and against the oldest ones that are kept.
//! - `silence`: no data where the same hours of past weeks had it.
//! - `mix`: the share of streaming requests moved.
//! - `slow_tail`: the sums are slow and the median user is not.
//! - `standing`: an incident that has stood for days.
//! - `confidence`: days in which most periods could not be judged.

mod confidence;
mod creep;
mod mix;
mod silence;
mod slow_tail;
mod standing;

use domain::{
    Cause, Key, OpenTicket, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Series, SeriesState, Span, Terms,
    Ticket, TicketAction,
};

use crate::days::Days;
use crate::diagnosis::findings;
use crate::history::History;
use crate::learned::Learned;
use crate::settings::Settings;

/// A ticket that stands is told again after so many days.
const DAYS_TO_UPDATE: i64 = 7;

/// What the watches look at, after the verdict on `period`.
pub(crate) struct Sight<'a> {
    pub(crate) series: &'a Series,
    pub(crate) history: &'a History,
    pub(crate) days: &'a Days,
    pub(crate) learned: Option<&'a Learned>,
    pub(crate) settings: &'a Settings,
    pub(crate) period: Period,
    /// Nothing before it is compared with: a new level was accepted there.
    pub(crate) accepted: Option<Period>,
    /// The state is ALARM by the treatment of missing periods alone.
    pub(crate) alarm_of_absence: bool,
    /// Closed incidents, oldest first, and what else does not train.
    pub(crate) untrained: &'a [Span],
}

/// What a watch found: figures then and now, and the days of evidence among those looked at.
pub(crate) struct Found {
    cause: Cause,
    usual: Terms,
    now: Terms,
    days: (u8, u8),
}

/// Tickets that are about the same thing: the causes of a late first token exclude one another.
fn same_matter(one: Cause, other: Cause) -> bool {
    let ttft = |cause| matches!(cause, Cause::PromptGrowth | Cause::CacheRegression | Cause::Queueing);
    one == other || (ttft(one) && ttft(other))
}

/// What is to be said of tickets after the verdict on `sight.period`. Updates the open ones of `state`.
pub(crate) fn after(sight: &Sight<'_>, state: &mut SeriesState) -> Vec<Ticket> {
    let mut said = Vec::new();
    let day_ends = (sight.period + 1).day() > sight.period.day();
    let hour_ends = (sight.period.index() + 1) % PERIODS_PER_HOUR == 0;
    let today = sight.period.day();
    let incident = state.incident.clone();
    state.tickets.retain_mut(|ticket| {
        let over = match ticket.cause {
            Cause::NoData => silence::is_over(sight),
            Cause::LevelShift => incident.is_none().then(|| standing::now(sight)),
            Cause::SlowTail if hour_ends => slow_tail::is_over(sight),
            Cause::StreamingMix if day_ends => mix::is_over(sight, &ticket.usual),
            Cause::LowConfidence if day_ends => confidence::is_over(sight),
            _ if day_ends => creep::is_over(sight, ticket),
            _ => None,
        };
        if let Some(now) = over {
            said.push(tell(sight, ticket, TicketAction::Closed, &now, (0, 0)));
            return false;
        }
        if day_ends
            && today - ticket.told_day >= DAYS_TO_UPDATE
            && let Some(day) = sight.days.get(today)
        {
            ticket.told_day = today;
            said.push(tell(sight, ticket, TicketAction::Updated, &day.terms, (0, 0)));
        }
        true
    });
    let mut found: Vec<Found> = Vec::new();
    found.extend(silence::look(sight, &state.tickets));
    if hour_ends {
        found.extend(mix::look(sight));
        found.extend(standing::look(sight, incident.as_ref()));
        if incident.is_none() {
            found.extend(slow_tail::look(sight));
        }
    }
    if day_ends {
        found.extend(creep::look(sight, incident.is_some()));
        found.extend(confidence::look(sight));
    }
    for one in found {
        if state.tickets.iter().any(|ticket| same_matter(ticket.cause, one.cause)) {
            continue;
        }
        let key = Key::of_ticket(sight.series, one.cause, sight.period);
        let ticket =
            OpenTicket { cause: one.cause, opened: sight.period, key, usual: one.usual, told_day: today };
        said.push(tell(sight, &ticket, TicketAction::Opened, &one.now, one.days));
        state.tickets.push(ticket);
    }
    said
}

impl Sight<'_> {
    /// Whether closed incidents cover half of a day: its figures are theirs.
    fn was_slow(&self, day: i64) -> bool {
        let (from, until) = (Period::first_of_day(day), Period::first_of_day(day + 1));
        let covered = |span: &Span| (span.until.min(until) - span.from.max(from)).max(0);
        2 * self.untrained.iter().map(covered).sum::<i64>() >= PERIODS_PER_DAY
    }
}

fn tell(sight: &Sight<'_>, ticket: &OpenTicket, action: TicketAction, now: &Terms, days: (u8, u8)) -> Ticket {
    told(sight.series, ticket, action, sight.period, now, days)
}

/// What is said of a ticket at a period.
pub(crate) fn told(
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

/// The readings of some periods in terms.
fn terms_of(history: &History, from: Period, until: Period) -> Terms {
    crate::diagnosis::terms(history.range(from, until).map(|(_, point)| point))
}

/// The last day in terms.
pub(crate) fn last_day(history: &History, period: Period) -> Terms {
    terms_of(history, period + 1 - PERIODS_PER_DAY, period + 1)
}

/// The same stretch one and two weeks before, in terms.
fn weeks_before(history: &History, from: Period, until: Period) -> Terms {
    let points = [1, 2].into_iter().flat_map(|weeks| {
        let back = weeks * 7 * PERIODS_PER_DAY;
        history.range(from - back, until - back).map(|(_, point)| point)
    });
    crate::diagnosis::terms(points)
}
