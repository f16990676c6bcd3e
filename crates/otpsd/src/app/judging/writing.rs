//! What was decided is written down, all of it or nothing. Until it is, what wakes people is kept in hand.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use domain::{Commit, Key, LedgerError, Outcome, OwedState};
use jiff::Timestamp;

use super::Judging;

/// After a failure the ledger is left alone for so long: many ask at once, and each would wait for it.
const PAUSE: Duration = Duration::from_secs(1);

/// How writing goes.
#[derive(Debug, Default)]
pub(super) struct Writing {
    /// The last failure, until something was written again.
    failed: Option<(Instant, LedgerError)>,
    /// What was sent from memory, is written down by now, and not yet recorded as sent.
    unrecorded: Vec<Outcome>,
}

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

    /// Writes what is to be written. After an error nothing is lost: it is tried again. Nor is anything lost when the caller does not
    /// wait for the end: what was written then is written once more, which changes nothing.
    pub(crate) async fn write(&mut self, now: Timestamp) -> Result<(), LedgerError> {
        if self.unwritten.is_empty() && self.writing.unrecorded.is_empty() {
            return Ok(());
        }
        self.in_hand.take(&self.unwritten.outbox);
        if let Some((at, error)) = &self.writing.failed
            && at.elapsed() < PAUSE
        {
            return Err(error.clone());
        }
        let started = Instant::now();
        let written = self.try_write(now).await;
        self.metrics.committed(written.is_ok(), started.elapsed());
        self.writing.failed = written.as_ref().err().map(|error| (Instant::now(), error.clone()));
        written
    }

    async fn try_write(&mut self, now: Timestamp) -> Result<(), LedgerError> {
        // What piled up while the ledger could not be written may be more than it takes at once. Rows may go ahead of what was
        // concluded from them: laying them twice changes nothing.
        while self.unwritten.rows.len() > store::COMMIT_ROWS_MAX {
            let rest = self.unwritten.rows.len() - store::COMMIT_ROWS_MAX;
            let rows = self.unwritten.rows[rest..].to_vec();
            self.ledger.commit(Commit { rows, ..Commit::default() }).await?;
            self.unwritten.rows.truncate(rest);
        }
        if !self.unwritten.is_empty() {
            let mut commit = self.unwritten.clone();
            commit.begun = self.in_hand.begun_of(&commit.outbox);
            self.ledger.commit(commit).await?;
            let written = std::mem::take(&mut self.unwritten);
            let delivered =
                |id| Outcome { id, state: OwedState::Delivered(now), error: None, reference: None };
            self.writing.unrecorded.extend(self.in_hand.sent_of(&written.outbox).into_iter().map(delivered));
            let unrecorded = &self.writing.unrecorded;
            let is_recorded = |id: &str| unrecorded.iter().all(|outcome| outcome.id != id);
            let gone: Vec<_> = written.outbox.iter().filter(|one| is_recorded(&one.id)).collect();
            if !written.outbox.is_empty() {
                self.in_hand.let_go(gone.iter().map(|message| message.id.as_str()));
            }
        }
        if !self.writing.unrecorded.is_empty() {
            // Until it is recorded as sent it stays in hand, so that nobody sends it once more.
            self.ledger.record(self.writing.unrecorded.clone()).await?;
            let recorded = std::mem::take(&mut self.writing.unrecorded);
            self.in_hand.let_go(recorded.iter().map(|outcome| outcome.id.as_str()));
        }
        Ok(())
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
