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
    list.extend(sources(snapshot, now));
    list.extend(limited(snapshot, now));
    list.extend(outbox(snapshot, now));
    list
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
    let mut list = Vec::new();
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
            title: format!("{} refused for good", messages(outbox.refused)),
            since: None,
            message: Some(
                "Nobody got them over the channel that refused; the reason stands under Messages.".to_owned(),
            ),
            hint: None,
        });
    }
    list
}
