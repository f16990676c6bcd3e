//! Invented fleets. Nothing here is random: the same fleet every time.

#[path = "sample/delivery.rs"]
pub(crate) mod delivery;

use std::sync::Arc;
use std::time::Duration;

use domain::{
    AlarmState, Cause, Estimator, Failure, Incident, IncidentRecord, Key, MissingReason, Otps,
    PERIODS_PER_DAY, Period, Rule, Series, Slot, SourceAct, Thrift, Verdict,
};
use jiff::{SignedDuration, Timestamp};
use web::Snapshot;
use web::snapshot::{
    GapStatus, HistoryPoint, LearningProgress, OutboxStatus, QuotaUse, SeriesStatus, SourceFailure,
    SourceStatus, SourceTicketStatus, SpendingStatus, TicketStatus, Waits,
};

/// The account of every sample.
pub(crate) const ACCOUNT: &str = "111122223333";

/// The moment of every sample.
pub(crate) fn now() -> Timestamp {
    "2026-10-15T18:22:30Z".parse().unwrap()
}

/// The period that was judged last at [`now`].
pub(crate) fn newest() -> Period {
    Period::containing("2026-10-15T18:15:00Z".parse().unwrap())
}

fn ago(minutes: i64) -> Timestamp {
    now() - SignedDuration::from_mins(minutes) - SignedDuration::from_secs(20)
}

/// Between -1 and 1, by place alone: the output function of SplitMix64.
pub(crate) fn wobble(place: i64) -> f64 {
    let mut bits = (place as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((bits ^ (bits >> 31)) >> 40) as f64 / 8_388_608.0 - 1.0
}

/// To two decimals, so that no machine's cosine shows in a snapshot.
pub(crate) fn cents(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A series whose OTPS was `level` times `share(periods before the newest)` over the last day.
pub(crate) struct Shape<'a> {
    pub(crate) region: &'a str,
    pub(crate) model: &'a str,
    pub(crate) level: f64,
    pub(crate) estimator: Estimator,
    pub(crate) samples: f64,
    pub(crate) share: &'a dyn Fn(i64) -> f64,
}

impl Shape<'_> {
    /// The series, judged by the default rule's line alone.
    pub(crate) fn status(&self, state: AlarmState) -> SeriesStatus {
        let points: Vec<HistoryPoint> = (0..PERIODS_PER_DAY).rev().map(|back| self.point(back)).collect();
        let slots = points[points.len() - 5..].iter().map(|point| self.slot(point)).collect();
        SeriesStatus {
            series: Series::new(ACCOUNT, self.region, self.model),
            source: "main".to_owned(),
            state,
            since: newest() - 700,
            judged_through: newest(),
            last_data: Some(newest()),
            slots,
            waits: points.last().map(|point| point.waits).unwrap_or_default(),
            quota: Some(QuotaUse {
                period: newest() - 4,
                tokens_per_minute: Some(self.samples * 620.4),
                throttles: 3.0,
            }),
            learned_from: None,
            learning: None,
            history: Arc::new(points.into()),
        }
    }

    fn point(&self, back: i64) -> HistoryPoint {
        let period = newest() - back;
        let hour = period.hour_of_day() as f64;
        let seed = self.model.bytes().map(i64::from).sum::<i64>() * 1_000;
        let baseline = cents(self.level * (1.0 + 0.06 * ((hour - 4.0) / 24.0 * std::f64::consts::TAU).cos()));
        let noise = wobble(back * 31 + seed);
        let value = cents(baseline * (self.share)(back) * (1.0 + 0.03 * noise));
        let p50 = match self.estimator {
            Estimator::P50 => value,
            Estimator::TokenWeighted => cents(value * (1.04 + 0.08 * wobble(back * 17 + 5 + seed))),
        };
        let decode_ms = 405.0 / value * 1_000.0;
        let ttft = 890.0 * (1.0 + 0.06 * wobble(back * 7 + 3 + seed));
        let verdict = if value < 0.8 * baseline { Verdict::Breaching } else { Verdict::Within };
        HistoryPoint {
            period,
            verdict: Some(verdict),
            otps_p50: Some(p50),
            value: Some(value),
            baseline: Some(baseline),
            waits: Waits {
                latency_p50_ms: Some(cents(ttft + decode_ms)),
                latency_p95_ms: Some(cents((ttft + decode_ms) * (2.4 + 0.3 * wobble(back * 3 + 1 + seed)))),
                ttft_p50_ms: Some(cents(ttft)),
                ttft_p95_ms: Some(cents(ttft * (2.3 + 0.5 * wobble(back * 5 + 2 + seed)))),
            },
        }
    }

    fn slot(&self, point: &HistoryPoint) -> Slot {
        let weighted = match self.estimator {
            Estimator::P50 => point.otps_p50.map(|p50| cents(p50 * 0.98)),
            Estimator::TokenWeighted => point.value,
        };
        Slot {
            period: point.period,
            verdict: point.verdict.unwrap(),
            estimator: self.estimator,
            otps: Some(Otps { p50: point.otps_p50, token_weighted: weighted }),
            baseline: point.baseline,
            noise: Some(0.041),
            samples: self.samples + (20.0 * wobble(point.period.index())).round(),
            window: if self.samples < 60.0 { 2 } else { 1 },
        }
    }
}

