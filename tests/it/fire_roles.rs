//! Sources that are read through roles, and accounts that are read through another one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::Series;
use simulator::loopback::{Fault, FaultRule, Options, Refusal};

use crate::rehearsal::{Rehearsal, SHORT_HISTORY, Scene};
use crate::story::reading;

const BASE_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const BASE: &str = "111122223333";
const DENIED: &str = "444455556666";
const ASSUMED: &str = "777788889999";
const DENIED_ROLE: &str = "arn:aws:iam::444455556666:role/otpsd-read";
const ASSUMED_ROLE: &str = "arn:aws:iam::777788889999:role/otpsd-read";
const EXTERNAL_ID: &str = "E0TESTTESTTESTTESTTESTTESTTEST00";
const MODEL: &str = "us.example.sonnet-large-v1:0";

fn of(account: &str, region: &str) -> Series {
    Series::new(account, region, MODEL)
}

/// What the status says of a source in a Region.
fn source(me: &Rehearsal, name: &str, region: &str) -> serde_json::Value {
    let status = me.status().unwrap_or_default();
    let sources = status["sources"].as_array().cloned().unwrap_or_default();
    let is_it = |one: &serde_json::Value| one["name"] == name && one["region"] == region;
    sources.into_iter().find(is_it).unwrap_or_default()
}

/// The accounts of all series that are watched.
fn accounts(me: &Rehearsal) -> BTreeSet<String> {
    let status = me.status().unwrap_or_default();
    let all = status["series"].as_array().cloned().unwrap_or_default();
    let account =
        |one: &serde_json::Value| one["series"].as_str().unwrap().split('/').next().unwrap().to_owned();
    all.iter().map(account).collect()
}

/// Those who signed calls of CloudWatch in a Region.
fn signers(me: &Rehearsal, region: &str) -> BTreeSet<String> {
    let calls = me.loopback().recent_calls();
    let of_region = calls.into_iter().filter(|call| {
        call.region == region && ["GetMetricData", "ListMetrics"].contains(&call.operation.as_str())
    });
    of_region.map(|call| call.access_key).collect()
}

fn with_roles(options: &mut Options) {
    options.accounts = BTreeMap::from([(BASE_KEY.to_owned(), BASE.to_owned())]);
    options.roles = BTreeMap::from([
        (DENIED_ROLE.to_owned(), None),
        (ASSUMED_ROLE.to_owned(), Some(EXTERNAL_ID.to_owned())),
    ]);
}

