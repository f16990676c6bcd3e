//! Labels. Names of sources, Regions and channels come from the configuration; the rest are fixed lists.

use domain::{Failure, NoticeKind, Series};
use prometheus_client::encoding::EncodeLabelSet;

/// How a poll ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollOutcome {
    /// All that was asked for was answered.
    Complete,
    /// Some series were answered in part, or not.
    Incomplete,
    /// The source could not be read.
    Failed(Failure),
}

/// How an attempt to deliver a message ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The receiver took it.
    Delivered,
    /// It will be tried again.
    Failed,
    /// The receiver refused it for good.
    Refused,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Place {
    source: String,
    region: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Poll {
    source: String,
    region: String,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct FailureLabels {
    #[prometheus(flatten)]
    pub(super) place: Place,
    pub(super) kind: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Quota {
    account: String,
    region: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Delivery {
    channel: String,
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Outcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct SeriesLabels {
    account: String,
    region: String,
    model: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct SourceLabel {
    pub(super) source: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct StateLabel {
    pub(super) state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CauseLabel {
    pub(super) cause: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ReasonLabel {
    pub(super) reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct VersionLabel {
    pub(super) version: String,
}

impl Quota {
    pub(super) fn new(account: &str, region: &str) -> Self {
        Self { account: account.to_owned(), region: region.to_owned() }
    }
}

impl Place {
    pub(super) fn new(source: &str, region: &str) -> Self {
        Self { source: source.to_owned(), region: region.to_owned() }
    }
}

impl Poll {
    pub(super) fn new(source: &str, region: &str, outcome: PollOutcome) -> Self {
        let outcome = match outcome {
            PollOutcome::Complete => "complete",
            PollOutcome::Incomplete => "incomplete",
            PollOutcome::Failed(failure) => failure.as_str(),
        };
        Self { source: source.to_owned(), region: region.to_owned(), outcome }
    }
}

impl Delivery {
    pub(super) fn new(channel: &str, kind: NoticeKind, outcome: DeliveryOutcome) -> Self {
        let outcome = match outcome {
            DeliveryOutcome::Delivered => "delivered",
            DeliveryOutcome::Failed => "failed",
            DeliveryOutcome::Refused => "refused",
        };
        Self { channel: channel.to_owned(), kind: kind.as_str(), outcome }
    }
}

impl Outcome {
    pub(super) const fn new(succeeded: bool) -> Self {
        Self { outcome: if succeeded { "succeeded" } else { "failed" } }
    }
}

impl SeriesLabels {
    pub(super) fn new(series: &Series) -> Self {
        Self {
            account: series.account().to_owned(),
            region: series.region().to_owned(),
            model: series.model().to_owned(),
        }
    }
}
