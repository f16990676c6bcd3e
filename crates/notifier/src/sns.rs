//! Amazon SNS: bodies that whatever subscribes to CloudWatch alarms understands, and the topic that carries them.
//!
//! # Layout
//!
//! - `alarm`: the JSON that a CloudWatch alarm publishes.
//! - `reason`: why the state changed, in the words of CloudWatch.
//! - `subject`: the subject line.
//! - `region`: the names of Regions and their partitions.
//! - `message`: body, subject and attributes of a page, a resolve and a ticket.
//! - `channel`: publishing.
//! - `refusal`: what an error of SNS means for the outbox.

mod alarm;
mod channel;
mod message;
mod reason;
mod refusal;
mod region;
mod subject;

pub(crate) use channel::{SnsChannel, region_of};
pub(crate) use message::{page, resolve, source_ticket, ticket};

/// The attribute of a [`domain::Message`] that is sent as the subject; all others are message attributes.
const SUBJECT: &str = "Subject";

/// The longest message that SNS takes, in bytes, attributes included. Source: SNS API reference, Publish.
const MESSAGE_BYTES: usize = 262_144;

/// The longest value of a CloudWatch dimension. Source: CloudWatch API reference, Dimension. A model of a series
/// cannot be longer; this keeps one that is from filling the message.
const MODEL_CHARACTERS: usize = 1_024;

/// The parts of a series, none of them longer than the wire can carry.
struct Names {
    account: String,
    region: String,
    model: String,
}

impl Names {
    fn of(series: &domain::Series) -> Self {
        let part = |text: &str, limit| crate::cut::in_the_middle(text, limit, "…");
        Self {
            account: part(series.account(), 64),
            region: part(series.region(), 64),
            model: part(series.model(), MODEL_CHARACTERS),
        }
    }

    /// A function of the series alone: what is keyed by the name of an alarm stays together over days.
    fn alarm(&self) -> String {
        format!("otpsd {} {} OTPS", self.region, self.model)
    }

    /// The account as twelve digits, which consumers expect, even where it is not known.
    fn account_digits(&self) -> &str {
        if self.account == domain::UNKNOWN_ACCOUNT { "000000000000" } else { &self.account }
    }
}
