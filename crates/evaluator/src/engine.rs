//! The only judge.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::{
    Acceptance, FellBack, Incident, Key, Period, Row, Series, SeriesState, Slot, Ticket, TicketAction,
};
use jiff::Timestamp;

use crate::effect::Effect;
use crate::fell_back::fell_back;
use crate::learned::Progress;
use crate::machine::explain::Explanation;
use crate::machine::{Machine, lent_from};
use crate::settings::Settings;

/// What an engine is told.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// Readings, in any order, again or for the first time. They are taken in; nothing is judged by them.
    Readings(&'a [Row]),
    /// All that can be read of these series up to and including `through` has been taken in: whatever of it has not been
    /// judged is judged now. A period without a reading had no requests.
    Advance {
        /// Whose.
        series: &'a [Series],
        /// The last period that was read.
        through: Period,
    },
    /// Somebody accepts the level of a series as the new normal.
    Accept {
        /// Whose.
        series: &'a Series,
        /// Who, and why.
        acceptance: &'a Acceptance,
    },
    /// A series is not watched any more: what is open ends, though nobody knows whether it is over.
    Unwatch {
        /// Whose.
        series: &'a Series,
    },
    /// The same as [`Input::Advance`] for series whose history was read at once. Episodes that ended in it are not told ([`Effect::Ended`]); one that
    /// still stands at its end opens with its own onset and key, as if the daemon had always run.
    Adopt {
        /// Whose.
        series: &'a [Series],
        /// The last period that was read.
        through: Period,
    },
}

/// Judges series. See the invariant *one engine* in ARCHITECTURE.md: it never fails, blocks or looks at a clock.
#[derive(Debug, Clone)]
pub struct Engine {
    settings: Settings,
    machines: BTreeMap<Series, Judged>,
    /// Settings of series, each kind once: most series share theirs.
    kinds: Vec<Arc<Settings>>,
    /// Who learns from a series, while having no history of its own.
    borrowers: BTreeMap<Series, BTreeSet<Series>>,
}

/// A series and what it is judged by.
#[derive(Debug, Clone)]
struct Judged {
    machine: Machine,
    settings: Arc<Settings>,
}

