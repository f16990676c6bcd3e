//! A backtest as one HTML file: what was found, as the report of `web` takes it.
//!
//! # Layout
//!
//! - `incidents`: each incident with its charts, and who would have been told.
//! - `texts`: the texts of pages and tickets, as the daemon would have written them.
//! - `lists`: tickets, what came close, series.
//! - `made`: how it was made, so that it can be made again.

mod incidents;
mod lists;
mod made;
mod texts;

use std::io::{self, Write};

use web::report::{Coverage, Report};

use self::texts::Texts;
use super::{Backtest, words};

/// So many series that came close are named.
const CLOSEST: usize = 10;

/// Writes the file.
pub(super) fn write(out: &mut impl Write, backtest: &Backtest<'_>) -> io::Result<()> {
    web::report::write(out, &report(backtest))
}

fn report(backtest: &Backtest<'_>) -> Report {
    let (plan, hindsight) = (backtest.plan, backtest.hindsight());
    let (judged, with_requests) = hindsight.judged();
    let texts = Texts::new(plan, hindsight);
    let near = hindsight.closest();
    Report {
        made: made::made(backtest),
        history: hindsight.span,
        pages: hindsight.pages(),
        coverage: Coverage { with_requests, judged },
        notes: words::carries(backtest),
        incidents: incidents::incidents(hindsight, &texts),
        tickets: hindsight.tickets.iter().map(|filed| lists::ticket(filed, &texts)).collect(),
        near: near.iter().take(CLOSEST).map(|(seen, closest)| lists::near(seen, closest)).collect(),
        near_more: near.len().saturating_sub(CLOSEST),
        series: hindsight.series.iter().map(lists::series).collect(),
        against: None,
    }
}
