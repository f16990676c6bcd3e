//! What a series is judged by: what it has learned itself, or until then what another one has.
//!
//! A lesson is a cache. What it is, is a function of readings before its boundary, of the settings and of the spans that must not train, so that a
//! restored engine arrives at the same one. Of a series that is learned from, what was known at the boundary counts: it must have been judged up
//! to there, and a span that ended later is not known yet, whichever of the two was judged first.

use domain::{Period, Series, Span};

use super::Machine;
use crate::history::History;
use crate::learned::{Learned, daily_boundary, hourly_boundary};
use crate::settings::Settings;

/// What was learned up to a boundary, and from whom.
#[derive(Debug, Clone)]
pub(crate) struct Lesson {
    /// Readings before it were learned from; while that is not enough, those that were looked at.
    pub(crate) boundary: Period,
    /// `None` where there was not enough.
    pub(crate) learned: Option<Learned>,
    /// It is from the history of another series.
    pub(crate) borrowed: bool,
    /// The hour from which on it is looked again, while there is no own history.
    hour: Period,
}

/// A series that another one learns from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lender<'a> {
    series: &'a Series,
    history: &'a History,
    untrained: &'a [Span],
    judged_through: Period,
}

impl Machine {
    /// What there is to learn from; `None` before the first period was judged.
    pub(crate) fn lend(&self) -> Option<Lender<'_>> {
        let state = self.state.as_ref()?;
        let (series, history, untrained) = (&self.series, &self.history, &state.untrained[..]);
        Some(Lender { series, history, untrained, judged_through: state.judged_through })
    }

    /// What was learned for `period`, learning it first where a boundary was passed.
    pub(super) fn learn(&mut self, period: Period, settings: &Settings, lender: Option<Lender<'_>>) {
        // An incident must not become its own baseline: while one is open, nothing after its onset is learned.
        let onset =
            self.state.as_ref().and_then(|state| state.incident.as_ref()).map(|incident| incident.onset);
        let seen_from = onset.unwrap_or(period);
        let still_holds = |lesson: &Lesson| {
            let is_own = lesson.learned.is_some() && !lesson.borrowed;
            if is_own && lesson.boundary == daily_boundary(self.stagger, seen_from) {
                return true;
            }
            // Whoever is learned from may have caught up meanwhile.
            let may_borrow = lesson.learned.is_none() && settings.rule.learn_from.is_some();
            lesson.hour == hourly_boundary(seen_from) && !may_borrow
        };
        if !self.lesson.as_ref().is_some_and(still_holds) {
            let untrained: &[Span] = self.state.as_ref().map_or(&[], |state| &state.untrained);
            self.lesson = Some(self.learned_before(seen_from, settings, untrained, lender));
        }
    }

    /// What can be learned from before a period: up to its day, or to its hour while that is not enough, or else from the history of
    /// another series up to its day.
    pub(super) fn learned_before(
        &self,
        period: Period,
        settings: &Settings,
        untrained: &[Span],
        lender: Option<Lender<'_>>,
    ) -> Lesson {
        let learn = |boundary| Learned::learn(&self.history, boundary, settings, &self.series, untrained);
        let (daily, hour) = (daily_boundary(self.stagger, period), hourly_boundary(period));
        let own = |boundary, learned| Lesson { boundary, learned, borrowed: false, hour };
        if let Some(learned) = learn(daily) {
            return own(daily, Some(learned));
        }
        if let Some(learned) = learn(hour) {
            return own(hour, Some(learned));
        }
        match lender.and_then(|lender| lender.lend(daily, settings)) {
            Some(learned) => Lesson { boundary: daily, learned: Some(learned), borrowed: true, hour },
            None => own(hour, None),
        }
    }

    /// What was learned, if anything.
    pub(super) fn learned(&self) -> Option<&Learned> {
        self.lesson.as_ref()?.learned.as_ref()
    }

    /// Whether it is judged by the history of another series.
    pub(crate) fn borrows(&self) -> bool {
        self.lesson.as_ref().is_some_and(|lesson| lesson.borrowed)
    }

    /// What is learned from changed before `period`, or as a whole.
    pub(crate) fn lender_changed(&mut self, period: Option<Period>) {
        let rests_on =
            |lesson: &Lesson| lesson.borrowed && period.is_none_or(|period| period < lesson.boundary);
        if self.lesson.as_ref().is_some_and(rests_on) {
            self.lesson = None;
            self.stale = true;
        }
    }
}

impl Lender<'_> {
    /// What it knew at a boundary, if that is enough.
    fn lend(&self, boundary: Period, settings: &Settings) -> Option<Learned> {
        if self.judged_through < boundary - 1 {
            return None;
        }
        let untrained: Vec<Span> =
            self.untrained.iter().copied().filter(|span| span.until <= boundary).collect();
        let learned = Learned::learn(self.history, boundary, settings, self.series, &untrained)?;
        // They are learned when they are first asked for, and then from whatever history is there.
        learned.contrasts(self.history);
        Some(learned)
    }
}
