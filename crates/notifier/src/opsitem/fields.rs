//! A body as the fields of an OpsItem. Source of all limits: Systems Manager API reference, CreateOpsItem.

use std::collections::HashMap;

use aws_sdk_ssm::types::{OpsItemDataType, OpsItemDataValue};
use domain::{NoticeKind, OpsItemPlan};

use crate::cut;
use crate::item::Item;

/// The entry that Systems Manager tells repeats by.
const DEDUPLICATION: &str = "/aws/dedup";
/// The entry that the daemon finds its OpsItems by.
pub(super) const KEY: &str = "otpsd-key";
/// The entry with the whole text, where the description had to be cut.
const TEXT: &str = "text";
/// The entry with the address of the chart.
const LINK: &str = "link";

const TITLE_CHARACTERS: usize = 1_024;
const DESCRIPTION_CHARACTERS: usize = 2_048;
const VALUE_BYTES: usize = 20 * 1_024;
/// The least urgent severity there is.
const LEAST: u8 = 4;
/// A description is Markdown, where only a block of code keeps columns.
const FENCE: (&str, &str) = ("```\n", "\n```");

/// One line.
pub(super) fn title(item: &Item) -> String {
    cut::at_word(cut::one_line(&item.title).trim(), TITLE_CHARACTERS)
}

/// As much of the text as fits.
pub(super) fn description(item: &Item) -> String {
    let room = DESCRIPTION_CHARACTERS - FENCE.0.len() - FENCE.1.len();
    format!("{}{}{}", FENCE.0, cut::at_word(&item.text, room), FENCE.1)
}

/// How urgent it is: about a page as configured, about anything else one step less.
pub(super) fn severity(kind: NoticeKind, plan: &OpsItemPlan) -> String {
    let steps = match kind {
        NoticeKind::Page | NoticeKind::Resolve => 0,
        NoticeKind::Ticket(_) => 1,
    };
    plan.severity.saturating_add(steps).min(LEAST).to_string()
}

/// What is known of it beside the text; all but the text can be searched.
pub(super) fn data(item: &Item) -> HashMap<String, OpsItemDataValue> {
    let mut data = HashMap::new();
    let mut put = |name: &str, value: &str, kind: OpsItemDataType| {
        let value = cut::at_byte(value, VALUE_BYTES);
        if !value.is_empty() {
            data.insert(name.to_owned(), OpsItemDataValue::builder().value(value).r#type(kind).build());
        }
    };
    for (name, value) in &item.fields {
        put(name, value, OpsItemDataType::SearchableString);
    }
    if let Some(link) = &item.link {
        put(LINK, link, OpsItemDataType::SearchableString);
    }
    put(KEY, &item.key, OpsItemDataType::SearchableString);
    put(TEXT, &item.text, OpsItemDataType::String);
    data
}

/// The same with what must be there from the first.
pub(super) fn data_with_deduplication(item: &Item) -> HashMap<String, OpsItemDataValue> {
    let mut data = data(item);
    let value = serde_json::json!({ "dedupString": item.key }).to_string();
    let value = OpsItemDataValue::builder().value(value).r#type(OpsItemDataType::SearchableString);
    data.insert(DEDUPLICATION.to_owned(), value.build());
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use domain::{DeliveryPlan, TicketAction};

    use crate::item::ItemAction;

    fn item(text: &str) -> Item {
        Item {
            action: ItemAction::Open,
            key: "otpsd-54dd9473edee387a".to_owned(),
            subject: None,
            title: format!("slow\n{}", "é".repeat(2_000)),
            text: text.to_owned(),
            labels: Vec::new(),
            fields: BTreeMap::from([
                ("model".to_owned(), "m".to_owned()),
                ("empty".to_owned(), String::new()),
            ]),
            link: Some("https://otpsd.example.com/".to_owned()),
        }
    }

    #[test]
    fn everything_fits_and_what_is_cut_is_whole_elsewhere() {
        let text = "42 tok/s – é🐢 \n".repeat(600);
        let (item, longer) = (item(&text), item(&"é".repeat(30_000)));
        assert_eq!(title(&item).chars().count(), 1_024);
        assert!(!title(&item).contains('\n'));
        let description = description(&item);
        assert!(description.chars().count() <= 2_048, "{}", description.chars().count());
        assert!(description.starts_with("```\n42 tok/s") && description.ends_with("…\n```"));
        assert_eq!(data(&item)["text"].value(), Some(text.as_str()));
        let data = data(&longer);
        assert!(data["text"].value().unwrap().len() <= 20 * 1_024);
        assert!(data.values().all(|value| value.value().is_some_and(|value| !value.is_empty())));
    }

    #[test]
    fn a_ticket_is_one_step_less_urgent_than_a_page() {
        let plan = |severity| OpsItemPlan {
            name: "ops".to_owned(),
            region: "us-east-1".to_owned(),
            source: "otpsd".to_owned(),
            severity,
            notification_arn: None,
            endpoint_url: None,
            profile: None,
            delivery: DeliveryPlan::DEFAULT,
        };
        let ticket = NoticeKind::Ticket(TicketAction::Opened);
        assert_eq!([severity(NoticeKind::Page, &plan(2)), severity(ticket, &plan(2))], ["2", "3"]);
        assert_eq!([severity(NoticeKind::Resolve, &plan(4)), severity(ticket, &plan(4))], ["4", "4"]);
    }

    #[test]
    fn no_name_is_one_that_aws_keeps_for_itself() {
        let item = item("text");
        for name in data(&item).keys() {
            assert!(
                ["aws", "amazon", "amzn", "ssm", "/"].iter().all(|kept| !name.starts_with(kept)),
                "{name}"
            );
        }
        let own = data_with_deduplication(&item);
        assert_eq!(own["/aws/dedup"].value(), Some("{\"dedupString\":\"otpsd-54dd9473edee387a\"}"));
    }
}
