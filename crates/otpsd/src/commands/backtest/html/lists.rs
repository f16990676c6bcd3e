//! Tickets, what came close, and series.

use notifier::text;
use web::report::{Coverage, NearMiss, SeriesLine, Ticket};

use super::super::hindsight::{Closest, Filed, Seen, Sight};
use super::texts::Texts;
use crate::figures::counted;

/// A series of which less than this share was judged says why.
const WELL_JUDGED: f64 = 0.9;

/// A ticket.
pub(super) fn ticket(filed: &Filed, texts: &Texts<'_>) -> Ticket {
    let ticket = &filed.opened;
    Ticket {
        series: ticket.series.clone(),
        cause: ticket.cause,
        opened: ticket.opened,
        closed: filed.closed.as_ref().map(|closed| closed.decided),
        key: ticket.key.clone(),
        summary: text::ticket::summary(ticket),
        message: texts.ticket(filed),
        difference: None,
    }
}

/// What came close.
pub(super) fn near(seen: &Seen, closest: &Closest) -> NearMiss {
    NearMiss {
        series: seen.series.clone(),
        period: closest.period,
        breaching: closest.breaching,
        of: closest.of,
        needed: closest.needed,
        ratio: closest.lowest,
        why: match closest.needed.saturating_sub(closest.breaching) {
            0 => "enough, but all requests together did not show a slow host".to_owned(),
            missing => format!("{} short", counted(missing.into(), "period")),
        },
    }
}

/// A series, and from when on it could be judged.
pub(super) fn series(seen: &Seen) -> SeriesLine {
    let (judged_from, note) = match &seen.sight {
        Sight::From(period) => (Some(*period), mostly(seen)),
        Sight::Never(why) => (None, Some(why.to_string())),
        Sight::NotWatched(why) => (None, Some(format!("not watched: {}", why.words()))),
    };
    let with_requests = match judged_from {
        Some(_) => seen.counts.since_judged(),
        None => 0,
    };
    SeriesLine {
        series: seen.series.clone(),
        judged_from,
        coverage: Coverage { with_requests: with_requests.into(), judged: seen.counts.judged.into() },
        note,
    }
}

/// Why a good part of it was not judged.
fn mostly(seen: &Seen) -> Option<String> {
    let (judged, of) = (f64::from(seen.counts.judged), f64::from(seen.counts.since_judged()));
    let reason = seen.counts.main_reason().filter(|_| judged < of * WELL_JUDGED)?;
    Some(format!("not judged mostly: {reason}"))
}
