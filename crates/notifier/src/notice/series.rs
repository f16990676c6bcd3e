//! A series as receivers get it.

use domain::{Estimator, Labels, Member, Page, Resolve, Series, Slot};
use serde::Serialize;

use crate::context::Context;
use crate::cut;
use crate::deciding::newest_breach;
use crate::figures::known;
use crate::gathered::requests;

/// The longest value of a CloudWatch dimension. Source: CloudWatch API reference, Dimension. A model of a series
/// cannot be longer; this keeps one that is from filling a message.
const MODEL_CHARACTERS: usize = 1_024;
/// Longer than the name of any Region, and than an account.
const PLACE_CHARACTERS: usize = 64;
/// Longer than a label should be.
const LABEL_CHARACTERS: usize = 256;
/// More than a series should have.
const LABELS: usize = 32;

/// The parts of a series, none of them longer than a wire can carry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Named {
    pub(crate) account: String,
    pub(crate) region: String,
    pub(crate) model: String,
}

impl Named {
    pub(crate) fn of(series: &Series) -> Self {
        let part = |text: &str, limit| cut::in_the_middle(text, limit, "…");
        Self {
            account: part(series.account(), PLACE_CHARACTERS),
            region: part(series.region(), PLACE_CHARACTERS),
            model: part(series.model(), MODEL_CHARACTERS),
        }
    }

    /// The account as twelve digits, which consumers of alarms expect, even where it is not known.
    pub(crate) fn account_digits(&self) -> &str {
        if self.account == domain::UNKNOWN_ACCOUNT { "000000000000" } else { &self.account }
    }
}

/// A series with what is known of it. What is not known is left out.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct SeriesNotice {
    #[serde(flatten)]
    pub(crate) named: Named,
    /// What its owners call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alias: Option<String>,
    /// Who owns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<String>,
    /// All its labels.
    #[serde(skip_serializing_if = "Labels::is_empty")]
    pub(crate) labels: Labels,
    /// The key of its own incident.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) incident: Option<String>,
    /// The estimator of the figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimator: Option<&'static str>,
    /// Tokens per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) otps: Option<f64>,
    /// Tokens per second that are usual at this hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) baseline: Option<f64>,
    /// `otps / baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    /// The p50 figure, whichever estimator decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) otps_p50: Option<f64>,
    /// The lowest ratio so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) worst_ratio: Option<f64>,
    /// Requests in five minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) samples: Option<f64>,
    /// The start of the first slow period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<String>,
    /// The start of the first period that was back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<String>,
}

impl SeriesNotice {
    /// Without any figures.
    pub(crate) fn plain(series: &Series, context: &Context<'_>) -> Self {
        let part = |text: &String| cut::in_the_middle(text, LABEL_CHARACTERS, "…");
        let labels: Labels = context
            .plan
            .labels_of(series)
            .iter()
            .take(LABELS)
            .map(|(name, value)| (part(name), part(value)))
            .collect();
        Self {
            named: Named::of(series),
            alias: labels.get("alias").cloned(),
            owner: labels.get("owner").cloned(),
            labels,
            ..Self::default()
        }
    }

    /// One that is slow.
    pub(super) fn slow(page: &Page, context: &Context<'_>) -> Self {
        let incident = page.incident();
        Self {
            incident: Some(incident.key.to_string()),
            worst_ratio: incident.worst.map(thousandths),
            samples: known(requests(page)).map(f64::round),
            since: Some(incident.onset.start().to_string()),
            ..Self::plain(page.drop().series(), context).with(newest_breach(page.evidence()))
        }
    }

    /// One whose incident is over, as far as it is; `last` is the one that ended last.
    pub(super) fn back(member: &Member, last: &Resolve, context: &Context<'_>) -> Self {
        if member.incident == last.incident.key {
            return Self::ended(last, context);
        }
        Self {
            until: member.recovered.or(member.resolved).map(|period| period.start().to_string()),
            ..Self::unseen(member, context)
        }
    }

    /// The one that ended last.
    pub(super) fn ended(last: &Resolve, context: &Context<'_>) -> Self {
        let incident = &last.incident;
        Self {
            incident: Some(incident.key.to_string()),
            worst_ratio: incident.worst.map(thousandths),
            since: Some(incident.onset.start().to_string()),
            until: Some(last.recovered.start().to_string()),
            ..Self::plain(&incident.series, context)
                .with(last.slots.iter().rev().find(|slot| slot.value().is_some()))
        }
    }

    /// One of which there are no figures of now.
    pub(super) fn unseen(member: &Member, context: &Context<'_>) -> Self {
        Self {
            incident: Some(member.incident.to_string()),
            worst_ratio: member.worst.map(thousandths),
            since: Some(member.onset.start().to_string()),
            ..Self::plain(&member.series, context)
        }
    }

    fn with(self, slot: Option<&Slot>) -> Self {
        let Some(slot) = slot else { return self };
        Self {
            estimator: Some(Estimator::as_str(slot.estimator)),
            otps: slot.value().map(hundredths),
            baseline: slot.baseline.map(hundredths),
            ratio: slot.ratio().map(thousandths),
            otps_p50: slot.otps.and_then(|otps| otps.p50).map(hundredths),
            samples: known(slot.samples / f64::from(slot.window.max(1))).map(f64::round),
            ..self
        }
    }
}

/// Tokens per second, as JSON has them.
pub(crate) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A ratio, as JSON has it.
fn thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
