//! The fifth step: verdicts become states, incidents and their end.
//!
//! # Layout
//!
//! - `accept`: somebody accepts a new level.
//! - `unwatch`: a series is not watched any more.
//! - `explain`: what the last judgement rests on, and what would come next.
//! - `lesson`: what it is judged by, its own history or that of another series.

mod accept;
pub(crate) mod explain;
mod lesson;
mod unwatch;

pub(crate) use self::lesson::Lender;
use self::lesson::Lesson;

use domain::{
    AlarmState, Incident, Learning, MissingData, OtpsDrop, PERIODS_PER_DAY, Page, Period, Resolve, Rule,
    Series, SeriesState, Slot, Span, Ticket, TicketAction, Transition, Verdict,
};

use crate::confirm::confirmed;
use crate::days::{DAYS_KEPT, Days};
use crate::effect::Effect;
use crate::history::History;
use crate::learned::{Progress, accepted, hourly_boundary, progress, stagger};
use crate::recovery::recovered;
use crate::settings::Settings;
use crate::treatment::{self, Mark};
use crate::verdict::judge;
use crate::{diagnosis, tickets};

/// A day of readings beyond those that a baseline is learned from: it is learned up to the last boundary, up to a day ago.
const DAYS_BEYOND: i64 = 1;
/// The first period whose reading is still needed to go on from a state: what a baseline is learned from, and the oldest days
/// that are compared with. While an incident is open, what it is compared with was learned before its onset.
#[must_use]
pub fn needed_from(state: &SeriesState, learning: &Learning) -> Period {
    let oldest_day = Period::first_of_day(state.judged_through.day() - DAYS_KEPT);
    held_from(state, learning).min(oldest_day)
}

/// The first period whose reading is needed as it was read; of older ones the figures of their days are enough.
fn held_from(state: &SeriesState, learning: &Learning) -> Period {
    let onset = state.incident.as_ref().map_or(state.judged_through, |incident| incident.onset);
    onset.min(state.judged_through) - (i64::from(learning.history_days) + DAYS_BEYOND) * PERIODS_PER_DAY
}

/// The first period whose reading others that learn from a series still need of it: what an open incident of theirs is compared with was
/// learned before its onset.
#[must_use]
pub fn lent_from(borrower: &SeriesState, learning: &Learning) -> Option<Period> {
    let onset = borrower.incident.as_ref()?.onset;
    Some(onset - (i64::from(learning.history_days) + DAYS_BEYOND) * PERIODS_PER_DAY)
}

/// How many periods are looked at: N, and where missing periods count as something, those that CloudWatch looks at beyond them.
fn looked_at(rule: &Rule) -> i64 {
    let beyond = if rule.missing_data == MissingData::Neutral { 0 } else { treatment::BEYOND };
    i64::from(rule.evaluation_periods.max(1)) + i64::from(beyond)
}

/// One series: its history, its state, and what can be derived from both again at any time.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) series: Series,
    stagger: i64,
    pub(crate) history: History,
    /// `None` until the first period was judged.
    pub(crate) state: Option<SeriesState>,
    /// A cache: what was learned up to a boundary.
    lesson: Option<Lesson>,
    /// A cache: the verdicts of the last periods, oldest first.
    pub(crate) slots: Vec<Slot>,
    /// A reading changed a period that the slots may rest on.
    stale: bool,
    /// A cache: days in figures.
    days: Days,
}

impl Machine {
    pub(crate) fn new(series: Series) -> Self {
        Self {
            stagger: stagger(&series),
            series,
            history: History::new(),
            state: None,
            lesson: None,
            slots: Vec::new(),
            stale: false,
            days: Days::default(),
        }
    }

    /// Continues from a remembered state. The history is given by readings, before or after.
    pub(crate) fn restore(&mut self, state: SeriesState) {
        self.state = Some(state);
        self.forget();
    }

    fn forget(&mut self) {
        self.lesson = None;
        self.slots.clear();
        self.stale = true;
    }

    /// Takes a reading in. Nothing is judged by it. Says whether that changed anything.
    pub(crate) fn take(&mut self, period: Period, reading: &domain::Reading) -> bool {
        if !self.history.lay(period, reading) {
            return false;
        }
        if self.state.as_ref().is_some_and(|state| period <= state.judged_through) {
            self.stale = true;
            self.days.revise(&self.history, period);
            if self.lesson.as_ref().is_some_and(|lesson| period < lesson.boundary) {
                self.lesson = None;
            }
        }
        true
    }

