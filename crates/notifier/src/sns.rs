//! Amazon SNS: bodies that whatever subscribes to CloudWatch alarms understands, and the topic that carries them.
//!
//! # Layout
//!
//! - `alarm`: the JSON that a CloudWatch alarm publishes, and what a page and a resolve say in it.
//! - `chatbot`: custom notifications of Amazon Q Developer in chat applications.
//! - `reason`: why the state changed, in the words of CloudWatch.
//! - `subject`: the subject line.
//! - `region`: the names of Regions and their partitions.
//! - `message`: body, subject and attributes of a page, a resolve and a ticket.
//! - `channel`: publishing.
//! - `refusal`: what an error of SNS means for the outbox.

mod alarm;
mod channel;
mod chatbot;
mod message;
mod reason;
mod refusal;
mod region;
mod subject;

pub(crate) use channel::{SnsChannel, region_of};
pub(crate) use message::{page, resolve, told};

/// The attribute of a [`domain::Message`] that is sent as the subject.
const SUBJECT: &str = "Subject";
/// The attribute that is sent as the message group of a FIFO topic: what is said of one page or ticket stays in order.
const GROUP_ID: &str = "MessageGroupId";
/// The attribute that is sent as the deduplication id of a FIFO topic. All that are not one of these three are message attributes.
const DEDUPLICATION_ID: &str = "MessageDeduplicationId";

/// The longest message that SNS takes, in bytes, attributes included. Source: SNS API reference, Publish.
const MESSAGE_BYTES: usize = 262_144;
