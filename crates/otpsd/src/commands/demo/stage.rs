//! What is played: a fleet or a recording, its clock, and the configuration of who watches it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use config::Purpose;
use domain::{PERIOD_SECONDS, Period, Plan, Series, SourcePlan};
use jiff::{SignedDuration, Timestamp};
use simulator::loopback;
use simulator::{DEMO_STORY, Event, Fleet, Telemetry};
use tokio::sync::watch;

use super::narrator::Play;
use crate::app::clock::{Clock, Mapping};
use crate::commands::recorded::Recorded;

/// A routing key of PagerDuty's length, of nobody.
const ROUTING_KEY: &str = "0123456789abcdef0123456789abcdef";
/// Not a key: nothing checks it on loopback.
const ACCESS_KEY: (&str, &str) = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
/// The clock goes on for this long after the end, so that the last period settles.
const EPILOGUE: SignedDuration = SignedDuration::from_secs(3 * 60);
/// How far the daemon may be behind the clock: three periods, where it looks once in one.
const LARGEST_LAG: SignedDuration = SignedDuration::from_secs(3 * PERIOD_SECONDS);

/// What is played.
pub(super) struct Stage {
    telemetry: Arc<dyn Telemetry>,
    series: Vec<Series>,
    events: Vec<Event>,
    account: String,
    mapping: watch::Sender<Mapping>,
    clock: Clock,
    begin: Timestamp,
    end: Timestamp,
    length: Duration,
    has_history: bool,
}

/// Why a recording cannot be played.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Unplayable {
    message: String,
    pub(super) hint: &'static str,
}

impl Stage {
    /// The story, which is the same every time.
    pub(super) fn story(seed: u64, begin: Timestamp, length: Duration) -> Self {
        let fleet = Fleet::demo(seed, Period::containing(begin));
        let end = begin.saturating_add(SignedDuration::from_secs(DEMO_STORY * PERIOD_SECONDS));
        let events = fleet.events().to_vec();
        Self::new(Arc::new(fleet), events, [begin, end.unwrap_or(begin)], length, true)
    }

    /// A recording from `from` on.
    pub(super) fn recording(
        recorded: &Recorded,
        from: Option<Timestamp>,
        length: Duration,
    ) -> Result<Self, Unplayable> {
        let accounts: BTreeSet<&str> = recorded.series().iter().map(Series::account).collect();
        if accounts.len() > 1 {
            return Err(Unplayable {
                message: format!("the recording has series of {} accounts", accounts.len()),
                hint: "give a recording of one account: the daemon that watches it here has one source",
            });
        }
        let span = recorded.span();
        let begin =
            from.map_or_else(|| recorded.last_day_and_a_half(), |from| Period::containing(from).start());
        let (first, end) = (span.from.start(), span.until.start());
        if begin < first || begin >= end {
            return Err(Unplayable {
                message: format!(
                    "there is nothing to play from {begin} on: the recording goes from {first} to {end}"
                ),
                hint: "give a time within the recording with --from, such as 2026-11-02T00:00:00Z",
            });
        }
        Ok(Self::new(Arc::new(recorded.replay()), Vec::new(), [begin, end], length, first < begin))
    }

    fn new(
        telemetry: Arc<dyn Telemetry>,
        events: Vec<Event>,
        [begin, end]: [Timestamp; 2],
        length: Duration,
        has_history: bool,
    ) -> Self {
        let series = telemetry.series();
        let account = series.first().map_or(domain::UNKNOWN_ACCOUNT, Series::account).to_owned();
        // While the history is read it runs like the wall's: what fails then is tried again, and nothing is missed.
        let (mapping, receiver) = watch::channel(from_now(begin, 1.0));
        let clock = Clock::Rehearsal(receiver);
        Self { telemetry, series, events, account, mapping, clock, begin, end, length, has_history }
    }

    /// Lets the clock run so fast that it is at the end in time, if nothing holds it up.
    pub(super) fn begin(&self) {
        self.run_at(self.rate());
    }

    /// Holds the clock up while the daemon is behind it, as long as that takes: on a machine that judges an hour in one
    /// look, an incident of an hour would be over when it is seen, and nobody would be told.
    pub(super) fn keep_pace(&self, judged: Timestamp) {
        let is_behind = self.clock.now().duration_since(judged) > LARGEST_LAG;
        let is_held_up = self.clock.rate() < self.rate();
        if is_behind != is_held_up {
            self.run_at(if is_behind { 1.0 } else { self.rate() });
        }
    }