    /// Puts the days up to and including `through` into figures.
    fn close_days(&mut self, through: i64, settings: &Settings) {
        let widest = i64::from(settings.rule.widest_window.max(1));
        self.days.close(&self.history, through, f64::from(settings.rule.min_samples), widest);
    }

    /// The next period to judge.
    pub(crate) fn next(&self) -> Option<Period> {
        match &self.state {
            Some(state) => Some(state.judged_through + 1),
            None => self.history.first(),
        }
    }

    /// Judges one period: the next one, always. While it has no history of its own it learns from `lender`, and what others that learn from it
    /// still need from `kept` on is not forgotten.
    pub(crate) fn judge(
        &mut self,
        period: Period,
        settings: &Settings,
        lender: Option<Lender<'_>>,
        kept: Option<Period>,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let by = |lesson: &Option<Lesson>| lesson.as_ref().map(|lesson| (lesson.boundary, lesson.borrowed));
        let before = by(&self.lesson);
        self.learn(period, settings, lender);
        let relearned = before != by(&self.lesson);
        self.refresh_slots(period, settings, relearned);

        let mut state = self.state.take().unwrap_or_else(|| SeriesState {
            series: self.series.clone(),
            state: AlarmState::Learning,
            since: period,
            judged_through: period - 1,
            incident: None,
            tickets: Vec::new(),
            untrained: Vec::new(),
        });
        state.judged_through = period;
        if self.days.is_empty() {
            // After a restart, before the readings of old days are forgotten again.
            self.close_days(period.day() - 1, settings);
        }
        let breached_before =
            self.slots.len() > 1 && self.slots[self.slots.len() - 2].verdict == Verdict::Breaching;
        if !breached_before && self.slots.last().is_some_and(|slot| slot.verdict == Verdict::Breaching) {
            effects.push(Effect::Diagnose(self.series.clone()));
        }
        match state.incident.take() {
            None => {
                if let Some(page) = self.page(period, settings, &state, lender) {
                    state.incident = Some(page.incident().clone());
                    effects.push(Effect::Page(Box::new(page)));
                }
            }
            Some(incident) => match self.recovery(incident, period, settings) {
                Ok(resolve) => {
                    state.untrained.push(Span { from: resolve.incident.onset, until: period + 1 });
                    effects.push(Effect::Resolve(Box::new(resolve)));
                }
                Err(incident) => state.incident = Some(incident),
            },
        }
        let horizon = period - DAYS_KEPT.max(i64::from(settings.learning.history_days)) * PERIODS_PER_DAY;
        state.untrained.retain(|span| span.until > horizon);
        if (period + 1).day() > period.day() {
            self.close_days(period.day(), settings);
        }
        let now = self.alarm_state(&state, &settings.rule);
        let untrained = std::mem::take(&mut state.untrained);
        let sight = tickets::Sight {
            series: &self.series,
            history: &self.history,
            days: &self.days,
            // How another series usually is says nothing of a change of this one.
            learned: self.learned().filter(|_| !self.borrows()),
            settings,
            period,
            accepted: accepted(&untrained),
            untrained: &untrained,
            alarm_of_absence: now == AlarmState::Alarm && state.incident.is_none(),
        };
        let said = tickets::after(&sight, &mut state);
        state.untrained = untrained;
        effects.extend(said.into_iter().map(|ticket| Effect::Ticket(Box::new(ticket))));
        if now != state.state {
            let transition =
                Transition { series: self.series.clone(), from: state.state, to: now, decided: period };
            effects.push(Effect::Transition(transition));
            state.state = now;
            state.since = period;
        }
        let held = held_from(&state, &settings.learning);
        self.history.forget_before(kept.map_or(held, |kept| held.min(kept)));
        self.state = Some(state);
        effects
    }

    /// Verdicts of the last N periods up to `period`. Each is a pure function of the history and of what was learned, so
    /// that only what may have changed is judged again.
    fn refresh_slots(&mut self, period: Period, settings: &Settings, relearned: bool) {
        let n = looked_at(&settings.rule);
        let learned = self.lesson.as_ref().and_then(|lesson| lesson.learned.as_ref());
        let follows = self.slots.last().is_some_and(|slot| slot.period + 1 == period);
        let from = if self.stale || relearned || !follows { period - (n - 1) } else { period };
        let first = self.history.first().unwrap_or(period);
        self.slots.retain(|slot| slot.period < from && slot.period > period - n);
        let mut next = from.max(first);
        while next <= period {
            self.slots.push(judge(&self.history, learned, &settings.rule, next));
            next = next + 1;
        }
        self.stale = false;
    }

