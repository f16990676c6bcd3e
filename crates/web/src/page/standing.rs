//! In which group of the page a series stands: its state, unless nobody knows how it is.

use domain::AlarmState;

use crate::sight::Sight;

/// A group of the page, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// An incident is open, seen or not.
    Alarm,
    /// Nobody knows how it is.
    NotSeen,
    /// None of the last periods could be judged.
    InsufficientData,
    /// Not enough history yet.
    Learning,
    /// Judged, and not slow.
    Ok,
}

impl Standing {
    /// All of them, worst first.
    pub(crate) const ALL: [Self; 5] =
        [Self::Alarm, Self::NotSeen, Self::InsufficientData, Self::Learning, Self::Ok];

    /// Where a series belongs. An incident that is not seen any more is still open.
    pub(crate) const fn of(state: AlarmState, sight: Sight) -> Self {
        match (state, sight) {
            (AlarmState::Alarm, _) => Self::Alarm,
            (_, Sight::NotSeen(_)) => Self::NotSeen,
            (AlarmState::InsufficientData, Sight::Seen) => Self::InsufficientData,
            (AlarmState::Learning, Sight::Seen) => Self::Learning,
            (AlarmState::Ok, Sight::Seen) => Self::Ok,
        }
    }

    /// How a row and the strip name it.
    pub(crate) const fn badge(self) -> &'static str {
        match self {
            Self::Alarm => AlarmState::Alarm.as_str(),
            Self::NotSeen => "not seen",
            Self::InsufficientData => AlarmState::InsufficientData.as_str(),
            Self::Learning => AlarmState::Learning.as_str(),
            Self::Ok => AlarmState::Ok.as_str(),
        }
    }

    /// The heading of its group.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Alarm => "In ALARM",
            Self::NotSeen => "Not seen",
            _ => self.badge(),
        }
    }

    /// What it means, in one line.
    pub(crate) const fn why(self) -> &'static str {
        match self {
            Self::Alarm => {
                "OTPS fell below the line of the rule: the model host generates tokens more slowly."
            }
            Self::NotSeen => "Unknown, not healthy: figures are the last that were seen.",
            Self::InsufficientData => "None of the last periods could be judged.",
            Self::Learning => "Nothing pages before there is enough history to compare with.",
            Self::Ok => "Judged, and not slow.",
        }
    }

    /// The class that gives it its colour.
    pub(crate) const fn tone(self) -> &'static str {
        match self {
            Self::Alarm => "alarm",
            Self::NotSeen => "unknown",
            Self::InsufficientData => "quiet",
            Self::Learning => "learning",
            Self::Ok => "calm",
        }
    }
}