/// A source that was read two minutes before [`now`].
pub(crate) fn source(name: &str, region: &str) -> SourceStatus {
    SourceStatus {
        name: name.to_owned(),
        region: region.to_owned(),
        last_success: Some(ago(0)),
        failure: None,
        limited: None,
        settle_delay: Duration::from_secs(120),
        history: None,
    }
}

/// A snapshot of nothing but what is healthy.
pub(crate) fn empty() -> Snapshot {
    let mut snapshot = Snapshot::starting(now(), "0.1.0", Rule::default());
    snapshot.started = ago(60 * 24 * 9 + 200);
    snapshot.last_evaluation = Some(ago(0));
    snapshot.sources = vec![source("main", "us-east-1")];
    snapshot
}

/// A series with nothing special.
pub(crate) fn steady(region: &str, model: &str, level: f64) -> SeriesStatus {
    Shape { region, model, level, estimator: Estimator::P50, samples: 640.0, share: &|_| 1.0 }
        .status(AlarmState::Ok)
}

/// `count` healthy series.
pub(crate) fn healthy(count: usize) -> Snapshot {
    let mut snapshot = empty();
    let regions = ["eu-central-1", "eu-west-1", "us-east-1", "us-west-2"];
    snapshot.sources = regions.map(|region| source("main", region)).to_vec();
    snapshot.series = (0..count)
        .map(|place| {
            let family =
                ["claude-sonnet", "claude-haiku", "nova-pro", "nova-lite", "llama-3-3-70b"][place % 5];
            let model = format!("us.example.{family}-v{}:0", place / 5 + 1);
            steady(regions[place % 4], &model, 40.0 + (place * 7 % 80) as f64)
        })
        .collect();
    snapshot
}

/// A bad evening: two series slow, a source denied, a message that is not taken.
pub(crate) fn trouble() -> Snapshot {
    let mut snapshot = empty();
    snapshot.sources =
        vec![source("main", "us-east-1"), source("main", "eu-west-1"), source("partner", "us-west-2")];
    snapshot.sources[2].last_success = Some(ago(47));
    snapshot.sources[2].failure = Some(SourceFailure {
        failure: Failure::Denied,
        message:
            "GetMetricData in us-west-2: AccessDenied: not authorized to perform cloudwatch:GetMetricData"
                .into(),
        hint: Some(
            "allow cloudwatch:GetMetricData and cloudwatch:ListMetrics to the role of source `partner`"
                .into(),
        ),
        since: ago(42),
    });
    let since = Period::containing(ago(42));
    snapshot.source_tickets = vec![SourceTicketStatus {
        source: "partner".to_owned(),
        regions: vec!["us-west-2".to_owned()],
        act: SourceAct::Read,
        failure: Failure::Denied,
        opened: ago(32),
        key: Key::of_source("partner", SourceAct::Read, Failure::Denied, since),
        summary: Some(
            "partner cannot be read: cloudwatch:GetMetricData denied since 17:40Z; 2 series in us-west-2 are not judged"
                .to_owned(),
        ),
    }];
    snapshot.gaps = vec![GapStatus {
        source: "main".to_owned(),
        cause: Cause::CostLimit,
        since: ago(95),
        key: Key::from_parts(&["gap", "main", "cost_limit"]),
        summary: "main: what explains is not read every hour any more, to keep to $50 a month".to_owned(),
    }];
    let spending = |source: &str, spent_usd, limit_usd, thrift, left_out| SpendingStatus {
        source: source.to_owned(),
        spent_usd,
        limit_usd,
        thrift,
        left_out,
    };
    snapshot.spending = vec![
        spending("main", 31.42, Some(50.0), Thrift::Diagnosis, 0),
        spending("partner", 4.5, None, Thrift::None, 3),
    ];
    snapshot.sources[1].limited = Some(SourceFailure {
        failure: Failure::Denied,
        message: "ListMetrics in eu-west-1: AccessDenied".to_owned(),
        hint: Some("allow cloudwatch:ListMetrics to the role of source `main`".to_owned()),
        since: ago(4),
    });
    let slow = |deep: f64, from: i64| move |back: i64| if back <= from { deep } else { 1.0 };
    let sonnet = Shape {
        region: "us-east-1",
        model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        level: 61.3,
        estimator: Estimator::P50,
        samples: 2_940.0,
        share: &slow(0.645, 5),
    };
    let nova = Shape {
        region: "us-east-1",
        model: "us.amazon.nova-pro-v1:0",
        level: 74.2,
        estimator: Estimator::TokenWeighted,
        samples: 46.0,
        share: &slow(0.58, 4),
    };
    snapshot.series = vec![sonnet.status(AlarmState::Alarm), nova.status(AlarmState::Alarm)];
    for status in &mut snapshot.series {
        status.since = newest() - 2;
    }
    snapshot.series.extend([
        steady("us-east-1", "us.anthropic.claude-haiku-4-5-20251001-v1:0", 118.0),
        steady("us-east-1", "us.meta.llama3-3-70b-instruct-v1:0", 88.0),
        steady("eu-west-1", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", 59.0),
        steady(
            "eu-west-1",
            "arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/a1b2c3d4e5f6",
            52.0,
        ),
    ]);
    for model in ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-lite-v1:0"] {
        let mut unseen = steady("us-west-2", model, 60.0);
        unseen.source = "partner".to_owned();
        unseen.judged_through = newest() - 9;
        unseen.last_data = Some(newest() - 9);
        Arc::make_mut(&mut unseen.history).truncate(PERIODS_PER_DAY as usize - 9);
        for slot in &mut unseen.slots {
            slot.period = slot.period - 9;
        }
        snapshot.series.push(unseen);
    }
    snapshot.series.push(silent());
    snapshot.series.push(learning());
    snapshot.incidents = incidents(&snapshot.series);
    snapshot.tickets = vec![TicketStatus {
        series: snapshot.series[4].series.clone(),
        cause: Cause::PromptGrowth,
        opened: newest() - 3 * PERIODS_PER_DAY,
        key: Key::of_ticket(&snapshot.series[4].series, Cause::PromptGrowth, newest() - 3 * PERIODS_PER_DAY),
        summary: Some("first token +41 % in 3 weeks: prompts grew +53 %, decode steady".to_owned()),
    }];
    snapshot.outbox = OutboxStatus {
        owed: 1,
        oldest_owed: Some(ago(10)),
        oldest_page: Some(ago(10)),
        ..OutboxStatus::default()
    };
    let told = ["pagerduty.oncall", "sns.ops"];
    snapshot.pages = told.map(|channel| delivery::page(channel, &snapshot.incidents[..2])).to_vec();
    snapshot.messages = delivery::messages(&snapshot);
    snapshot
}

