//! What the cases are made of.

use domain::{
    AlarmState, Cause, Check, Commit, Estimator, Evidence, Failure, Finding, Gap, Group, Incident,
    IncidentRecord, Key, Ledger, Member, Message, MissingReason, NoticeKind, OpenGap, OpenSourceTicket,
    OpenTicket, Otps, Outcome, Owed, OwedState, PageState, Period, RegionState, Row, Series, SeriesState,
    Slot, SourceAct, SourceState, Span, Spending, Subject, Terms, Thrift, TierShares, Trouble, Verdict,
};
use jiff::{SignedDuration, Timestamp};

/// Three series, in their order.
pub(super) fn series() -> [Series; 3] {
    [
        Series::new("", "us-east-1", "m"),
        Series::new(
            "111122223333",
            "eu-west-1",
            "arn:aws:bedrock:eu-west-1:111122223333:inference-profile/a/b",
        ),
        Series::new("111122223333", "eu-west-1", "m"),
    ]
}

/// 2026-10-15T18:15:00Z and the periods after it.
pub(super) fn period(index: i64) -> Period {
    Period::from_index(5_973_627 + index)
}

/// Seconds after 2026-10-15T18:15:00Z.
pub(super) fn time(seconds: i64) -> Timestamp {
    period(0).start() + SignedDuration::from_secs(seconds)
}

pub(super) fn key(name: &str) -> Key {
    Key::from_text(format!("otpsd-{name}"))
}

pub(super) fn rows(rows: Vec<Row>) -> Commit {
    Commit { rows, ..Commit::default() }
}

pub(super) fn owed(outbox: Vec<Message>) -> Commit {
    Commit { outbox, ..Commit::default() }
}

/// A message about `key` to `channel` that became owed at `seconds`.
pub(super) fn message(id: &str, channel: &str, kind: NoticeKind, about: &str, seconds: i64) -> Message {
    Message {
        id: id.to_owned(),
        channel: channel.to_owned(),
        kind,
        key: key(about),
        summary: format!("summary of {id}"),
        body: format!("body of {id}"),
        attributes: Vec::new(),
        created: time(seconds),
        standby_for: None,
    }
}

pub(super) fn outcome(id: &str, state: OwedState, error: Option<&str>) -> Outcome {
    Outcome { id: id.to_owned(), state, error: error.map(str::to_owned), reference: None }
}

pub(super) async fn begin(ledger: &dyn Ledger, ids: &[&str]) {
    ledger.begin(ids.iter().map(|id| (*id).to_owned()).collect()).await.unwrap();
}

pub(super) async fn record(ledger: &dyn Ledger, id: &str, state: OwedState) {
    ledger.record(vec![outcome(id, state, None)]).await.unwrap();
}

/// The ids of what is due at `seconds`.
pub(super) async fn due(ledger: &dyn Ledger, seconds: i64) -> Vec<String> {
    ids(ledger.due(time(seconds), 100, 100, &[]).await.unwrap())
}

pub(super) fn ids(owed: Vec<Owed>) -> Vec<String> {
    owed.into_iter().map(|owed| owed.message.id).collect()
}

/// Where every message stands, oldest first.
pub(super) async fn states(ledger: &dyn Ledger) -> Vec<(String, OwedState)> {
    let messages = ledger.messages(1_000).await.unwrap().into_iter().rev();
    messages.map(|owed| (owed.message.id, owed.state)).collect()
}

/// What the audit log says, oldest first.
pub(super) async fn audit_of(ledger: &dyn Ledger) -> Vec<String> {
    ledger.audit(1_000).await.unwrap().into_iter().rev().map(|record| record.detail).collect()
}

/// An open page with all there can be in one.
pub(super) fn page_state(name: &str, channel: &str) -> PageState {
    let [first, second, _] = series();
    let member = |series: Series, opened| Member {
        incident: Key::of_incident(&series, opened),
        series,
        onset: opened - 2,
        opened,
        joined: time(5),
        worst: None,
        recovered: None,
        resolved: None,
    };
    let over = Member {
        worst: Some(2.0 / 3.0),
        recovered: Some(period(5)),
        resolved: Some(period(7)),
        ..member(first, period(3))
    };
    PageState {
        key: key(name),
        channel: channel.to_owned(),
        receiver: "sns arn:aws:sns:eu-west-1:111122223333:pages".to_owned(),
        group: Group::from_text("eu-west-1"),
        opened: period(3),
        told: time(5) + SignedDuration::from_nanos(1),
        summary: "1 of 2 models is slow".to_owned(),
        members: vec![over, member(second, period(4))],
        held_told: true,
        closed: None,
    }
}