impl Engine {
    /// An engine that knows no series yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, machines: BTreeMap::new(), kinds: Vec::new(), borrowers: BTreeMap::new() }
    }

    /// What all series are judged by, but for the overrides.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What one series is judged by.
    #[must_use]
    pub fn settings_of(&self, series: &Series) -> Arc<Settings> {
        match self.machines.get(series) {
            Some(judged) => Arc::clone(&judged.settings),
            None => Arc::new(self.settings.of(series)),
        }
    }

    /// Continues a series from its remembered state. Its history must be given as readings before the next period is
    /// judged.
    pub fn restore(&mut self, state: SeriesState) {
        self.machine(&state.series.clone()).restore(state);
    }

    /// Takes one input in, and says what follows from it. `now` bounds what can be judged: a period that has not ended
    /// is not.
    pub fn step(&mut self, now: Timestamp, input: Input<'_>) -> Vec<Effect> {
        match input {
            Input::Readings(rows) => {
                let open = Period::containing(now);
                for row in rows.iter().filter(|row| row.period < open) {
                    if self.machine(&row.series).take(row.period, &row.reading) {
                        self.lender_changed(&row.series, Some(row.period));
                    }
                }
                Vec::new()
            }
            Input::Advance { series, through } => self.advance(series, through.min(Period::last_ended(now))),
            Input::Accept { series, acceptance } => {
                let accept = |judged: &mut Judged| judged.machine.accept(acceptance, &judged.settings);
                let effects = self.machines.get_mut(series).map(accept).unwrap_or_default();
                self.lender_changed(series, None);
                effects
            }
            Input::Unwatch { series } => {
                self.machines.get_mut(series).map(|judged| judged.machine.unwatch()).unwrap_or_default()
            }
            Input::Adopt { series, through } => {
                let effects = self.advance(series, through.min(Period::last_ended(now)));
                self.still_standing(effects)
            }
        }
    }

    fn machine(&mut self, series: &Series) -> &mut Machine {
        if !self.machines.contains_key(series) {
            let settings = self.shared(self.settings.of(series));
            if let Some(model) = &settings.rule.learn_from {
                self.borrowers.entry(series.sibling(model)).or_default().insert(series.clone());
            }
            let machine = Machine::new(series.clone());
            self.machines.insert(series.clone(), Judged { machine, settings });
        }
        // The entry was made above where it was missing.
        &mut self.machines.get_mut(series).expect("the machine of a series that was just looked up").machine
    }

    /// The settings themselves, or equal ones that other series have already: they differ in nothing but the rule and what
    /// follows from it.
    fn shared(&mut self, settings: Settings) -> Arc<Settings> {
        if let Some(same) = self.kinds.iter().find(|kind| kind.rule == settings.rule) {
            return Arc::clone(same);
        }
        let settings = Arc::new(settings);
        self.kinds.push(Arc::clone(&settings));
        settings
    }

    fn advance(&mut self, series: &[Series], through: Period) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(mut period) = series.iter().filter_map(|s| self.machines.get(s)?.machine.next()).min()
        else {
            return effects;
        };
        while period <= through {
            for one in series {
                if self.machines.get(one).is_some_and(|judged| judged.machine.next() == Some(period)) {
                    effects.extend(self.judge(one, period));
                }
            }
            period = period + 1;
        }
        effects
    }

    /// Judges the next period of a series.
    fn judge(&mut self, series: &Series, period: Period) -> Vec<Effect> {
        let kept = self.kept_of(series);
        let Some(judged) = self.machines.get_mut(series) else { return Vec::new() };
        let Judged { machine, settings } = judged;
        let Some(model) = settings.rule.learn_from.clone() else {
            return machine.judge(period, settings, None, kept);
        };
        // The two are of one map; few learn from others.
        let Some(mut judged) = self.machines.remove(series) else { return Vec::new() };
        let Judged { machine, settings } = &mut judged;
        let lender = self.machines.get(&series.sibling(&model)).and_then(|lender| lender.machine.lend());
        let effects = machine.judge(period, settings, lender, kept);
        self.machines.insert(series.clone(), judged);
        effects
    }

    /// From when on the readings of a series are still needed by those that learn from it.
    fn kept_of(&self, series: &Series) -> Option<Period> {
        let needed = |borrower: &Series| {
            let Judged { machine, settings } = self.machines.get(borrower)?;
            lent_from(machine.state.as_ref()?, &settings.learning)
        };
        self.borrowers.get(series)?.iter().filter_map(needed).min()
    }

    /// What others learn from changed before a period, or as a whole.
    fn lender_changed(&mut self, series: &Series, period: Option<Period>) {
        let Some(borrowers) = self.borrowers.get(series) else { return };
        for borrower in borrowers {
            if let Some(judged) = self.machines.get_mut(borrower) {
                judged.machine.lender_changed(period);
            }
        }
    }

    /// Of what was said about history, what still holds at its end. What was open before it and ended in it is told as ever.
    fn still_standing(&self, effects: Vec<Effect>) -> Vec<Effect> {
        let state = |series: &Series| self.state(series);
        let opened = |effect: &Effect| match effect {
            Effect::Page(page) => Some(page.incident().key.clone()),
            Effect::Ticket(ticket) if ticket.action == TicketAction::Opened => Some(ticket.key.clone()),
            _ => None,
        };
        let opened: BTreeSet<Key> = effects.iter().filter_map(opened).collect();
        effects
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Page(page) => state(&page.incident().series)
                    .and_then(|state| state.incident.as_ref())
                    .is_some_and(|incident| incident.key == page.incident().key)
                    .then_some(Effect::Page(page)),
                Effect::Resolve(resolve) if opened.contains(&resolve.incident.key) => {
                    Some(Effect::Ended(resolve))
                }
                Effect::Ticket(ticket) if opened.contains(&ticket.key) => {
                    let stands = state(&ticket.series)
                        .is_some_and(|state| state.tickets.iter().any(|open| open.key == ticket.key));
                    (stands && ticket.action == TicketAction::Opened).then_some(Effect::Ticket(ticket))
                }
                Effect::Resolve(_) | Effect::Ended(_) | Effect::Ticket(_) => Some(effect),
                Effect::Transition(_) | Effect::Diagnose(_) => None,
            })
            .collect()
    }

    /// The open tickets of a series as if each were opened now, with the figures of its last day.
    #[must_use]
    pub fn standing_tickets(&self, series: &Series) -> Vec<Ticket> {
        self.machines.get(series).map(|judged| judged.machine.standing_tickets()).unwrap_or_default()
    }

    /// Forgets a series.
    pub fn forget(&mut self, series: &Series) {
        self.machines.remove(series);
    }

    /// The series that are known, in order.
    pub fn series(&self) -> impl Iterator<Item = &Series> {
        self.machines.keys()
    }

    /// What must be remembered of a series; `None` before its first period was judged.
    #[must_use]
    pub fn state(&self, series: &Series) -> Option<&SeriesState> {
        self.machines.get(series)?.machine.state.as_ref()
    }

    /// The verdicts of the last periods of a series, oldest first.
    #[must_use]
    pub fn slots(&self, series: &Series) -> &[Slot] {
        self.machines.get(series).map_or(&[], |judged| &judged.machine.slots)
    }

    /// What the last judgement of a series rests on, and what would come next; `None` before its first period was judged.
    #[must_use]
    pub fn explain(&self, series: &Series) -> Option<Explanation> {
        let Judged { machine, settings } = self.machines.get(series)?;
        let model = settings.rule.learn_from.as_deref();
        let lender = model.and_then(|model| self.machines.get(&series.sibling(model))?.machine.lend());
        machine.explain(settings, lender)
    }

    /// Whether what is usually latency-optimized came to the series of an incident in its slow periods. Of a twin that was not read up
    /// to there nobody knows.
    #[must_use]
    pub fn fell_back(&self, incident: &Incident) -> Option<FellBack> {
        let series = &self.machines.get(&incident.series)?.machine;
        let twin = &self.machines.get(&incident.series.latency_optimized())?.machine;
        let is_read = |machine: &Machine| {
            machine.state.as_ref().is_some_and(|state| state.judged_through >= incident.opened)
        };
        let (usual, now) = (is_read(series) && is_read(twin))
            .then(|| fell_back(&series.history, &twin.history, incident))
            .flatten()?;
        Some(FellBack { series: incident.series.clone(), usual, now })
    }

    /// The model by whose history a series was judged last, where it has none of its own yet.
    #[must_use]
    pub fn learned_from(&self, series: &Series) -> Option<&str> {
        let Judged { machine, settings } = self.machines.get(series)?;
        settings.rule.learn_from.as_deref().filter(|_| machine.borrows())
    }

    /// How far LEARNING has come.
    #[must_use]
    pub fn progress(&self, series: &Series) -> Progress {
        self.machines
            .get(series)
            .map_or_else(Progress::default, |judged| judged.machine.progress(&judged.settings))
    }
}
