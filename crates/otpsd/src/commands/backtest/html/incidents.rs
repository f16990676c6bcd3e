//! Each incident with its charts.

use domain::{Method, Rule};
use notifier::text;
use web::report::{Incident, Point};

use super::super::hindsight::{Episode, Hindsight, Moment};
use super::texts::Texts;

/// An incident as one configuration has it.
pub(super) fn incident(episode: &Episode, hindsight: &Hindsight, texts: &Texts<'_>) -> Incident {
    let incident = episode.page.incident();
    let rule = hindsight.rule(&incident.series);
    let lines = Lines::of(&rule, episode);
    Incident {
        series: incident.series.clone(),
        key: incident.key.clone(),
        summary: text::page::of_series(&episode.page, &rule),
        onset: incident.onset,
        opened: incident.opened,
        recovered: episode.back(),
        resolved: episode.resolve.as_ref().map(|resolve| resolve.resolved),
        ended: episode.resolve.as_ref().map(text::resolve::of_series),
        worst: episode.figures().lowest,
        slots: episode.page.evidence().slots.clone(),
        points: episode.moments.iter().map(|moment| point(moment, &lines)).collect(),
        told: texts.told(episode),
        difference: None,
        rule,
    }
}

/// Below which a period of an incident breaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lines {
    /// A share of the baseline.
    share: f64,
    /// In tokens per second.
    floor: Option<f64>,
}

impl Lines {
    /// Those of a rule. The line of a band moves with the number of requests; drawn is the one that decided.
    pub(super) fn of(rule: &Rule, episode: &Episode) -> Self {
        let share = match rule.method {
            Method::Threshold => rule.page_below,
            Method::Anomaly { below, .. } => episode.page.evidence().line.unwrap_or(below),
        };
        Self { share, floor: rule.page_below_otps }
    }

    /// The higher of the two, in tokens per second.
    pub(super) fn at(self, baseline: Option<f64>) -> Option<f64> {
        let share = baseline.map(|baseline| baseline * self.share);
        [share, self.floor].into_iter().flatten().reduce(f64::max)
    }
}

fn point(moment: &Moment, lines: &Lines) -> Point {
    let slot = &moment.slot;
    let measured = moment.measured.unwrap_or_default();
    Point {
        period: slot.period,
        verdict: Some(slot.verdict),
        estimator: slot.estimator,
        otps_p50: slot.otps.and_then(|otps| otps.p50),
        otps_token_weighted: slot.otps.and_then(|otps| otps.token_weighted),
        otps_p95: measured.otps_p95(),
        baseline: slot.baseline,
        threshold: lines.at(slot.baseline),
        threshold_before: None,
        ttft_p50_ms: measured.ttft_p50,
        ttft_p95_ms: measured.ttft_p95,
        latency_p50_ms: measured.latency_p50,
        latency_p95_ms: measured.latency_p95,
        output_tokens_p50: measured.output_p50,
        output_tokens_p95: measured.output_p95,
        requests: measured.requests,
    }
}
