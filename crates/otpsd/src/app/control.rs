//! The protocol of the control socket, as docs/reference/control.md describes it.

use std::collections::BTreeMap;

use domain::Series;
use serde::{Deserialize, Serialize};
use web::Snapshot;
use web::snapshot::SourceFailure;

use crate::explained::Explained;

/// The version of the protocol.
pub(crate) const VERSION: u32 = 1;
/// The name of the socket in the state folder.
pub(crate) const SOCKET: &str = "otpsd.sock";
/// A longer line is no request.
pub(crate) const LONGEST_LINE: u64 = 64 * 1024;

/// What a client asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) v: u32,
    pub(crate) command: String,
    /// Whose explanation: a series, or a part of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) series: Option<String>,
    /// As it was at this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
    /// What is to be silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) silence: Option<SilenceLine>,
    /// Which silence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// Who asks for it,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<String>,
    /// and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// A silence. Lists hold globs; one that is empty matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SilenceLine {
    /// Given by the daemon.
    #[serde(default)]
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) models: Vec<String>,
    #[serde(default)]
    pub(crate) accounts: Vec<String>,
    #[serde(default)]
    pub(crate) regions: Vec<String>,
    #[serde(default)]
    pub(crate) causes: Vec<String>,
    #[serde(default)]
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) author: String,
    pub(crate) comment: String,
    /// Now, if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// In a request, `for_seconds` may stand in its place.
    #[serde(default)]
    pub(crate) until: String,
    /// In a request: how long it holds, by the clock of the daemon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) for_seconds: Option<i64>,
}

impl Request {
    pub(crate) fn new(command: &str) -> Self {
        Self { v: VERSION, command: command.to_owned(), ..Self::default() }
    }
}

/// What the daemon answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) v: u32,
    pub(crate) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// The answer is no: it was understood and tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) no: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) explanation: Option<Explained>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) silences: Option<Vec<SilenceLine>>,
    /// What followed, a line each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) done: Option<Vec<String>>,
}

/// How the daemon is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) version: String,
    pub(crate) started: String,
    pub(crate) now: String,
    pub(crate) sources: Vec<SourceLine>,
    pub(crate) series: Vec<SeriesLine>,
    pub(crate) outbox: OutboxLine,
    /// Tasks that should have been over.
    pub(crate) late: Vec<String>,
}

/// One source in one Region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceLine {
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) last_success: Option<String>,
    pub(crate) failure: Option<FailureLine>,
    /// What did not work though it could be read.
    #[serde(default)]
    pub(crate) limited: Option<FailureLine>,
    /// How far the reading of its history is, while it is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) history: Option<HistoryLine>,
}

/// How far the reading of history is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HistoryLine {
    pub(crate) read: usize,
    pub(crate) of: usize,
}

/// What does not work with a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FailureLine {
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) since: String,
}

/// One series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeriesLine {
    pub(crate) series: String,
    pub(crate) state: String,
    pub(crate) judged_through: String,
    /// The newest period in which its source had anything; nothing when it never had.
    #[serde(default)]
    pub(crate) last_data: Option<String>,
    /// The causes of its open tickets.
    #[serde(default)]
    pub(crate) tickets: Vec<String>,
    pub(crate) otps_p50: Option<f64>,
    /// OTPS by the estimator that decides, which is what the baseline and the threshold are of.
    #[serde(default)]
    pub(crate) otps: Option<f64>,
    pub(crate) baseline: Option<f64>,
    pub(crate) threshold: Option<f64>,
}

/// What is owed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutboxLine {
    pub(crate) owed: u64,
    pub(crate) refused: u64,
    /// When the oldest page that nobody has got yet became owed.
    #[serde(default)]
    pub(crate) oldest_page: Option<String>,
    /// Pages that could not be written down, and are sent from memory.
    #[serde(default)]
    pub(crate) in_hand: u64,
}

impl Answer {
    pub(crate) fn refused(error: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { v: VERSION, error: Some(error.into()), hint: Some(hint.into()), ..Self::default() }
    }

    pub(crate) fn no(why: &str, error: impl Into<String>, hint: Option<String>) -> Self {
        Self { v: VERSION, no: Some(why.to_owned()), error: Some(error.into()), hint, ..Self::default() }
    }

    pub(crate) fn explained(explained: Explained) -> Self {
        Self { v: VERSION, ok: true, explanation: Some(explained), ..Self::default() }
    }

    pub(crate) fn silences(silences: Vec<SilenceLine>) -> Self {
        Self { v: VERSION, ok: true, silences: Some(silences), ..Self::default() }
    }

    pub(crate) fn done(done: Vec<String>) -> Self {
        Self { v: VERSION, ok: true, done: Some(done), ..Self::default() }
    }

    pub(crate) fn status(snapshot: &Snapshot, late: Vec<String>) -> Self {
        Self { v: VERSION, ok: true, status: Some(Status::of(snapshot, late)), ..Self::default() }
    }
}

impl FailureLine {
    fn of(failure: &SourceFailure) -> Self {
        Self {
            kind: failure.failure.as_str().to_owned(),
            message: failure.message.clone(),
            hint: failure.hint.clone(),
            since: failure.since.to_string(),
        }
    }
}

/// The causes of what is open about a series.
fn tickets(snapshot: &Snapshot, series: &Series) -> Vec<String> {
    let open = snapshot.tickets.iter().filter(|ticket| ticket.series == *series);
    open.map(|ticket| ticket.cause.as_str().to_owned()).collect()
}

impl Status {
    fn of(snapshot: &Snapshot, late: Vec<String>) -> Self {
        let sources = snapshot
            .sources
            .iter()
            .map(|source| SourceLine {
                name: source.name.clone(),
                region: source.region.clone(),
                last_success: source.last_success.map(|time| time.to_string()),
                failure: source.failure.as_ref().map(FailureLine::of),
                limited: source.limited.as_ref().map(FailureLine::of),
                history: source.history.map(|history| HistoryLine { read: history.read, of: history.of }),
            })
            .collect();
        let series = snapshot
            .series
            .iter()
            .map(|status| {
                let current = status.current();
                let baseline = current.and_then(|slot| slot.baseline);
                SeriesLine {
                    series: status.series.to_string(),
                    state: status.state.as_str().to_owned(),
                    judged_through: status.judged_through.to_string(),
                    last_data: status.last_data.map(|period| period.to_string()),
                    tickets: tickets(snapshot, &status.series),
                    otps_p50: current.and_then(|slot| slot.otps).and_then(|otps| otps.p50),
                    otps: current.and_then(domain::Slot::value),
                    baseline,
                    threshold: web::snapshot::threshold(&snapshot.rule_of(&status.series), baseline),
                }
            })
            .collect();
        Self {
            version: snapshot.version.clone(),
            started: snapshot.started.to_string(),
            now: snapshot.now.to_string(),
            sources,
            series,
            outbox: OutboxLine {
                owed: snapshot.outbox.owed,
                refused: snapshot.outbox.refused,
                oldest_page: snapshot.outbox.oldest_page.map(|time| time.to_string()),
                in_hand: snapshot.outbox.in_hand,
            },
            late,
        }
    }
}
