//! The real SDK on the wire, against an OpsCenter on loopback that has the documented rules: deduplication while an OpsItem is open,
//! limits of fields, and errors by their names.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_ssm::config::Credentials;
use domain::{DeliveryPlan, Key, NoticeKind};
use serde_json::{Value, json};

use super::*;
use crate::aws::Caller;
use crate::fake::{Fake, Received, Reply};

const KEY: &str = "otpsd-54dd9473edee387a";

/// What is there, by id, and what was called.
#[derive(Default)]
struct Center {
    items: BTreeMap<String, Value>,
    called: Vec<String>,
    /// The error that an action is answered with.
    refuses: BTreeMap<&'static str, (u16, &'static str)>,
}

impl Center {
    fn answer(&mut self, request: &Received) -> Reply {
        let target = request.headers["x-amz-target"].to_str().unwrap();
        let action = target.strip_prefix("AmazonSSM.").unwrap().to_owned();
        self.called.push(action.clone());
        if let Some((status, code)) = self.refuses.get(action.as_str()) {
            return refusal(*status, code, json!({ "Message": "because" }));
        }
        let input: Value = serde_json::from_str(&request.body).unwrap();
        let reply = match action.as_str() {
            "CreateOpsItem" => self.create(input),
            "UpdateOpsItem" => self.update(&input),
            "GetOpsItem" => match self.items.get(input["OpsItemId"].as_str().unwrap()) {
                Some(item) => Ok(json!({ "OpsItem": item })),
                None => Err(("OpsItemNotFoundException", json!({ "Message": "no such OpsItem" }))),
            },
            "DescribeOpsItems" => Ok(self.describe(&input)),
            _ => panic!("{action} is not called"),
        };
        match reply {
            Ok(body) => Reply::With(200, Vec::new(), body.to_string()),
            Err((code, body)) => refusal(400, code, body),
        }
    }

    fn create(&mut self, mut input: Value) -> Result<Value, (&'static str, Value)> {
        let length = |name: &str| input[name].as_str().map_or(0, |text| text.chars().count());
        let fits = (1..=1_024).contains(&length("Title"))
            && (1..=2_048).contains(&length("Description"))
            && (1..=128).contains(&length("Source"));
        if !fits {
            return Err((
                "OpsItemInvalidParameterException",
                json!({ "Message": "too long", "ParameterNames": [] }),
            ));
        }
        let dedup = input["OperationalData"]["/aws/dedup"]["Value"].clone();
        let same = |item: &Value| item["OperationalData"]["/aws/dedup"]["Value"] == dedup && !over(item);
        if let Some((id, _)) = self.items.iter().find(|(_, item)| same(item)) {
            let body = json!({ "Message": "An OpsItem with the same dedup string exists", "OpsItemId": id });
            return Err(("OpsItemAlreadyExistsException", body));
        }
        let id = format!("oi-{:012}", self.items.len());
        input["OpsItemId"] = Value::from(id.clone());
        input["Status"] = Value::from("Open");
        input["CreatedTime"] =
            Value::from(1_796_278_622.0 + f64::from(u8::try_from(self.items.len()).unwrap()));
        self.items.insert(id.clone(), input);
        Ok(json!({ "OpsItemId": id }))
    }

    fn update(&mut self, input: &Value) -> Result<Value, (&'static str, Value)> {
        let Some(item) = self.items.get_mut(input["OpsItemId"].as_str().unwrap()) else {
            return Err(("OpsItemNotFoundException", json!({ "Message": "no such OpsItem" })));
        };
        for name in ["Title", "Description", "Status"] {
            if !input[name].is_null() {
                item[name] = input[name].clone();
            }
        }
        for (name, value) in input["OperationalData"].as_object().into_iter().flatten() {
            assert_ne!(name, "/aws/dedup", "it cannot be changed");
            item["OperationalData"][name] = value.clone();
        }
        Ok(json!({}))
    }

    fn describe(&self, input: &Value) -> Value {
        let filter = &input["OpsItemFilters"][0];
        assert_eq!((&filter["Key"], &filter["Operator"]), (&json!("OperationalData"), &json!("Equal")));
        let wanted: Value = serde_json::from_str(filter["Values"][0].as_str().unwrap()).unwrap();
        let entry = |item: &Value| item["OperationalData"][wanted["key"].as_str().unwrap()].clone();
        let found: Vec<&Value> = self
            .items
            .values()
            .filter(|item| entry(item) == json!({ "Type": "SearchableString", "Value": wanted["value"] }))
            .collect();
        json!({ "OpsItemSummaries": found })
    }
}

