//! `[channel.sns.NAME]`: an SNS topic.

use domain::{ChannelPlan, DeliveryPlan, SnsFormat, SnsPlan};

use crate::table::Table;
use crate::value::{text, word};
use crate::{address, aws};

/// What was read. The topic is known even when the rest cannot be used.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) topic_arn: Option<String>,
    plan: Option<SnsPlan>,
}

impl Read {
    pub(crate) fn whole(self) -> Option<ChannelPlan> {
        self.plan.map(ChannelPlan::Sns)
    }
}

pub(crate) fn read(mut table: Table<'_, '_, '_>, name: &str) -> Read {
    let example = "\"arn:aws:sns:us-east-1:111122223333:llm-pages\"";
    let topic_arn = table.required("topic-arn", example, text(aws::topic_arn)).value;
    let profile = table.optional("profile", text(word)).value;
    let endpoint_url = table.optional("endpoint-url", text(address::web)).value;
    let plan =
        topic_arn.clone().zip(profile).zip(endpoint_url).map(|((topic_arn, profile), endpoint_url)| {
            SnsPlan {
                name: name.to_owned(),
                topic_arn,
                endpoint_url,
                profile,
                format: SnsFormat::Alarm,
                delivery: DeliveryPlan::DEFAULT,
            }
        });
    Read { topic_arn, plan }
}
