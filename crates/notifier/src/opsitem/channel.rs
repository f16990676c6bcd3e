//! What is called when.

use aws_config::SdkConfig;
use domain::{Act, Channel, DeliveryError, Message, OpsItemPlan, Receipt, Retry};

use super::calls::{Created, Known, OpsCenter};
use crate::item::{Item, ItemAction};
use crate::open::Timeouts;

/// OpsCenter as a receiver.
pub(crate) struct OpsItemChannel {
    center: OpsCenter,
}

impl OpsItemChannel {
    /// Makes the client; nothing is sent. `config` is of the Region of the plan.
    pub(crate) fn open(name: String, plan: &OpsItemPlan, timeouts: Timeouts, config: &SdkConfig) -> Self {
        Self { center: OpsCenter::new(name, plan, timeouts, config) }
    }

    /// Asks for the OpsItem of a key that none has.
    pub(crate) async fn look(&self) -> Result<(), DeliveryError> {
        self.center.find("otpsd-looks").await.map(drop)
    }

    async fn file(&self, message: &Message, reference: Option<&str>) -> Result<Receipt, DeliveryError> {
        let item = Item::of(message)?;
        let known = match reference {
            Some(id) => Some(self.center.get(id).await?),
            None => self.find(&item).await?,
        };
        let reference = match (item.action, known) {
            (_, Some(Known { id, over: true })) => {
                self.left_alone(&item, &id);
                Some(id)
            }
            (action, Some(Known { id, over: false })) => {
                self.center.update(&id, &item, action == ItemAction::Close).await?;
                Some(id)
            }
            (ItemAction::Close, None) => None,
            (ItemAction::Open | ItemAction::Update, None) => {
                Some(match self.center.create(&item, message.kind).await? {
                    Created::New(id) => id,
                    Created::Already(id) => {
                        self.center.update(&id, &item, false).await?;
                        id
                    }
                })
            }
        };
        Ok(Receipt { reference })
    }

    /// The OpsItem with the key. One that is only to be opened does not depend on leave to search: Systems Manager itself sees to it
    /// that there is one, unless a human resolved it.
    async fn find(&self, item: &Item) -> Result<Option<Known>, DeliveryError> {
        match self.center.find(&item.key).await {
            Err(error) if item.action == ItemAction::Open && error.retry == Retry::Never => {
                let (channel, key) = (self.center.channel(), item.key.as_str());
                tracing::warn!(channel, key, hint = error.hint, "filing without a search: {error}");
                Ok(None)
            }
            found => found,
        }
    }

    fn left_alone(&self, item: &Item, id: &str) {
        if item.action != ItemAction::Close {
            let (channel, key) = (self.center.channel(), item.key.as_str());
            tracing::info!(
                channel,
                key,
                reference = id,
                "somebody resolved, closed or deleted the OpsItem: it stays so, and is not told what goes on"
            );
        }
    }
}

impl Channel for OpsItemChannel {
    fn name(&self) -> &str {
        self.center.channel()
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        reference: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(self.file(message, reference))
    }
}

#[cfg(test)]
mod tests;
