//! How fast the history of a fleet is read, against a bare SDK client that only decodes the same answers.
//!
//!     cargo build --release -p otpsd && cargo run --release -p otpsd --example backfill -- 1000 35
//!
//! reads 35 days of 1,000 models, spread over three accounts in two Regions each, from a loopback in this process, three
//! times: by the SDK's client alone, by the source of otpsd, and by the whole daemon (`target/release/otpsd`) with roles,
//! judgement and store. Prints datapoints a second and the ratios, and then what an hour of steady polling costs.

mod daemon;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_cloudwatch::types::{Dimension, MetricDataQuery, MetricStat, ScanBy};
use domain::{
    CloudWatchPlan, Metric, MetricSet, PERIODS_PER_DAY, Period, ReadRequest, Series, Source, Statistic,
    Statistics,
};
use jiff::{SignedDuration, Timestamp};
use simulator::loopback::{Loopback, Options};
use simulator::{Observation, Telemetry};

use daemon::Daemon;

/// A period takes a quarter of a minute.
const RATE: f64 = 20.0;
/// Models that the bare client asks for with one call.
const MODELS_AT_ONCE: usize = 10;
const ACCOUNTS: [&str; 3] = ["111122223333", "444455556666", "777788889999"];
const REGIONS: [&str; 2] = ["us-east-1", "eu-west-1"];
const BASE_KEY: &str = "AKIAIOSFODNN7EXAMPLE";

/// Figures that cost nothing to make, so that reading is what is measured.
struct Figures {
    series: Vec<Series>,
    begin: i64,
}

impl Telemetry for Figures {
    fn series(&self) -> Vec<Series> {
        self.series.clone()
    }

