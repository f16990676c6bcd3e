//! A loopback that serves a story, and the built daemon that watches it, on one clock that runs fast.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use domain::{PERIODS_PER_DAY, Period, Series};
use jiff::{SignedDuration, Timestamp};
use simulator::loopback::{Loopback, Options, PagerDutyAlert, SnsMessage};

use crate::process::{Ran, otpsd, write};
use crate::story::{Story, Tell, reading, series_in};

/// Virtual seconds in a real one, unless a scene says otherwise: a period is over in half a second.
const RATE: f64 = 600.0;
/// The routing key of PagerDuty, of nobody.
pub(crate) const ROUTING_KEY: &str = "0123456789abcdef0123456789abcdef";
/// However slow the machine is.
const PATIENCE: Duration = Duration::from_secs(60);
/// A baseline that is learned quickly, for scenes with many series.
pub(crate) const SHORT_HISTORY: &str =
    "[baseline]\nhistory = \"3d\"\nmin-history = \"2d\"\nbackfill = \"3d\"\n";

/// What is rehearsed.
pub(crate) struct Scene {
    /// Virtual seconds in a real one.
    pub(crate) rate: f64,
    /// How many periods before the story the clock stands.
    pub(crate) lead: i64,
    pub(crate) regions: &'static [&'static str],
    pub(crate) series: Vec<Series>,
    pub(crate) tell: Tell,
    /// Further lines of `[source.cloudwatch.main]`.
    pub(crate) source: &'static str,
    /// Further tables. `$URL` stands for the address of the loopback.
    pub(crate) config: &'static str,
    /// The environment of the daemon beside PagerDuty's key: credentials, unless a scene is about them.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// What the loopback is set up with beside the defaults.
    pub(crate) loopback: fn(&mut Options),
}

/// A loopback, and what a daemon needs to watch it.
pub(crate) struct Rehearsal {
    runtime: tokio::runtime::Runtime,
    loopback: Option<Loopback>,
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    /// Seconds that were left out while no daemon ran.
    skipped: Arc<AtomicI64>,
    rate: f64,
    folder: tempfile::TempDir,
    config: PathBuf,
    environment: std::cell::RefCell<Vec<(&'static str, String)>>,
    pub(crate) story: Period,
}

/// A running daemon. It is killed when dropped.
pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

pub(crate) fn series() -> Series {
    series_in("us-east-1", "us.example.sonnet-large-v1:0")
}

impl Scene {
    /// One series in us-east-1 at 100 tokens a second, for two weeks and for ever.
    pub(crate) fn new() -> Self {
        Self {
            rate: RATE,
            lead: 2,
            regions: &["us-east-1"],
            series: vec![series()],
            tell: Box::new(|_, k| (k >= -14 * PERIODS_PER_DAY).then(|| reading(false))),
            source: "",
            config: "",
            environment: vec![
                ("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE".to_owned()),
                ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned()),
            ],
            loopback: |_| {},
        }
    }

