use jiff::Timestamp;

use super::super::catalogue::CacheNames;
use super::super::shapes::DimensionFilter;
use super::*;
use crate::loopback::caller::Caller;
use crate::loopback::script::Script;

/// 2026-10-15T12:00:00Z.
const NOON: i64 = 1_792_065_600;
const DAY: i64 = 86_400;

fn series(account: &str, region: &str, model: &str) -> Series {
    Series::new(account, region, model)
}

fn latency(script: Script, series: &Series, at: i64) -> Script {
    script.values(series, Metric::InvocationLatency, Timestamp::from_second(at).unwrap(), &[1.0])
}

fn list(script: &Script, account: Option<&str>, request: &ListMetricsRequest) -> ListMetricsAnswer {
    list_at(script, account, request, &Activity::default(), NOON)
}

fn list_at(
    script: &Script,
    account: Option<&str>,
    request: &ListMetricsRequest,
    activity: &Activity,
    now: i64,
) -> ListMetricsAnswer {
    let caller = Caller {
        access_key: "AKIA".to_owned(),
        region: "us-east-1".to_owned(),
        account: account.map(str::to_owned),
        home: "111122223333".to_owned(),
        arn: String::new(),
    };
    let catalogue = Catalogue::new(script, &caller, None, CacheNames::Tokens);
    list_metrics(script, &catalogue, &caller.home, activity, now, request, &CallFaults::default()).unwrap()
}

/// `metric model/further dimensions`, in order.
fn names(answer: &ListMetricsAnswer) -> Vec<String> {
    let name = |metric: &shapes::Metric| {
        let values: Vec<&str> = metric.dimensions.iter().map(|dimension| dimension.value.as_str()).collect();
        format!("{} {}", metric.metric_name, values.join("/"))
    };
    answer.metrics.iter().map(name).collect()
}

#[test]
fn metrics_are_those_of_the_region_and_the_account() {
    let mut script = Script::new();
    for (account, region, model) in [
        ("111122223333", "us-east-1", "a"),
        ("444455556666", "us-east-1", "b"),
        ("111122223333", "eu-west-1", "c"),
        ("-", "us-east-1", "d"),
    ] {
        script = latency(script, &series(account, region, model), NOON - 600);
    }
    let filter = DimensionFilter { name: "ServiceTier".to_owned(), value: None };
    let everything = ListMetricsRequest::default();
    // In order of the series: `-` first. Every other one is published by service tier too.
    assert_eq!(
        names(&list(&script, None, &everything)),
        [
            "InvocationLatency d",
            "InvocationLatency d/default/default",
            "InvocationLatency a",
            "InvocationLatency b",
            "InvocationLatency b/default/default",
        ]
    );
    assert_eq!(
        names(&list(&script, Some("111122223333"), &everything)),
        ["InvocationLatency d", "InvocationLatency d/default/default", "InvocationLatency a"]
    );
    let tiered = ListMetricsRequest { dimensions: vec![filter], ..everything };
    assert_eq!(
        names(&list(&script, None, &tiered)),
        ["InvocationLatency d/default/default", "InvocationLatency b/default/default"]
    );
}

#[test]
fn a_filter_on_one_dimension_lets_more_through() {
    let script = latency(Script::new(), &series("-", "us-east-1", "a"), NOON - 600);
    let with = |namespace: &str, name: &str, value: &str| {
        let request = ListMetricsRequest {
            namespace: Some(namespace.to_owned()),
            metric_name: Some(name.to_owned()),
            dimensions: vec![DimensionFilter { name: "ModelId".to_owned(), value: Some(value.to_owned()) }],
            ..ListMetricsRequest::default()
        };
        names(&list(&script, None, &request))
    };
    assert_eq!(
        with("AWS/Bedrock", "InvocationLatency", "a"),
        ["InvocationLatency a", "InvocationLatency a/default/default"]
    );
    assert!(with("AWS/Bedrock", "InvocationLatency", "b").is_empty());
    assert!(with("AWS/Bedrock", "TimeToFirstToken", "a").is_empty());
    assert!(with("AWS/EC2", "InvocationLatency", "a").is_empty());
}

#[test]
fn a_metric_is_listed_for_two_weeks_and_recent_for_three_hours() {
    // The last data of `old` is in the period that ended 14 days before noon, of `older` in the one before.
    let mut script = Script::new();
    script = latency(script, &series("-", "us-east-1", "old"), NOON - 14 * DAY - 1);
    script = latency(script, &series("-", "us-east-1", "older"), NOON - 14 * DAY - 301);
    script = latency(script, &series("-", "us-east-1", "today"), NOON - 3 * 3_600 - 301);
    script = latency(script, &series("-", "us-east-1", "now"), NOON - 300);
    let of_model = |request: &ListMetricsRequest| -> Vec<String> {
        let names = names(&list(&script, None, request));
        names.into_iter().filter(|name| !name.contains('/')).collect()
    };
    assert_eq!(
        of_model(&ListMetricsRequest::default()),
        ["InvocationLatency now", "InvocationLatency old", "InvocationLatency today"]
    );
    let recent =
        ListMetricsRequest { recently_active: Some("PT3H".to_owned()), ..ListMetricsRequest::default() };
    assert_eq!(of_model(&recent), ["InvocationLatency now"]);
}

