//! How a loopback is set up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use domain::UNKNOWN_ACCOUNT;

use super::{CacheNames, Clock, FaultRule, WebhookSecret};
use crate::Telemetry;

/// The account of callers when nothing else says one: the one of AWS's own examples.
const EXAMPLE_ACCOUNT: &str = "111122223333";
/// What PagerDuty documents, about.
const EVENTS_A_MINUTE: usize = 120;

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
    /// The roles that can be assumed, with the external id that each asks for. Empty, as it is at first: every role that is
    /// named, and none asks for one.
    pub roles: BTreeMap<String, Option<String>>,
    /// How long temporary credentials live, whatever was asked for: as long as was asked for, six hours for a container.
    pub credentials_life: Option<Duration>,
    /// By monitoring account, the accounts whose metrics it sees: CloudWatch cross-account observability. None at first.
    pub links: BTreeMap<String, BTreeSet<String>>,
    /// The ARNs of the SNS topics there are. Empty, as it is at first: all.
    pub topics: BTreeSet<String>,
    /// The ARNs of the FIFO topics that tell repeats by their content: none.
    pub deduplicated_by_content: BTreeSet<String>,
    /// Whether SNS subjects must be ASCII and begin with a letter, digit or punctuation mark, as older texts of the API
    /// say: no.
    pub ascii_subjects: bool,
    /// Whether PagerDuty's routing keys must have 32 characters: yes.
    pub strict_routing_keys: bool,
    /// How many events a minute PagerDuty takes from a routing key: 120. `None` is any number.
    pub events_a_minute: Option<usize>,
    /// What requests of the webhook have to be signed with: nothing.
    pub webhook_secret: Option<WebhookSecret>,
    /// Keys of the Jira projects there are. Empty, as it is at first: all that are keys.
    pub jira_projects: BTreeSet<String>,
    /// The API token or bearer token that Jira lets in: any.
    pub jira_token: Option<String>,
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
            roles: BTreeMap::new(),
            credentials_life: None,
            links: BTreeMap::new(),
            topics: BTreeSet::new(),
            deduplicated_by_content: BTreeSet::new(),
            ascii_subjects: false,
            strict_routing_keys: true,
            events_a_minute: Some(EVENTS_A_MINUTE),
            webhook_secret: None,
            jira_projects: BTreeSet::new(),
            jira_token: None,
            faults: Vec::new(),
        }
    }

    /// The account of callers without one of their own.
    pub(super) fn home(&self) -> String {
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
