//! The messages, and where each stands.

use domain::{Owed, OwedState};
use jiff::Timestamp;

use crate::times::{When, moment};

/// One message.
pub(crate) struct MessageRow {
    pub(crate) created: When,
    pub(crate) channel: String,
    pub(crate) kind: &'static str,
    pub(crate) summary: String,
    pub(crate) standing: Standing,
    pub(crate) error: Option<String>,
}

/// Where a message stands.
pub(crate) struct Standing {
    pub(crate) tone: &'static str,
    pub(crate) text: String,
}

/// Whether nobody waits for it: it stands by, or was withdrawn.
pub(crate) const fn is_idle(owed: &Owed) -> bool {
    matches!(owed.state, OwedState::Standby | OwedState::Withdrawn(_))
}

impl Standing {
    /// Where `owed` stands; `all` are the messages that are known.
    pub(crate) fn new(owed: &Owed, all: &[Owed], now: Timestamp) -> Self {
        let tries =
            |attempts: u32| if attempts == 1 { "1 try".to_owned() } else { format!("{attempts} tries") };
        let (tone, text) = match owed.state {
            OwedState::Delivered(at) => ("calm", format!("delivered {}", moment(at, now))),
            OwedState::Refused(at) => ("alarm", format!("refused {}", moment(at, now))),
            OwedState::Standby => {
                let first = |other: &&Owed| owed.message.standby_for.as_ref() == Some(&other.message.id);
                let text = all.iter().find(first).map_or_else(
                    || "stands by".to_owned(),
                    |other| format!("stands by for {}", other.message.channel),
                );
                ("quiet", text)
            }
            OwedState::Withdrawn(at) => ("quiet", format!("withdrawn {}, over by then", moment(at, now))),
            OwedState::Due(_) if owed.attempts == 0 => ("unknown", "owed".to_owned()),
            OwedState::Due(at) => {
                ("unknown", format!("owed, {}, next {}", tries(owed.attempts), moment(at, now)))
            }
        };
        Self { tone, text }
    }
}

impl MessageRow {
    /// The row of `owed`, one of `all`.
    pub(crate) fn new(owed: &Owed, all: &[Owed], now: Timestamp) -> Self {
        let message = &owed.message;
        Self {
            created: When::new(message.created, now),
            channel: message.channel.clone(),
            kind: message.kind.as_str(),
            summary: message.summary.clone(),
            standing: Standing::new(owed, all, now),
            // What an earlier attempt said does not matter once another was taken.
            error: owed.last_error.clone().filter(|_| !matches!(owed.state, OwedState::Delivered(_))),
        }
    }
}
