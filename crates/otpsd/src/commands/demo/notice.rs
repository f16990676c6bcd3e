//! What was said, once, whoever was told.

use std::collections::BTreeMap;

use domain::{Key, NoticeKind, Owed, OwedState};
use jiff::Timestamp;

/// The channel whose body is the text for people.
const TEXT_CHANNEL: &str = "log.terminal";

/// One page, resolve or ticket, with everybody who was to get it.
#[derive(Debug)]
pub(super) struct Notice<'a> {
    /// When it became owed.
    pub(super) created: Timestamp,
    pub(super) kind: NoticeKind,
    pub(super) key: &'a Key,
    /// Its messages, in the order of the channels.
    messages: Vec<&'a Owed>,
}

impl<'a> Notice<'a> {
    /// Everything that was said, in order of time; `messages` are the newest first.
    pub(super) fn all(messages: &'a [Owed]) -> Vec<Self> {
        let mut by_notice: BTreeMap<(Timestamp, &Key, NoticeKind), Vec<&Owed>> = BTreeMap::new();
        for owed in messages.iter().rev() {
            let Owed { message, .. } = owed;
            by_notice.entry((message.created, &message.key, message.kind)).or_default().push(owed);
        }
        let notice = |((created, key, kind), messages)| Self { created, kind, key, messages };
        by_notice.into_iter().map(notice).collect()
    }

    /// Whether every channel has taken or refused it.
    pub(super) fn is_settled(&self) -> bool {
        self.messages.iter().all(|owed| !matches!(owed.state, OwedState::Due(_)))
    }

    /// `to pagerduty.oncall, sns.pages and log.terminal`, and who refused it.
    pub(super) fn recipients(&self) -> String {
        let by = |refused: bool| -> Vec<&str> {
            let is = |owed: &&&Owed| matches!(owed.state, OwedState::Refused(_)) == refused;
            self.messages.iter().filter(is).map(|owed| owed.message.channel.as_str()).collect()
        };
        let (taken, refused) = (by(false), by(true));
        match (taken.is_empty(), refused.is_empty()) {
            (_, true) => format!("to {}", listed(&taken)),
            (true, false) => format!("refused by {}", listed(&refused)),
            (false, false) => format!("to {}; refused by {}", listed(&taken), listed(&refused)),
        }
    }

    /// The text for people.
    pub(super) fn text(&self) -> &'a str {
        let text = self.messages.iter().find(|owed| owed.message.channel == TEXT_CHANNEL);
        text.map_or("", |owed| owed.message.body.as_str())
    }

    /// What it says of itself to filters: `model`, `region`, `cause`.
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut attributes = self.messages.iter().flat_map(|owed| &owed.message.attributes);
        attributes.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use domain::Message;

    use super::*;

    pub(in crate::commands::demo) fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// A message that became owed at `created`.
    pub(in crate::commands::demo) fn owed(
        channel: &str,
        kind: NoticeKind,
        created: &str,
        state: OwedState,
    ) -> Owed {
        let attributes = [("kind", "page"), ("cause", "otps_drop"), ("model", "m"), ("region", "us-east-1")];
        let message = Message {
            id: format!("otpsd-1:{}:{channel}", kind.as_str()),
            channel: channel.to_owned(),
            kind,
            key: Key::from_text("otpsd-1"),
            summary: "one line".to_owned(),
            body: format!("for {channel}"),
            attributes: match channel.starts_with("sns.") {
                true => attributes.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
                false => Vec::new(),
            },
            created: time(created),
            standby_for: None,
        };
        Owed { message, attempts: 1, state, last_error: None, reference: None }
    }

    #[test]
    fn channels_that_were_told_the_same_are_one_notice() {
        let (page, later) = ("2026-11-02T02:17:00Z", "2026-11-02T03:17:00Z");
        let taken = OwedState::Delivered(time(later));
        let messages = [
            owed("log.terminal", NoticeKind::Resolve, later, OwedState::Due(time(later))),
            owed("log.terminal", NoticeKind::Page, page, taken.clone()),
            owed("sns.pages", NoticeKind::Page, page, OwedState::Refused(time(later))),
            owed("pagerduty.oncall", NoticeKind::Page, page, taken),
        ];
        let notices = Notice::all(&messages);
        assert_eq!(
            notices.iter().map(|it| it.kind).collect::<Vec<_>>(),
            [NoticeKind::Page, NoticeKind::Resolve]
        );
        assert_eq!(notices.iter().map(Notice::is_settled).collect::<Vec<_>>(), [true, false]);
        assert_eq!(notices[0].recipients(), "to pagerduty.oncall and log.terminal; refused by sns.pages");
        assert_eq!(notices[0].text(), "for log.terminal");
        assert_eq!((notices[0].attribute("model"), notices[1].attribute("model")), (Some("m"), None));
    }

    #[test]
    fn names_are_listed_as_people_do() {
        assert_eq!(listed(&[]), "nobody");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
