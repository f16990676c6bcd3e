//! A backtest as one HTML file: what was found, as the report of `web` takes it.
//!
//! # Layout
//!
//! - `summary`: the headline and the figures below it.
//! - `incidents`: each incident with its charts, and who would have been told.
//! - `texts`: the texts of pages and tickets, as the daemon would have written them.
//! - `lists`: tickets, what came close, series.
//! - `difference`: what another configuration would have done, and why.
//! - `made`: how it was made, so that it can be made again.

mod difference;
mod incidents;
mod lists;
mod made;
mod summary;
mod texts;

use std::io::{self, Write};

use web::report::Report;

use self::difference::Difference;
use self::texts::Texts;
use super::{Backtest, Found};

/// So many series that came close are named.
const CLOSEST: usize = 10;

/// Writes the file.
pub(super) fn write(out: &mut impl Write, backtest: &Backtest<'_>) -> io::Result<()> {
    web::report::write(out, &report(backtest))
}

fn report(backtest: &Backtest<'_>) -> Report {
    let hindsight = backtest.hindsight();
    let texts = Texts::new(backtest.plan, hindsight);
    let (incidents, tickets, against) = match &backtest.found {
        Found::One(_) => (
            hindsight
                .episodes
                .iter()
                .map(|episode| incidents::incident(episode, hindsight, &texts))
                .collect(),
            hindsight.tickets.iter().map(|filed| lists::ticket(filed, &texts)).collect(),
            None,
        ),
        Found::Two { former, comparison, changes } => {
            let difference = Difference::new(backtest, former, comparison, changes, &texts);
            (difference.incidents(), difference.tickets(), Some(difference.against()))
        }
    };
    let near = hindsight.closest();
    Report {
        made: made::made(backtest),
        history: hindsight.span,
        headline: summary::headline(backtest),
        tally: summary::tally(hindsight),
        notes: summary::notes(backtest),
        incidents,
        tickets,
        near: near.iter().take(CLOSEST).map(|(seen, closest)| lists::near(seen, closest)).collect(),
        near_more: near.len().saturating_sub(CLOSEST),
        series: hindsight.series.iter().map(lists::series).collect(),
        against,
    }
}
