//! The same ledger on plain maps, as short as it can be: what it says is what is right.

use std::collections::BTreeMap;

use domain::{
    Commit, IncidentRecord, Key, Loaded, NoticeKind, Outcome, Owed, OwedState, Period, Reading, Row, Series,
    SeriesState, SourceState,
};
use jiff::Timestamp;

#[derive(Debug, Default)]
pub(super) struct Model {
    rows: BTreeMap<(Series, Period), Reading>,
    states: BTreeMap<Series, SeriesState>,
    diagnosed: BTreeMap<Series, Period>,
    sources: BTreeMap<String, SourceState>,
    incidents: BTreeMap<Key, IncidentRecord>,
    outbox: Vec<Owed>,
}

impl Model {
    pub(super) fn commit(&mut self, commit: Commit) {
        for row in commit.rows {
            self.rows.entry((row.series, row.period)).or_default().merge(&row.reading);
        }
        for state in commit.states {
            self.states.insert(state.series.clone(), state);
        }
        self.diagnosed.extend(commit.diagnosed);
        for state in commit.sources {
            self.sources.insert(state.source.clone(), state);
        }
        self.sources.retain(|_, state| !state.regions.is_empty() || !state.tickets.is_empty());
        for record in commit.incidents {
            self.incidents.insert(record.incident.key.clone(), record);
        }
        for message in commit.outbox {
            if !self.outbox.iter().any(|owed| owed.message.id == message.id) {
                let state = OwedState::Due(message.created);
                self.outbox.push(Owed { message, attempts: 0, state, last_error: None });
            }
        }
    }

    pub(super) fn record(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            if let Some(owed) = self.outbox.iter_mut().find(|owed| owed.message.id == outcome.id) {
                owed.attempts += 1;
                owed.state = outcome.state;
                owed.last_error = outcome.error.or_else(|| owed.last_error.take());
            }
        }
    }

    pub(super) fn forget_readings(&mut self, horizon: Period) {
        self.rows.retain(|(_, period), _| *period >= horizon);
    }

    pub(super) fn load(&self) -> Loaded {
        Loaded {
            states: self.states.values().cloned().collect(),
            diagnosed: self.diagnosed.iter().map(|(series, through)| (series.clone(), *through)).collect(),
            sources: self.sources.values().cloned().collect(),
        }
    }

    pub(super) fn history(&self, series: &Series, from: Period) -> Vec<Row> {
        let rows = self.rows.iter().filter(|((of, period), _)| of == series && *period >= from);
        rows.map(|((series, period), reading)| Row {
            series: series.clone(),
            period: *period,
            reading: *reading,
        })
        .collect()
    }

    pub(super) fn due(&self, now: Timestamp, limit: usize) -> Vec<Owed> {
        let mut heads = self.heads();
        heads.retain(|(at, _)| *at <= now);
        heads.sort_by_key(|(at, owed)| (*at, matches!(owed.message.kind, NoticeKind::Ticket(_))));
        heads.into_iter().map(|(_, owed)| owed.clone()).take(limit).collect()
    }

    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.heads().into_iter().map(|(at, _)| at).min()
    }

    /// The first of each key and channel that is still due, with the time at which it is.
    fn heads(&self) -> Vec<(Timestamp, &Owed)> {
        let mut heads = Vec::<(Timestamp, &Owed)>::new();
        for owed in &self.outbox {
            let OwedState::Due(at) = owed.state else { continue };
            let place = |owed: &Owed| (owed.message.key.clone(), owed.message.channel.clone());
            if !heads.iter().any(|(_, head)| place(head) == place(owed)) {
                heads.push((at, owed));
            }
        }
        heads
    }

    pub(super) fn recipients(&self, key: &Key) -> Vec<String> {
        let mut channels = Vec::new();
        for Owed { message, .. } in &self.outbox {
            if message.kind == NoticeKind::Page && message.key == *key && !channels.contains(&message.channel)
            {
                channels.push(message.channel.clone());
            }
        }
        channels
    }

    pub(super) fn messages(&self, limit: usize) -> Vec<Owed> {
        self.outbox.iter().rev().take(limit).cloned().collect()
    }

    /// Newest first; of those that opened in the same period, any may come first.
    pub(super) fn incidents(&self) -> Vec<IncidentRecord> {
        let mut records: Vec<_> = self.incidents.values().cloned().collect();
        records.sort_by_key(|record| std::cmp::Reverse(record.incident.opened));
        records
    }
}