fn over(item: &Value) -> bool {
    item["Status"] == "Resolved" || item["Status"] == "Closed"
}

fn refusal(status: u16, code: &str, mut body: Value) -> Reply {
    body["__type"] = Value::from(code);
    Reply::With(status, vec![("content-type", "application/x-amz-json-1.1".to_owned())], body.to_string())
}

/// An OpsCenter, and a channel to it.
struct Set {
    center: Arc<Mutex<Center>>,
    fake: Fake,
    channel: OpsItemChannel,
}

impl Set {
    async fn start() -> Self {
        let center = Arc::new(Mutex::new(Center::default()));
        let memory = Arc::clone(&center);
        let fake = Fake::start(move |request| memory.lock().unwrap().answer(request)).await;
        let channel = channel(&fake.url).await;
        Self { center, fake, channel }
    }

    async fn told(&self, kind: &str, reference: Option<&str>) -> Result<Receipt, DeliveryError> {
        self.channel.deliver(&message(kind), reference).await
    }

    /// The actions since the last call.
    fn called(&self) -> Vec<String> {
        std::mem::take(&mut self.center.lock().unwrap().called)
    }

    fn items(&self) -> Vec<Value> {
        self.center.lock().unwrap().items.values().cloned().collect()
    }

    /// Somebody changes the status of all there are.
    fn all_become(&self, status: &str) {
        for item in self.center.lock().unwrap().items.values_mut() {
            item["Status"] = Value::from(status);
        }
    }

    fn refuses(&self, action: &'static str, status: u16, code: &'static str) {
        self.center.lock().unwrap().refuses.insert(action, (status, code));
    }
}

async fn channel(url: &str) -> OpsItemChannel {
    let plan = OpsItemPlan {
        name: "ops".to_owned(),
        region: "eu-west-1".to_owned(),
        source: "otpsd".to_owned(),
        severity: 2,
        notification_arn: Some("arn:aws:sns:eu-west-1:111122223333:ops".to_owned()),
        endpoint_url: Some(url.to_owned()),
        profile: None,
        delivery: DeliveryPlan::DEFAULT,
    };
    let credentials =
        Credentials::new("AKIDEXAMPLE", "not-a-secret", Some("FwoGZXIvYXdzEXAMPLE".repeat(5)), None, "test");
    let caller = Caller {
        region: &plan.region,
        profile: None,
        credentials: Some(SharedCredentialsProvider::new(credentials)),
    };
    OpsItemChannel::open("opsitem.ops".to_owned(), &plan, Timeouts::DELIVERY, &caller.config().await)
}

fn message(kind: &str) -> Message {
    let kind = NoticeKind::from_name(kind).unwrap();
    let item = Item {
        action: ItemAction::of(kind),
        key: KEY.to_owned(),
        subject: None,
        title: format!("{} slow", kind.as_str()),
        text: format!("the text of {}", kind.as_str()),
        labels: Vec::new(),
        fields: BTreeMap::from([("model".to_owned(), "m".to_owned())]),
        link: None,
    };
    Message {
        id: format!("{KEY}:{}:opsitem.ops", kind.as_str()),
        channel: "opsitem.ops".to_owned(),
        kind,
        key: Key::from_text(KEY),
        summary: String::new(),
        body: item.body(),
        attributes: Vec::new(),
        created: "2026-12-03T06:17:02Z".parse().unwrap(),
        standby_for: None,
    }
}

fn receipt(id: &str) -> Receipt {
    Receipt { reference: Some(id.to_owned()) }
}

const FIRST: &str = "oi-000000000000";

