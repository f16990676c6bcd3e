//! CloudWatch, SNS, STS and PagerDuty on loopback, for the real SDKs to talk to.
//!
//! All services share one port of 127.0.0.1 and speak plain HTTP/1.1:
//!
//! - CloudWatch `GetMetricData` and `ListMetrics` in Smithy RPC v2 CBOR, awsJson 1.0 and awsQuery, over any
//!   [`Telemetry`];
//! - SNS `Publish`, STS `GetCallerIdentity` and `AssumeRole` in awsQuery;
//! - PagerDuty's Events API v2 at `/v2/enqueue`;
//! - its own pages under `/_loopback/`: `faults`, `messages`, `calls`.
//!
//! What a caller may see follows from its signature: the Region from the credential scope, the account from the access
//! key. The signature must be there, but is not verified. Time is a clock that is handed in, so that a demonstration
//! may run fast. What goes wrong is switched on and off with [`Fault`] rules, at the start and at run time.
//!
//! # Layout
//!
//! - `dispatch`: from a request to its service, through the faults; `reply`: back onto the wire; `stall`: answers that
//!   never come whole.
//! - `cloudwatch`, `sns`, `sts`, `pagerduty`: the services, without HTTP.
//! - `caller`, `aws_error`, `form`: what the services of AWS share.
//! - `fault`, `calls`, `control`: switches and counters. `script`: telemetry for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use domain::UNKNOWN_ACCOUNT;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::Telemetry;

mod aws_error;
mod caller;
mod calls;
mod clock;
mod cloudwatch;
mod control;
mod dispatch;
mod fault;
mod form;
mod pagerduty;
mod reply;
mod script;
mod server;
mod sns;
mod stall;
mod sts;

pub use calls::{CallRecord, CallTotals};
pub use clock::Clock;
pub use cloudwatch::CacheNames;
pub use fault::{Fault, FaultRule, Faults, ParseFaultRuleError, Refusal};
pub use pagerduty::{PagerDutyAlert, PagerDutyStatus};
pub use script::Script;
pub use sns::{SnsAttribute, SnsMessage};

use caller::Keys;
use calls::Calls;
use cloudwatch::CloudWatch;
use pagerduty::{PagerDuty, PagerDutyRules};
use server::Server;
use sns::{Sns, SnsRules};

/// The account of callers when nothing else says one: the one of AWS's own examples.
const EXAMPLE_ACCOUNT: &str = "111122223333";
/// How long a stop waits for connections to end.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// How a loopback is set up. [`Options::new`] has sensible values for all but the first two.
#[derive(Clone)]
pub struct Options {
    /// What CloudWatch has collected.
    pub telemetry: Arc<dyn Telemetry>,
    /// The time.
    pub clock: Clock,
    /// The port on 127.0.0.1; `None` lets the system choose one.
    pub port: Option<u16>,
    /// How long after its end a period shows: one minute.
    pub publish_delay: Duration,
    /// Under which names the metrics of the prompt cache are published.
    pub cache_names: CacheNames,
    /// The account of each access key. Empty, as it is at first: any key is good and sees all accounts.
    pub accounts: BTreeMap<String, String>,
    /// The ARNs of the SNS topics there are. Empty, as it is at first: all.
    pub topics: BTreeSet<String>,
    /// Whether SNS subjects must be ASCII and begin with a letter, digit or punctuation mark, as older texts of the API
    /// say: no.
    pub ascii_subjects: bool,
    /// Whether PagerDuty's routing keys must have 32 characters: yes.
    pub strict_routing_keys: bool,
    /// How many events a minute PagerDuty takes from a routing key: any number.
    pub events_a_minute: Option<usize>,
    /// What goes wrong from the start: nothing.
    pub faults: Vec<FaultRule>,
}

impl Options {
    /// Services over `telemetry`, as of `clock`.
    #[must_use]
    pub fn new(telemetry: Arc<dyn Telemetry>, clock: Clock) -> Self {
        Self {
            telemetry,
            clock,
            port: None,
            publish_delay: Duration::from_secs(60),
            cache_names: CacheNames::default(),
            accounts: BTreeMap::new(),
            topics: BTreeSet::new(),
            ascii_subjects: false,
            strict_routing_keys: true,
            events_a_minute: None,
            faults: Vec::new(),
        }
    }

