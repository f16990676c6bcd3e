//! Whether the daemon does its work: polls, judges, can write, and gets its pages through.

use domain::{NoticeKind, Owed, OwedState, Period};
use jiff::{SignedDuration, Timestamp};

use crate::sight::{STALE_AFTER, STALE_AFTER_PERIODS};
use crate::snapshot::{OverrideConflict, Snapshot, SourceStatus, StoreRebuilt};
use crate::times::{length, moment};

/// How long a page may be owed before the daemon counts as not doing its work: five minutes, in which a receiver that only hiccups
/// has answered.
pub const UNSENT_PAGE_LIMIT: SignedDuration = SignedDuration::from_mins(5);

/// How long a store that was begun anew is shown to everybody who looks.
const REBUILT_SHOWN: SignedDuration = SignedDuration::from_hours(24);

/// How many keys that two overrides set are named; `otpsd plan` names all.
pub(crate) const MOST_CONFLICTS: usize = 10;

/// Whether the daemon does its work, decided from a [`Snapshot`] and the time alone.
///
/// It does when the store can be written, the engine finished an evaluation within the last
/// [`STALE_AFTER_PERIODS`] periods, every source was read within them too, no page has been owed for longer than
/// [`UNSENT_PAGE_LIMIT`], and none was refused for good by all who should have got it. A daemon whose sources are down is not ready and yet alive: restarting it would not help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// Why not, one line each. Empty means ready.
    pub reasons: Vec<String>,
    /// What whoever looks should know though it is no reason, one line each.
    pub notices: Vec<String>,
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
        if let Some(failure) = &snapshot.configuration_failure {
            let (at, what) = (moment(failure.at, now), one_line(&failure.problems));
            reasons.push(format!(
                "the configuration that was read at {at} is invalid, so the one before holds: {what}"
            ));
        }
        reasons.extend(evaluation(snapshot.last_evaluation, now));
        reasons.extend(ahead(snapshot, now));
        reasons.extend(snapshot.sources.iter().filter_map(|source| unread(source, now)));
        reasons.extend(unsent(snapshot, now));
        reasons.extend(refused(snapshot));
        let notices = rebuilt(snapshot, now).map(|rebuilt| {
            format!(
                "the store was begun anew at {}, the old one lies at {}: {}",
                moment(rebuilt.at, now),
                one_line(&rebuilt.set_aside),
                one_line(&rebuilt.why)
            )
        });
        let conflicts = snapshot.override_conflicts.iter().map(|conflict| {
            let (series, what) = (twice_set(conflict), one_line(&conflict.what));
            format!("two overrides set one key for {series}: {what}")
        });
        let gaps = snapshot
            .gaps
            .iter()
            .map(|gap| format!("{} since {}: {}", gap.cause, moment(gap.since, now), one_line(&gap.summary)));
        Self {
            reasons,
            notices: notices.into_iter().chain(conflicts.take(MOST_CONFLICTS)).chain(gaps).collect(),
        }
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
    if -age > STALE_AFTER {
        return Some(format!("the clock was set back: what was judged last is of {}", moment(last, now)));
    }
    (age > STALE_AFTER).then(|| {
        format!(
            "nothing has been judged for {}, since {}; the limit is {STALE_AFTER_PERIODS} periods",
            length(age),
            moment(last, now)
        )
    })
}

/// The open pages that their channel refused for good, and that nobody got in its place.
fn refused(snapshot: &Snapshot) -> impl Iterator<Item = String> {
    snapshot.pages.iter().filter_map(|page| {
        let is_of_page = |owed: &&Owed| owed.message.kind == NoticeKind::Page && owed.message.key == page.key;
        let of_page: Vec<&Owed> = snapshot.messages.iter().filter(is_of_page).collect();
        let is_refused =
            |owed: &Owed| owed.message.channel == page.channel && matches!(owed.state, OwedState::Refused(_));
        let reached = |owed: &Owed| {
            owed.message.standby_for.is_some()
                && matches!(owed.state, OwedState::Delivered(_) | OwedState::Due(_))
        };
        let nobody = of_page.iter().any(|owed| is_refused(owed)) && !of_page.iter().any(|owed| reached(owed));
        nobody.then(|| {
            let (key, group) = (one_line(page.key.as_str()), one_line(page.group.as_str()));
            format!(
                "the page {key} about {group} was refused by {} for good, and nobody got it in its place",
                page.channel
            )
        })
    })
}

/// Series that were judged up to a time that is still to come: until then nothing of them is judged.
pub(crate) fn ahead(snapshot: &Snapshot, now: Timestamp) -> Option<String> {
    let next = Period::containing(now) + 1;
    let ahead = || snapshot.series.iter().filter(|status| status.judged_through > next);
    let until = ahead().map(|status| status.judged_through.end()).max()?;
    Some(format!(
        "{} series were judged up to a time that is still to come, {}, and are not judged before that: the clock was set back, or the \
         state folder is of another clock",
        ahead().count(),
        moment(until, now)
    ))
}

/// What is wrong with the oldest page that is owed. Which channel does not take it stands on the status page.
pub(crate) fn unsent(snapshot: &Snapshot, now: Timestamp) -> Option<String> {
    let oldest = snapshot.outbox.oldest_page?;
    let age = now.duration_since(oldest);
    (age > UNSENT_PAGE_LIMIT).then(|| {
        format!(
            "a page has been owed for {}, since {}; the limit is {}",
            length(age),
            moment(oldest, now),
            length(UNSENT_PAGE_LIMIT)
        )
    })
}

/// The store that was begun anew, while that is news.
pub(crate) fn rebuilt(snapshot: &Snapshot, now: Timestamp) -> Option<&StoreRebuilt> {
    snapshot.store_rebuilt.as_ref().filter(|rebuilt| now.duration_since(rebuilt.at) < REBUILT_SHOWN)
}

/// The series for which two overrides set one key.
pub(crate) fn twice_set(conflict: &OverrideConflict) -> String {
    match conflict.series {
        1 => conflict.example.to_string(),
        count => format!("{count} series, such as {}", conflict.example),
    }
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