    fn observe(&self, series: &Series, metric: Metric, from: i64, until: i64) -> Observation {
        if until - from != 300 || from < self.begin {
            return Observation::Nothing;
        }
        let hash =
            series.model().bytes().fold(from as u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let wobble = 1.0 + (hash >> 40) as f64 / 1.7e8;
        let p50 = wobble
            * match metric {
                Metric::InvocationLatency => 5_000.0,
                Metric::TimeToFirstToken => 1_000.0,
                Metric::OutputTokenCount => 400.0,
                Metric::InputTokenCount => 3_000.0,
                _ => return Observation::Nothing,
            };
        let samples = 150.0;
        Observation::Statistics(Statistics {
            p50: Some(p50),
            p95: Some(p50 * 1.7),
            sum: Some(p50 * samples),
            sample_count: Some(samples),
        })
    }
}

/// With the key of an account.
fn aws(account: &str, region: &str) -> SdkConfig {
    let credentials = Credentials::new(format!("AKIA{account}"), "not a secret", None, None, "example");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(region.to_owned()))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

fn plan(url: &str, account: &str, region: &str) -> CloudWatchPlan {
    CloudWatchPlan {
        endpoint_url: Some(url.to_owned()),
        account_id: Some(account.to_owned()),
        attempt_timeout: Duration::from_secs(60),
        ..CloudWatchPlan::new(account, &[region])
    }
}

/// The queries of one call for some models: four statistics of the four metrics that have data.
fn queries(series: &[Series]) -> Vec<MetricDataQuery> {
    let mut queries = Vec::new();
    for one in series {
        for metric in &Metric::ALL[..4] {
            for statistic in Statistic::ALL {
                let dimension = Dimension::builder().name("ModelId").value(one.model()).build();
                let metric = aws_sdk_cloudwatch::types::Metric::builder()
                    .namespace("AWS/Bedrock")
                    .metric_name(metric.name())
                    .dimensions(dimension)
                    .build();
                let stat = MetricStat::builder().metric(metric).period(300).stat(statistic.name()).build();
                let id = format!("q{}", queries.len());
                queries.push(MetricDataQuery::builder().id(id).metric_stat(stat).build());
            }
        }
    }
    queries
}

/// Only asks and decodes: pages of at most 100,800 datapoints, one after another.
async fn bare(client: &aws_sdk_cloudwatch::Client, series: &[Series], from: Period, until: Period) -> u64 {
    let mut datapoints = 0;
    for some in series.chunks(MODELS_AT_ONCE) {
        let queries = queries(some);
        let step = 100_800 / queries.len() as i64;
        let mut next = from;
        while next < until {
            let end = (next + step).min(until);
            let answer = client
                .get_metric_data()
                .set_metric_data_queries(Some(queries.clone()))
                .start_time(DateTime::from_secs(next.start().as_second()))
                .end_time(DateTime::from_secs(end.start().as_second()))
                .scan_by(ScanBy::TimestampAscending)
                .send()
                .await
                .expect("the loopback answers");
            datapoints +=
                answer.metric_data_results().iter().map(|result| result.values().len() as u64).sum::<u64>();
            next = end;
        }
    }
    datapoints
}

/// A model at a time with all of its history, as the daemon does.
async fn by_source(source: &poller::CloudWatch, series: &[Series], from: Period, until: Period) -> u64 {
    let mut rows = 0;
    for one in series {
        let request = ReadRequest { series: vec![one.clone()], from, until, metrics: MetricSet::All };
        rows += source.read(&request).await.expect("the loopback answers").rows.len() as u64;
    }
    rows
}

/// How many polls there were, and how many seconds they took.
fn polls(daemon: &Daemon) -> (f64, f64) {
    let sum = |name| daemon.metric(name).expect("it answers");
    (sum("otpsd_poll_duration_seconds_count"), sum("otpsd_poll_duration_seconds_sum"))
}

/// Seconds of processor time.
fn cpu(daemon: &Daemon) -> f64 {
    let text = std::fs::read_to_string(daemon.process("stat")).unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |k: usize| fields.get(k).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn judged(config: &std::path::Path) -> usize {
    let output = Command::new("target/release/otpsd")
        .args(["status", "--format", "json", "--config", config.to_str().expect("a path")])
        .output()
        .expect("otpsd runs");
    let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    status["series"].as_array().map_or(0, Vec::len)
}

/// Those of an account in a Region.
fn of<'a>(series: &'a [Series], account: &'a str, region: &'a str) -> Vec<Series> {
    series.iter().filter(|one| one.account() == account && one.region() == region).cloned().collect()
}

fn configuration(folder: &std::path::Path, url: &str, days: i64) -> String {
    let state = folder.display();
    let mut text = format!(
        "[daemon]\nlisten = \"127.0.0.1:0\"\nstate-dir = \"{state}\"\n[alarm]\nmode = \"observe\"\n[baseline]\nbackfill = \"{days}d\"\n\
         [default.cloudwatch]\nregions = {REGIONS:?}\nendpoint-url = \"{url}\"\n"
    );
    for account in ACCOUNTS {
        text += &format!(
            "[source.cloudwatch.of-{account}]\nrole-arn = \"arn:aws:iam::{account}:role/otpsd-read\"\n"
        );
    }
    text
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>().expect("a number"));
    let (models, days) = (arguments.next().unwrap_or(1_000), arguments.next().unwrap_or(35) as i64);
    let series: Vec<Series> = (0..models)
        .map(|k| {
            let (account, region) = (ACCOUNTS[k % 3], REGIONS[k / 3 % 2]);
            Series::new(account, region, &format!("us.example.model-{k:04}-v1:0"))
        })
        .collect();
    let now = Period::containing("2026-11-02T00:00:00Z".parse().expect("a time"));
    let from = now - days * PERIODS_PER_DAY;
    let anchor = Timestamp::now();
    let origin = now.start();
    let clock = move || {
        let passed = Timestamp::now().duration_since(anchor).as_secs_f64() * RATE;
        origin.saturating_add(SignedDuration::from_secs_f64(passed)).expect("a time")
    };
    // The loopback has a processor to itself, as CloudWatch has.
    let server = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let figures = Figures { series: series.clone(), begin: from.start().as_second() };
    let keys = ACCOUNTS.map(|account| (format!("AKIA{account}"), account.to_owned()));
    let mut options = Options::new(Arc::new(figures), Arc::new(clock));
    options.accounts = BTreeMap::from(keys);
    options.accounts.insert(BASE_KEY.to_owned(), ACCOUNTS[0].to_owned());
    let loopback = server.block_on(Loopback::start(options)).expect("a port");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let places = ACCOUNTS.into_iter().flat_map(|account| REGIONS.map(|region| (account, region)));

