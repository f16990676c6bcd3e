//! The headline, and the figures below it.

use web::report::{Figure, Headline, Tone};

use super::super::hindsight::{Hindsight, Kind, Sight};
use super::super::words::{self, both, pair};
use super::super::{Backtest, Found};

/// The whole in one line, which is loud where a page is lost.
pub(super) fn headline(backtest: &Backtest<'_>) -> Headline {
    let hindsight = backtest.hindsight();
    match &backtest.found {
        Found::One(_) => {
            let tone = if hindsight.paging().next().is_none() { Tone::Calm } else { Tone::Quiet };
            Headline { tone, text: words::totals(hindsight) }
        }
        Found::Two { comparison, changes, .. } => {
            let differ = comparison.count(Kind::Gained) + comparison.count(Kind::Moved);
            let tone = match (comparison.count(Kind::Lost), differ) {
                (0, 0) => Tone::Calm,
                (0, _) => Tone::Quiet,
                _ => Tone::Alarm,
            };
            Headline { tone, text: format!("{}{}", pair::headline(comparison), both::fleet(changes)) }
        }
    }
}

/// The figures that sum it up.
pub(super) fn tally(hindsight: &Hindsight) -> Vec<Figure> {
    let mut tally = Vec::new();
    let mut figure = |what, value: String| tally.push(Figure { what, value });
    let (pages, grouped) = (hindsight.paging().count(), hindsight.pages());
    figure("pages", pages.to_string());
    if grouped != pages && grouped > 0 {
        figure("after grouping", grouped.to_string());
    }
    if hindsight.episodes.len() != pages {
        figure("incidents", hindsight.episodes.len().to_string());
    }
    figure("tickets", hindsight.tickets.len().to_string());
    let judged = hindsight.series.iter().filter(|seen| matches!(seen.sight, Sight::From(_))).count();
    figure("series judged", format!("{judged} of {}", hindsight.series.len()));
    let (judged, of) = hindsight.judged();
    if of > 0 {
        figure("periods judged", words::share(judged, of));
    }
    if let Some((middle, worst)) = hindsight.to_decision() {
        figure("onset to decision, median", words::length(middle));
        figure("at worst", words::length(worst));
    }
    tally
}

/// How far it carries.
pub(super) fn notes(backtest: &Backtest<'_>) -> Vec<String> {
    let mut notes = words::carries(backtest);
    if let Found::Two { comparison, .. } = &backtest.found
        && comparison.by_decision
    {
        notes.push("Neither configuration tells anybody of pages, so decisions are compared.".to_owned());
    }
    notes
}
