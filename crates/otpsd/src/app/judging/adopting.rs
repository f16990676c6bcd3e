//! What was found in history is told when all of it has been read, so that a slump that hits many series is one page, with the key
//! that it had before the store was lost.

use std::collections::BTreeSet;

use domain::{LedgerError, Page, Series};
use evaluator::Effect;
use jiff::{SignedDuration, Timestamp};

use super::Judging;
use crate::app::sources::Place;

/// However long it takes to read all history, what stands is told after so long.
const LONGEST_HOLD: SignedDuration = SignedDuration::from_mins(10);

/// Places whose history is read, and what was found in it so far.
#[derive(Debug, Default)]
pub(super) struct Adopting {
    places: BTreeSet<Place>,
    since: Option<Timestamp>,
    held: Vec<Effect>,
    series: BTreeSet<Series>,
}

impl Adopting {
    /// Of what was said in a step, what is told now. What was found in history is held while more is read, and whatever is said of the
    /// same series afterwards with it.
    pub(super) fn pass(&mut self, effects: &[Effect], is_history: bool) -> Vec<Effect> {
        let mut told = Vec::new();
        for effect in effects {
            let series = effect.series();
            if !self.places.is_empty() && (is_history || self.series.contains(series)) {
                self.series.insert(series.clone());
                self.held.push(effect.clone());
            } else {
                told.push(effect.clone());
            }
        }
        told
    }

    /// What was held too long.
    pub(super) fn overdue(&mut self, now: Timestamp) -> Vec<Effect> {
        let is_overdue = |since: Timestamp| now.duration_since(since) >= LONGEST_HOLD;
        if self.since.is_some_and(is_overdue) { self.release() } else { Vec::new() }
    }

    /// Holds what stood before the start, until all history has been read.
    pub(super) fn hold(&mut self, page: Page) {
        self.series.insert(page.incident().series.clone());
        self.held.push(Effect::Page(Box::new(page)));
    }

    fn release(&mut self) -> Vec<Effect> {
        std::mem::take(self).held
    }
}

impl Judging {
    /// The history of a place is going to be read.
    pub(crate) fn adopts(&mut self, now: Timestamp, place: &Place) {
        self.adopting.places.insert(place.clone());
        self.adopting.since.get_or_insert(now);
    }

    /// It has been read, or cannot be for now.
    pub(crate) async fn adopted(&mut self, now: Timestamp, place: &Place) -> Result<(), LedgerError> {
        if !self.adopting.places.remove(place) || !self.adopting.places.is_empty() {
            return Ok(());
        }
        let held = self.adopting.release();
        self.tell(now, &held);
        self.write(now).await
    }
}
