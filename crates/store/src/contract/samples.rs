//! What the cases are made of.

use domain::{
    AlarmState, Cause, Commit, Failure, Incident, IncidentRecord, Key, Message, NoticeKind, OpenSourceTicket,
    OpenTicket, Outcome, OwedState, Period, RegionState, Row, Series, SeriesState, SourceAct, SourceState,
    Span, Terms, Trouble,
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
    }
}

pub(super) fn outcome(id: &str, state: OwedState, error: Option<&str>) -> Outcome {
    Outcome { id: id.to_owned(), state, error: error.map(str::to_owned) }
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
pub(super) fn record(series: &Series, opened: Period) -> IncidentRecord {
    IncidentRecord::opened(
        Incident::new(series.clone(), opened - 2, opened),
        "OTPS fell to 67 %".to_owned(),
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
    }
}