/// Evidence with all there can be in one.
pub(super) fn evidence() -> Evidence {
    let terms = Terms { latency_ms: 6161.7, otps_p50: Some(0.1), samples: 250.0, ..Terms::default() };
    let slot = |index, verdict, estimator, otps| Slot {
        period: period(index),
        verdict,
        estimator,
        otps,
        baseline: Some(100.0 / 3.0),
        noise: None,
        samples: 12.0,
        window: 5,
    };
    let otps = Otps { p50: None, token_weighted: Some(66.7) };
    Evidence {
        now: terms,
        usual: Terms::default(),
        slots: vec![
            slot(1, Verdict::Within, Estimator::P50, None),
            slot(2, Verdict::Missing(MissingReason::NoTimeToFirstToken), Estimator::P50, None),
            slot(3, Verdict::Breaching, Estimator::TokenWeighted, Some(otps)),
        ],
        line: Some(0.8),
        m_of_n: (3, 5),
        findings: vec![Finding {
            subject: Subject::CacheReads,
            check: Check::RuledOut,
            usual: Some(0.2),
            now: None,
        }],
        learned_from: None,
    }
}

/// A state with all there can be in one.
pub(super) fn state(series: &Series) -> SeriesState {
    let mut incident = Incident::new(series.clone(), period(1), period(3));
    incident.worst = Some(2.0 / 3.0);
    SeriesState {
        series: series.clone(),
        state: AlarmState::Alarm,
        since: period(3),
        judged_through: period(7),
        incident: Some(incident),
        tickets: vec![
            OpenTicket {
                cause: Cause::Queueing,
                opened: period(2),
                key: Key::of_ticket(series, Cause::Queueing, period(2)),
                usual: Terms {
                    otps_p50: Some(0.1),
                    otps_token_weighted: None,
                    latency_ms: 6161.7,
                    ttft_ms: 339.3,
                    output_tokens: 1.0 / 3.0,
                    input_tokens: Some(1834.0),
                    cache_read_share: None,
                    streaming_share: 1.0,
                    throttle_share: Some(0.0),
                    server_error_share: None,
                    quota_tokens: Some(41_250.5),
                    tiers: Some(TierShares { reserved: 0.0, priority: 0.62, flex: 0.1 }),
                    samples: 250.0,
                },
                told_day: 20_741,
            },
            OpenTicket {
                cause: Cause::LowConfidence,
                opened: period(-5),
                key: key("a"),
                usual: Terms::default(),
                told_day: -1,
            },
        ],
        untrained: vec![
            Span { from: period(-40), until: period(-30) },
            Span { from: period(-90), until: period(-80) },
        ],
    }
}

/// A state with as little as there can be in one.
pub(super) fn bare_state(series: &Series) -> SeriesState {
    SeriesState {
        series: series.clone(),
        state: AlarmState::Learning,
        since: period(0),
        judged_through: period(0),
        incident: None,
        tickets: Vec::new(),
        untrained: Vec::new(),
    }
}

/// The record of the incident that `opened` opened, as it is when that has just happened.
pub(super) fn record_of(series: &Series, opened: Period) -> IncidentRecord {
    IncidentRecord::opened(
        Incident::new(series.clone(), opened - 2, opened),
        "OTPS fell to 67 %".to_owned(),
        evidence(),
        opened.end(),
    )
}

/// A source with all there can be in one.
pub(super) fn source(name: &str) -> SourceState {
    let trouble = Trouble {
        act: SourceAct::Read,
        failure: Failure::Denied,
        since: time(1),
        this_way_since: time(2),
        last: time(3),
    };
    SourceState {
        source: name.to_owned(),
        regions: vec![
            RegionState {
                region: "eu-west-1".to_owned(),
                last_good: Some(time(-300)),
                good_polls: 0,
                trouble: Some(trouble),
            },
            RegionState { region: "us-east-1".to_owned(), last_good: None, good_polls: 2, trouble: None },
        ],
        tickets: vec![
            OpenSourceTicket {
                key: key("b"),
                act: SourceAct::Read,
                failure: Failure::Denied,
                since: time(1),
                opened: time(601),
                regions: vec!["eu-west-1".to_owned(), "us-east-1".to_owned()],
            },
            OpenSourceTicket {
                key: key("a"),
                act: SourceAct::Discover,
                failure: Failure::ClockSkew,
                since: time(0),
                opened: time(602),
                regions: Vec::new(),
            },
        ],
        gaps: vec![
            OpenGap { key: key("d"), gap: Gap::ModelMissing("*nova-pro*".to_owned()), since: time(900) },
            OpenGap { key: key("c"), gap: Gap::SeriesLimit, since: time(901) },
        ],
        spending: Spending { month: 24_323, billed_metrics: 5_000_000_000, thrift: Thrift::Diagnosis },
    }
}
