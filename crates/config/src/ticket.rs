//! `[ticket]`: when creep becomes a ticket.

use domain::TicketRule;

use crate::table::{Setting, Table};
use crate::value::{integer, share};

/// Growth is measured against the same day a week before, within what a source keeps.
const MAX_DAYS: u8 = 28;

pub(crate) fn read(mut table: Table<'_, '_, '_>) -> Option<TicketRule> {
    let default = TicketRule::default();
    let growth = table.setting(
        "growth",
        default.growth,
        share("above 0 and at most 2", |share| share > 0.0 && share <= 2.0),
    );
    let erosion = table.setting(
        "erosion",
        default.erosion,
        share("above 0 and below 1", |share| share > 0.0 && share < 1.0),
    );
    let days = table.setting("days", default.days, integer(1..=MAX_DAYS));
    let days_to_ticket = table.setting("days-to-ticket", default.days_to_ticket, integer(1..=MAX_DAYS));
    attainable(&mut table, &days_to_ticket, &days);
    Some(TicketRule {
        growth: growth.value?,
        erosion: erosion.value?,
        days: days.value?,
        days_to_ticket: days_to_ticket.value?,
    })
}

fn attainable(table: &mut Table<'_, '_, '_>, needed: &Setting<u8>, days: &Setting<u8>) {
    let (Some(m), Some(n)) = (needed.value, days.value) else { return };
    let Some(at) = needed.at.or(days.at).filter(|_| m > n) else { return };
    let message = format!(
        "`days-to-ticket` must not be above `days`, but the rule is {m}{} of {n}{}",
        needed.whence(),
        days.whence()
    );
    let draft = table.report.error(at, message);
    draft.hint(match needed.at {
        None => "set `days-to-ticket` too",
        Some(_) => "so many days can never show it",
    });
    if let (Some(_), Some(days)) = (needed.at, days.at) {
        draft.see(days, "so many days are looked at");
    }
}
