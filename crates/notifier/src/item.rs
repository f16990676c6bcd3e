//! What a tracker of work is told: the body of every message to an `opsitem` or a `jira` channel.
//!
//! A tracker has no wire format for news. What has to be sent depends on what is there already (an item that is open, one that a
//! human closed), so the body says what is wanted, as JSON, and the channel works out the calls.

use std::collections::BTreeMap;

use domain::{DeliveryError, Message, NoticeKind, Retry, TicketAction};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One item, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Item {
    /// What is wanted.
    pub(crate) action: ItemAction,
    /// The key of the page or ticket: it finds the item again.
    pub(crate) key: String,
    /// What the same condition of the same series is called whenever it comes back, by [`subject`]. A page has none: each is an
    /// incident of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<String>,
    /// One line.
    pub(crate) title: String,
    /// The whole text, laid out for a fixed width.
    pub(crate) text: String,
    /// Words to sort items by, such as the Region; a tracker may cut them or replace their characters.
    #[serde(default)]
    pub(crate) labels: Vec<String>,
    /// Facts by name, such as `model` and `account`.
    #[serde(default)]
    pub(crate) fields: BTreeMap<String, String>,
    /// Where the chart is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<String>,
}

/// What is wanted of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemAction {
    /// It is to be there, whatever was there before.
    Open,
    /// It goes on.
    Update,
    /// It is over.
    Close,
}

impl ItemAction {
    /// What a message of that kind wants.
    pub(crate) const fn of(kind: NoticeKind) -> Self {
        match kind {
            NoticeKind::Page | NoticeKind::Ticket(TicketAction::Opened) => Self::Open,
            NoticeKind::Ticket(TicketAction::Updated) => Self::Update,
            NoticeKind::Resolve | NoticeKind::Ticket(TicketAction::Closed) => Self::Close,
        }
    }
}

impl Item {
    /// As the body of a message.
    pub(crate) fn body(&self) -> String {
        serde_json::to_string(self).expect("texts and lists of texts are always JSON")
    }

    /// What a message wants.
    pub(crate) fn of(message: &Message) -> Result<Self, DeliveryError> {
        serde_json::from_str(&message.body).map_err(|_| DeliveryError {
            retry: Retry::Never,
            message: format!("reading message {}: its body is no item", message.id),
            hint: Some(
                "the store may be damaged: see the item on the status page, and copy the store before a repair".to_owned(),
            ),
        })
    }
}

/// What stands for the thing that `parts` name, whenever it comes back: `otpsd-of-` and sixteen hexadecimal digits.
pub(crate) fn subject(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    let digits: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("otpsd-of-{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        Item {
            action: ItemAction::Open,
            key: "otpsd-54dd9473edee387a".to_owned(),
            subject: None,
            title: "a title".to_owned(),
            text: "a\ntext".to_owned(),
            labels: vec!["otpsd".to_owned()],
            fields: BTreeMap::from([("model".to_owned(), "m".to_owned())]),
            link: None,
        }
    }

    #[test]
    fn the_body_is_a_contract_with_what_is_in_the_outbox() {
        let written = r#"{"action":"open","key":"otpsd-54dd9473edee387a","title":"a title","text":"a\ntext","labels":["otpsd"],"fields":{"model":"m"}}"#;
        assert_eq!(item().body(), written);
        assert_eq!(serde_json::from_str::<Item>(written).unwrap(), item());
        // One of a later version is understood as far as it goes.
        let later = r#"{"action":"close","key":"k","title":"t","text":"","more":1}"#;
        assert_eq!(serde_json::from_str::<Item>(later).unwrap().action, ItemAction::Close);
    }

    #[test]
    fn a_subject_is_a_contract_and_parts_do_not_run_together() {
        // printf '%s\0' ticket queueing 111122223333/us-east-1/m | sha256sum
        assert_eq!(subject(&["ticket", "queueing", "111122223333/us-east-1/m"]), "otpsd-of-73664ab8ba53a67b");
        assert_ne!(subject(&["a", "bc"]), subject(&["ab", "c"]));
    }

    #[test]
    fn every_kind_of_message_wants_something() {
        use ItemAction::{Close, Open, Update};
        let wanted = |name| ItemAction::of(NoticeKind::from_name(name).unwrap());
        let of = ["page", "resolve", "ticket_opened", "ticket_updated", "ticket_closed"].map(wanted);
        assert_eq!(of, [Open, Close, Open, Update, Close]);
    }
}
