//! CloudWatch, SNS, STS, OpsCenter, PagerDuty, Jira and a webhook on loopback, for the real SDKs to talk to.
//!
//! All services share one port of 127.0.0.1 and speak plain HTTP/1.1:
//!
//! - CloudWatch `GetMetricData` and `ListMetrics` over any [`Telemetry`](crate::Telemetry), and `PutMetricData`, in Smithy RPC v2 CBOR,
//!   awsJson 1.0 and awsQuery;
//! - SNS `Publish` and `GetTopicAttributes`, STS `GetCallerIdentity`, `AssumeRole` and `AssumeRoleWithWebIdentity` in awsQuery;
//! - what `AWS_CONTAINER_CREDENTIALS_FULL_URI` leads to in a container, at `/container-credentials`;
//! - OpsCenter of Systems Manager in awsJson 1.1: `CreateOpsItem`, `UpdateOpsItem`, `GetOpsItem`, `DescribeOpsItems`;
//! - PagerDuty's Events API v2 at `/v2/enqueue`;
//! - Jira Cloud's REST API v3 under `/rest/api/3/`;
//! - a webhook, and heartbeats, at `/webhook` and whatever is under it;
//! - its own pages under `/_loopback/`, to see what was received, to switch faults, and to act by hand as a responder.
//!
//! What a caller may see follows from its signature: the Region from the credential scope, the account from the access
//! key, of which temporary ones expire. The signature must be there, but is not verified. Time is a clock that is handed in, so that a demonstration
//! may run fast. What goes wrong is switched on and off with [`Fault`] rules, at the start and at run time.
//!
//! # Layout
//!
//! - `dispatch`: from a request to its service, through the faults; `reply`: back onto the wire; `stall`: answers that
//!   never come whole.
//! - `cloudwatch`, `sns`, `sts`, `container`, `opscenter`, `pagerduty`, `jira`, `webhook`: the services, without sockets.
//! - `caller`, `aws_error`, `form`, `gzip`: what the services of AWS share.
//! - `fault`, `calls`, `control`: switches and counters. `received`, `by_hand`: what a test reads, and what it does that a
//!   person would. `script`: telemetry for tests.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use jiff::SignedDuration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

mod aws_error;
mod by_hand;
mod caller;
mod calls;
mod clock;
mod cloudwatch;
mod container;
mod control;
mod dispatch;
mod fault;
mod form;
mod gzip;
mod jira;
mod opscenter;
mod options;
mod pagerduty;
mod received;
mod reply;
mod script;
mod server;
mod sns;
mod stall;
mod sts;
mod webhook;

pub use calls::{CallRecord, CallTotals};
pub use clock::Clock;
pub use cloudwatch::{CacheNames, PutDatum};
pub use fault::{Fault, FaultRule, Faults, ParseFaultRuleError, Refusal};
pub use jira::{JiraComment, JiraIssue, JiraSettings, JiraStatus};
pub use opscenter::{OpsData, OpsItem};
pub use options::Options;
pub use pagerduty::{PagerDutyAlert, PagerDutyIncident, PagerDutyStatus};
pub use script::Script;
pub use sns::{SnsAttribute, SnsMessage};
pub use webhook::{WebhookRequest, WebhookSecret, WebhookSignature};

use caller::Keys;
use calls::Calls;
use cloudwatch::CloudWatch;
use jira::{Jira, JiraRules};
use opscenter::OpsCenter;
use pagerduty::{PagerDuty, PagerDutyRules};
use server::Server;
use sns::{Sns, SnsRules};
use sts::Sts;
use webhook::Webhook;

/// How long a stop waits for connections to end.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

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
            cloudwatch: CloudWatch::new(options.telemetry, options.cache_names, publish_delay, options.links),
            sts: Sts {
                roles: options.roles,
                tokens: Mutex::default(),
                life: options.credentials_life.map(|life| SignedDuration::try_from(life).unwrap_or_default()),
            },
            sns: Sns::new(SnsRules {
                topics: options.topics,
                deduplicated_by_content: options.deduplicated_by_content,
                ascii_subjects: options.ascii_subjects,
            }),
            opscenter: OpsCenter::default(),
            pagerduty: PagerDuty::new(pagerduty_rules),
            jira: Jira::new(JiraRules { projects: options.jira_projects, token: options.jira_token }),
            webhook: Webhook::new(options.webhook_secret),
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

    /// Where it is: `http://127.0.0.1:PORT`. Good for every `endpoint-url`, for Jira as it is, for PagerDuty with
    /// `/v2/enqueue` after it, and for webhooks with `/webhook` and any path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What goes wrong; may be changed at any time.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.server.faults
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