#[tokio::test]
async fn a_ticket_is_one_ops_item_from_first_to_last() {
    let set = Set::start().await;
    assert_eq!(set.told("ticket_opened", None).await, Ok(receipt(FIRST)));
    assert_eq!(set.called(), ["DescribeOpsItems", "CreateOpsItem"]);
    let [item] = &set.items()[..] else { panic!("one") };
    assert_eq!(item["Title"], "ticket_opened slow");
    assert_eq!(item["Description"], "```\nthe text of ticket_opened\n```");
    assert_eq!(
        (&item["Source"], &item["Severity"], &item["Category"]),
        (&json!("otpsd"), &json!("3"), &json!("Performance"))
    );
    assert_eq!(item["Notifications"], json!([{ "Arn": "arn:aws:sns:eu-west-1:111122223333:ops" }]));
    assert_eq!(item["OperationalData"]["model"], json!({ "Type": "SearchableString", "Value": "m" }));
    let authorization = set.fake.received()[0].headers["authorization"].to_str().unwrap().to_owned();
    assert!(authorization.contains("/eu-west-1/ssm/aws4_request"), "{authorization}");

    assert_eq!(set.told("ticket_updated", Some(FIRST)).await, Ok(receipt(FIRST)));
    assert_eq!(set.called(), ["GetOpsItem", "UpdateOpsItem"]);
    assert_eq!(set.items()[0]["Description"], "```\nthe text of ticket_updated\n```");
    assert_eq!(set.items()[0]["Status"], "Open");

    assert_eq!(set.told("ticket_closed", Some(FIRST)).await, Ok(receipt(FIRST)));
    assert_eq!(set.called(), ["GetOpsItem", "UpdateOpsItem"]);
    assert_eq!(set.items()[0]["Status"], "Resolved");
    // The same again, since the answer was lost.
    assert_eq!(set.told("ticket_closed", Some(FIRST)).await, Ok(receipt(FIRST)));
    assert_eq!(set.called(), ["GetOpsItem"]);
    assert_eq!(set.items().len(), 1);
}

#[tokio::test]
async fn without_a_reference_it_is_found_by_its_key() {
    let set = Set::start().await;
    set.told("page", None).await.unwrap();
    assert_eq!(set.items()[0]["Severity"], "2");
    // The store was lost, or the answer: the page is said again, and then resolved.
    assert_eq!(set.told("page", None).await, Ok(receipt(FIRST)));
    assert_eq!(set.told("resolve", None).await, Ok(receipt(FIRST)));
    assert_eq!((set.items().len(), &set.items()[0]["Status"]), (1, &json!("Resolved")));
}

#[tokio::test]
async fn exists_means_update_where_the_search_was_behind_or_not_allowed() {
    let set = Set::start().await;
    set.told("page", None).await.unwrap();
    set.refuses("DescribeOpsItems", 400, "AccessDeniedException");
    set.called();
    assert_eq!(set.told("page", None).await, Ok(receipt(FIRST)));
    assert_eq!(set.called(), ["DescribeOpsItems", "CreateOpsItem", "UpdateOpsItem"]);
    assert_eq!(set.items().len(), 1);
    // A close can only be told of what is found.
    let error = set.told("resolve", None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Never);
    assert_eq!(error.hint.as_deref(), Some("allow ssm:DescribeOpsItems in the policy of the daemon's role"));
}

#[tokio::test]
async fn of_several_with_one_key_the_open_one_counts() {
    let set = Set::start().await;
    // Somebody resolved the first, and the page was filed again while the search was not allowed; then somebody resolves the third.
    for _ in 0..3 {
        set.all_become("Resolved");
        set.refuses("DescribeOpsItems", 400, "AccessDeniedException");
        set.told("page", None).await.unwrap();
    }
    set.center.lock().unwrap().refuses.clear();
    set.all_become("Resolved");
    set.center.lock().unwrap().items.get_mut("oi-000000000001").unwrap()["Status"] =
        Value::from("InProgress");
    assert_eq!(set.told("resolve", None).await, Ok(receipt("oi-000000000001")));
    // All are over: the newest is the one that is left alone.
    assert_eq!(set.told("resolve", None).await, Ok(receipt("oi-000000000002")));
}

#[tokio::test]
async fn what_a_human_resolved_stays_resolved() {
    for status in ["Resolved", "Closed"] {
        let set = Set::start().await;
        set.told("ticket_opened", None).await.unwrap();
        set.all_become(status);
        for (kind, reference) in [
            ("ticket_updated", Some(FIRST)),
            ("ticket_closed", Some(FIRST)),
            ("ticket_opened", None),
            ("ticket_updated", None),
            ("ticket_closed", None),
        ] {
            assert_eq!(set.told(kind, reference).await, Ok(receipt(FIRST)), "{kind}");
        }
        let [item] = &set.items()[..] else { panic!("one") };
        assert_eq!((&item["Status"], &item["Title"]), (&json!(status), &json!("ticket_opened slow")));
    }
}