/// No requests since the evening before.
fn silent() -> SeriesStatus {
    let mut status = steady("us-east-1", "us.mistral.pixtral-large-2502-v1:0", 45.0);
    let last = newest() - 250;
    status.state = AlarmState::InsufficientData;
    status.last_data = Some(last);
    status.waits = Waits::default();
    status.quota = None;
    Arc::make_mut(&mut status.history).retain(|point| point.period <= last);
    for slot in &mut status.slots {
        slot.verdict = Verdict::Missing(MissingReason::NoData);
        (slot.otps, slot.noise, slot.samples) = (None, None, 0.0);
    }
    status
}

/// New since two days.
fn learning() -> SeriesStatus {
    let mut status = steady("eu-west-1", "eu.amazon.nova-micro-v1:0", 160.0);
    status.state = AlarmState::Learning;
    status.learning =
        Some(LearningProgress { days: 2.1, days_needed: 3, datapoints: 412, datapoints_needed: 500 });
    for slot in &mut status.slots {
        slot.verdict = Verdict::Missing(MissingReason::NoBaseline);
        (slot.baseline, slot.noise) = (None, None);
    }
    for point in Arc::make_mut(&mut status.history) {
        (point.baseline, point.verdict) = (None, None);
    }
    status
}

/// The two that are open, and one that is over.
fn incidents(series: &[SeriesStatus]) -> Vec<IncidentRecord> {
    let open = |status: &SeriesStatus, onset, worst, summary: &str| {
        let mut incident = Incident::new(status.series.clone(), newest() - onset, newest() - 2);
        incident.worst = Some(worst);
        IncidentRecord { incident, summary: summary.to_owned(), evidence: None, resolved: None, at: ago(10) }
    };
    let mut over = Incident::new(series[2].series.clone(), newest() - 900, newest() - 898);
    over.worst = Some(0.7);
    vec![
        open(
            &series[0],
            5,
            0.63,
            "claude-sonnet-4-5 in us-east-1 decodes at 0.64 of its baseline: 39.0 of 60.6 tokens/s",
        ),
        open(
            &series[1],
            4,
            0.57,
            "nova-pro in us-east-1 decodes at 0.58 of its baseline: 42.4 of 73.4 tokens/s",
        ),
        IncidentRecord {
            incident: over,
            summary: "claude-haiku-4-5 in us-east-1 decoded at 0.72 of its baseline".to_owned(),
            evidence: None,
            resolved: Some(newest() - 880),
            at: ago(4_395),
        },
    ]
}
