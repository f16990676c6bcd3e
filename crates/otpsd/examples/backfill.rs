//! How fast the history of a fleet is read, against a bare SDK client that only decodes the same answers.
//!
//!     cargo run --release -p otpsd --example backfill -- 200 35
//!
//! reads 35 days of 200 models from a loopback in this process, three times: by the SDK's client alone, by the source of
//! otpsd, and by the whole daemon (`target/release/otpsd`, built before) with judgement and store. Prints datapoints a second
//! and the ratios, and then what an hour of steady polling costs.

use std::process::{Child, Command, Stdio};
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

/// A virtual hour takes six seconds of steady polling.
const RATE: f64 = 600.0;
/// Models that are read in one go, as the daemon does.
const MODELS_AT_ONCE: usize = 10;

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

fn aws() -> SdkConfig {
    let credentials = Credentials::new("AKIAIOSFODNN7EXAMPLE", "not a secret", None, None, "example");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

fn plan(url: &str) -> CloudWatchPlan {
    CloudWatchPlan {
        name: "main".to_owned(),
        regions: vec!["us-east-1".to_owned()],
        endpoint_url: Some(url.to_owned()),
        profile: None,
        account_id: Some("111122223333".to_owned()),
        settle_delay: Duration::from_secs(120),
        reread_periods: 3,
        include: Vec::new(),
        ignore: Vec::new(),
        discover_every: Duration::from_secs(900),
        role: None,
        linked_accounts: false,
        fips: false,
        dual_stack: false,
        expect: Vec::new(),
        min_daily_requests: 0,
        max_series: CloudWatchPlan::MAX_SERIES,
        max_monthly_usd: None,
        attempt_timeout: Duration::from_secs(60),
        heartbeat_url: None,
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

async fn by_source(source: &poller::CloudWatch, series: &[Series], from: Period, until: Period) -> u64 {
    let mut rows = 0;
    for some in series.chunks(MODELS_AT_ONCE) {
        let mut next = from;
        while next < until {
            let end = (next + 2_500).min(until);
            let request =
                ReadRequest { series: some.to_vec(), from: next, until: end, metrics: MetricSet::All };
            rows += source.read(&request).await.expect("the loopback answers").rows.len() as u64;
            next = end;
        }
    }
    rows
}

struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Daemon {
    fn start(config: &std::path::Path, clock: &str) -> Self {
        let child = Command::new("target/release/otpsd")
            .args(["run", "--config", config.to_str().expect("a path"), "--rehearse", clock])
            .env("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
            .env("AWS_SECRET_ACCESS_KEY", "not a secret")
            .stderr(Stdio::null())
            .spawn()
            .expect("build target/release/otpsd first");
        Self(child)
    }

    fn figure(&self, file: &str, name: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/{file}", self.0.id())).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    /// Seconds of processor time.
    fn cpu(&self) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap_or_default();
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |k: usize| fields.get(k).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(11) + ticks(12)) / 100.0
    }
}

fn judged(config: &std::path::Path) -> usize {
    let output = Command::new("target/release/otpsd")
        .args(["status", "--format", "json", "--config", config.to_str().expect("a path")])
        .output()
        .expect("otpsd runs");
    let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    status["series"].as_array().map_or(0, Vec::len)
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<i64>().expect("a number"));
    let (models, days) = (arguments.next().unwrap_or(200), arguments.next().unwrap_or(35));
    let series: Vec<Series> = (0..models)
        .map(|k| Series::new("111122223333", "us-east-1", &format!("us.example.model-{k:03}-v1:0")))
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
    let options = Options::new(Arc::new(figures), Arc::new(clock));
    let loopback = server.block_on(Loopback::start(options)).expect("a port");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");

    let plan = plan(&loopback.url());
    let sources = runtime.block_on(poller::CloudWatch::with_config(&plan, &aws()));
    let client = aws_sdk_cloudwatch::Client::from_conf(
        aws_sdk_cloudwatch::config::Builder::from(&aws()).endpoint_url(loopback.url()).build(),
    );
    let warm_up = (now - 300, now);
    runtime.block_on(bare(&client, &series[..1], warm_up.0, warm_up.1));

    let began = Instant::now();
    let datapoints = runtime.block_on(bare(&client, &series, from, now));
    let bare_seconds = began.elapsed().as_secs_f64();
    println!(
        "bare SDK     {datapoints:>10} datapoints {bare_seconds:>7.1} s {:>9.0}/s",
        datapoints as f64 / bare_seconds
    );

    let began = Instant::now();
    let rows = runtime.block_on(by_source(&sources[0], &series, from, now));
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "source       {rows:>10} rows       {seconds:>7.1} s   ratio to bare {:.2}",
        seconds / bare_seconds
    );

    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("otpsd.toml");
    let text = format!(
        "[daemon]\nlisten = \"127.0.0.1:0\"\nstate-dir = \"{}\"\n[alarm]\nmode = \"observe\"\n[baseline]\nbackfill = \"{days}d\"\n\
         [source.cloudwatch.main]\nregions = [\"us-east-1\"]\naccount-id = \"111122223333\"\nendpoint-url = \"{}\"\n",
        folder.path().display(),
        loopback.url()
    );
    std::fs::write(&config, text).expect("a file");
    let began = Instant::now();
    let daemon = Daemon::start(&config, &format!("{origin},{anchor},{RATE}"));
    while judged(&config) < series.len() {
        std::thread::park_timeout(Duration::from_millis(200));
    }
    let seconds = began.elapsed().as_secs_f64();
    let (peak, now_kb) = (daemon.figure("status", "VmHWM:"), daemon.figure("status", "VmRSS:"));
    println!(
        "whole daemon {:>10} series     {seconds:>7.1} s   ratio to bare {:.2}; cpu {:.1} s, memory {} MB, peak {} MB",
        series.len(),
        seconds / bare_seconds,
        daemon.cpu(),
        now_kb / 1024,
        peak / 1024
    );

    let calls = |operation: &str| {
        let totals = loopback.calls();
        let of = totals.iter().filter(|total| total.operation == operation);
        of.fold((0, 0, 0), |sum, total| {
            (sum.0 + total.calls, sum.1 + total.billed_metrics, sum.2 + total.datapoints)
        })
    };
    let (before, cpu) = (calls("GetMetricData"), daemon.cpu());
    // Two virtual hours.
    std::thread::park_timeout(Duration::from_secs_f64(2.0 * 3_600.0 / RATE));
    let (after, cpu) = (calls("GetMetricData"), daemon.cpu() - cpu);
    println!(
        "steady, two hours by its clock: {} calls, {} billed metrics, {} datapoints, {cpu:.2} s of processor time; memory {} MB",
        after.0 - before.0,
        after.1 - before.1,
        after.2 - before.2,
        daemon.figure("status", "VmRSS:") / 1024
    );
    drop(daemon);
    server.block_on(loopback.shutdown());
}
