//! Body, subject and attributes of whatever is said to a topic.

use std::fmt::Write as _;

use domain::{GroupPage, GroupResolve, SnsFormat, SnsPlan};
use sha2::{Digest, Sha256};

use super::{DEDUPLICATION_ID, GROUP_ID, MESSAGE_BYTES, SUBJECT, alarm, chatbot, subject};
use crate::context::Context;
use crate::cut;
use crate::notice::Notice;

/// Longer than the name of any source that can be configured.
const SOURCE_CHARACTERS: usize = 256;
/// What an attribute says that has nothing to say: SNS refuses an empty one.
const NONE: &str = "-";
/// What stands for the model of a page that is named after its group.
const SEVERAL: &str = "several";

/// A body with its attributes, the subject first.
pub(crate) type Parts = (String, Vec<(String, String)>);

/// A topic, and the id of the message to it.
pub(crate) type To<'a> = (&'a SnsPlan, &'a str);

/// A page: in the shape of an alarm that goes to ALARM, unless the topic has another format.
pub(crate) fn page(notice: &Notice, page: &GroupPage, (plan, id): To<'_>, context: &Context<'_>) -> Parts {
    let alarm = match plan.format {
        SnsFormat::Alarm => alarm::page(notice, page, context),
        SnsFormat::Text | SnsFormat::Json | SnsFormat::Chatbot => None,
    };
    match alarm {
        Some(alarm) => alarmed(notice, &alarm, (plan, id)),
        None => told(notice, plan, id),
    }
}

/// A resolve: in the shape of the same alarm when it goes back to OK, unless the topic has another format.
pub(crate) fn resolve(
    notice: &Notice,
    resolve: &GroupResolve,
    (plan, id): To<'_>,
    context: &Context<'_>,
) -> Parts {
    match plan.format {
        SnsFormat::Alarm => alarmed(notice, &alarm::resolve(notice, resolve, context), (plan, id)),
        SnsFormat::Text | SnsFormat::Json | SnsFormat::Chatbot => told(notice, plan, id),
    }
}

/// Anything in a format that is no alarm.
pub(crate) fn told(notice: &Notice, plan: &SnsPlan, id: &str) -> Parts {
    let attributes = attributes(notice, notice.action(), subject::plain(notice), (plan, id));
    let room = MESSAGE_BYTES - size(&attributes);
    let body = match plan.format {
        SnsFormat::Alarm | SnsFormat::Text => cut::at_byte(&notice.text, room),
        SnsFormat::Json => notice.json(room),
        SnsFormat::Chatbot => chatbot::notification(notice, id),
    };
    (body, attributes)
}

fn alarmed(notice: &Notice, said: &alarm::Said<'_>, (plan, id): To<'_>) -> Parts {
    let subject = subject::alarm(said.to, notice.test, &said.about);
    let attributes = attributes(notice, said.to.as_str(), subject, (plan, id));
    let room = MESSAGE_BYTES - size(&attributes);
    (said.body(notice, plan, room), attributes)
}

/// The attributes that filter policies can ask for. SNS refuses an empty value and control characters.
fn attributes(notice: &Notice, state: &str, subject: String, (plan, id): To<'_>) -> Vec<(String, String)> {
    let source = notice.source.as_ref();
    let source = source.map(|source| cut::in_the_middle(&source.source, SOURCE_CHARACTERS, "…"));
    let model = match (&source, notice.of_group) {
        (Some(_), _) => None,
        (None, true) => Some(SEVERAL),
        (None, false) => Some(notice.model().unwrap_or(NONE)),
    };
    let pairs = [
        ("kind", Some(notice.kind())),
        ("state", Some(state)),
        ("cause", Some(notice.cause)),
        ("source", source.as_deref()),
        ("model", model),
        ("region", Some(notice.region().unwrap_or(NONE))),
        ("test", notice.test.then_some("true")),
    ];
    let mut attributes = vec![(SUBJECT.to_owned(), subject)];
    if plan.is_fifo() {
        attributes.push((GROUP_ID.to_owned(), notice.key.to_string()));
        attributes.push((DEDUPLICATION_ID.to_owned(), digest(id)));
    }
    attributes.extend(pairs.into_iter().filter_map(|(name, value)| {
        let value = cut::one_line(value?);
        Some((name.to_owned(), if value.is_empty() { NONE.to_owned() } else { value }))
    }));
    attributes
}

/// What a topic knows a message by: the same in every attempt, and another for a page, its resolve, and each that is said of a ticket.
fn digest(id: &str) -> String {
    let mut out = String::new();
    for byte in Sha256::digest(id.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// What the attributes take of the message: name, type and value of each.
fn size(attributes: &[(String, String)]) -> usize {
    attributes.iter().map(|(name, value)| name.len() + "String".len() + value.len()).sum()
}
