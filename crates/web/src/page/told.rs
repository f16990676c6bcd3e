//! The open pages: who was told of what, a line a group.

use domain::{Key, NoticeKind, Owed, PageState, Series};
use jiff::Timestamp;

use super::outbox::{self, Standing};
use crate::figures::ratio;
use crate::sight::Sight;
use crate::snapshot::Snapshot;
use crate::times::When;

/// Pages that are shown; more of them are counted. Ungrouped, a whole fleet may be as many pages as it has series.
pub(crate) const PAGES_SHOWN: usize = 30;
/// Incidents of a page that are listed.
const MEMBERS_SHOWN: usize = 60;
/// Incidents of a page that are listed without being unfolded.
const MEMBERS_UNFOLDED: usize = 4;

/// A page, as all the channels were told that have the same incidents of it.
pub(crate) struct Told {
    pub(crate) key: String,
    /// Whether it is the first line of its key, which links to the page lead to.
    pub(crate) first: bool,
    pub(crate) group: String,
    pub(crate) open: usize,
    pub(crate) total: usize,
    pub(crate) summary: String,
    /// The first slow period of all its incidents.
    pub(crate) onset: Option<When>,
    pub(crate) told: When,
    pub(crate) receivers: Vec<Receiver>,
    /// Whether none of its open incidents is seen.
    pub(crate) held: bool,
    pub(crate) members: Vec<MemberLine>,
    pub(crate) omitted: usize,
    pub(crate) unfolded: bool,
}

/// A channel that was told.
pub(crate) struct Receiver {
    pub(crate) channel: String,
    /// Where the message stands, while that is still known.
    pub(crate) standing: Option<Standing>,
    /// The channel that got it instead, and how far that came.
    pub(crate) instead: Option<(String, Standing)>,
}

/// One incident of a page.
pub(crate) struct MemberLine {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) place: String,
    pub(crate) tone: &'static str,
    pub(crate) state: String,
    pub(crate) onset: When,
    pub(crate) worst: String,
}

/// The lines of the open pages, and how many there are beyond [`PAGES_SHOWN`].
pub(crate) fn lines(snapshot: &Snapshot, now: Timestamp) -> (Vec<Told>, usize) {
    let mut groups: Vec<Vec<&PageState>> = Vec::new();
    for page in snapshot.pages.iter().filter(|page| page.closed.is_none()) {
        match groups.iter_mut().find(|group| same_page(group[0], page)) {
            Some(group) => group.push(page),
            None => groups.push(vec![page]),
        }
    }
    let mut keys: Vec<&Key> = Vec::new();
    let omitted = groups.len().saturating_sub(PAGES_SHOWN);
    let mut lines = Vec::new();
    for group in groups.iter().take(PAGES_SHOWN) {
        let first = !keys.contains(&&group[0].key);
        keys.push(&group[0].key);
        lines.push(Told::new(snapshot, group, first, now));
    }
    (lines, omitted)
}

/// Whether both are one page to a reader: the same key, about the same incidents.
fn same_page(one: &PageState, other: &PageState) -> bool {
    let incidents =
        |page: &PageState| page.members.iter().map(|member| member.incident.clone()).collect::<Vec<_>>();
    one.key == other.key && one.group == other.group && incidents(one) == incidents(other)
}

impl Told {
    fn new(snapshot: &Snapshot, channels: &[&PageState], first: bool, now: Timestamp) -> Self {
        let page = channels[0];
        let mut members: Vec<_> = page.members.iter().collect();
        members.sort_by_key(|member| member.resolved.is_some());
        let seen = |series: &Series| {
            snapshot
                .series
                .iter()
                .find(|status| status.series == *series)
                .is_some_and(|status| Sight::of(snapshot, status, now).is_seen())
        };
        let open = page.open().count();
        let told = channels.iter().map(|page| page.told).min().unwrap_or(page.told);
        Self {
            key: page.key.to_string(),
            first,
            group: page.group.to_string(),
            open,
            total: members.len(),
            summary: page.summary.clone(),
            onset: members.iter().map(|member| member.onset.start()).min().map(|onset| When::new(onset, now)),
            told: When::new(told, now),
            receivers: channels.iter().map(|page| Receiver::new(snapshot, page, now)).collect(),
            held: open > 0 && !page.open().any(|member| seen(&member.series)),
            omitted: members.len().saturating_sub(MEMBERS_SHOWN),
            unfolded: members.len() <= MEMBERS_UNFOLDED,
            members: members
                .iter()
                .take(MEMBERS_SHOWN)
                .map(|member| {
                    let (tone, state) = match member.recovered.or(member.resolved) {
                        Some(back) if member.resolved.is_some() => {
                            ("calm", format!("back {}", When::new(back.start(), now).moment))
                        }
                        _ if !seen(&member.series) => ("unknown", "open, not seen".to_owned()),
                        _ => ("alarm", "open".to_owned()),
                    };
                    MemberLine {
                        id: member.series.to_string(),
                        model: member.series.model().to_owned(),
                        place: format!("{} · {}", member.series.region(), member.series.account()),
                        tone,
                        state,
                        onset: When::new(member.onset.start(), now),
                        worst: ratio(member.worst, snapshot.rule_of(&member.series).page_below),
                    }
                })
                .collect(),
        }
    }
}

impl Receiver {
    fn new(snapshot: &Snapshot, page: &PageState, now: Timestamp) -> Self {
        let messages = &snapshot.messages;
        let trigger = |owed: &&Owed| {
            let message = &owed.message;
            message.kind == NoticeKind::Page && message.key == page.key && message.channel == page.channel
        };
        let sent = messages.iter().find(trigger);
        let instead = sent.and_then(|sent| {
            let stands_in = |owed: &&Owed| owed.message.standby_for.as_ref() == Some(&sent.message.id);
            messages.iter().find(stands_in).filter(|owed| !outbox::is_idle(owed))
        });
        Self {
            channel: page.channel.clone(),
            standing: sent.map(|owed| Standing::new(owed, messages, now)),
            instead: instead.map(|owed| (owed.message.channel.clone(), Standing::new(owed, messages, now))),
        }
    }
}
