//! What the demo is made of: the fleet, the clock, the configuration and the folder for its state.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use config::Purpose;
use domain::{PERIOD_SECONDS, Period, Plan};
use jiff::{SignedDuration, Timestamp};
use simulator::loopback;
use simulator::{DEMO_STORY, Event, Fleet};
use tokio::sync::watch;

use super::held;
use crate::app::clock::{Clock, Mapping};

/// A routing key of PagerDuty's length, of nobody.
const ROUTING_KEY: &str = "0123456789abcdef0123456789abcdef";
/// Not a key: nothing checks it on loopback.
const ACCESS_KEY: (&str, &str) = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");

/// What the demo is made of.
pub(super) struct Stage {
    fleet: Arc<Fleet>,
    mapping: watch::Sender<Mapping>,
    clock: Clock,
    begin: Timestamp,
    state: tempfile::TempDir,
}

impl Stage {
    pub(super) fn build(seed: u64, begin: Timestamp, length: Duration) -> Result<Self> {
        let story = (DEMO_STORY * PERIOD_SECONDS) as f64;
        let first = Period::starting(begin).context("the story begins with a period")?;
        let (mapping, clock) = held(begin, story / length.as_secs_f64());
        let state = tempfile::tempdir().context("cannot make a folder for the state")?;
        Ok(Self { fleet: Arc::new(Fleet::demo(seed, first)), mapping, clock, begin, state })
    }

    /// Lets the clock run.
    pub(super) fn begin(&self) {
        self.mapping.send_modify(|mapping| mapping.anchor = Some(Timestamp::now()));
    }

    pub(super) fn clock(&self) -> Clock {
        self.clock.clone()
    }

    pub(super) fn events(&self) -> &[Event] {
        self.fleet.events()
    }

    /// Everybody in the fleet.
    pub(super) fn series(&self) -> Vec<domain::Series> {
        use simulator::Telemetry as _;
        self.fleet.series()
    }

    pub(super) fn begins(&self) -> Timestamp {
        self.begin
    }

    pub(super) fn end(&self) -> Timestamp {
        self.begin
            .saturating_add(SignedDuration::from_secs(DEMO_STORY * PERIOD_SECONDS))
            .unwrap_or(self.begin)
    }

    /// The last period of the story.
    pub(super) fn last_period(&self) -> Period {
        Period::last_ended(self.end())
    }

    pub(super) fn loopback_options(&self) -> loopback::Options {
        loopback::Options::new(Arc::<Fleet>::clone(&self.fleet), self.clock.reader())
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
    pub(super) fn plan(&self, url: &str) -> Result<Plan> {
        let state_dir = self.state.path().display();
        let text = format!(
            r#"
            [daemon]
            listen = "127.0.0.1:0"
            state-dir = "{state_dir}"
            [source.cloudwatch.demo]
            regions = ["us-east-1"]
            endpoint-url = "{url}"
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
        outcome.plan.ok_or_else(|| anyhow!("{}", config::render::text(&outcome.problems, false)))
    }
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
}