#[test]
fn what_was_seen_is_remembered_until_it_is_too_old() {
    let script = latency(Script::new(), &series("-", "us-east-1", "a"), NOON - 300);
    let activity = Activity::default();
    let count = |now| list_at(&script, None, &ListMetricsRequest::default(), &activity, now).metrics.len();
    assert_eq!(count(NOON - 300), 0, "not there yet");
    assert_eq!(count(NOON), 2);
    assert_eq!(count(NOON + 13 * DAY), 2);
    assert_eq!(count(NOON + 14 * DAY), 2);
    assert_eq!(count(NOON + 14 * DAY + 1), 0);
}

#[test]
fn five_hundred_metrics_are_a_page() {
    // Of 335 series every other one is listed twice: 335 + 168.
    let script = (0..335).fold(Script::new(), |script, number| {
        latency(script, &series("-", "us-east-1", &format!("model-{number:03}")), NOON - 300)
    });
    let mut request = ListMetricsRequest::default();
    let first = list(&script, None, &request);
    assert_eq!(first.metrics.len(), 500);
    request.next_token = first.next_token;
    let second = list(&script, None, &request);
    assert_eq!(
        names(&second),
        [
            "InvocationLatency model-333",
            "InvocationLatency model-334",
            "InvocationLatency model-334/default/default"
        ]
    );
    assert_eq!(second.next_token, None);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refusal = |request: &ListMetricsRequest| {
        let caller = Caller {
            access_key: String::new(),
            region: "us-east-1".to_owned(),
            account: None,
            home: String::new(),
            arn: String::new(),
        };
        let script = Script::new();
        let catalogue = Catalogue::new(&script, &caller, None, CacheNames::Tokens);
        let answer = list_metrics(
            &script,
            &catalogue,
            &caller.home,
            &Activity::default(),
            NOON,
            request,
            &CallFaults::default(),
        );
        answer.unwrap_err().code
    };
    let with = |change: fn(&mut ListMetricsRequest)| {
        let mut request = ListMetricsRequest::default();
        change(&mut request);
        refusal(&request)
    };
    assert_eq!(with(|request| request.recently_active = Some("PT1H".to_owned())), "ValidationError");
    assert_eq!(with(|request| request.next_token = Some("made-up".to_owned())), "InvalidParameterValue");
    assert_eq!(
        with(|request| request.dimensions = vec![DimensionFilter::default(); 11]),
        "InvalidParameterValue"
    );
}

/// Two accounts are linked to a monitoring account, and a third one is not.
#[test]
fn linked_accounts_are_listed_with_whose_each_metric_is_when_they_are_asked_for() {
    let mut script = Script::new();
    for account in ["111122223333", "222233334444", "333344445555", "444455556666"] {
        script = latency(script, &series(account, "us-east-1", "same"), NOON - 600);
    }
    let caller = Caller {
        access_key: "AKIA".to_owned(),
        region: "us-east-1".to_owned(),
        account: Some("111122223333".to_owned()),
        home: "111122223333".to_owned(),
        arn: String::new(),
    };
    let linked = ["222233334444", "333344445555"].map(str::to_owned).into();
    let catalogue = Catalogue::new(&script, &caller, Some(&linked), CacheNames::Tokens);
    let list = |request: &ListMetricsRequest| {
        let (activity, faults) = (Activity::default(), CallFaults::default());
        let answer =
            list_metrics(&script, &catalogue, &caller.home, &activity, NOON, request, &faults).unwrap();
        (answer.metrics.len(), answer.owning_accounts)
    };
    // A series in an even place is published by service tier too.
    let plain = ListMetricsRequest::default();
    assert_eq!(list(&plain), (2, None));
    let with_linked = ListMetricsRequest { include_linked_accounts: Some(true), ..plain };
    let owners =
        ["111122223333", "111122223333", "222233334444", "333344445555", "333344445555"].map(str::to_owned);
    assert_eq!(list(&with_linked), (5, Some(owners.into())));
    let of_one =
        ListMetricsRequest { owning_account: Some("222233334444".to_owned()), ..with_linked.clone() };
    assert_eq!(list(&of_one), (1, Some(vec!["222233334444".to_owned()])));
    assert!(catalogue.may_see(Some("333344445555")) && !catalogue.may_see(Some("444455556666")));
    // The same name is another metric in another account.
    let metric = catalogue.published(0).next().unwrap().1;
    let found = |account| catalogue.find(&metric, account).unwrap().0.account().to_owned();
    assert_eq!((found(None), found(Some("222233334444"))), (caller.home.clone(), "222233334444".to_owned()));
}
