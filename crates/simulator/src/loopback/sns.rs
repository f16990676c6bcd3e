//! SNS: `Publish`, and `GetTopicAttributes`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::aws_error::{AwsError, Service};
use super::caller::Caller;
use super::clock;
use super::form::{Form, element_xml};

mod attributes;
mod structure;
#[cfg(test)]
mod tests;

pub use attributes::SnsAttribute;

/// Messages that are kept; the oldest are forgotten.
const KEPT_MAX: usize = 10_000;
/// Bytes of a message with its attributes.
const MESSAGE_MAX: usize = 262_144;
/// A subject is shorter than this, in characters.
const SUBJECT_BELOW: usize = 100;
/// Bytes of a deduplication id or a message group id.
const FIFO_ID_MAX: usize = 128;
/// How long a FIFO topic drops messages with the same deduplication id.
const DEDUPLICATED_FOR: SignedDuration = SignedDuration::from_mins(5);

/// A message that was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SnsMessage {
    /// What the publisher was told.
    pub message_id: String,
    /// By the loopback's clock.
    #[serde(serialize_with = "clock::as_text")]
    pub at: Timestamp,
    /// The access key that signed.
    pub access_key: String,
    /// The topic.
    pub topic_arn: String,
    /// One line.
    pub subject: Option<String>,
    /// As it was published; with `MessageStructure=json` an object by protocol.
    pub message: String,
    /// `json`, or nothing.
    pub structure: Option<String>,
    /// By name.
    pub attributes: BTreeMap<String, SnsAttribute>,
    /// Of a FIFO topic.
    pub group_id: Option<String>,
    /// Of a FIFO topic.
    pub deduplication_id: Option<String>,
}

/// What SNS takes, beyond its fixed rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SnsRules {
    /// The topics there are; empty means all.
    pub(crate) topics: BTreeSet<String>,
    /// The FIFO topics whose messages without a deduplication id get one from their content.
    pub(crate) deduplicated_by_content: BTreeSet<String>,
    /// Whether subjects must be ASCII and begin with a letter, digit or punctuation mark, as older API texts say.
    pub(crate) ascii_subjects: bool,
}

/// The service.
#[derive(Debug, Default)]
pub(crate) struct Sns {
    rules: SnsRules,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    published: u64,
    messages: VecDeque<SnsMessage>,
    /// Accepted, and not delivered again.
    repeats: VecDeque<SnsMessage>,
    /// From topic and deduplication id to when it was used, and what its publisher was told: id and number.
    recent: BTreeMap<(String, String), (Timestamp, String, u64)>,
}

impl Sns {
    pub(crate) fn new(rules: SnsRules) -> Self {
        Self { rules, state: Mutex::default() }
    }

    pub(crate) fn messages(&self) -> Vec<SnsMessage> {
        self.lock().messages.iter().cloned().collect()
    }

    /// What FIFO topics accepted and did not deliver, because its deduplication id was used before. Each has the message
    /// id that its publisher was told: the first one's.
    pub(crate) fn repeats(&self) -> Vec<SnsMessage> {
        self.lock().repeats.iter().cloned().collect()
    }