    /// How many times as fast as the wall's the clock runs.
    fn rate(&self) -> f64 {
        (self.end.duration_since(self.begin).as_secs_f64() / self.length.as_secs_f64()).max(1.0)
    }

    fn run_at(&self, rate: f64) {
        self.mapping.send_replace(from_now(self.clock.now(), rate));
    }

    /// How much may be asked for: of a Region that lives as fast as the clock.
    pub(super) fn quotas(&self) -> poller::Quotas {
        poller::Quotas::at_rate(self.rate())
    }

    /// Lets the clock run on from just after the end, no faster than the wall's: whatever a slow machine still has to do,
    /// no more happens meanwhile.
    pub(super) fn slow_down(&self) {
        let now = self.clock.now();
        let origin = self.end.saturating_add(EPILOGUE).unwrap_or(now).max(now);
        self.mapping.send_replace(from_now(origin, 1.0));
    }

    pub(super) fn clock(&self) -> Clock {
        self.clock.clone()
    }

    pub(super) fn play(&self) -> Play<'_> {
        Play { begins: self.begin, ends: self.end, events: &self.events }
    }

    /// Everybody who is watched.
    pub(super) fn series(&self) -> &[Series] {
        &self.series
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether there is anything to be learned before it begins.
    pub(super) fn has_history(&self) -> bool {
        self.has_history
    }

    pub(super) fn end(&self) -> Timestamp {
        self.end
    }

    /// The last period that is played.
    pub(super) fn last_period(&self) -> Period {
        Period::last_ended(self.end)
    }

    pub(super) fn loopback_options(&self) -> loopback::Options {
        loopback::Options::new(Arc::clone(&self.telemetry), self.clock.reader())
    }

    /// Credentials of nobody, so that no file and no environment of this machine is asked for real ones.
    pub(super) fn aws(&self) -> SdkConfig {
        let (id, secret) = ACCESS_KEY;
        let credentials = Credentials::new(id, secret, None, None, "otpsd demo");
        SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(SharedCredentialsProvider::new(credentials))
            .build()
    }

    /// The configuration, read like any other.
    pub(super) fn plan(&self, url: &str, state_dir: &Path) -> Result<Plan> {
        let state_dir =
            state_dir.to_str().context("the folder for temporary files has a name that is no text")?;
        let regions: BTreeSet<String> =
            self.series.iter().map(|series| format!("{:?}", series.region())).collect();
        let regions = regions.into_iter().collect::<Vec<_>>().join(", ");
        let text = format!(
            r#"
            [daemon]
            listen = "127.0.0.1:0"
            state-dir = {state_dir:?}
            [source.cloudwatch.demo]
            regions = [{regions}]
            endpoint-url = "{url}"
            attempt-timeout = "60s"
            [channel.pagerduty.oncall]
            routing-key = {{ env = "ROUTING_KEY" }}
            url = "{url}/v2/enqueue"
            [channel.sns.pages]
            topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-pages"
            endpoint-url = "{url}"
            [channel.sns.tickets]
            topic-arn = "arn:aws:sns:us-east-1:111122223333:llm-tickets"
            endpoint-url = "{url}"
            [channel.log.terminal]
            [[route.page]]
            channels = ["pagerduty.oncall", "sns.pages", "log.terminal"]
            [[route.ticket]]
            channels = ["sns.tickets", "log.terminal"]
            "#
        );
        let file = config::File { path: "demo.toml".into(), text };
        let outcome = config::read(&[file], Purpose::Run, &DemoEnvironment);
        let mut plan =
            outcome.plan.ok_or_else(|| anyhow!("{}", config::render::text(&outcome.problems, false)))?;
        for SourcePlan::CloudWatch(source) in &mut plan.sources {
            // A recording may not know its account, which no configuration can say.
            source.account_id = Some(self.account.clone());
        }
        Ok(plan)
    }
}

/// A clock that shows `origin` now, and runs so many times as fast as the wall's.
fn from_now(origin: Timestamp, rate: f64) -> Mapping {
    Mapping { origin, anchor: Some(Timestamp::now()), rate }
}

/// The environment of the demo has one secret, and it opens nothing.
struct DemoEnvironment;

impl config::Environment for DemoEnvironment {
    fn variable(&self, name: &str) -> Option<OsString> {
        (name == "ROUTING_KEY").then(|| ROUTING_KEY.into())
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        Err(io::Error::other(format!("the demo reads no files: {}", path.display())))
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::Error::other(format!("the demo reads no folders: {}", path.display())))
    }
}
