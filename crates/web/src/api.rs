//! The JSON of `/api/v1` and `/healthz`: types of their own, since what is published is a promise.
//!
//! Times are RFC 3339 in UTC, and a period is named by its start. A number that is not known, or not finite, is `null`.

mod told;

use domain::{AlarmState, Cause, Period, Rule, Slot, Verdict};
use jiff::Timestamp;
use serde::Serialize;

use crate::figures::finite;
use crate::sight::Sight;
use crate::snapshot::{HistoryPoint, LearningProgress, QuotaUse, SeriesStatus, Snapshot, Waits, threshold};

pub(crate) use told::{AuditList, PageList, SilenceList};

/// `/healthz`
#[derive(Serialize)]
pub(crate) struct Health {
    status: &'static str,
    version: String,
    now: String,
    started: String,
    last_evaluation: Option<String>,
}

/// `/api/v1/series`
#[derive(Serialize)]
pub(crate) struct SeriesList {
    now: String,
    series: Vec<Summary>,
}

/// `/api/v1/series/{id}`
#[derive(Serialize)]
pub(crate) struct SeriesDetail {
    now: String,
    #[serde(flatten)]
    summary: Summary,
    slots: Vec<SlotJson>,
    history: Vec<PointJson>,
    incidents: Vec<IncidentJson>,
    tickets: Vec<TicketJson>,
}

/// `/api/v1/incidents`
#[derive(Serialize)]
pub(crate) struct IncidentList {
    now: String,
    incidents: Vec<IncidentJson>,
    tickets: Vec<TicketJson>,
}

/// What is answered beside a status that is not 200.
#[derive(Serialize)]
pub(crate) struct Problem {
    pub(crate) error: String,
    pub(crate) hint: &'static str,
}

#[derive(Serialize)]
struct Summary {
    id: String,
    account: String,
    region: String,
    model: String,
    source: String,
    state: &'static str,
    since: String,
    seen: bool,
    not_seen_since: Option<String>,
    judged_through: String,
    last_data: Option<String>,
    current: Option<SlotJson>,
    waits: WaitsJson,
    quota: Option<QuotaJson>,
    learned_from: Option<String>,
    learning: Option<LearningJson>,
    incident: Option<String>,
}

#[derive(Serialize)]
struct SlotJson {
    period: String,
    verdict: &'static str,
    reason: Option<&'static str>,
    estimator: &'static str,
    otps_p50: Option<f64>,
    otps_token_weighted: Option<f64>,
    value: Option<f64>,
    baseline: Option<f64>,
    threshold: Option<f64>,
    ratio: Option<f64>,
    noise: Option<f64>,
    samples: Option<f64>,
    window: u8,
}

#[derive(Serialize)]
struct WaitsJson {
    latency_p50_ms: Option<f64>,
    latency_p95_ms: Option<f64>,
    ttft_p50_ms: Option<f64>,
    ttft_p95_ms: Option<f64>,
}

#[derive(Serialize)]
struct QuotaJson {
    period: String,
    tokens_per_minute: Option<f64>,
    throttles: Option<f64>,
}

#[derive(Serialize)]
struct LearningJson {
    days: Option<f64>,
    days_needed: u16,
    datapoints: u32,
    datapoints_needed: u32,
}

#[derive(Serialize)]
struct PointJson {
    period: String,
    verdict: Option<&'static str>,
    reason: Option<&'static str>,
    otps_p50: Option<f64>,
    value: Option<f64>,
    baseline: Option<f64>,
    threshold: Option<f64>,
    #[serde(flatten)]
    waits: WaitsJson,
}

#[derive(Serialize)]
struct IncidentJson {
    key: String,
    id: String,
    account: String,
    region: String,
    model: String,
    open: bool,
    onset: String,
    opened: String,
    resolved: Option<String>,
    worst_ratio: Option<f64>,
    summary: String,
}

#[derive(Serialize)]
struct TicketJson {
    key: String,
    id: Option<String>,
    account: Option<String>,
    region: Option<String>,
    model: Option<String>,
    source: Option<String>,
    regions: Vec<String>,
    failure: Option<&'static str>,
    cause: &'static str,
    opened: String,
    summary: Option<String>,
}