    /// Starts the loopback, and its clock.
    pub(crate) fn open(self) -> Rehearsal {
        let story = Period::containing("2026-11-02T00:00:00Z".parse().unwrap());
        let telemetry = Story { begin: story, series: self.series, tell: self.tell };
        let (origin, anchor, rate) = ((story - self.lead).start(), Timestamp::now(), self.rate);
        let skipped = Arc::new(AtomicI64::new(0));
        let skips = Arc::clone(&skipped);
        let now: Arc<dyn Fn() -> Timestamp + Send + Sync> = Arc::new(move || {
            let passed = Timestamp::now().duration_since(anchor).as_secs_f64().max(0.0) * rate;
            let skipped = SignedDuration::from_secs(skips.load(Ordering::Relaxed));
            origin + skipped + SignedDuration::from_secs_f64(passed)
        });
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let mut options = Options::new(Arc::new(telemetry), Arc::clone(&now));
        (self.loopback)(&mut options);
        let loopback = runtime.block_on(Loopback::start(options)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (url, state) = (loopback.url(), folder.path().display());
        let (regions, source, config) = (self.regions, self.source, self.config.replace("$URL", &url));
        let text = format!(
            r#"
[daemon]
listen = "127.0.0.1:0"
state-dir = "{state}"
[source.cloudwatch.main]
regions = {regions:?}
endpoint-url = "{url}"
{source}
[channel.pagerduty.oncall]
routing-key = {{ env = "PD_ROUTING_KEY" }}
url = "{url}/v2/enqueue"
[channel.sns.pages]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
endpoint-url = "{url}"
[channel.sns.tickets]
topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-tickets"
endpoint-url = "{url}"
[[route.page]]
channels = ["pagerduty.oncall", "sns.pages"]
[[route.ticket]]
channels = ["sns.tickets"]
{config}
"#
        );
        let config = write(folder.path(), "otpsd.toml", &text);
        let environment = self.environment.into();
        Rehearsal {
            runtime,
            loopback: Some(loopback),
            now,
            skipped,
            rate,
            folder,
            config,
            environment,
            story,
        }
    }
}

impl Rehearsal {
    /// Two healthy weeks, then a story that is slow where `slow` says so, counted in periods from its start. The clock
    /// stands `lead` periods before that.
    pub(crate) fn new(lead: i64, slow: impl Fn(i64) -> bool + Send + Sync + 'static) -> Self {
        let told = -14 * PERIODS_PER_DAY..2 * PERIODS_PER_DAY;
        let tell: Tell = Box::new(move |_, k| told.contains(&k).then(|| reading(slow(k))));
        Scene { lead, tell, ..Scene::new() }.open()
    }

    pub(crate) fn loopback(&self) -> &Loopback {
        self.loopback.as_ref().expect("it runs until it is dropped")
    }

    /// Starts the daemon, for the first time or again.
    pub(crate) fn start(&self) -> Daemon {
        self.start_with(otpsd())
    }

    /// The same with a command of one's own that runs the binary.
    pub(crate) fn start_with(&self, mut command: std::process::Command) -> Daemon {
        let log = self.folder.path().join("log");
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&log).unwrap();
        let clock = format!("{},{},{}", (self.now)(), Timestamp::now(), self.rate);
        let child = command
            .args(["run", "--config", self.config.to_str().unwrap(), "--rehearse", &clock])
            .env("PD_ROUTING_KEY", ROUTING_KEY)
            .envs(self.environment.borrow().iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::null())
            .stderr(Stdio::from(file))
            .spawn()
            .unwrap();
        Daemon { child, log }
    }

    /// Lets days pass while no daemon runs.
    pub(crate) fn skip(&self, days: i64) {
        self.skipped.fetch_add(days * 86_400, Ordering::Relaxed);
    }

