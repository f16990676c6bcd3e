//! Whether a daemon that polls for weeks stays as it is: memory and open files over thousands of polls, with faults.
//!
//!     cargo build --release -p otpsd && cargo run --release -p otpsd --example endurance -- 10000
//!
//! runs `target/release/otpsd` against a loopback in this process on a clock that runs 15,000 times as fast, until the Region
//! that is well has been polled so often. Beside it one Region is denied, one loses every answer, and one accepts and never
//! answers; of all calls one in fifty is throttled and one in fifty fails. Prints memory and open files ten times, and ends
//! with exit code 1 when either has grown since the seventh: by then the store's cache is full. (`tests/it/fire_long.rs` does the
//! same in small.)

mod daemon;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use domain::{Metric, Series, Statistics};
use jiff::{SignedDuration, Timestamp};
use simulator::loopback::{Fault, FaultRule, Loopback, Options, Refusal};
use simulator::{Observation, Telemetry};

use daemon::Daemon;

/// A period is over in 20 ms.
const RATE: f64 = 15_000.0;
const REGIONS: [&str; 4] = ["eu-west-1", "us-east-1", "us-west-2", "eu-central-1"];
const MODELS: usize = 10;
/// What may be added, in KiB and in files.
const GROWTH: (u64, usize) = (4_096, 10);
/// The part from which on nothing is to be added: the cache of SQLite is full.
const FULL: usize = 6;

/// Healthy models, always.
struct Healthy(Vec<Series>);

impl Telemetry for Healthy {
    fn series(&self) -> Vec<Series> {
        self.0.clone()
    }

    fn observe(&self, _: &Series, metric: Metric, from: i64, until: i64) -> Observation {
        let p50 = match metric {
            Metric::InvocationLatency => 5_000.0,
            Metric::TimeToFirstToken => 1_000.0,
            Metric::OutputTokenCount => 400.0,
            _ => return Observation::Nothing,
        };
        if until - from != 300 {
            return Observation::Nothing;
        }
        Observation::Statistics(Statistics {
            p50: Some(p50),
            p95: Some(p50),
            sum: Some(p50 * 200.0),
            sample_count: Some(200.0),
        })
    }
}

fn configuration(folder: &Path, url: &str) -> PathBuf {
    let config = folder.join("otpsd.toml");
    let text = format!(
        "[daemon]\nlisten = \"127.0.0.1:0\"\nstate-dir = \"{}\"\n[alarm]\nmode = \"observe\"\n\
         [baseline]\nhistory = \"3d\"\nmin-history = \"2d\"\nbackfill = \"3d\"\n\
         [source.cloudwatch.main]\nregions = {REGIONS:?}\nendpoint-url = \"{url}\"\nattempt-timeout = \"1s\"\n",
        folder.display()
    );
    fs::write(&config, text).expect("a file");
    config
}

/// Polls of each Region so far.
fn polls(daemon: &Daemon) -> [u64; 4] {
    let of_region = |region| format!("otpsd_polls_total{{source=\"main\",region=\"{region}\"");
    REGIONS.map(|region| daemon.metric(&of_region(region)).unwrap_or(0.0) as u64)
}

/// Resident memory in KiB, and open files.
fn footprint(daemon: &Daemon) -> (u64, usize) {
    (daemon.memory("VmRSS:"), fs::read_dir(daemon.process("fd")).map_or(0, Iterator::count))
}

fn main() -> ExitCode {
    let wanted: u64 = std::env::args().nth(1).map_or(10_000, |count| count.parse().expect("a number"));
    let models = (0..MODELS).map(|number| format!("us.example.model-{number}-v1:0"));
    let in_regions = |model: String| REGIONS.map(|region| Series::new("111122223333", region, &model));
    let origin: Timestamp = "2026-11-02T00:00:00Z".parse().expect("a time");
    let anchor = Timestamp::now();
    let clock = move || {
        let passed = Timestamp::now().duration_since(anchor).as_secs_f64() * RATE;
        origin.saturating_add(SignedDuration::from_secs_f64(passed)).expect("a time")
    };
    let server = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let options = Options::new(Arc::new(Healthy(models.flat_map(in_regions).collect())), Arc::new(clock));
    let loopback = server.block_on(Loopback::start(options)).expect("a port");
    let folder = tempfile::tempdir().expect("a folder");
    let config = configuration(folder.path(), &loopback.url());
    let daemon = Daemon::start(&config, &format!("{origin},{anchor},{RATE}"), "AKIAIOSFODNN7EXAMPLE");
    let polls = || polls(&daemon);
    while polls().contains(&0) {
        std::thread::park_timeout(Duration::from_millis(200));
    }
    let of_data = |fault| FaultRule::new(fault).operation("GetMetricData");
    loopback.faults().set([
        of_data(Fault::Refuse(Refusal::Denied)).region(REGIONS[1]),
        of_data(Fault::LoseReply).region(REGIONS[2]),
        of_data(Fault::Hang).region(REGIONS[3]),
        of_data(Fault::Throttle { retry_after_seconds: None }).chance(0.02),
        of_data(Fault::Refuse(Refusal::Internal)).chance(0.02),
    ]);
    let mut seen = Vec::new();
    for part in 1..=10 {
        while polls()[0] < wanted * part / 10 {
            std::thread::park_timeout(Duration::from_millis(200));
        }
        let (memory, files) = footprint(&daemon);
        println!("{:?} polls: {memory} KiB, {files} open files", polls());
        seen.push((memory, files));
    }
    let (first, last) = (seen[FULL], seen[seen.len() - 1]);
    let is_flat = last.0 <= first.0 + GROWTH.0 && last.1 <= first.1 + GROWTH.1;
    println!("{}", if is_flat { "flat" } else { "it has grown" });
    drop(daemon);
    server.block_on(loopback.shutdown());
    if is_flat { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
