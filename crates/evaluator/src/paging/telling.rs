//! Every open incident that nobody was told of is looked at again with every step.

use domain::{ChannelPlan, Incident, Key, Page};
use jiff::Timestamp;

use super::{Desk, Notice, Paging, Step, Untold, Waiting};

/// An incident that is told now, and to whom.
pub(super) struct Told<'a> {
    pub(super) page: Page,
    pub(super) channels: Vec<&'a ChannelPlan>,
}

impl Told<'_> {
    pub(super) fn incident(&self) -> &Incident {
        self.page.incident()
    }
}

impl Paging {
    /// Tells what can be told, and says why the rest is not.
    pub(super) fn tell(&mut self, now: Timestamp, desk: &Desk<'_>, step: &mut Step) {
        let mut told: Vec<Told<'_>> = Vec::new();
        let mut keys: Vec<Key> = Vec::new();
        for (key, waiting) in &mut self.waiting {
            let incident = waiting.page.incident();
            match desk.of_page(&incident.series, now) {
                Ok(channels) => {
                    told.push(Told { page: waiting.page.clone(), channels });
                    keys.push(key.clone());
                }
                Err(why) => {
                    let incident = Box::new(incident.clone());
                    if waiting.is_news(&why) {
                        step.rest.push(Notice::Untold { incident, why });
                    }
                }
            }
        }
        for key in keys {
            self.waiting.remove(&key);
        }
        self.group(now, desk.plan, told, step);
    }
}

impl Waiting {
    /// Remembers why nobody is told, and says whether that was not said before.
    fn is_news(&mut self, why: &Untold) -> bool {
        self.why = Some(why.clone());
        let known = self.said.contains(why);
        if !known {
            self.said.push(why.clone());
        }
        !known && !std::mem::take(&mut self.restored)
    }
}