/// The base account is slow. One role is denied, in a Region in which the base account has the same model. One role is
/// assumed, and in one of its Regions its keys are not known.
#[test]
fn a_denied_role_is_the_failure_of_its_source_alone() {
    let series = [
        of(BASE, "us-east-1"),
        of(BASE, "eu-west-1"),
        of(DENIED, "eu-west-1"),
        of(ASSUMED, "us-east-1"),
        of(ASSUMED, "us-west-2"),
    ];
    let rehearsal = Scene {
        series: series.to_vec(),
        tell: Box::new(|one, k| (k >= -3 * 288).then(|| reading(one.account() == BASE && k >= 1))),
        config: r#"
[source.cloudwatch.denied]
regions = ["eu-west-1"]
endpoint-url = "$URL"
role-arn = "arn:aws:iam::444455556666:role/otpsd-read"
[source.cloudwatch.assumed]
regions = ["us-east-1", "us-west-2"]
endpoint-url = "$URL"
role-arn = "arn:aws:iam::777788889999:role/otpsd-read"
external-id = { env = "EXTERNAL_ID" }
[baseline]
history = "3d"
min-history = "2d"
backfill = "3d"
"#,
        loopback: with_roles,
        ..Scene::new()
    }
    .open();
    rehearsal.set("EXTERNAL_ID", EXTERNAL_ID);
    let faults = rehearsal.loopback().faults();
    faults.set([
        FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("AssumeRole").resource(DENIED_ROLE),
        FaultRule::new(Fault::Refuse(Refusal::UnknownKey)).operation("ListMetrics").region("us-west-2"),
    ]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
    // Three periods from minute 5 on, and two minutes until the third has settled: nobody waited for those that fail.
    let opened = rehearsal.minutes(rehearsal.alerts()[0].opened);
    assert!((22..30).contains(&opened), "paged in minute {opened}");
    rehearsal.wait(&daemon, "the other account was not judged", |me| {
        me.judged_through(&of(ASSUMED, "us-east-1")).is_some_and(|judged| judged >= 3)
    });

    rehearsal.wait(&daemon, "not everybody was told", |me| me.tickets().len() == 2);
    let mut tickets: Vec<_> =
        rehearsal.tickets().into_iter().map(|one| one.message.replace('\n', " ")).collect();
    tickets.sort();
    assert!(tickets[0].starts_with("assumed cannot be read: "), "{}", tickets[0]);
    assert!(tickets[0].contains("UnrecognizedClientException"), "{}", tickets[0]);
    assert!(tickets[1].starts_with("denied cannot be read: sts:AssumeRole denied since "), "{}", tickets[1]);
    assert!(tickets[1].contains(DENIED_ROLE), "{}", tickets[1]);
    let failure = source(&rehearsal, "denied", "eu-west-1")["failure"].clone();
    assert_eq!(failure["kind"], "denied", "{failure}");
    assert!(failure["message"].as_str().unwrap().contains(DENIED_ROLE), "{failure}");
    assert_eq!(source(&rehearsal, "assumed", "us-west-2")["failure"]["kind"], "credentials");
    assert_eq!(source(&rehearsal, "assumed", "us-east-1")["failure"], serde_json::Value::Null);
    // Nobody else's data came in the place of what could not be read.
    assert_eq!(signers(&rehearsal, "eu-west-1"), BTreeSet::new());
    assert_eq!(accounts(&rehearsal), [BASE, ASSUMED].map(str::to_owned).into());
    let in_east = signers(&rehearsal, "us-east-1");
    assert!(in_east.contains(BASE_KEY) && in_east.len() == 2, "{in_east:?}");
    assert!(!signers(&rehearsal, "us-west-2").contains(BASE_KEY));
    assert!(!daemon.log().contains(EXTERNAL_ID), "the external id was shown");

    faults.clear();
    let all = [of(DENIED, "eu-west-1"), of(ASSUMED, "us-west-2")];
    rehearsal.wait_until_all_judged(&all, rehearsal.period(), &daemon);
    rehearsal.wait(&daemon, "the tickets did not close", |me| me.tickets().len() == 4);
    assert!(!signers(&rehearsal, "eu-west-1").contains(BASE_KEY));
    assert_eq!(rehearsal.alerts().len(), 1);
}

#[test]
fn a_role_is_denied_without_its_external_id() {
    let rehearsal = Scene {
        series: vec![of(ASSUMED, "us-east-1")],
        source: "role-arn = \"arn:aws:iam::777788889999:role/otpsd-read\"",
        config: SHORT_HISTORY,
        loopback: with_roles,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    let failure = |me: &Rehearsal| source(me, "main", "us-east-1")["failure"].clone();
    rehearsal.wait(&daemon, "it does not fail", |me| failure(me)["kind"] == "denied");
    let failure = failure(&rehearsal);
    assert!(
        failure["hint"].as_str().unwrap().contains("which would be `external-id` of the source"),
        "{failure}"
    );
    assert_eq!(signers(&rehearsal, "us-east-1"), BTreeSet::new());
}

/// The keys of a container and of the role that they assume live for seconds, as they do for hours elsewhere.
#[test]
fn the_keys_of_a_container_and_of_its_role_are_renewed() {
    let rehearsal = Scene {
        rate: 60.0,
        series: vec![of(ASSUMED, "us-east-1")],
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        source: "role-arn = \"arn:aws:iam::777788889999:role/otpsd-read\"\nexternal-id = { env = \"EXTERNAL_ID\" }",
        config: SHORT_HISTORY,
        environment: vec![("EXTERNAL_ID", EXTERNAL_ID.to_owned())],
        loopback: |options| {
            with_roles(options);
            // The SDK asks for others ten seconds before they expire.
            options.credentials_life = Some(Duration::from_secs(14));
        },
        ..Scene::new()
    }
    .open();
    let url = format!("{}/container-credentials", rehearsal.loopback().url());
    rehearsal.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", &url);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "the role's keys were not renewed", |me| signers(me, "us-east-1").len() >= 3);
    let through = rehearsal.period() - 1;
    rehearsal.wait_until_all_judged(&[of(ASSUMED, "us-east-1")], through, &daemon);
    let calls = rehearsal.loopback().recent_calls();
    let statuses: BTreeSet<u16> =
        calls.iter().map(|call| call.status).filter(|status| *status != 0).collect();
    assert_eq!(statuses, [200].into(), "nobody used a key that had expired");
    let of_sts = calls.iter().filter(|call| call.operation == "AssumeRole");
    let base_keys: BTreeSet<&str> = of_sts.map(|call| call.access_key.as_str()).collect();
    assert!(base_keys.len() >= 2, "{base_keys:?}");
}

/// One account sees another one's metrics, which has a model of the same name; a third one is not linked to it.
#[test]
fn linked_accounts_are_read_as_series_of_their_own() {
    let [own, linked, other] = [BASE, DENIED, ASSUMED].map(|account| of(account, "us-east-1"));
    let rehearsal = Scene {
        series: vec![own.clone(), linked.clone(), other],
        tell: Box::new(|one, k| (k >= -3 * 288).then(|| reading(one.account() == DENIED && k >= 1))),
        source: "linked-accounts = true",
        config: SHORT_HISTORY,
        loopback: |options| {
            options.accounts = BTreeMap::from([(BASE_KEY.to_owned(), BASE.to_owned())]);
            options.links = BTreeMap::from([(BASE.to_owned(), BTreeSet::from([DENIED.to_owned()]))]);
        },
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1);
    let page = rehearsal.alerts()[0].triggers[0].to_string();
    assert!(page.contains(DENIED), "{page}");
    rehearsal.wait_until_all_judged(&[own.clone(), linked.clone()], 4, &daemon);
    assert_eq!(accounts(&rehearsal), [BASE, DENIED].map(str::to_owned).into());
    let states = |me: &Rehearsal| -> Vec<String> {
        let status = me.status().unwrap();
        let all = status["series"].as_array().unwrap();
        all.iter()
            .map(|one| format!("{} {}", one["series"].as_str().unwrap(), one["state"].as_str().unwrap()))
            .collect()
    };
    assert_eq!(states(&rehearsal), [format!("{own} OK"), format!("{linked} ALARM")]);

    // After a restart they are known before anybody has listed them.
    daemon.kill();
    rehearsal
        .loopback()
        .faults()
        .set([FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("ListMetrics")]);
    let daemon = rehearsal.start();
    let through = rehearsal.period();
    rehearsal.wait_until_all_judged(&[own, linked], through, &daemon);
    assert_eq!(rehearsal.alerts().len(), 1);
}
