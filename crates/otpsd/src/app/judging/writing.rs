//! What was decided is written down, all of it or nothing. Until it is, what wakes people is kept in hand.

use std::collections::BTreeSet;
use std::time::Instant;

use domain::{Commit, Key, LedgerError, Outcome, OwedState};
use jiff::Timestamp;

use super::Judging;

impl Judging {
    /// Adds to what is to be written. However long the ledger cannot be written, of each state only the newest is kept.
    pub(super) fn add(&mut self, new: Commit) {
        let all = &mut self.unwritten;
        all.rows.extend(new.rows);
        all.diagnosed.extend(new.diagnosed);
        all.outbox.extend(new.outbox);
        all.audit.extend(new.audit);
        replace(&mut all.states, new.states, |state| state.series.clone());
        replace(&mut all.incidents, new.incidents, |record| record.incident.key.clone());
        replace(&mut all.sources, new.sources, |state| state.source.clone());
        replace(&mut all.filed, new.filed, |filed| filed.key.clone());
        replace(&mut all.silences, new.silences, |silence| silence.id.clone());
        let page = |page: &domain::PageState| -> (Key, String) { (page.key.clone(), page.channel.clone()) };
        replace(&mut all.pages, new.pages, page);
    }

    /// Writes what is to be written. After an error nothing is lost: it is tried again.
    pub(crate) async fn write(&mut self, now: Timestamp) -> Result<(), LedgerError> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        self.in_hand.take(&self.unwritten.outbox);
        let started = Instant::now();
        let mut commit = std::mem::take(&mut self.unwritten);
        let written = self.commit(&mut commit).await;
        self.metrics.committed(written.is_ok(), started.elapsed());
        match written {
            Ok(()) => {
                let recorded = self.record_sent(&commit, now).await;
                if !commit.outbox.is_empty() {
                    self.in_hand.let_go(&commit.outbox);
                }
                recorded
            }
            Err(error) => {
                self.unwritten = commit;
                Err(error)
            }
        }
    }

    async fn commit(&self, commit: &mut Commit) -> Result<(), LedgerError> {
        // What piled up while the ledger could not be written may be more than it takes at once. Rows may go ahead of what was
        // concluded from them: laying them twice changes nothing.
        while commit.rows.len() > store::COMMIT_ROWS_MAX {
            let rows = commit.rows.split_off(commit.rows.len() - store::COMMIT_ROWS_MAX);
            let part = Commit { rows: rows.clone(), ..Commit::default() };
            self.ledger.commit(part).await.inspect_err(|_| commit.rows.extend(rows))?;
        }
        self.ledger.commit(commit.clone()).await
    }

    /// Records what was sent before it was written down. Where that fails it is sent once more, with the same key.
    async fn record_sent(&self, commit: &Commit, now: Timestamp) -> Result<(), LedgerError> {
        let sent = self.in_hand.sent_of(&commit.outbox);
        if sent.is_empty() {
            return Ok(());
        }
        self.ledger.begin(sent.clone()).await?;
        let delivered = |id| Outcome { id, state: OwedState::Delivered(now), error: None, reference: None };
        self.ledger.record(sent.into_iter().map(delivered).collect()).await
    }
}

/// Lays new states over those of the same name.
fn replace<T, K: Ord>(all: &mut Vec<T>, new: Vec<T>, name: impl Fn(&T) -> K) {
    let names: BTreeSet<K> = new.iter().map(&name).collect();
    if !names.is_empty() {
        all.retain(|one| !names.contains(&name(one)));
    }
    all.extend(new);
}