impl Health {
    pub(crate) fn new(snapshot: &Snapshot, now: Timestamp) -> Self {
        Self {
            status: "ok",
            version: snapshot.version.clone(),
            now: now.to_string(),
            started: snapshot.started.to_string(),
            last_evaluation: snapshot.last_evaluation.map(|time| time.to_string()),
        }
    }
}

impl SeriesList {
    pub(crate) fn new(snapshot: &Snapshot, now: Timestamp) -> Self {
        let mut all: Vec<&SeriesStatus> = snapshot.series.iter().collect();
        all.sort_by(|one, other| one.series.cmp(&other.series));
        Self {
            now: now.to_string(),
            series: all.into_iter().map(|status| Summary::new(snapshot, status, now)).collect(),
        }
    }
}

impl SeriesDetail {
    pub(crate) fn new(snapshot: &Snapshot, status: &SeriesStatus, now: Timestamp) -> Self {
        let rule = snapshot.rule_of(&status.series);
        Self {
            now: now.to_string(),
            summary: Summary::new(snapshot, status, now),
            slots: status.slots.iter().map(|slot| SlotJson::new(slot, &rule)).collect(),
            history: status.history.iter().map(|point| PointJson::new(point, &rule)).collect(),
            incidents: incidents(snapshot, |series| *series == status.series),
            tickets: tickets(snapshot, |series| *series == status.series).collect(),
        }
    }
}

impl IncidentList {
    pub(crate) fn new(snapshot: &Snapshot, now: Timestamp) -> Self {
        Self {
            now: now.to_string(),
            incidents: incidents(snapshot, |_| true),
            tickets: source_tickets(snapshot)
                .chain(gaps(snapshot))
                .chain(tickets(snapshot, |_| true))
                .collect(),
        }
    }
}

impl Summary {
    fn new(snapshot: &Snapshot, status: &SeriesStatus, now: Timestamp) -> Self {
        let sight = Sight::of(snapshot, status, now);
        let series = &status.series;
        Self {
            id: series.to_string(),
            account: series.account().to_owned(),
            region: series.region().to_owned(),
            model: series.model().to_owned(),
            source: status.source.clone(),
            state: status.state.as_str(),
            since: status.since.to_string(),
            seen: sight.is_seen(),
            not_seen_since: match sight {
                Sight::NotSeen(since) => since.map(|since| since.to_string()),
                Sight::Seen => None,
            },
            judged_through: status.judged_through.to_string(),
            last_data: status.last_data.map(|period| period.to_string()),
            current: status.current().map(|slot| SlotJson::new(slot, &snapshot.rule_of(series))),
            waits: WaitsJson::new(status.waits),
            quota: status.quota.map(QuotaJson::new),
            learned_from: status.learned_from.clone(),
            learning: status.learning.filter(|_| status.state == AlarmState::Learning).map(LearningJson::new),
            incident: snapshot.incident_of(series).map(|record| record.incident.key.to_string()),
        }
    }
}

impl SlotJson {
    fn new(slot: &Slot, rule: &Rule) -> Self {
        let (verdict, reason) = words(slot.verdict);
        Self {
            period: slot.period.to_string(),
            verdict,
            reason,
            estimator: slot.estimator.as_str(),
            otps_p50: finite(slot.otps.and_then(|otps| otps.p50)),
            otps_token_weighted: finite(slot.otps.and_then(|otps| otps.token_weighted)),
            value: finite(slot.value()),
            baseline: finite(slot.baseline),
            threshold: finite(threshold(rule, slot.baseline)),
            ratio: finite(slot.ratio()),
            noise: finite(slot.noise),
            samples: finite(Some(slot.samples)),
            window: slot.window,
        }
    }
}

impl WaitsJson {
    fn new(waits: Waits) -> Self {
        Self {
            latency_p50_ms: finite(waits.latency_p50_ms),
            latency_p95_ms: finite(waits.latency_p95_ms),
            ttft_p50_ms: finite(waits.ttft_p50_ms),
            ttft_p95_ms: finite(waits.ttft_p95_ms),
        }
    }
}