    /// How the daemon says it is doing, on its control socket.
    pub(crate) fn status(&self) -> Option<serde_json::Value> {
        let mut stream = UnixStream::connect(self.folder.path().join("otpsd.sock")).ok()?;
        stream.write_all(b"{\"v\":1,\"command\":\"status\"}\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let answer: serde_json::Value = serde_json::from_str(&answer).ok()?;
        Some(answer["status"].clone())
    }

    /// Asks the daemon something on its control socket.
    pub(crate) fn ask(&self, request: &serde_json::Value) -> serde_json::Value {
        let mut stream = UnixStream::connect(self.folder.path().join("otpsd.sock")).unwrap();
        writeln!(stream, "{request}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    /// Runs a command of `otpsd` for this configuration.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let config = ["--config", self.config.to_str().unwrap()];
        let mut command = otpsd();
        command.args(arguments).args(config).env("PD_ROUTING_KEY", ROUTING_KEY);
        command.envs(self.environment.borrow().iter().map(|(name, value)| (name, value)));
        command.output().unwrap().into()
    }

    /// Changes the configuration; a daemon that runs does not notice.
    pub(crate) fn edit(&self, change: impl FnOnce(String) -> String) {
        let before = std::fs::read_to_string(&self.config).unwrap();
        let after = change(before.clone());
        assert_ne!(after, before, "nothing was changed");
        std::fs::write(&self.config, after).unwrap();
    }

    /// Sets a variable of the environment of what is started from now on.
    pub(crate) fn set(&self, name: &'static str, value: &str) {
        self.environment.borrow_mut().push((name, value.to_owned()));
    }

    /// Lets real time pass.
    pub(crate) fn pause(&self, milliseconds: u64) {
        self.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(milliseconds)).await });
    }

    /// The time by the clock of the rehearsal.
    pub(crate) fn time(&self) -> Timestamp {
        (self.now)()
    }

    /// What `otpsd status` says, and its exit code.
    pub(crate) fn told_status(&self) -> Ran {
        otpsd().args(["status", "--config", self.config.to_str().unwrap()]).output().unwrap().into()
    }

    /// Up to where a series was judged, counted from the start of the story.
    pub(crate) fn judged_through(&self, series: &Series) -> Option<i64> {
        let status = self.status()?;
        let all = status["series"].as_array()?;
        let judged =
            all.iter().find(|one| one["series"] == series.to_string())?["judged_through"].as_str()?;
        Some(Period::containing(judged.parse().unwrap()) - self.story)
    }

    /// Waits until the daemon has judged a period of the story, of the only series.
    pub(crate) fn wait_until_judged(&self, k: i64, daemon: &Daemon) {
        self.wait_until_all_judged(&[series()], k, daemon);
    }

    /// Waits until the daemon has judged a period of the story, of all of these.
    pub(crate) fn wait_until_all_judged(&self, all: &[Series], k: i64, daemon: &Daemon) {
        self.wait(daemon, &format!("period {k} was not judged"), |me| {
            all.iter().all(|one| me.judged_through(one).is_some_and(|judged| judged >= k))
        });
    }

    /// Waits until the clock shows the start of a period of the story.
    pub(crate) fn wait_until(&self, k: i64, daemon: &Daemon) {
        self.wait(daemon, &format!("the clock did not come to period {k}"), |me| me.period() >= k);
    }

    /// The period that is going on, counted from the start of the story.
    pub(crate) fn period(&self) -> i64 {
        Period::containing((self.now)()) - self.story
    }

    /// Minutes from the start of the story.
    pub(crate) fn minutes(&self, time: Timestamp) -> i64 {
        time.duration_since(self.story.start()).as_secs().div_euclid(60)
    }

    /// Waits until everything that became owed so far is delivered and written down.
    pub(crate) fn wait_until_nothing_is_owed(&self, daemon: &Daemon) {
        // What is shown may be from before it became owed.
        let later = self.period() + 2;
        self.wait(daemon, "something is still owed", |me| {
            me.period() >= later && me.status().is_some_and(|status| status["outbox"]["owed"] == 0)
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
        self.published("llm-pages").into_iter().filter_map(|message| message.subject).collect()
    }

    /// What the topic of tickets got, in order.
    pub(crate) fn tickets(&self) -> Vec<SnsMessage> {
        self.published("llm-tickets")
    }

    pub(crate) fn published(&self, topic: &str) -> Vec<SnsMessage> {
        let messages = self.loopback().sns_messages();
        messages.into_iter().filter(|message| message.topic_arn.ends_with(topic)).collect()
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

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the daemon has said where its page is.
    pub(crate) fn serves(&self) -> bool {
        self.log().contains("status page at http://")
    }

    /// What the daemon serves at a path, with its head. The log says where; the newest start counts.
    pub(crate) fn get(&self, path: &str) -> String {
        let log = self.log();
        let address = log.rsplit_once("status page at http://").unwrap().1.split('/').next().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
