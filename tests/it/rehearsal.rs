//! A loopback that serves a story, and the built daemon that watches it, on one clock that runs fast.

use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Series, Statistics};
use jiff::{SignedDuration, Timestamp};
use simulator::Replay;
use simulator::loopback::{Loopback, Options, PagerDutyAlert};

use crate::process::{otpsd, write};

/// Virtual seconds in a real one: a period is over in half a second.
const RATE: f64 = 600.0;
/// However slow the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A loopback, and what a daemon needs to watch it.
pub(crate) struct Rehearsal {
    runtime: tokio::runtime::Runtime,
    loopback: Option<Loopback>,
    clock: String,
    folder: tempfile::TempDir,
    config: PathBuf,
    pub(crate) story: Period,
}

/// A running daemon. It is killed when dropped.
pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

/// 100 tokens a second, or 66.7.
fn reading(slow: bool) -> Reading {
    let (latency, ttft, tokens, samples) = (if slow { 7_000.0 } else { 5_000.0 }, 1_000.0, 400.0, 200.0);
    let mut reading = Reading::default();
    for (metric, p50) in [
        (Metric::InvocationLatency, latency),
        (Metric::TimeToFirstToken, ttft),
        (Metric::OutputTokenCount, tokens),
        (Metric::InputTokenCount, 3_000.0),
    ] {
        *reading.of_mut(metric) = Statistics {
            p50: Some(p50),
            p95: Some(p50 * 1.5),
            sum: Some(p50 * samples),
            sample_count: Some(samples),
        };
    }
    reading
}

pub(crate) fn series() -> Series {
    Series::new("111122223333", "us-east-1", "us.example.sonnet-large-v1:0")
}

impl Rehearsal {
    /// Two healthy weeks, then a story that is slow where `slow` says so, counted in periods from its start. The clock
    /// stands `lead` periods before that.
    pub(crate) fn new(lead: i64, slow: impl Fn(i64) -> bool) -> Self {
        let story = Period::containing("2026-11-02T00:00:00Z".parse().unwrap());
        let rows =
            (-14 * PERIODS_PER_DAY..2 * PERIODS_PER_DAY).map(|k| (series(), story + k, reading(slow(k))));
        let replay = Replay::new(rows);
        let (origin, anchor) = ((story - lead).start(), Timestamp::now());
        let now = move || {
            let passed = Timestamp::now().duration_since(anchor).as_secs_f64().max(0.0) * RATE;
            origin.saturating_add(SignedDuration::from_secs_f64(passed)).unwrap()
        };
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let loopback =
            runtime.block_on(Loopback::start(Options::new(Arc::new(replay), Arc::new(now)))).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (url, state) = (loopback.url(), folder.path().display());
        let text = format!(
            r#"
[daemon]
listen = "127.0.0.1:0"
state-dir = "{state}"
[source.cloudwatch.main]
regions = ["us-east-1"]
endpoint-url = "{url}"
[channel.pagerduty.oncall]
routing-key = {{ env = "PD_ROUTING_KEY" }}
url = "{url}/v2/enqueue"
[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
endpoint-url = "{url}"
[[route.page]]
channels = ["pagerduty.oncall", "sns.pages"]
"#
        );
        let config = write(folder.path(), "otpsd.toml", &text);
        let clock = format!("{origin},{anchor},{RATE}");
        Self { runtime, loopback: Some(loopback), clock, folder, config, story }
    }

    pub(crate) fn loopback(&self) -> &Loopback {
        self.loopback.as_ref().expect("it runs until it is dropped")
    }

    /// Starts the daemon, for the first time or again.
    pub(crate) fn start(&self) -> Daemon {
        let log = self.folder.path().join("log");
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&log).unwrap();
        let child = otpsd()
            .args(["run", "--config", self.config.to_str().unwrap(), "--rehearse", &self.clock])
            .env("PD_ROUTING_KEY", "0123456789abcdef0123456789abcdef")
            .env("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
            .env("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
            .stdout(Stdio::null())
            .stderr(Stdio::from(file))
            .spawn()
            .unwrap();
        Daemon { child, log }
    }

    /// How the daemon says it is doing.
    pub(crate) fn status(&self) -> Option<serde_json::Value> {
        let output = otpsd()
            .args(["status", "--format", "json", "--config", self.config.to_str().unwrap()])
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).ok()
    }

    /// Waits until the daemon has judged a period of the story.
    pub(crate) fn wait_until_judged(&self, k: i64, daemon: &Daemon) {
        let period = (self.story + k).to_string();
        self.wait(daemon, &format!("period {k} was not judged"), |me| {
            let judged = me
                .status()
                .and_then(|status| Some(status["series"][0]["judged_through"].as_str()?.to_owned()));
            judged.is_some_and(|judged| judged >= period)
        });
    }

    /// Waits until something holds.
    pub(crate) fn wait(&self, daemon: &Daemon, what: &str, mut met: impl FnMut(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !met(self) {
            assert!(
                Instant::now() < deadline,
                "{what}; log:\n{}",
                std::fs::read_to_string(&daemon.log).unwrap()
            );
            self.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(20)).await });
        }
    }

    pub(crate) fn state_dir(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) fn alerts(&self) -> Vec<PagerDutyAlert> {
        self.loopback().pagerduty_alerts()
    }

    /// Subjects that the topic of pages got, in order.
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.loopback().sns_messages().into_iter().filter_map(|message| message.subject).collect()
    }
}

impl Drop for Rehearsal {
    fn drop(&mut self) {
        if let Some(loopback) = self.loopback.take() {
            self.runtime.block_on(loopback.shutdown());
        }
    }
}

impl Daemon {
    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and how long it took to end.
    pub(crate) fn terminate(mut self) -> (Duration, Option<i32>) {
        let began = Instant::now();
        let pid = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        (began.elapsed(), status.code())
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
