//! Incidents that are told together.

use std::fmt;

use jiff::Timestamp;

use crate::{Failure, FellBack, Key, Page, Period, Resolve, Series};

/// Which incidents are one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupBy {
    /// Those of a Region, over all accounts and models.
    Region,
    /// Those of an account in a Region.
    Account,
    /// Each is a page of its own.
    Series,
}

impl GroupBy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Region, Self::Account, Self::Series];

    /// As configuration writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Account => "account",
            Self::Series => "series",
        }
    }

    /// The group of a series.
    #[must_use]
    pub fn group(self, series: &Series) -> Group {
        Group(match self {
            Self::Region => series.region().to_owned(),
            Self::Account => format!("{}/{}", series.account(), series.region()),
            Self::Series => series.to_string(),
        })
    }
}

/// The name of a group: `us-east-1`, `111122223333/us-east-1`, or a whole series.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(String);

impl Group {
    /// A name that was stored.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is remembered of a page to one channel: who got it, under which key, and which incidents it is about. Its resolve goes to exactly
/// this channel, with this key, whatever the configuration says by then.
#[derive(Debug, Clone, PartialEq)]
pub struct PageState {
    /// Its name to the receiver.
    pub key: Key,
    /// The channel, as [`crate::ChannelPlan::name`] writes it.
    pub channel: String,
    /// Where that channel led, as [`crate::ChannelPlan::receiver`] writes it: a channel that was renamed still leads there, one whose
    /// receiver was changed does not.
    pub receiver: String,
    /// The group.
    pub group: Group,
    /// The first of the periods whose verdicts opened the incidents that it began with.
    pub opened: Period,
    /// When it became owed.
    pub told: Timestamp,
    /// What it said in one line.
    pub summary: String,
    /// The incidents, in the order in which they joined. Never empty.
    pub members: Vec<Member>,
    /// That it is held open only by what cannot be seen has been said.
    pub held_told: bool,
    /// When its last incident ended; `None` while it is open.
    pub closed: Option<Timestamp>,
}

impl PageState {
    /// The incidents that are still open.
    pub fn open(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.resolved.is_none())
    }
}

/// An incident of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its own key.
    pub incident: Key,
    /// Whose.
    pub series: Series,
    /// The first breaching period of those that opened it.
    pub onset: Period,
    /// The period whose verdict opened it.
    pub opened: Period,
    /// When it joined the page.
    pub joined: Timestamp,
    /// The lowest ratio to the baseline, as far as it is known.
    pub worst: Option<f64>,
    /// The first period that was back, once it is over.
    pub recovered: Option<Period>,
    /// The period whose verdict ended it, once one did.
    pub resolved: Option<Period>,
}

/// A page to one channel: what is told when the first incidents of a group open.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupPage {
    /// What is remembered of it. Its summary is still empty: whoever renders it fills it in.
    pub state: PageState,
    /// The page of each incident, in the order of [`PageState::members`]. Never empty.
    pub pages: Vec<Page>,
}

/// The resolve of a page: what is told when its last incident is over.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupResolve {
    /// What is remembered of the page, with everything that is over marked so.
    pub state: PageState,
    /// The resolve of the incident that ended last.
    pub last: Resolve,
}

/// A page that is held open only by series that cannot be seen: nobody knows whether it is over.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldPage {
    /// What is remembered of the page.
    pub state: PageState,
    /// The last period in which one of its open incidents could be judged; `None` when that is not known.
    pub seen: Option<Period>,
    /// When this is said.
    pub at: Timestamp,
}

/// What else there is to see when a page is written: what is healthy, and what nobody can tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// Series of the group that could be judged lately, those of the page among them.
    pub judged: usize,
    /// Other groups, by Region.
    pub elsewhere: Vec<Elsewhere>,
    /// What cannot be read.
    pub unseen: Vec<Unseen>,
    /// Series of the page that serve what is usually latency-optimized, in its order.
    pub fell_back: Vec<FellBack>,
}

/// How another Region is doing.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    /// The Region.
    pub region: String,
    /// Series that could be judged lately.
    pub series: usize,
    /// How many of them have an open incident.
    pub slow: usize,
    /// The median of their newest ratios to the baseline.
    pub ratio: f64,
    /// The lowest of them.
    pub worst: f64,
}

/// A source that cannot be read in a Region: its series are unknown, not healthy.
#[derive(Debug, Clone, PartialEq)]
pub struct Unseen {
    /// The source, by its name in the configuration.
    pub source: String,
    /// The Region.
    pub region: String,
    /// Its known series.
    pub series: usize,
    /// How it fails.
    pub failure: Failure,
    /// Since when.
    pub since: Timestamp,
    /// The ticket about it, once there is one.
    pub ticket: Option<Key>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_named_after_what_its_series_share() {
        let arn = "arn:aws:bedrock:us-east-1:111122223333:inference-profile/abc";
        let (one, other) = (Series::new("111122223333", "us-east-1", arn), Series::new("", "us-east-1", "m"));
        let names = |series: &Series| GroupBy::ALL.map(|by| by.group(series).to_string());
        assert_eq!(
            names(&one),
            [
                "us-east-1".to_owned(),
                "111122223333/us-east-1".to_owned(),
                format!("111122223333/us-east-1/{arn}")
            ]
        );
        assert_eq!(names(&other), ["us-east-1", "-/us-east-1", "-/us-east-1/m"]);
        assert_eq!(GroupBy::ALL.map(GroupBy::as_str), ["region", "account", "series"]);
        let group = GroupBy::Account.group(&one);
        assert_eq!(Group::from_text(group.as_str()), group);
    }

    #[test]
    fn a_member_is_open_until_a_verdict_ended_it() {
        let series = Series::new("-", "us-east-1", "m");
        let opened = Period::from_index(5_970_000);
        let member = |resolved| Member {
            incident: Key::of_incident(&series, opened),
            series: series.clone(),
            onset: opened - 2,
            opened,
            joined: opened.end(),
            worst: None,
            recovered: resolved,
            resolved,
        };
        let state = PageState {
            key: Key::from_text("k"),
            channel: "log.all".to_owned(),
            receiver: "log all".to_owned(),
            group: GroupBy::Region.group(&series),
            opened,
            told: opened.end(),
            summary: String::new(),
            members: vec![member(Some(opened + 9)), member(None)],
            held_told: false,
            closed: None,
        };
        assert_eq!(state.open().collect::<Vec<_>>(), [&state.members[1]]);
    }
}