#[tokio::test]
async fn what_is_gone_stays_gone_and_what_never_was_is_not_closed() {
    let set = Set::start().await;
    assert_eq!(set.told("resolve", None).await, Ok(Receipt::default()));
    assert_eq!(set.told("ticket_updated", Some("oi-deleted")).await, Ok(receipt("oi-deleted")));
    assert!(set.items().is_empty());
    // The opening was given up after a day: the next thing that is said files it.
    assert_eq!(set.told("ticket_updated", None).await, Ok(receipt(FIRST)));
    assert_eq!(set.items()[0]["Title"], "ticket_updated slow");
}

#[tokio::test]
async fn every_refusal_says_what_to_do_and_whether_to_try_again() {
    use Retry::{Backoff, Never};
    for (status, code, retry, hint) in [
        (400, "AccessDeniedException", Never, "allow ssm:CreateOpsItem in the policy of the daemon's role"),
        (
            400,
            "OpsItemAccessDeniedException",
            Never,
            "allow ssm:CreateOpsItem in the policy of the daemon's role",
        ),
        (
            400,
            "OpsItemLimitExceededException",
            Never,
            "eu-west-1 holds as many OpsItems as the account may have",
        ),
        (
            400,
            "OpsItemInvalidParameterException",
            Never,
            "look at `source`, `severity` and `notification-arn` of",
        ),
        (400, "ThrottlingException", Backoff, "others of this account call Systems Manager at the same time"),
        (400, "ExpiredTokenException", Backoff, "see that the AWS credentials of this machine are there"),
        (
            400,
            "UnrecognizedClientException",
            Backoff,
            "see that the AWS credentials of this machine are there",
        ),
        (500, "InternalServerError", Backoff, ""),
    ] {
        let set = Set::start().await;
        set.refuses("CreateOpsItem", status, code);
        let error = set.told("page", None).await.unwrap_err();
        assert_eq!(error.retry, retry, "{code}");
        assert!(error.message.starts_with("creating the OpsItem of opsitem.ops in eu-west-1: "), "{error}");
        assert!(error.message.contains(code), "{error}");
        assert!(error.hint.clone().unwrap_or_default().starts_with(hint), "{code}: {:?}", error.hint);
        assert_eq!(
            set.called(),
            ["DescribeOpsItems", "CreateOpsItem"],
            "the outbox tries again, not the SDK"
        );
    }
}

#[tokio::test]
async fn each_call_names_the_action_that_it_needs() {
    let set = Set::start().await;
    set.told("page", None).await.unwrap();
    for (action, kind) in [("UpdateOpsItem", "page"), ("GetOpsItem", "resolve")] {
        set.refuses(action, 400, "AccessDeniedException");
        let error = set.told(kind, Some(FIRST)).await.unwrap_err();
        assert_eq!(error.hint, Some(format!("allow ssm:{action} in the policy of the daemon's role")));
    }
}

#[tokio::test]
async fn what_systems_manager_echoes_of_a_request_is_not_repeated() {
    for status in [400, 500] {
        let echo = Fake::start(move |request| {
            let body = json!({ "__type": "SomethingNew", "Message": format!("{:?}", request.headers) });
            Reply::With(status, Vec::new(), body.to_string())
        })
        .await;
        let error = channel(&echo.url).await.deliver(&message("page"), None).await.unwrap_err();
        let shown = format!("{error:?}");
        assert!(shown.contains("SomethingNew") && !shown.contains("FwoGZXIvYXdzEXAMPLE"), "{shown}");
    }
}

#[tokio::test]
async fn a_body_that_is_no_item_is_final() {
    let set = Set::start().await;
    let damaged = Message { body: "{".to_owned(), ..message("page") };
    let error = set.channel.deliver(&damaged, None).await.unwrap_err();
    assert_eq!(error.retry, Retry::Never);
    assert!(set.called().is_empty());
}
