//! Whether the daemon does its work: polls, judges and can write.

use jiff::Timestamp;

use crate::sight::{STALE_AFTER, STALE_AFTER_PERIODS};
use crate::snapshot::{Snapshot, SourceStatus};
use crate::times::{length, moment};

/// Whether the daemon does its work, decided from a [`Snapshot`] and the time alone.
///
/// It does when the store can be written, the engine finished an evaluation within the last
/// [`STALE_AFTER_PERIODS`] periods, and every source was read within them too. A daemon whose sources are down is not ready and
/// yet alive: restarting it would not help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// Why not, one line each. Empty means ready.
    pub reasons: Vec<String>,
}

impl Readiness {
    /// Whether the daemon that built `snapshot` does its work at `now`.
    #[must_use]
    pub fn of(snapshot: &Snapshot, now: Timestamp) -> Self {
        let mut reasons = Vec::new();
        if let Some(failure) = &snapshot.store_failure {
            let since = moment(failure.since, now);
            reasons
                .push(format!("the store cannot be written since {since}: {}", one_line(&failure.message)));
        }
        reasons.extend(evaluation(snapshot.last_evaluation, now));
        reasons.extend(snapshot.sources.iter().filter_map(|source| unread(source, now)));
        Self { reasons }
    }

    /// Whether it does.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// What is wrong with the last evaluation.
pub(crate) fn evaluation(last: Option<Timestamp>, now: Timestamp) -> Option<String> {
    let Some(last) = last else { return Some("nothing has been judged yet".to_owned()) };
    let age = now.duration_since(last);
    (age > STALE_AFTER).then(|| {
        format!(
            "nothing has been judged for {}, since {}; the limit is {STALE_AFTER_PERIODS} periods",
            length(age),
            moment(last, now)
        )
    })
}

fn unread(source: &SourceStatus, now: Timestamp) -> Option<String> {
    let why = source
        .failure
        .as_ref()
        .map(|failure| format!(": {}: {}", failure.failure.as_str(), one_line(&failure.message)))
        .unwrap_or_default();
    let place = format!("source {} in {}", source.name, source.region);
    match source.last_success {
        None => Some(format!("{place} has not been read yet{why}")),
        Some(last) if now.duration_since(last) > STALE_AFTER => Some(format!(
            "{place} has not been read for {}, since {}{why}",
            length(now.duration_since(last)),
            moment(last, now)
        )),
        Some(_) => None,
    }
}

/// Line breaks of a peer's answer would look like reasons of their own.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