    let (mut datapoints, mut bare_seconds, mut rows, mut seconds) = (0, 0.0, 0, 0.0);
    for (account, region) in places {
        let own = of(&series, account, region);
        let config = aws(account, region);
        let client = aws_sdk_cloudwatch::Client::from_conf(
            aws_sdk_cloudwatch::config::Builder::from(&config).endpoint_url(loopback.url()).build(),
        );
        let plan = plan(&loopback.url(), account, region);
        let source = runtime.block_on(poller::CloudWatch::with_config(&plan, &config)).remove(0);
        // The bare client minds no quota.
        let source = source.within(&poller::Quotas::at_rate(1_000.0));
        runtime.block_on(bare(&client, &own[..1], now - 300, now));
        let began = Instant::now();
        datapoints += runtime.block_on(bare(&client, &own, from, now));
        bare_seconds += began.elapsed().as_secs_f64();
        let began = Instant::now();
        rows += runtime.block_on(by_source(&source, &own, from, now));
        seconds += began.elapsed().as_secs_f64();
    }
    let a_second = |seconds: f64| datapoints as f64 / seconds;
    println!(
        "bare SDK     {datapoints:>10} datapoints {bare_seconds:>7.1} s {:>9.0}/s",
        a_second(bare_seconds)
    );
    println!(
        "source       {rows:>10} rows       {seconds:>7.1} s {:>9.0}/s   ratio to bare {:.2}",
        a_second(seconds),
        seconds / bare_seconds
    );

    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("otpsd.toml");
    std::fs::write(&config, configuration(folder.path(), &loopback.url(), days)).expect("a file");
    let calls = || {
        let totals = loopback.calls();
        let of = totals.iter().filter(|total| total.operation == "GetMetricData");
        of.fold((0, 0, 0), |sum, total| {
            (sum.0 + total.calls, sum.1 + total.billed_metrics, sum.2 + total.datapoints)
        })
    };
    let before = calls();
    let began = Instant::now();
    let daemon = Daemon::start(&config, &format!("{},{},{RATE}", clock(), Timestamp::now()), BASE_KEY);
    while judged(&config) < series.len() {
        std::thread::park_timeout(Duration::from_secs(1));
    }
    let (seconds, after) = (began.elapsed().as_secs_f64(), calls());
    let megabytes = |name: &str| daemon.memory(name) / 1_024;
    println!(
        "whole daemon {:>10} datapoints {seconds:>7.1} s {:>9.0}/s   ratio to bare {:.2}; {} calls, {} billed metrics, cpu {:.1} s, \
         memory {} MB, peak {} MB",
        after.2 - before.2,
        (after.2 - before.2) as f64 / seconds,
        seconds / bare_seconds,
        after.0 - before.0,
        after.1 - before.1,
        cpu(&daemon),
        megabytes("VmRSS:"),
        megabytes("VmHWM:")
    );

    // One hour by its clock, begun when the last period of the backfill has been followed.
    std::thread::park_timeout(Duration::from_secs_f64(900.0 / RATE));
    let (before, used, made) = (calls(), cpu(&daemon), polls(&daemon));
    std::thread::park_timeout(Duration::from_secs_f64(3_600.0 / RATE));
    let (after, cpu, polled) = (calls(), cpu(&daemon) - used, polls(&daemon));
    let count = polled.0 - made.0;
    println!(
        "steady, one hour by its clock: {count} polls of {:.3} s each, {} calls, {} billed metrics, {} datapoints, {cpu:.2} s of \
         processor time; memory {} MB",
        (polled.1 - made.1) / count,
        after.0 - before.0,
        after.1 - before.1,
        after.2 - before.2,
        megabytes("VmRSS:")
    );
    drop(daemon);
    let store: u64 = std::fs::read_dir(folder.path())
        .expect("the folder")
        .filter_map(|file| Some(file.ok()?.metadata().ok()?.len()))
        .sum();
    println!("store        {:>10.0} MB", store as f64 / 1e6);
    server.block_on(loopback.shutdown());
}
