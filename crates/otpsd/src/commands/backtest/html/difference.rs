//! What another configuration would have done, and why that differs.

use std::collections::BTreeSet;

use web::report::{Against, Change, Compared, Incident, Kind as Shown, Ticket};

use super::super::Backtest;
use super::super::hindsight::{Comparison, Episode, Kind, PagePair};
use super::super::words::{both, pair};
use super::incidents::{self, Lines};
use super::lists;
use super::texts::Texts;
use crate::commands::against::Former;
use crate::commands::plan::Changes;

/// Two configurations, and the texts of both.
pub(super) struct Difference<'d> {
    backtest: &'d Backtest<'d>,
    former: &'d Former,
    comparison: &'d Comparison,
    changes: &'d Changes,
    before: Texts<'d>,
    after: &'d Texts<'d>,
}

impl<'d> Difference<'d> {
    pub(super) fn new(
        backtest: &'d Backtest<'d>,
        former: &'d Former,
        comparison: &'d Comparison,
        changes: &'d Changes,
        after: &'d Texts<'d>,
    ) -> Self {
        let before = Texts::new(&former.plan, &comparison.before);
        Self { backtest, former, comparison, changes, before, after }
    }

    /// The pages that differ and those that stay, and what is decided and told nobody.
    pub(super) fn incidents(&self) -> Vec<Incident> {
        let mut incidents: Vec<Incident> =
            self.comparison.pages.iter().filter_map(|pair| self.incident(pair)).collect();
        let told: BTreeSet<usize> = self.comparison.pages.iter().filter_map(|pair| pair.after).collect();
        let rest = self.comparison.after.episodes.iter().enumerate().filter(|(at, _)| !told.contains(at));
        incidents.extend(rest.map(|(_, episode)| self.now(episode)));
        incidents
    }

    /// A page before and after: as it is now, unless there is nothing of its own any more.
    fn incident(&self, pair: &PagePair) -> Option<Incident> {
        let (before, after) = self.comparison.episodes(pair);
        let mut incident = match (pair.kind, after) {
            (Kind::Lost, _) => self.then(before?),
            (Kind::Moved, _) if self.comparison.is_part(pair) => self.then(before?),
            (_, after) => self.now(after?),
        };
        incident.difference = self.difference(pair);
        Some(incident)
    }

    /// An incident as it is by the configuration that is looked at.
    fn now(&self, episode: &Episode) -> Incident {
        let mut incident = incidents::incident(episode, &self.comparison.after, self.after);
        let old = Lines::of(&self.comparison.before.rule(episode.series()), episode);
        let new = Lines::of(&incident.rule, episode);
        if old != new {
            for point in &mut incident.points {
                point.threshold_before = old.at(point.baseline);
            }
        }
        incident
    }

    /// An incident as it was by the other one. Of a page that it joined only the text is of interest now.
    fn then(&self, episode: &Episode) -> Incident {
        let mut incident = incidents::incident(episode, &self.comparison.before, &self.before);
        let old = Lines::of(&incident.rule, episode);
        let new = Lines::of(&self.comparison.after.rule(episode.series()), episode);
        if old != new {
            for point in &mut incident.points {
                (point.threshold_before, point.threshold) = (point.threshold, new.at(point.baseline));
            }
        }
        incident.told = self.before.told_alone(episode);
        incident
    }

    fn difference(&self, pair: &PagePair) -> Option<web::report::Difference> {
        let kind = shown(pair.kind)?;
        let mut why = vec![pair::what(self.comparison, pair)];
        why.extend(pair.blame.iter().flat_map(|blame| pair::blame(blame, code)));
        Some(web::report::Difference { kind, why })
    }

    /// The tickets that differ first.
    pub(super) fn tickets(&self) -> Vec<Ticket> {
        let ticket = |pair| {
            let (before, after) = self.comparison.filed(pair);
            let mut ticket = match after {
                Some(filed) => lists::ticket(filed, self.after),
                None => lists::ticket(before?, &self.before),
            };
            ticket.difference =
                shown(pair.kind).map(|kind| web::report::Difference { kind, why: Vec::new() });
            Some(ticket)
        };
        self.comparison.tickets.iter().filter_map(ticket).collect()
    }

    /// What is compared with, what changes, and both in figures.
    pub(super) fn against(&self) -> Against {
        let compared = |row: both::Row| Compared {
            what: row.what,
            before: row.before,
            after: row.after,
            note: row.note,
        };
        let rows = both::side_by_side(self.backtest.plan, self.comparison, self.changes);
        let changes = self.changes.all.iter().map(|change| Change {
            text: change.words.clone(),
            at: places(&change.places),
            was: places(&change.former_places),
        });
        Against {
            configuration: self.former.to_string(),
            changes: changes.collect(),
            compared: rows.into_iter().map(compared).collect(),
        }
    }
}

/// How it is shown that a page differs.
fn shown(kind: Kind) -> Option<Shown> {
    match kind {
        Kind::Lost => Some(Shown::Lost),
        Kind::Gained => Some(Shown::Gained),
        Kind::Moved => Some(Shown::Moved),
        Kind::Same => None,
    }
}

fn places(places: &[String]) -> Option<String> {
    (!places.is_empty()).then(|| places.join(", "))
}

/// What is of a configuration.
fn code(text: &str) -> String {
    format!("`{text}`")
}
