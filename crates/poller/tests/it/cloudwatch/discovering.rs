//! Who is there, in which account, and under which names.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use ciborium::Value;
use domain::{CloudWatchPlan, Failure, Metric, MetricSet, Source, Statistic, Tier};

use super::fake::{Call, Fake, Reply, map, member, page, queries, result, text};
use super::{MIDNIGHT, open, open_all, plan, request};

fn metric(name: &str, dimensions: &[(&str, &str)]) -> Value {
    let dimensions = dimensions
        .iter()
        .map(|(name, value)| map([("Name", Value::from(*name)), ("Value", Value::from(*value))]))
        .collect();
    map([
        ("Namespace", Value::from("AWS/Bedrock")),
        ("MetricName", Value::from(name)),
        ("Dimensions", Value::Array(dimensions)),
    ])
}

fn metrics(metrics: Vec<Value>, next: Option<&str>) -> Reply {
    let mut page = vec![(Value::from("Metrics"), Value::Array(metrics))];
    page.extend(next.map(|next| (Value::from("NextToken"), Value::from(next))));
    Reply::Data(Value::Map(page))
}

/// Models with `TimeToFirstToken`, each alone.
fn streaming(call: &Call, models: &[&str]) -> Reply {
    let name = text(&call.body, "MetricName");
    if name == "TimeToFirstToken" {
        metrics(models.iter().map(|model| metric(name, &[("ModelId", model)])).collect(), None)
    } else {
        metrics(Vec::new(), None)
    }
}

