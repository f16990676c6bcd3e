//! What is wrong with the daemon's own sight and voice: it comes before all series.

use jiff::Timestamp;

use crate::ready;
use crate::snapshot::Snapshot;
use crate::times::{When, length};

/// One thing that needs a reader.
pub(crate) struct Attention {
    /// The class that gives it its colour.
    pub(crate) tone: &'static str,
    /// What is wrong.
    pub(crate) title: String,
    /// Since when.
    pub(crate) since: Option<When>,
    /// What came back.
    pub(crate) message: Option<String>,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

/// Everything that needs a reader, worst first.
pub(crate) fn list(snapshot: &Snapshot, now: Timestamp) -> Vec<Attention> {
    let mut list = Vec::new();
    if let (Some(last), Some(_)) =
        (snapshot.last_evaluation, ready::evaluation(snapshot.last_evaluation, now))
    {
        list.push(Attention {
            tone: "alarm",
            title: format!("Nothing has been judged for {}", length(now.duration_since(last))),
            since: Some(When::new(last, now)),
            message: Some(
                "Until something is, no page and no resolve can come, and no series is seen.".to_owned(),
            ),
            hint: Some("look at the daemon's log, and restart it if it says nothing".to_owned()),
        });
    }
    if let Some(failure) = &snapshot.store_failure {
        list.push(Attention {
            tone: "alarm",
            title: "The store cannot be written".to_owned(),
            since: Some(When::new(failure.since, now)),
            message: Some(failure.message.clone()),
            hint: failure.hint.clone(),
        });
    }
    list.extend(ready::ahead(snapshot, now).map(|what| Attention {
        tone: "alarm",
        title: "Series are not judged".to_owned(),
        since: None,
        message: Some(what),
        hint: Some("put the clock right; for a rehearsal take a state folder of its own".to_owned()),
    }));
    list.extend(unsent(snapshot, now));
    list.extend(rebuilt(snapshot, now));
    list.extend(snapshot.configuration_failure.as_ref().map(|failure| Attention {
        tone: "alarm",
        title: "The configuration that was read last is invalid".to_owned(),
        since: Some(When::new(failure.at, now)),
        message: Some(failure.problems.clone()),
        hint: Some("the one before holds; put it right, and `otpsd reload`".to_owned()),
    }));
    list.extend(snapshot.override_conflicts.iter().take(ready::MOST_CONFLICTS).map(|conflict| Attention {
        tone: "unknown",
        title: format!("Two overrides set one key for {}", ready::twice_set(conflict)),
        since: None,
        message: Some(conflict.what.clone()),
        hint: Some("set it in one of them, or match so that no series is in both".to_owned()),
    }));
    list.extend(sources(snapshot, now));
    list.extend(limited(snapshot, now));
    list.extend(outbox(snapshot, now));
    list.extend(snapshot.history().map(|history| Attention {
        tone: "unknown",
        title: capital(&history.to_string()),
        since: None,
        message: Some("A series is judged once its own is read; the others are as yet unknown.".to_owned()),
        hint: None,
    }));
    list
}

/// A text as the beginning of a sentence.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A page that has been owed for too long.
fn unsent(snapshot: &Snapshot, now: Timestamp) -> Option<Attention> {
    ready::unsent(snapshot, now)?;
    let oldest = snapshot.outbox.oldest_page?;
    Some(Attention {
        tone: "alarm",
        title: "A page does not get through".to_owned(),
        since: Some(When::new(oldest, now)),
        message: Some(
            "Somebody should have been told by now. It is tried until its incident is over.".to_owned(),
        ),
        hint: Some("what its channel answers stands under Messages; tell them by another way".to_owned()),
    })
}

/// A store that was damaged.
fn rebuilt(snapshot: &Snapshot, now: Timestamp) -> Option<Attention> {
    let rebuilt = ready::rebuilt(snapshot, now)?;
    Some(Attention {
        tone: "alarm",
        title: "The store was damaged and begun anew".to_owned(),
        since: Some(When::new(rebuilt.at, now)),
        message: Some(rebuilt.why.clone()),
        hint: Some(format!(
            "the old one lies at {}. Readings are read again from the sources, and incidents keep their keys; look whether a silence has \
             to be said again",
            rebuilt.set_aside
        )),
    })
}

fn sources(snapshot: &Snapshot, now: Timestamp) -> impl Iterator<Item = Attention> {
    snapshot.sources.iter().filter_map(move |source| {
        let failure = source.failure.as_ref()?;
        let watched = snapshot
            .series
            .iter()
            .filter(|status| status.source == source.name && status.series.region() == source.region)
            .count();
        Some(Attention {
            tone: "unknown",
            title: format!(
                "Source {} in {} cannot be read ({}): {watched} series not seen",
                source.name,
                source.region,
                failure.failure.as_str()
            ),
            since: Some(When::new(failure.since, now)),
            message: Some(failure.message.clone()),
            hint: failure.hint.clone(),
        })
    })
}

/// Sources that are read, and yet something of them is not.
fn limited(snapshot: &Snapshot, now: Timestamp) -> impl Iterator<Item = Attention> {
    snapshot.sources.iter().filter(|source| source.failure.is_none()).filter_map(move |source| {
        let limited = source.limited.as_ref()?;
        Some(Attention {
            tone: "unknown",
            title: format!(
                "Source {} in {} answers only in part ({})",
                source.name,
                source.region,
                limited.failure.as_str()
            ),
            since: Some(When::new(limited.since, now)),
            message: Some(limited.message.clone()),
            hint: limited.hint.clone(),
        })
    })
}

fn outbox(snapshot: &Snapshot, now: Timestamp) -> Vec<Attention> {
    let outbox = &snapshot.outbox;
    let messages = |count: u64| if count == 1 { "1 message".to_owned() } else { format!("{count} messages") };
    let pages = |count: u64| if count == 1 { "1 page".to_owned() } else { format!("{count} pages") };
    let mut list = Vec::new();
    if outbox.in_hand > 0 {
        list.push(Attention {
            tone: "unknown",
            title: format!("{} in hand: not written down, sent from memory", pages(outbox.in_hand)),
            since: None,
            message: Some("They carry the keys that they would have had, and are written down once the store takes them.".to_owned()),
            hint: None,
        });
    }
    if outbox.owed > 0 {
        list.push(Attention {
            tone: "unknown",
            title: format!("{} still to be delivered", messages(outbox.owed)),
            since: outbox.oldest_owed.map(|oldest| When::new(oldest, now)),
            message: None,
            hint: None,
        });
    }
    if outbox.refused > 0 {
        list.push(Attention {
            tone: "unknown",
            title: format!("{} refused for good in the last 7 days", messages(outbox.refused)),
            since: None,
            message: Some(
                "Their channels told nobody; the reason stands under Messages, and so does what a fallback made of it.".to_owned(),
            ),
            hint: None,
        });
    }
    list
}
