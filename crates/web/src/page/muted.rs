//! What nobody is told of: incidents, and the silences and windows that mute them.

use jiff::Timestamp;

use crate::about::in_words;
use crate::figures::ratio;
use crate::snapshot::{Snapshot, Untold, UntoldStatus};
use crate::times::When;

/// Incidents that are shown; more of them are counted.
pub(crate) const UNTOLD_SHOWN: usize = 30;

/// An open incident that nobody was told of.
pub(crate) struct UntoldRow {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) place: String,
    pub(crate) tone: &'static str,
    pub(crate) why: String,
    /// Where on the page the reason stands.
    pub(crate) anchor: Option<String>,
    pub(crate) until: Option<When>,
    pub(crate) onset: Option<When>,
    pub(crate) worst: String,
    pub(crate) key: String,
}

/// A silence or a maintenance window.
pub(crate) struct MuteRow {
    pub(crate) anchor: String,
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) tone: &'static str,
    pub(crate) state: String,
    pub(crate) about: String,
    pub(crate) until: When,
    pub(crate) who: Option<String>,
    pub(crate) why: String,
}

impl UntoldRow {
    /// The row of `untold`.
    pub(crate) fn new(untold: &UntoldStatus, snapshot: &Snapshot, now: Timestamp) -> Self {
        let incident = snapshot.incidents.iter().map(|record| &record.incident);
        let incident = incident.clone().find(|incident| incident.key == untold.key);
        let until = match &untold.why {
            Untold::Silence(id) => {
                snapshot.silences.iter().find(|silence| silence.id == *id).map(|silence| silence.until)
            }
            Untold::Maintenance(name) => {
                snapshot.maintenance.iter().find(|window| window.name == *name).map(|window| window.until)
            }
            Untold::Observe | Untold::NoRoute => None,
        };
        let anchor = match &untold.why {
            Untold::Silence(id) => Some(silence_anchor(id)),
            Untold::Maintenance(name) => Some(maintenance_anchor(name)),
            Untold::Observe | Untold::NoRoute => None,
        };
        Self {
            id: untold.series.to_string(),
            model: untold.series.model().to_owned(),
            place: format!("{} · {}", untold.series.region(), untold.series.account()),
            // Somebody chose all the other reasons.
            tone: if untold.why == Untold::NoRoute { "unknown" } else { "quiet" },
            why: untold.why.to_string(),
            anchor: anchor.filter(|_| until.is_some()),
            until: until.map(|until| When::new(until, now)),
            onset: incident.map(|incident| When::new(incident.onset.start(), now)),
            worst: ratio(
                incident.and_then(|incident| incident.worst),
                snapshot.rule_of(&untold.series).page_below,
            ),
            key: untold.key.to_string(),
        }
    }
}

/// The silences that hold or will, and the windows that are open.
pub(crate) fn mutes(snapshot: &Snapshot, now: Timestamp) -> Vec<MuteRow> {
    let silences = snapshot.silences.iter().filter(|silence| silence.until > now).map(|silence| {
        let holds = silence.holds(now);
        MuteRow {
            anchor: silence_anchor(&silence.id),
            kind: "silence",
            name: silence.id.clone(),
            tone: if holds { "learning" } else { "quiet" },
            state: if holds {
                "holds".to_owned()
            } else {
                format!("from {}", When::new(silence.from, now).moment)
            },
            about: in_words(&silence.matcher),
            until: When::new(silence.until, now),
            who: Some(silence.author.clone()),
            why: silence.comment.clone(),
        }
    });
    let windows = snapshot.maintenance.iter().filter(|window| window.until > now).map(|window| MuteRow {
        anchor: maintenance_anchor(&window.name),
        kind: "maintenance",
        name: window.name.clone(),
        tone: "learning",
        state: "holds".to_owned(),
        about: window.about.clone(),
        until: When::new(window.until, now),
        who: None,
        why: window.comment.clone().unwrap_or_default(),
    });
    silences.chain(windows).collect()
}

fn silence_anchor(id: &str) -> String {
    format!("silence-{id}")
}

fn maintenance_anchor(name: &str) -> String {
    format!("maintenance-{name}")
}