    fn page(
        &self,
        period: Period,
        settings: &Settings,
        state: &SeriesState,
        lender: Option<Lender<'_>>,
    ) -> Option<Page> {
        // What belongs to the incident before cannot open the next one.
        let after = state.untrained.last().map_or(Period::from_index(i64::MIN), |span| span.until - 1);
        let mut slots: Vec<Slot> = self.slots.iter().filter(|slot| slot.period > after).copied().collect();
        if settings.rule.missing_data != MissingData::Neutral {
            // CloudWatch reaches back over missing periods.
            let real = |slot: &Slot| !matches!(slot.verdict, Verdict::Missing(_));
            let looked_at = treatment::evaluated(&slots, settings.rule.evaluation_periods, real);
            slots = looked_at.into_iter().copied().collect();
        }
        let breaching = slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).count();
        if breaching < usize::from(settings.rule.datapoints_to_alarm.max(1)) {
            return None;
        }
        let learned = self.learned();
        if !confirmed(&self.history, learned, &settings.rule, &slots, period, after) {
            return None;
        }
        let mut evidence = diagnosis::evidence(&self.history, learned, &settings.rule, &slots);
        evidence.learned_from = settings.rule.learn_from.clone().filter(|_| self.borrows());
        let drop = OtpsDrop::observe(self.series.clone(), &settings.rule, evidence)?;
        let page = Page::open(drop, period);
        // From now on nothing after the onset is learned. With no baseline from before it the incident could never resolve.
        let onset = page.incident().onset;
        let learned_later =
            self.lesson.as_ref().is_some_and(|lesson| lesson.learned.is_some() && lesson.boundary > onset);
        if learned_later && self.learned_before(onset, settings, &state.untrained, lender).learned.is_none() {
            return None;
        }
        Some(page)
    }

    /// The end of an incident, or the incident as it stands now.
    fn recovery(
        &self,
        mut incident: Incident,
        period: Period,
        settings: &Settings,
    ) -> Result<Resolve, Incident> {
        if let Some(ratio) =
            self.slots.last().filter(|slot| slot.verdict == Verdict::Breaching).and_then(Slot::ratio)
        {
            incident.worst = Some(incident.worst.map_or(ratio, |worst| worst.min(ratio)));
        }
        recovered(&self.history, self.learned(), &settings.rule, &incident, period).ok_or(incident)
    }

    fn alarm_state(&self, state: &SeriesState, rule: &Rule) -> AlarmState {
        if state.incident.is_some() {
            return AlarmState::Alarm;
        }
        if self.learned().is_none() {
            return AlarmState::Learning;
        }
        match self.treated(rule) {
            // As far as real periods make it one it would be an incident; what is left are missing ones.
            Some(AlarmState::Alarm) if self.breaching() >= usize::from(rule.datapoints_to_alarm) => {
                AlarmState::Ok
            }
            Some(treated) => treated,
            // The state stays, but nothing stays an alarm that was never one.
            None if state.state == AlarmState::Learning => AlarmState::InsufficientData,
            None => state.state,
        }
    }

    /// What the missing periods make of the alarm; `None` where that is the state before.
    fn treated(&self, rule: &Rule) -> Option<AlarmState> {
        if rule.missing_data == MissingData::Neutral {
            let blind = self.slots.iter().all(|slot| matches!(slot.verdict, Verdict::Missing(_)));
            return Some(if blind { AlarmState::InsufficientData } else { AlarmState::Ok });
        }
        let marks: Vec<Mark> = self.slots.iter().map(Mark::from).collect();
        treatment::state(&marks, rule.datapoints_to_alarm, rule.evaluation_periods, rule.missing_data)
    }

    fn breaching(&self) -> usize {
        self.slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).count()
    }

    /// The open tickets as if each were opened now.
    pub(crate) fn standing_tickets(&self) -> Vec<Ticket> {
        let Some(state) = &self.state else { return Vec::new() };
        let period = state.judged_through;
        let now = tickets::last_day(&self.history, period);
        let opened = |ticket| tickets::told(&self.series, ticket, TicketAction::Opened, period, &now, (0, 0));
        state.tickets.iter().map(opened).collect()
    }

    /// How far LEARNING has come, seen from the last judged period.
    pub(crate) fn progress(&self, settings: &Settings) -> Progress {
        let untrained: &[Span] = self.state.as_ref().map_or(&[], |state| &state.untrained);
        match self.next() {
            Some(next) => progress(&self.history, hourly_boundary(next), settings, &self.series, untrained),
            None => Progress::default(),
        }
    }
}
