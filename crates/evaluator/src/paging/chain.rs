//! Which period a page was opened by, when history was read at once.
//!
//! When the store is lost, history is read again and judged in one go. A series that opened a page and has recovered since is history then, and the page
//! begins with those that still stand. For the page to have the key it had, it must be named after the first of the episodes that followed
//! each other without a gap, and not after the first that is left.

use domain::{Group, Period, Plan, Resolve, Series};
use jiff::{SignedDuration, Timestamp};

use super::Paging;
use super::desk::page_channels;

/// For so long what ended in history is remembered: reading the history of a whole fleet takes minutes, and hours where CloudWatch
/// throttles it.
const ADOPTION_LASTS: SignedDuration = SignedDuration::from_hours(24);

/// An incident that opened and ended in history that was read at once.
#[derive(Debug, Clone)]
pub(super) struct Episode {
    series: Series,
    opened: Period,
    resolved: Period,
    /// When it was read.
    read: Timestamp,
}

impl Episode {
    pub(super) fn new(resolve: &Resolve, now: Timestamp) -> Self {
        Self {
            series: resolve.incident.series.clone(),
            opened: resolve.incident.opened,
            resolved: resolve.resolved,
            read: now,
        }
    }

    /// When somebody would have been told of it; `None` when maintenance hid all of it.
    fn told(&self, plan: &Plan) -> Option<Timestamp> {
        let labels = plan.labels_of(&self.series);
        let windows = plan.maintenance.iter().filter(|one| one.is_about_series(&self.series, &labels));
        let windows: Vec<_> = windows.map(|one| &one.window).collect();
        let mut at = self.opened.end();
        while let Some(end) = windows.iter().find_map(|window| window.end(at)) {
            at = end;
        }
        (at < self.resolved.end()).then_some(at)
    }

    /// Whether a channel would have been told of it.
    fn went_to(&self, plan: &Plan, channel: &str) -> bool {
        self.told(plan)
            .is_some_and(|at| page_channels(plan, &self.series, at).iter().any(|one| one.name() == channel))
    }
}

impl Paging {
    pub(super) fn forget_episodes(&mut self, now: Timestamp) {
        self.episodes.retain(|episode| now.duration_since(episode.read) < ADOPTION_LASTS);
    }

    /// The period that opened the page of a group to a channel which was open when an incident opened at `opened`: back from one episode to an
    /// earlier one that had not ended yet.
    pub(super) fn first_of_chain(&self, plan: &Plan, group: &Group, channel: &str, opened: Period) -> Period {
        let mut episodes: Vec<&Episode> =
            self.episodes.iter().filter(|one| plan.group_by.group(&one.series) == *group).collect();
        let mut first = opened;
        loop {
            episodes.retain(|one| one.opened < first);
            let before = episodes.iter().filter(|one| one.resolved >= first && one.went_to(plan, channel));
            match before.map(|one| one.opened).min() {
                Some(earlier) => first = earlier,
                None => return first,
            }
        }
    }
}