impl QuotaJson {
    fn new(used: QuotaUse) -> Self {
        Self {
            period: used.period.to_string(),
            tokens_per_minute: finite(used.tokens_per_minute.map(f64::round)),
            throttles: finite(Some(used.throttles)),
        }
    }
}

impl LearningJson {
    fn new(progress: LearningProgress) -> Self {
        let LearningProgress { days, days_needed, datapoints, datapoints_needed } = progress;
        Self { days: finite(Some(days)), days_needed, datapoints, datapoints_needed }
    }
}

impl PointJson {
    fn new(point: &HistoryPoint, rule: &Rule) -> Self {
        let (verdict, reason) = match point.verdict.map(words) {
            Some((verdict, reason)) => (Some(verdict), reason),
            None => (None, None),
        };
        Self {
            period: point.period.to_string(),
            verdict,
            reason,
            otps_p50: finite(point.otps_p50),
            value: finite(point.value),
            baseline: finite(point.baseline),
            threshold: finite(threshold(rule, point.baseline)),
            waits: WaitsJson::new(point.waits),
        }
    }
}

fn words(verdict: Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Breaching => ("breaching", None),
        Verdict::Within => ("within", None),
        Verdict::Missing(reason) => ("missing", Some(reason.as_str())),
    }
}

fn incidents(snapshot: &Snapshot, of: impl Fn(&domain::Series) -> bool) -> Vec<IncidentJson> {
    let wanted = snapshot.incidents.iter().filter(|record| of(&record.incident.series));
    wanted
        .map(|record| {
            let incident = &record.incident;
            IncidentJson {
                key: incident.key.to_string(),
                id: incident.series.to_string(),
                account: incident.series.account().to_owned(),
                region: incident.series.region().to_owned(),
                model: incident.series.model().to_owned(),
                open: record.resolved.is_none(),
                onset: incident.onset.to_string(),
                opened: incident.opened.to_string(),
                resolved: record.resolved.as_ref().map(Period::to_string),
                worst_ratio: finite(incident.worst),
                summary: record.summary.clone(),
            }
        })
        .collect()
}

/// The open tickets about series.
fn tickets(snapshot: &Snapshot, of: impl Fn(&domain::Series) -> bool) -> impl Iterator<Item = TicketJson> {
    snapshot.tickets.iter().filter(move |ticket| of(&ticket.series)).map(|ticket| TicketJson {
        key: ticket.key.to_string(),
        id: Some(ticket.series.to_string()),
        account: Some(ticket.series.account().to_owned()),
        region: Some(ticket.series.region().to_owned()),
        model: Some(ticket.series.model().to_owned()),
        source: None,
        regions: vec![ticket.series.region().to_owned()],
        failure: None,
        cause: ticket.cause.as_str(),
        opened: ticket.opened.to_string(),
        summary: ticket.summary.clone(),
    })
}

/// The open tickets about what of a source is not watched.
fn gaps(snapshot: &Snapshot) -> impl Iterator<Item = TicketJson> {
    snapshot.gaps.iter().map(|gap| TicketJson {
        key: gap.key.to_string(),
        id: None,
        account: None,
        region: None,
        model: None,
        source: Some(gap.source.clone()),
        regions: Vec::new(),
        failure: None,
        cause: gap.cause.as_str(),
        opened: gap.since.to_string(),
        summary: Some(gap.summary.clone()),
    })
}

/// The open tickets about sources.
fn source_tickets(snapshot: &Snapshot) -> impl Iterator<Item = TicketJson> {
    snapshot.source_tickets.iter().map(|ticket| TicketJson {
        key: ticket.key.to_string(),
        id: None,
        account: None,
        region: None,
        model: None,
        source: Some(ticket.source.clone()),
        regions: ticket.regions.clone(),
        failure: Some(ticket.failure.as_str()),
        cause: Cause::SourceFailing.as_str(),
        opened: ticket.opened.to_string(),
        summary: ticket.summary.clone(),
    })
}