    /// Carries out an action, and gives the XML within its result.
    pub(crate) fn answer(
        &self,
        action: &str,
        form: &Form,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<String, AwsError> {
        match action {
            "Publish" => self.publish(form, caller, now),
            "GetTopicAttributes" => self.attributes(form, caller),
            other => Err(AwsError::unknown_operation(Service::Sns, other)),
        }
    }

    fn publish(&self, form: &Form, caller: &Caller, now: Timestamp) -> Result<String, AwsError> {
        let topic = form.get("TopicArn").or_else(|| form.get("TargetArn"));
        let topic = topic.ok_or_else(|| {
            AwsError::invalid_parameter("TopicArn or TargetArn Reason: no value for required parameter")
        })?;
        let fifo = self.check_topic(topic, caller)?;
        let message = form.get("Message").unwrap_or_default();
        let attributes = attributes::read(form)?;
        check_size(message, &attributes)?;
        let subject = form.get("Subject");
        if subject.is_some_and(|subject| !self.is_subject(subject)) {
            return Err(AwsError::invalid_parameter("Subject"));
        }
        match form.get("MessageStructure") {
            None => {}
            Some("json") => structure::check(message)?,
            Some(_) => return Err(AwsError::invalid_parameter("MessageStructure")),
        }
        let group_id = form.get("MessageGroupId");
        let own_id = fifo.then(|| self.own_id(topic, message)).flatten();
        let deduplication_id = form.get("MessageDeduplicationId").or(own_id.as_deref());
        check_fifo(fifo, group_id, deduplication_id)?;
        let published = SnsMessage {
            message_id: String::new(),
            at: now,
            access_key: caller.access_key.clone(),
            topic_arn: topic.to_owned(),
            subject: subject.map(str::to_owned),
            message: message.to_owned(),
            structure: form.get("MessageStructure").map(str::to_owned),
            attributes,
            group_id: group_id.map(str::to_owned),
            deduplication_id: deduplication_id.map(str::to_owned),
        };
        let (message_id, number) = self.lock().deliver(published, fifo, now);
        let sequence = if fifo {
            element_xml("SequenceNumber", &format!("{:020}", 10_u64.pow(19) + number))
        } else {
            String::new()
        };
        Ok(element_xml("MessageId", &message_id) + &sequence)
    }

    /// The deduplication id of a message that has none, where the topic makes one from the content alone.
    fn own_id(&self, topic: &str, message: &str) -> Option<String> {
        let of_content = self.rules.deduplicated_by_content.contains(topic);
        of_content.then(|| Sha256::digest(message).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether it is a FIFO topic.
    /// What is known of a topic: its name, its owner, and whether it keeps order.
    fn attributes(&self, form: &Form, caller: &Caller) -> Result<String, AwsError> {
        let topic = form.get("TopicArn");
        let topic = topic
            .ok_or_else(|| AwsError::invalid_parameter("TopicArn Reason: no value for required parameter"))?;
        let fifo = self.check_topic(topic, caller)?;
        let owner = topic.split(':').nth(4).unwrap_or_default();
        let entry = |key: &str, value: &str| {
            format!("<entry>{}{}</entry>", element_xml("key", key), element_xml("value", value))
        };
        let mut entries = entry("TopicArn", topic) + &entry("Owner", owner);
        if fifo {
            entries += &entry("FifoTopic", "true");
        }
        Ok(format!("<Attributes>{entries}</Attributes>"))
    }

    fn check_topic(&self, topic: &str, caller: &Caller) -> Result<bool, AwsError> {
        let parts: Vec<&str> = topic.split(':').collect();
        let &[_arn, _partition, _service, region, _account, name] = parts.as_slice() else {
            let reason =
                format!("TopicArn Reason: An ARN must have at least 6 elements, not {}", parts.len());
            return Err(AwsError::invalid_parameter(if parts.len() < 6 { &reason } else { "TopicArn" }));
        };
        if region != caller.region {
            return Err(AwsError::invalid_parameter("TopicArn"));
        }
        if !self.rules.topics.is_empty() && !self.rules.topics.contains(topic) {
            return Err(AwsError::topic_not_found());
        }
        Ok(name.ends_with(".fifo"))
    }

    fn is_subject(&self, subject: &str) -> bool {
        let plain = !subject.is_empty()
            && subject.chars().count() < SUBJECT_BELOW
            && !subject
                .chars()
                .any(|character| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}'));
        plain
            && (!self.rules.ascii_subjects
                || subject.is_ascii() && subject.starts_with(|first: char| first.is_ascii_graphic()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Keeps a message, and tells its id and number. A repeat of a FIFO topic is the first one again.
    fn deliver(&mut self, message: SnsMessage, fifo: bool, now: Timestamp) -> (String, u64) {
        let key = (message.topic_arn.clone(), message.deduplication_id.clone().unwrap_or_default());
        if fifo
            && let Some((at, told, number)) = self.recent.get(&key).cloned()
            && now.duration_since(at) < DEDUPLICATED_FOR
        {
            keep(&mut self.repeats, SnsMessage { message_id: told.clone(), ..message });
            return (told, number);
        }
        self.published += 1;
        let number = self.published;
        let message_id =
            format!("{:08x}-0000-4000-8000-{number:012x}", number.wrapping_mul(0x9e37_79b9) as u32);
        if fifo {
            self.recent.insert(key, (now, message_id.clone(), number));
        }
        keep(&mut self.messages, SnsMessage { message_id: message_id.clone(), ..message });
        (message_id, number)
    }
}

fn keep(messages: &mut VecDeque<SnsMessage>, message: SnsMessage) {
    if messages.len() == KEPT_MAX {
        messages.pop_front();
    }
    messages.push_back(message);
}

fn check_size(message: &str, attributes: &BTreeMap<String, SnsAttribute>) -> Result<(), AwsError> {
    if message.is_empty() {
        return Err(AwsError::invalid_parameter("Empty message"));
    }
    let attributes: usize =
        attributes.iter().map(|(name, one)| name.len() + one.data_type.len() + one.value.len()).sum();
    if message.len() + attributes > MESSAGE_MAX {
        return Err(AwsError::invalid_parameter("Message too long"));
    }
    Ok(())
}

fn check_fifo(fifo: bool, group_id: Option<&str>, deduplication_id: Option<&str>) -> Result<(), AwsError> {
    for (name, id) in [("MessageGroupId", group_id), ("MessageDeduplicationId", deduplication_id)] {
        if id.is_some_and(|id| {
            id.is_empty() || id.len() > FIFO_ID_MAX || !id.bytes().all(|byte| byte.is_ascii_graphic())
        }) {
            return Err(AwsError::invalid_parameter(name));
        }
    }
    match (fifo, group_id, deduplication_id) {
        (true, None, _) => {
            Err(AwsError::invalid_parameter("The MessageGroupId parameter is required for FIFO topics"))
        }
        (true, Some(_), None) => Err(AwsError::invalid_parameter(
            "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
        )),
        (false, _, Some(_)) => Err(AwsError::invalid_parameter(
            "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for \
             this topic type",
        )),
        (true, Some(_), Some(_)) | (false, _, None) => Ok(()),
    }
}