    fn home(&self) -> String {
        let accounts = self.telemetry.series();
        let first = accounts.iter().map(domain::Series::account).find(|account| *account != UNKNOWN_ACCOUNT);
        first.unwrap_or(EXAMPLE_ACCOUNT).to_owned()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("port", &self.port).finish_non_exhaustive()
    }
}

/// Running services. They stop when it is dropped.
pub struct Loopback {
    server: Arc<Server>,
    address: SocketAddr,
    task: Option<JoinHandle<std::io::Result<()>>>,
}

impl Loopback {
    /// Binds the port and serves.
    ///
    /// # Errors
    ///
    /// When the port cannot be bound.
    pub async fn start(options: Options) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port.unwrap_or(0))).await?;
        let address = listener.local_addr()?;
        let home = options.home();
        let publish_delay = i64::try_from(options.publish_delay.as_secs()).unwrap_or(i64::MAX);
        let pagerduty_rules = PagerDutyRules {
            strict_routing_keys: options.strict_routing_keys,
            events_a_minute: options.events_a_minute,
        };
        let server = Arc::new(Server {
            clock: options.clock,
            keys: Keys::new(options.accounts, home),
            faults: Faults::new(options.faults),
            calls: Calls::default(),
            cloudwatch: CloudWatch::new(options.telemetry, options.cache_names, publish_delay),
            sns: Sns::new(SnsRules { topics: options.topics, ascii_subjects: options.ascii_subjects }),
            pagerduty: PagerDuty::new(pagerduty_rules),
            stop: CancellationToken::new(),
            activity: watch::Sender::new(0),
            requests: 0.into(),
        });
        let app = Router::new().fallback(dispatch::answer).with_state(Arc::clone(&server));
        let stop = server.stop.clone();
        let serving = axum::serve(listener, app).with_graceful_shutdown(stop.cancelled_owned());
        let task = Some(tokio::spawn(async move { serving.await }));
        Ok(Self { server, address, task })
    }

    /// Where it is: `http://127.0.0.1:PORT`. Good for every `endpoint-url`, and for PagerDuty with `/v2/enqueue` after
    /// it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What goes wrong; may be changed at any time.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.server.faults
    }

    /// What SNS took, oldest first.
    #[must_use]
    pub fn sns_messages(&self) -> Vec<SnsMessage> {
        self.server.sns.messages()
    }

    /// PagerDuty's alerts, oldest first.
    #[must_use]
    pub fn pagerduty_alerts(&self) -> Vec<PagerDutyAlert> {
        self.server.pagerduty.alerts()
    }

    /// Sums over all calls, by operation and Region.
    #[must_use]
    pub fn calls(&self) -> Vec<CallTotals> {
        self.server.calls.totals()
    }

    /// The last calls one by one, oldest first.
    #[must_use]
    pub fn recent_calls(&self) -> Vec<CallRecord> {
        self.server.calls.recent()
    }

    /// A counter that changes whenever a call arrives or is answered.
    #[must_use]
    pub fn activity(&self) -> watch::Receiver<u64> {
        self.server.activity.subscribe()
    }

    /// Waits until `met`, looking again whenever a call arrives or is answered. Give it a limit of your own.
    pub async fn wait_until(&self, mut met: impl FnMut(&Self) -> bool) {
        let mut activity = self.activity();
        while !met(self) {
            // The sender lives as long as `self`.
            if activity.changed().await.is_err() {
                return;
            }
        }
    }

    /// Stops: ends what hangs, lets calls in progress finish and closes all connections.
    pub async fn shutdown(mut self) {
        self.server.stop.cancel();
        if let Some(mut task) = self.task.take()
            && tokio::time::timeout(STOP_PATIENCE, &mut task).await.is_err()
        {
            task.abort();
        }
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.server.stop.cancel();
    }
}

impl fmt::Debug for Loopback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loopback").field("address", &self.address).finish_non_exhaustive()
    }
}
