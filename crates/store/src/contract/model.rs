//! The same ledger on plain maps, as short as it can be: what it says is what is right.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    AuditRecord, Backlog, Commit, Filed, IncidentRecord, Key, Loaded, Outcome, Owed, PageState, Period,
    Reading, Row, Series, SeriesState, Silence, SourceState,
};
use jiff::Timestamp;

use super::outbox_model::Outbox;

#[derive(Debug, Default)]
pub(super) struct Model {
    rows: BTreeMap<(Series, Period), Reading>,
    states: BTreeMap<Series, SeriesState>,
    diagnosed: BTreeMap<Series, Period>,
    sources: BTreeMap<String, SourceState>,
    incidents: BTreeMap<Key, IncidentRecord>,
    /// In the order in which they came.
    pages: Vec<PageState>,
    filed: BTreeMap<Key, Filed>,
    silences: BTreeMap<String, Silence>,
    outbox: Outbox,
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
        self.sources
            .retain(|name, state| *state != SourceState { source: name.clone(), ..SourceState::default() });
        for record in commit.incidents {
            self.incidents.insert(record.incident.key.clone(), record);
        }
        for page in commit.pages {
            let same = |old: &&mut PageState| (&old.key, &old.channel) == (&page.key, &page.channel);
            match self.pages.iter_mut().find(same) {
                Some(old) => *old = page,
                None => self.pages.push(page),
            }
        }
        self.filed.extend(commit.filed.into_iter().map(|filed| (filed.key.clone(), filed)));
        self.filed.retain(|_, filed| !filed.channels.is_empty());
        self.silences.extend(commit.silences.into_iter().map(|silence| (silence.id.clone(), silence)));
        self.outbox.audit.extend(commit.audit);
        self.outbox.commit(commit.outbox, &commit.begun, &|key, channel| closed(&self.pages, key, channel));
    }

    pub(super) fn begin(&mut self, ids: &[String]) {
        self.outbox.begin(ids);
    }

    pub(super) fn record(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            self.outbox.record(outcome, &|key, channel| closed(&self.pages, key, channel));
        }
    }

    pub(super) fn forget_readings(&mut self, horizon: Period) {
        self.rows.retain(|(_, period), _| *period >= horizon);
    }

    pub(super) fn forget_closed(&mut self, horizon: Timestamp) {
        let open = self.open_keys();
        self.outbox.forget(horizon, &open);
        self.incidents
            .retain(|key, record| record.resolved.is_none() || record.at >= horizon || open.contains(key));
        self.pages.retain(|page| page.closed.is_none_or(|at| at >= horizon) || open.contains(&page.key));
        self.silences.retain(|_, silence| silence.until >= horizon);
    }

    fn open_keys(&self) -> BTreeSet<Key> {
        let states = self.states.values();
        let pages = self.pages.iter().filter(|page| page.closed.is_none());
        let incidents = self.incidents.values().filter(|record| record.resolved.is_none());
        let sources = self.sources.values().flat_map(|source| &source.tickets);
        let gaps = self.sources.values().flat_map(|source| &source.gaps);
        let keys = (incidents.map(|record| &record.incident.key))
            .chain(states.clone().filter_map(|state| state.incident.as_ref()).map(|incident| &incident.key))
            .chain(states.flat_map(|state| &state.tickets).map(|ticket| &ticket.key))
            .chain(sources.map(|ticket| &ticket.key))
            .chain(gaps.map(|open| &open.key))
            .chain(pages.clone().map(|page| &page.key))
            .chain(pages.flat_map(|page| &page.members).map(|member| &member.incident))
            .chain(self.filed.keys())
            .chain(self.outbox.owed_keys());
        keys.cloned().collect()
    }

    pub(super) fn load(&self) -> Loaded {
        let mut pages = self.pages.clone();
        pages.sort_by_key(|page| page.told);
        let open = |record: &&IncidentRecord| record.resolved.is_none();
        Loaded {
            states: self.states.values().cloned().collect(),
            diagnosed: self.diagnosed.iter().map(|(series, through)| (series.clone(), *through)).collect(),
            sources: self.sources.values().cloned().collect(),
            incidents: self.incidents.values().filter(open).cloned().collect(),
            pages,
            filed: self.filed.values().cloned().collect(),
            silences: self.silences.values().cloned().collect(),
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

    pub(super) fn due(&self, now: Timestamp, limit: usize, each: usize, except: &[String]) -> Vec<Owed> {
        self.outbox.due(now, limit, each, except)
    }

    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.outbox.next_due()
    }

    pub(super) fn backlog(&self, now: Timestamp) -> Backlog {
        self.outbox.backlog(now)
    }

    pub(super) fn messages(&self, limit: usize) -> Vec<Owed> {
        self.outbox.messages(limit)
    }

    pub(super) fn audit(&self, limit: usize) -> Vec<AuditRecord> {
        self.outbox.audit.iter().rev().take(limit).cloned().collect()
    }

    /// Newest first; of those that opened in the same period, any may come first.
    pub(super) fn incidents(&self) -> Vec<IncidentRecord> {
        let mut records: Vec<_> = self.incidents.values().cloned().collect();
        records.sort_by_key(|record| std::cmp::Reverse(record.incident.opened));
        records
    }
}

fn closed(pages: &[PageState], key: &Key, channel: &str) -> bool {
    pages.iter().any(|page| page.key == *key && page.channel == channel && page.closed.is_some())
}
