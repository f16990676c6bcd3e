//! Why a series is in its state, as `otpsd explain` prints it and the control socket carries it.
//! docs/reference/explain.md describes it.
//!
//! # Layout
//!
//! - `of`: from what the engine says to what is printed and sent.
//! - `stored`: from what the ledger holds.
//! - `which`: a series by a part of its name.

mod of;
pub(crate) mod stored;
pub(crate) mod which;

use config::Origins;
use domain::{Plan, Series};
use serde::{Deserialize, Serialize};

/// The whole answer. Times are RFC 3339 in UTC, a period is named by its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Explained {
    /// `account/region/model`.
    pub(crate) series: String,
    pub(crate) state: String,
    /// The period whose verdict led to the state.
    pub(crate) since: String,
    pub(crate) judged_through: String,
    /// Why its source cannot be read, from a running daemon.
    pub(crate) not_seen: Option<String>,
    pub(crate) usual: Option<Usual>,
    /// The model by whose history it is judged, until it has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) learned_from: Option<String>,
    pub(crate) learning: Learning,
    /// What does not train its baseline: incidents that are over, and what was given up when a level was accepted.
    #[serde(default)]
    pub(crate) not_trained: Vec<NotTrained>,
    /// The periods that the rule looks at, oldest first.
    pub(crate) slots: Vec<Slot>,
    pub(crate) next: Next,
    pub(crate) incident: Option<Incident>,
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) rule: Rule,
    /// Those of its values that are written, and where. The others are defaults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) written: Vec<Written>,
}

/// What is usual at the hour of the last judged period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Usual {
    /// Learned from readings before this period.
    pub(crate) learned_before: String,
    pub(crate) deciding: Estimator,
    pub(crate) p50: Option<UsualOtps>,
    pub(crate) token_weighted: Option<UsualOtps>,
    /// How many standard deviations of the noise of the p50 the line lies from its baseline.
    pub(crate) p50_clearance: Option<f64>,
    /// How many it takes for the p50 to decide.
    pub(crate) clearance_needed: f64,
    pub(crate) streaming_share: f64,
}

/// What is usual by one estimator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct UsualOtps {
    /// Tokens per second.
    pub(crate) baseline: f64,
    /// Requests that a datapoint needs.
    pub(crate) samples: f64,
    /// One standard deviation at so many requests, as a share.
    pub(crate) noise: f64,
    /// Below this it can breach, in tokens per second.
    pub(crate) threshold: f64,
}

/// The estimators by their names in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Estimator {
    P50,
    TokenWeighted,
}

/// How much of the history that a baseline needs is there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Learning {
    pub(crate) days: f64,
    pub(crate) days_needed: u16,
    pub(crate) datapoints: u32,
    pub(crate) datapoints_needed: u32,
}

/// Periods from `from`, inside, until `until`, outside. What has no beginning was given up when a level was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NotTrained {
    pub(crate) from: Option<String>,
    pub(crate) until: String,
}

/// One period with everything that its verdict rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub(crate) period: String,
    pub(crate) verdict: Verdict,
    /// Why it is missing, by name.
    pub(crate) reason: Option<String>,
    /// It is below the threshold, and counts as within because it could be noise.
    pub(crate) could_be_noise: bool,
    pub(crate) estimator: Estimator,
    pub(crate) otps_p50: Option<f64>,
    pub(crate) otps_token_weighted: Option<f64>,
    pub(crate) value: Option<f64>,
    pub(crate) baseline: Option<f64>,
    pub(crate) threshold: Option<f64>,
    pub(crate) ratio: Option<f64>,
    pub(crate) noise: Option<f64>,
    pub(crate) samples: f64,
    pub(crate) window: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Breaching,
    Within,
    Missing,
}

/// What would come next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Next {
    /// It is not judged until there is history enough.
    Learns,
    /// So many breaching periods in a row page.
    PagesAfter(u8),
    /// The rule is met, and all requests since the drop began speak against a page.
    Withheld { since: String, requests: f64, requests_needed: f64, ratio: f64, noise: f64, slow_tail: bool },
    /// An incident is open.
    ResolvesAfter {
        /// So many periods in a row,
        needed: u8,
        /// of which so many are there,
        back: u8,
        /// above this share of the baseline.
        above: f64,
    },
}

/// The open incident.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Incident {
    pub(crate) key: String,
    pub(crate) onset: String,
    pub(crate) opened: String,
    pub(crate) worst_ratio: Option<f64>,
    /// Who was told, from a running daemon: each page that it is in, with its key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) told: Vec<Told>,
    /// Why nobody was, from a running daemon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) untold: Option<String>,
}

/// A page that an incident is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Told {
    /// What its receivers know it by.
    pub(crate) key: String,
    pub(crate) channels: Vec<String>,
}

/// An open ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    pub(crate) key: String,
    pub(crate) cause: String,
    pub(crate) opened: String,
    /// One line, with the figures of the last day.
    pub(crate) summary: String,
}

/// A value of the rule that is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) key: String,
    /// As TOML writes it.
    pub(crate) value: String,
    /// `file:line`; nothing for a default that another value changed.
    pub(crate) at: Option<String>,
    /// The name of the override.
    #[serde(rename = "override")]
    pub(crate) by: Option<String>,
    /// Why what holds is another value than what is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<String>,
}

/// The values of a series' rule that are no plain defaults.
pub(crate) fn written(plan: &Plan, origins: &Origins, series: &Series) -> Vec<Written> {
    let told = config::effective(plan, origins, series).into_iter();
    told.filter(|one| one.origin.is_some() || one.clamp.is_some())
        .map(|one| Written {
            key: one.key,
            value: one.value,
            at: one.origin.map(|origin| origin.to_string()),
            by: one.by,
            changed: one.clamp.map(|clamp| clamp.to_string()),
        })
        .collect()
}

/// The rule, every key with its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) mode: String,
    pub(crate) method: String,
    pub(crate) anomaly_deviations: Option<f64>,
    pub(crate) anomaly_below: Option<f64>,
    pub(crate) page_below: f64,
    pub(crate) page_below_otps: Option<f64>,
    pub(crate) evaluation_periods: u8,
    pub(crate) datapoints_to_alarm: u8,
    pub(crate) treat_missing_data: String,
    pub(crate) estimator: String,
    pub(crate) min_samples: u32,
    pub(crate) widest_window: u8,
    pub(crate) noise_sigmas: f64,
    pub(crate) recover_above: f64,
    pub(crate) recover_datapoints: u8,
    pub(crate) history_days: u16,
    pub(crate) seasonal: bool,
    pub(crate) never_train: usize,
}
