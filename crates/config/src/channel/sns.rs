//! `[channel.sns.NAME]`: an SNS topic.

use domain::{ChannelPlan, Secret, SnsFormat, SnsPlan};

use super::{Read, delivery};
use crate::table::Table;
use crate::value::{choice, text, word};
use crate::{address, aws};

pub(crate) fn read(mut table: Table<'_, '_, '_>, name: &str) -> Read {
    let example = "\"arn:aws:sns:us-east-1:111122223333:llm-pages\"";
    let topic_arn = table.required("topic-arn", example, text(aws::topic_arn));
    let formats = SnsFormat::ALL.map(|format| (format.as_str(), format));
    let format = table.setting("format", SnsFormat::Alarm, choice(&formats));
    let profile = table.optional("profile", text(word)).value;
    let endpoint_url = table.optional("endpoint-url", text(address::web)).value;
    let delivery = delivery::read(&mut table);
    if format.value == Some(SnsFormat::Chatbot)
        && topic_arn.value.as_ref().is_some_and(|arn| arn.ends_with(".fifo"))
        && let Some(at) = format.at
    {
        let draft =
            table.report.warning(at, "a FIFO topic cannot reach Amazon Q Developer in chat applications");
        draft.hint("it listens over HTTPS, which only standard topics reach");
        if let Some(topic) = topic_arn.at {
            draft.see(topic, "a FIFO topic");
        }
    }
    let leads = topic_arn.value.clone().map(Secret::new);
    let plan = || {
        Some(ChannelPlan::Sns(SnsPlan {
            name: name.to_owned(),
            topic_arn: topic_arn.value?,
            endpoint_url: endpoint_url?,
            profile: profile?,
            format: format.value?,
            delivery: delivery.plan?,
        }))
    };
    Read { leads, fallback: delivery.fallback, notifies: None, plan: plan() }
}