async fn discovered(plan: &CloudWatchPlan) -> Vec<String> {
    open(plan).await.discover().await.unwrap().iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn models_that_stream_are_found_on_all_pages_once_and_in_order() {
    let fake = Fake::start(|call| {
        assert_eq!(call.operation, "ListMetrics");
        assert_eq!(text(&call.body, "Namespace"), "AWS/Bedrock");
        assert_eq!(member(&call.body, "RecentlyActive"), &Value::Null);
        let filter = member(&call.body, "Dimensions").as_array().unwrap();
        assert_eq!(filter.len(), 1);
        let name = text(&call.body, "MetricName");
        let by = if name == "InvocationLatency" { "ResolvedServiceTier" } else { "ModelId" };
        assert_eq!((text(&filter[0], "Name"), text(&filter[0], "Value")), (by, ""));
        if name != "TimeToFirstToken" {
            return metrics(Vec::new(), None);
        }
        match text(&call.body, "NextToken") {
            "" => metrics(
                vec![
                    metric(name, &[("ModelId", "us.zeta")]),
                    // Parts of the same traffic.
                    metric(name, &[("ModelId", "us.zeta"), ("ServiceTier", "flex")]),
                    metric(name, &[("ServiceTier", "flex"), ("ModelId", "us.tiered-only")]),
                    metric(name, &[("Region", "us-east-1")]),
                    metric(name, &[]),
                    metric(name, &[("ModelId", "")]),
                ],
                Some("two"),
            ),
            "two" => metrics(Vec::new(), Some("three")),
            _ => metrics(
                vec![
                    metric(name, &[("ModelId", "us.alpha+latency-optimized")]),
                    metric(name, &[("ModelId", "us.zeta")]),
                    metric(
                        name,
                        &[("ModelId", "arn:aws:bedrock:us-east-1:111122223333:provisioned-model/x")],
                    ),
                ],
                Some(""),
            ),
        }
    })
    .await;
    assert_eq!(
        discovered(&plan(fake.url())).await,
        [
            "111122223333/us-east-1/arn:aws:bedrock:us-east-1:111122223333:provisioned-model/x",
            "111122223333/us-east-1/us.alpha+latency-optimized",
            "111122223333/us-east-1/us.zeta",
        ]
    );
    // Three pages, a look for each other name of the cache metrics, and one for service tiers.
    assert_eq!(fake.calls().len(), 6);
}

#[tokio::test]
async fn include_and_ignore_choose_models() {
    let fake =
        Fake::start(|call| streaming(call, &["us.a-haiku", "us.b-sonnet", "us.b-embed", "eu.b-sonnet"]))
            .await;
    let mut plan = plan(fake.url());
    plan.include = vec!["us.*".to_owned()];
    plan.ignore = vec!["*embed*".to_owned()];
    assert_eq!(
        discovered(&plan).await,
        ["111122223333/us-east-1/us.a-haiku", "111122223333/us-east-1/us.b-sonnet"]
    );
}

#[tokio::test]
async fn pages_that_do_not_end_are_malformed() {
    let fake = Fake::start(|_| metrics(Vec::new(), Some("the same"))).await;
    let error = open(&plan(fake.url())).await.discover().await.unwrap_err();
    assert_eq!(error.failure, Failure::Malformed);
    assert_eq!(
        error.message,
        "ListMetrics of source `main` in us-east-1 failed: the pages of the answer do not end"
    );
    assert_eq!(fake.calls().len(), 2);
}

fn identity(account: &str) -> Reply {
    let xml = format!(
        "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><GetCallerIdentityResult>\
         <Account>{account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>"
    );
    Reply::Other(200, "text/xml", xml)
}

#[tokio::test]
async fn the_account_is_asked_for_once_and_again_after_a_failure() {
    let asked = AtomicUsize::new(0);
    let fake = Fake::start(move |call| {
        if !call.operation.is_empty() {
            return streaming(call, &["m"]);
        }
        match asked.fetch_add(1, Ordering::Relaxed) {
            0 => Reply::Other(
                403,
                "text/xml",
                "<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>The security token is invalid</Message>\
                 </Error></ErrorResponse>"
                    .to_owned(),
            ),
            _ => identity("444455556666"),
        }
    })
    .await;
    let mut plan = plan(fake.url());
    plan.account_id = None;
    plan.regions = vec!["us-east-1".to_owned(), "eu-west-1".to_owned()];
    let sources = open_all(&plan).await;
    assert_eq!(
        sources.iter().map(|source| (source.name(), source.region())).collect::<Vec<_>>(),
        [("main", "us-east-1"), ("main", "eu-west-1")]
    );

    let error = sources[0].discover().await.unwrap_err();
    assert_eq!(error.failure, Failure::Credentials);
    assert_eq!(error.action.as_deref(), Some("sts:GetCallerIdentity"));
    assert_eq!(
        error.message,
        "GetCallerIdentity of source `main` in us-east-1 failed: InvalidClientTokenId: The security token is invalid"
    );
    assert_eq!(fake.calls().len(), 1, "nothing is read for an account that nobody knows");

    assert_eq!(sources[1].account().await.unwrap(), "444455556666");
    assert_eq!(sources[0].discover().await.unwrap()[0].to_string(), "444455556666/us-east-1/m");
    assert_eq!(sources[1].discover().await.unwrap()[0].to_string(), "444455556666/eu-west-1/m");
    let identities = fake.calls().iter().filter(|call| call.operation.is_empty()).count();
    assert_eq!(identities, 2, "one failed, one was answered, and the other Region knows");
}

#[tokio::test]
async fn an_answer_without_an_account_is_malformed() {
    let fake = Fake::start(|_| identity("")).await;
    let mut plan = plan(fake.url());
    plan.account_id = None;
    assert_eq!(open(&plan).await.discover().await.unwrap_err().failure, Failure::Malformed);
}

#[tokio::test]
async fn cache_metrics_are_asked_under_the_names_they_have() {
    let fake = Fake::start(|call| {
        if call.operation == "ListMetrics" {
            let name = text(&call.body, "MetricName");
            let models: &[&str] = match name {
                "TimeToFirstToken" => &["both", "new", "old"],
                "CacheReadInputTokens" => &["both", "new"],
                "CacheReadInputTokenCount" => &["both", "old"],
                _ => &[],
            };
            return metrics(models.iter().map(|model| metric(name, &[("ModelId", model)])).collect(), None);
        }
        // The own name has only the first period of two.
        let results = queries(call)
            .iter()
            .map(|query| match query.metric.as_str() {
                "CacheReadInputTokens" => result(&query.id, &[(MIDNIGHT, 1.0)], "Complete"),
                "CacheReadInputTokenCount" => {
                    result(&query.id, &[(MIDNIGHT, 2.0), (MIDNIGHT + 300, 2.0)], "Complete")
                }
                _ => result(&query.id, &[], "Complete"),
            })
            .rev()
            .collect();
        page(results, None)
    })
    .await;
    let source = open(&plan(fake.url())).await;
    let request = request(&["both", "new", "old"], MetricSet::Diagnosis);
    let asked = || {
        let mut asked: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for query in queries(fake.calls().last().unwrap()) {
            if query.metric.starts_with("CacheRead") && query.statistic == "Sum" {
                asked.entry(query.model).or_default().push(query.metric);
            }
        }
        asked.into_values().collect::<Vec<_>>()
    };

    // Before anything is known, the metric's own name is it.
    let answer = source.read(&request).await.unwrap();
    assert_eq!(asked(), [["CacheReadInputTokens"], ["CacheReadInputTokens"], ["CacheReadInputTokens"]]);
    assert_eq!(answer.billed_metrics, 18);

    source.discover().await.unwrap();
    let answer = source.read(&request).await.unwrap();
    assert_eq!(
        asked(),
        [
            vec!["CacheReadInputTokens", "CacheReadInputTokenCount"],
            vec!["CacheReadInputTokens"],
            vec!["CacheReadInputTokenCount"],
        ]
    );
    assert_eq!(answer.billed_metrics, 19);
    let mut sums: Vec<_> = answer
        .rows
        .iter()
        .map(|row| {
            let sum = row.reading.get(Metric::CacheReadInputTokens, Statistic::Sum).unwrap();
            (row.series.model(), row.period.start().as_second() - MIDNIGHT, sum)
        })
        .collect();
    sums.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(
        sums,
        [("both", 0, 1.0), ("both", 300, 2.0), ("new", 0, 1.0), ("old", 0, 2.0), ("old", 300, 2.0)]
    );
}

#[tokio::test]
async fn requests_are_counted_by_the_tier_that_served_them_where_that_is_published() {
    let fake = Fake::start(|call| {
        if call.operation == "ListMetrics" {
            return match text(&call.body, "MetricName") {
                "InvocationLatency" => {
                    let of = |served, asked| {
                        let tiers =
                            [("ModelId", "tiered"), ("ResolvedServiceTier", served), ("ServiceTier", asked)];
                        metric("InvocationLatency", &tiers)
                    };
                    let parts = [("priority", "priority"), ("default", "priority"), ("default", "default")];
                    metrics(parts.map(|(served, asked)| of(served, asked)).to_vec(), None)
                }
                _ => streaming(call, &["plain", "tiered"]),
            };
        }
        let results = queries(call)
            .iter()
            .map(|query| {
                let parts: Vec<&str> = query.parts.iter().map(|(_, value)| value.as_str()).collect();
                let requests = match parts[..] {
                    ["priority", "priority"] => 60.0,
                    ["default", "priority"] => 30.0,
                    ["default", "default"] => 10.0,
                    _ => 1.0,
                };
                result(&query.id, &[(MIDNIGHT, requests)], "Complete")
            })
            .collect();
        page(results, None)
    })
    .await;
    let source = open(&plan(fake.url())).await;
    let served = |answer: &domain::ReadAnswer| {
        let of = |row: &domain::Row| Tier::ALL.map(|tier| row.reading.served(tier));
        answer.rows.iter().map(|row| (row.series.model().to_owned(), of(row))).collect::<BTreeMap<_, _>>()
    };
    source.discover().await.unwrap();
    let answer = source.read(&request(&["plain", "tiered"], MetricSet::Diagnosis)).await.unwrap();
    assert_eq!(served(&answer)["plain"], [None; 4]);
    // Of 90 that asked for priority 30 were served by default, as 10 asked for.
    assert_eq!(served(&answer)["tiered"], [None, Some(60.0), Some(40.0), None]);
    assert_eq!(answer.billed_metrics, 2 * 6 + 3);
    // Every five minutes nobody asks for that.
    let answer = source.read(&request(&["plain", "tiered"], MetricSet::Decode)).await.unwrap();
    assert_eq!((served(&answer)["tiered"], answer.billed_metrics), ([None; 4], 2 * 3));
}
