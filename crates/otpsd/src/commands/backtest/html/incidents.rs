//! Each incident with its charts.

use domain::{Method, Rule};
use notifier::text;
use web::report::{Incident, Point};

use super::super::hindsight::{Episode, Hindsight, Moment};
use super::texts::Texts;

/// The incidents, in order of time.
pub(super) fn incidents(hindsight: &Hindsight, texts: &Texts<'_>) -> Vec<Incident> {
    hindsight.episodes.iter().map(|episode| incident(episode, hindsight, texts)).collect()
}

fn incident(episode: &Episode, hindsight: &Hindsight, texts: &Texts<'_>) -> Incident {
    let incident = episode.page.incident();
    let seen = hindsight.series.iter().find(|seen| seen.series == incident.series);
    let rule = seen.map(|seen| seen.rule.clone()).unwrap_or_default();
    let resolved = episode.resolve.as_ref().map(|resolve| resolve.resolved);
    let line = line(episode, &rule);
    Incident {
        series: incident.series.clone(),
        key: incident.key.clone(),
        summary: text::page::of_series(&episode.page, &rule),
        onset: incident.onset,
        opened: incident.opened,
        recovered: episode.back(),
        resolved,
        ended: episode.resolve.as_ref().map(text::resolve::of_series),
        worst: episode.figures().lowest,
        slots: episode.page.evidence().slots.clone(),
        points: episode.moments.iter().map(|moment| point(moment, line, rule.page_below_otps)).collect(),
        told: texts.told(episode),
        difference: None,
        rule,
    }
}

/// The share of the baseline below which a period of an incident breaches. That of a band moves with the number of requests; drawn is the
/// one that decided.
fn line(episode: &Episode, rule: &Rule) -> f64 {
    match rule.method {
        Method::Threshold => rule.page_below,
        Method::Anomaly { below, .. } => episode.page.evidence().line.unwrap_or(below),
    }
}

fn point(moment: &Moment, line: f64, floor: Option<f64>) -> Point {
    let slot = &moment.slot;
    let measured = moment.measured.unwrap_or_default();
    let share = slot.baseline.map(|baseline| baseline * line);
    Point {
        period: slot.period,
        verdict: Some(slot.verdict),
        estimator: slot.estimator,
        otps_p50: slot.otps.and_then(|otps| otps.p50),
        otps_token_weighted: slot.otps.and_then(|otps| otps.token_weighted),
        otps_p95: measured.otps_p95(),
        baseline: slot.baseline,
        threshold: [share, floor].into_iter().flatten().reduce(f64::max),
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
