//! `tests/loopback/cases.json` at the top of the project, asked by the Rust SDK. Other SDKs ask the same.

use std::collections::BTreeMap;

use aws_sdk_cloudwatch::Client;
use aws_sdk_cloudwatch::config::{BehaviorVersion, Credentials, Region, retry::RetryConfig};
use aws_sdk_cloudwatch::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_cloudwatch::primitives::{DateTime, DateTimeFormat};
use aws_sdk_cloudwatch::types::{
    Dimension, DimensionFilter, Metric, MetricDataQuery, MetricStat, RecentlyActive, ScanBy, StandardUnit,
};
use serde_json::{Value, json};
use simulator::loopback::Loopback;

use crate::scenario;

/// A client that does not try again.
pub(crate) fn client(url: &str, key: &str, region: &str) -> Client {
    let config = aws_sdk_cloudwatch::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(url)
        .region(Region::new(region.to_owned()))
        .credentials_provider(Credentials::new(key, "secret", None, None, "test"))
        .retry_config(RetryConfig::disabled())
        .build();
    Client::from_conf(config)
}

#[tokio::test]
async fn the_rust_sdk_gets_the_answers_of_all_sdks() {
    let loopback = Loopback::start(scenario::options()).await.unwrap();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/loopback/cases.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let client = client(&loopback.url(), scenario::KEY_A, case["region"].as_str().unwrap());
        let answer = match case["operation"].as_str().unwrap() {
            "GetMetricData" => get_metric_data(&client, case).await,
            "ListMetrics" => list_metrics(&client, case).await,
            other => panic!("{name}: no operation {other}"),
        };
        let expected = ["results", "metrics", "error"].iter().find_map(|key| case.get(key)).unwrap();
        assert_eq!(&answer, expected, "{name}");
    }
    assert!(cases.len() >= 10, "the cases are there");
}

async fn get_metric_data(client: &Client, case: &Value) -> Value {
    let request = &case["request"];
    let time =
        |name: &str| DateTime::from_str(request[name].as_str().unwrap(), DateTimeFormat::DateTime).unwrap();
    let queries: Vec<MetricDataQuery> =
        request["MetricDataQueries"].as_array().unwrap().iter().map(query).collect();
    let mut results: BTreeMap<String, Value> = BTreeMap::new();
    let mut token = text(&request["NextToken"]);
    loop {
        let call = client
            .get_metric_data()
            .set_metric_data_queries(Some(queries.clone()))
            .start_time(time("StartTime"))
            .end_time(time("EndTime"))
            .set_scan_by(text(&request["ScanBy"]).map(|scan| ScanBy::from(scan.as_str())))
            .set_max_datapoints(
                case.get("page_size").map(|size| i32::try_from(size.as_i64().unwrap()).unwrap()),
            )
            .set_next_token(token);
        let page = match call.send().await {
            Ok(page) => page,
            Err(error) => return error_of(&error),
        };
        for result in page.metric_data_results() {
            let all = results
                .entry(result.id().unwrap().to_owned())
                .or_insert_with(|| json!({"Timestamps": [], "Values": []}));
            all["Label"] = json!(result.label().unwrap());
            all["StatusCode"] = json!(result.status_code().unwrap().as_str());
            for time in result.timestamps() {
                all["Timestamps"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!(time.fmt(DateTimeFormat::DateTime).unwrap()));
            }
            all["Values"].as_array_mut().unwrap().extend(result.values().iter().map(|value| json!(value)));
        }
        token = page.next_token().map(str::to_owned);
        if token.is_none() {
            return json!(results);
        }
    }
}

async fn list_metrics(client: &Client, case: &Value) -> Value {
    let request = &case["request"];
    let filters = request["Dimensions"].as_array().into_iter().flatten().map(|filter| {
        let filter = DimensionFilter::builder()
            .name(filter["Name"].as_str().unwrap())
            .set_value(text(&filter["Value"]));
        filter.build()
    });
    let call = client
        .list_metrics()
        .set_namespace(text(&request["Namespace"]))
        .set_metric_name(text(&request["MetricName"]))
        .set_dimensions(Some(filters.collect()))
        .set_recently_active(
            text(&request["RecentlyActive"]).map(|recent| RecentlyActive::from(recent.as_str())),
        )
        .set_next_token(text(&request["NextToken"]));
    match call.send().await {
        Ok(page) => page.metrics().iter().map(|metric| json!(described(metric))).collect(),
        Err(error) => error_of(&error),
    }
}

fn described(metric: &Metric) -> String {
    let dimension =
        |dimension: &Dimension| format!(" {}={}", dimension.name().unwrap(), dimension.value().unwrap());
    metric.metric_name().unwrap().to_owned() + &metric.dimensions().iter().map(dimension).collect::<String>()
}

fn error_of<E>(error: &SdkError<E>) -> Value
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    let service = error.as_service_error().unwrap_or_else(|| panic!("{}", DisplayErrorContext(error)));
    json!({"Code": service.code(), "Message": service.message()})
}

fn query(query: &Value) -> MetricDataQuery {
    let stat = &query["MetricStat"];
    let dimensions = stat["Metric"]["Dimensions"].as_array().into_iter().flatten().map(|dimension| {
        Dimension::builder()
            .name(dimension["Name"].as_str().unwrap())
            .value(dimension["Value"].as_str().unwrap())
            .build()
    });
    let metric = Metric::builder()
        .namespace(stat["Metric"]["Namespace"].as_str().unwrap())
        .metric_name(stat["Metric"]["MetricName"].as_str().unwrap())
        .set_dimensions(Some(dimensions.collect()))
        .build();
    let stat = MetricStat::builder()
        .metric(metric)
        .period(i32::try_from(stat["Period"].as_i64().unwrap()).unwrap())
        .stat(stat["Stat"].as_str().unwrap())
        .set_unit(text(&stat["Unit"]).map(|unit| StandardUnit::from(unit.as_str())))
        .build();
    MetricDataQuery::builder()
        .id(query["Id"].as_str().unwrap())
        .set_label(text(&query["Label"]))
        .set_return_data(query["ReturnData"].as_bool())
        .metric_stat(stat)
        .build()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
