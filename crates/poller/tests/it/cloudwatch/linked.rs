//! Accounts that are linked to the one that is asked.

use ciborium::Value;
use domain::{Failure, MetricSet, Series, Source};

use super::fake::{Call, Fake, Reply, map, member, page, queries, result, text};
use super::{ACCOUNT, MIDNIGHT, open, plan, request};

const LINKED: &str = "444455556666";

/// A metric of each of these models, with their accounts.
fn listed(call: &Call, metrics: &[&str], accounts: &[&str]) -> Reply {
    let metric = |model: &&str| {
        let dimension = map([("Name", Value::from("ModelId")), ("Value", Value::from(*model))]);
        map([
            ("Namespace", Value::from("AWS/Bedrock")),
            ("MetricName", Value::from(text(&call.body, "MetricName"))),
            ("Dimensions", Value::Array(vec![dimension])),
        ])
    };
    Reply::Data(map([
        ("Metrics", Value::Array(metrics.iter().map(metric).collect())),
        ("OwningAccounts", Value::Array(accounts.iter().map(|account| Value::from(*account)).collect())),
    ]))
}

async fn source(fake: &Fake) -> poller::CloudWatch {
    let mut plan = plan(fake.url());
    plan.linked_accounts = true;
    open(&plan).await
}

#[tokio::test]
async fn a_model_of_two_accounts_is_two_series_each_asked_of_its_account() {
    let fake = Fake::start(|call| {
        if call.operation == "ListMetrics" {
            assert_eq!(member(&call.body, "IncludeLinkedAccounts"), &Value::from(true));
            let has_any = text(&call.body, "MetricName") == "TimeToFirstToken";
            let (models, accounts) = (["us.same", "us.same", "us.own"], [LINKED, ACCOUNT, ACCOUNT]);
            let shown = if has_any { 3 } else { 0 };
            return listed(call, &models[..shown], &accounts[..shown]);
        }
        let asked = member(&call.body, "MetricDataQueries").as_array().unwrap().clone();
        let answers = queries(call).into_iter().zip(asked).map(|(query, asked)| {
            let value = if text(&asked, "AccountId") == LINKED { 4.0 } else { 1.0 };
            result(&query.id, &[(MIDNIGHT, value)], "Complete")
        });
        page(answers.collect(), None)
    })
    .await;
    let source = source(&fake).await;
    let found = source.discover().await.unwrap();
    let names: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        names,
        ["111122223333/us-east-1/us.own", "111122223333/us-east-1/us.same", "444455556666/us-east-1/us.same"]
    );
    let request = domain::ReadRequest { series: found, ..request(&[], MetricSet::Decode) };
    let answer = source.read(&request).await.unwrap();
    let of_tokens = |row: &domain::Row| {
        (row.series.to_string(), row.reading.of(domain::Metric::OutputTokenCount).p50.unwrap())
    };
    let mut values: Vec<_> = answer.rows.iter().map(of_tokens).collect();
    values.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(values, [(names[0].clone(), 1.0), (names[1].clone(), 1.0), (names[2].clone(), 4.0)]);
}

#[tokio::test]
async fn without_linked_accounts_nobody_is_named() {
    let fake = Fake::start(|call| {
        if call.operation == "ListMetrics" {
            assert_eq!(member(&call.body, "IncludeLinkedAccounts"), &Value::Null);
            return listed(call, &["us.same"], &[]);
        }
        for query in member(&call.body, "MetricDataQueries").as_array().unwrap() {
            assert_eq!(member(query, "AccountId"), &Value::Null);
        }
        page(Vec::new(), None)
    })
    .await;
    let source = open(&plan(fake.url())).await;
    assert_eq!(source.discover().await.unwrap(), [Series::new(ACCOUNT, "us-east-1", "us.same")]);
    source.read(&request(&["us.same"], MetricSet::Decode)).await.unwrap();
}

/// Whose a metric is, is told by place alone: where places do not fit, nobody knows.
#[tokio::test]
async fn metrics_without_their_accounts_are_malformed() {
    let fake = Fake::start(|call| listed(call, &["us.same", "us.other"], &[LINKED])).await;
    let error = source(&fake).await.discover().await.unwrap_err();
    assert_eq!(error.failure, Failure::Malformed);
    assert_eq!(
        error.message,
        "ListMetrics of source `main` in us-east-1 failed: 2 metrics are of 1 accounts"
    );
}

/// A link that was ended: that account's series are not whole, and the others are.
#[tokio::test]
async fn an_account_that_may_not_be_seen_any_more_holds_up_nobody() {
    let fake = Fake::start(|call| {
        let asked = member(&call.body, "MetricDataQueries").as_array().unwrap().clone();
        let answers = queries(call).into_iter().zip(asked).map(|(query, asked)| {
            if text(&asked, "AccountId") == LINKED {
                result(&query.id, &[], "Forbidden")
            } else {
                result(&query.id, &[(MIDNIGHT, 1.0)], "Complete")
            }
        });
        page(answers.collect(), None)
    })
    .await;
    let series = [ACCOUNT, LINKED].map(|account| Series::new(account, "us-east-1", "us.same"));
    let request = domain::ReadRequest { series: series.to_vec(), ..request(&[], MetricSet::Decode) };
    let answer = source(&fake).await.read(&request).await.unwrap();
    assert_eq!((answer.rows.len(), answer.incomplete), (1, vec![series[1].clone()]));
}
