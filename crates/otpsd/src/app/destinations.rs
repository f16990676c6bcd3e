//! Where messages lead: the channels that were opened, and what became of those that pages went to under another configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Channel, ChannelPlan, DeliveryError, Key, Message, PageState, Retry};

use super::recipients::Recipients;

/// A channel that was opened.
#[derive(Clone)]
pub(crate) struct Destination {
    pub(crate) channel: Arc<dyn Channel>,
    /// Messages that may be under way to it at once.
    pub(crate) in_flight: usize,
}

/// All of them, by the names under which messages are owed.
#[derive(Clone, Default)]
pub(crate) struct Destinations {
    named: BTreeMap<String, Destination>,
    /// Pages that went to a channel that leads elsewhere now: the name of the one that leads there, if any does.
    moved: BTreeMap<(String, Key), Option<String>>,
}

impl Destinations {
    /// The channels of a plan. `pages` are the open ones of before.
    pub(crate) fn new<'a>(
        opened: Vec<(&ChannelPlan, Arc<dyn Channel>)>,
        recipients: Recipients<'_>,
        pages: impl Iterator<Item = &'a PageState>,
    ) -> Self {
        let destination = |(plan, channel): (&ChannelPlan, Arc<dyn Channel>)| {
            (plan.name(), Destination { channel, in_flight: usize::from(plan.delivery().in_flight.max(1)) })
        };
        let moved = pages.filter_map(|page| {
            let now = recipients.of_page_state(page).map(ChannelPlan::name);
            (now.as_deref() != Some(page.channel.as_str()))
                .then(|| ((page.channel.clone(), page.key.clone()), now))
        });
        Self { named: opened.into_iter().map(destination).collect(), moved: moved.collect() }
    }

    /// Where a message leads.
    ///
    /// # Errors
    ///
    /// Its channel is not configured any more, or leads to somebody who never got its page.
    pub(crate) fn of(&self, message: &Message) -> Result<&Destination, DeliveryError> {
        let moved = self.moved.get(&(message.channel.clone(), message.key.clone()));
        let name = match moved {
            Some(Some(name)) => name,
            Some(None) => return Err(lost(message)),
            None => &message.channel,
        };
        self.named.get(name).ok_or_else(|| lost(message))
    }
}

fn lost(message: &Message) -> DeliveryError {
    DeliveryError {
        retry: Retry::Never,
        message: format!(
            "no channel leads to the receiver of `{}` any more, so the {} of {} cannot be sent",
            message.channel,
            message.kind.as_str(),
            message.key
        ),
        hint: Some(
            "close it there by hand; or configure that receiver again, under any name, and restart"
                .to_owned(),
        ),
    }
}
