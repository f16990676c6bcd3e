//! What is done when.

use domain::{Act, Channel, DeliveryError, JiraPlan, Message, Receipt};
use jiff::Timestamp;

use super::issue::{Category, Issue, Mark};
use super::site::{Site, Transition};
use super::standing::{Standing, foremost};
use crate::item::{Item, ItemAction};
use crate::open::Timeouts;

/// Below the last comment of an issue that somebody has begun to work on.
const LEFT_TO_YOU: &str = "It is over. The issue is left open, since somebody works on it.";
/// Below the last comment of an issue that cannot be moved.
const NO_WAY: &str =
    "It is over, but no transition that otpsd may make leads from here to a status that means done.";

/// A project of Jira as a receiver.
pub(crate) struct JiraChannel {
    site: Site,
}

impl JiraChannel {
    /// Makes the client; nothing is sent.
    pub(crate) fn open(
        name: String,
        plan: &JiraPlan,
        timeouts: Timeouts,
        now: fn() -> Timestamp,
    ) -> Result<Self, DeliveryError> {
        Site::open(name, plan, timeouts, now).map(|site| Self { site })
    }

    /// Asks who the token is of, and for the project.
    pub(crate) async fn look(&self) -> Result<(), DeliveryError> {
        self.site.look().await
    }

    async fn tell(&self, message: &Message, reference: Option<&str>) -> Result<Receipt, DeliveryError> {
        let item = Item::of(message)?;
        let mut issues = Vec::new();
        match reference {
            Some(key) => match self.site.issue(key).await? {
                Some(issue) => issues.push(issue),
                None => return Ok(self.left_alone(&item, key, "deleted")),
            },
            None => issues = self.site.search(&item).await?,
        }
        // What it is called by the tracker is as good as its key.
        let known = foremost(issues.iter().filter(|issue| reference.is_some() || issue.is_about(&item.key)));
        let reference = match (item.action, known) {
            (ItemAction::Close, None) => None,
            (ItemAction::Close, Some(issue)) => {
                if let Standing::Open { begun } = self.standing(issue) {
                    self.close(issue, begun, message, &item).await?;
                }
                Some(issue.key.clone())
            }
            (ItemAction::Update, Some(issue)) => match self.standing(issue) {
                Standing::Open { .. } => Some(self.comment(issue, message, &item).await?),
                _ => return Ok(self.left_alone(&item, &issue.key, "closed")),
            },
            (ItemAction::Open, Some(issue)) => match self.standing(issue) {
                Standing::ClosedByHand => return Ok(self.left_alone(&item, &issue.key, "closed by hand")),
                _ => self.again(Some(issue), message, &item).await?,
            },
            (ItemAction::Open | ItemAction::Update, None) => {
                let same = foremost(issues.iter());
                self.again(same, message, &item).await?
            }
        };
        Ok(Receipt { reference })
    }

    /// Says it to an issue of the same, if there is one that takes it, and otherwise files one.
    async fn again(
        &self,
        same: Option<&Issue>,
        message: &Message,
        item: &Item,
    ) -> Result<Option<String>, DeliveryError> {
        let mark = Mark {
            key: item.key.clone(),
            subject: item.subject.clone(),
            message: message.id.clone(),
            closed: None,
        };
        let Some(issue) = same else {
            return Ok(Some(self.site.file(item, &mark).await?));
        };
        match self.standing(issue) {
            Standing::Unwanted => {
                return Ok(self.left_alone(item, &issue.key, "closed as not wanted").reference);
            }
            Standing::Open { .. } => {
                self.adopt(issue, item).await?;
                return Ok(Some(self.comment(issue, message, item).await?));
            }
            Standing::Closed { recently: true } => {
                if let Some(way) = self.way_back(issue).await? {
                    self.adopt(issue, item).await?;
                    self.site.transit(&issue.key, &way).await?;
                    return Ok(Some(self.comment(issue, message, item).await?));
                }
            }
            Standing::Closed { recently: false } | Standing::ClosedByHand => {}
        }
        Ok(Some(self.site.file(item, &mark).await?))
    }

    /// Lets an issue be found by the key of the item, and takes back that the daemon closed it.
    async fn adopt(&self, issue: &Issue, item: &Item) -> Result<(), DeliveryError> {
        let mark = Mark {
            key: item.key.clone(),
            subject: item.subject.clone(),
            message: issue.mark.message.clone(),
            closed: None,
        };
        if issue.mark != mark {
            self.site.mark(&issue.key, &mark).await?;
        }
        if !issue.is_about(&item.key) {
            self.site.label(&issue.key, &item.key).await?;
        }
        Ok(())
    }

    async fn comment(&self, issue: &Issue, message: &Message, item: &Item) -> Result<String, DeliveryError> {
        // What filed it is its description.
        if issue.mark.message != message.id {
            self.site.comment(&issue.key, &message.id, item, None).await?;
        }
        Ok(issue.key.clone())
    }

    async fn close(
        &self,
        issue: &Issue,
        begun: bool,
        message: &Message,
        item: &Item,
    ) -> Result<(), DeliveryError> {
        if begun {
            return Ok(self.site.comment(&issue.key, &message.id, item, Some(LEFT_TO_YOU)).await?);
        }
        let ways = self.site.transitions(&issue.key).await?;
        let Some(way) = ways.iter().find(|way| way.to == Category::Done) else {
            return Ok(self.site.comment(&issue.key, &message.id, item, Some(NO_WAY)).await?);
        };
        self.site.comment(&issue.key, &message.id, item, None).await?;
        // Before, so that an answer that is lost cannot make it look closed by hand.
        let closed = Some(self.site.now().as_second());
        self.site.mark(&issue.key, &Mark { closed, ..issue.mark.clone() }).await?;
        Ok(self.site.transit(&issue.key, way).await?)
    }

    /// A way from done to a status that is to do, or else to any that is not done.
    async fn way_back(&self, issue: &Issue) -> Result<Option<Transition>, DeliveryError> {
        let ways = self.site.transitions(&issue.key).await?;
        let back = ways.into_iter().filter(|way| way.to != Category::Done);
        Ok(back.min_by_key(|way| way.to != Category::ToDo))
    }

    fn standing(&self, issue: &Issue) -> Standing {
        Standing::of(issue, self.site.plan(), self.site.now())
    }

    fn left_alone(&self, item: &Item, reference: &str, how: &str) -> Receipt {
        let (channel, key) = (self.site.channel(), item.key.as_str());
        if item.action != ItemAction::Close {
            tracing::info!(
                channel,
                key,
                reference,
                "the issue was {how} and stays so: it is not told what goes on"
            );
        }
        Receipt { reference: Some(reference.to_owned()) }
    }
}

impl Channel for JiraChannel {
    fn name(&self) -> &str {
        self.site.channel()
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        reference: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(self.tell(message, reference))
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tracker;
