//! Random steps, after each of which a ledger and the model must agree.

use std::fmt::Debug;

use domain::{
    AlarmState, Cause, Commit, Failure, Incident, IncidentRecord, Key, Ledger, Message, Metric, NoticeKind,
    OpenSourceTicket, OpenTicket, Outcome, OwedState, Period, Reading, RegionState, Row, Series, SeriesState,
    SourceAct, SourceState, Span, Statistic, Terms, TicketAction, Trouble,
};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::model::Model;
use super::samples;

/// One thing that is done to a ledger.
#[derive(Debug, Clone)]
pub enum Step {
    /// It takes a commit.
    Commit(Commit),
    /// It takes what came of deliveries.
    Record(Vec<Outcome>),
    /// It forgets readings before the period.
    Forget(Period),
    /// It is closed and opened again.
    Reopen,
}

/// Up to twelve steps that meet often: few series, periods, keys, channels and ids.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => commit().prop_map(Step::Commit),
        3 => vec(outcome(), 1..4).prop_map(Step::Record),
        1 => period().prop_map(Step::Forget),
        1 => Just(Step::Reopen),
    ];
    vec(step, 1..12)
}

/// Takes the steps with an empty ledger and the model, and compares all they say after each. `open` opens the ledger
/// for the first time and, after it has been dropped, again.
///
/// # Panics
///
/// When they differ.
pub async fn follow<L: Ledger>(steps: Vec<Step>, mut open: impl FnMut() -> L) {
    let mut model = Model::default();
    let mut ledger = open();
    for step in steps {
        match step {
            Step::Commit(commit) => {
                ledger.commit(commit.clone()).await.unwrap();
                model.commit(commit);
            }
            Step::Record(outcomes) => {
                ledger.record(outcomes.clone()).await.unwrap();
                model.record(outcomes);
            }
            Step::Forget(horizon) => {
                ledger.forget_readings(horizon).await.unwrap();
                model.forget_readings(horizon);
            }
            Step::Reopen => {
                drop(ledger);
                ledger = open();
            }
        }
        agree(&ledger, &model).await;
    }
}

async fn agree(ledger: &dyn Ledger, model: &Model) {
    same(&ledger.load().await.unwrap(), &model.load());
    for series in all_series() {
        for from in [i64::MIN, samples::period(2).index()].map(Period::from_index) {
            same(&ledger.history(&series, from).await.unwrap(), &model.history(&series, from));
        }
    }
    for seconds in [-1, 0, 1, 2, 3, 1_000] {
        let now = samples::time(seconds);
        for limit in [0, 1, 3, 1_000] {
            assert_eq!(ledger.due(now, limit).await.unwrap(), model.due(now, limit), "{limit} due at {now}");
        }
    }
    assert_eq!(ledger.next_due().await.unwrap(), model.next_due());
    for key in KEYS.map(Key::from_text) {
        assert_eq!(ledger.recipients(&key).await.unwrap(), model.recipients(&key), "recipients of {key}");
    }
    for limit in [0, 2, 1_000] {
        assert_eq!(ledger.messages(limit).await.unwrap(), model.messages(limit));
    }
    let mut records = ledger.incidents(1_000).await.unwrap();
    assert!(records.is_sorted_by_key(|record| std::cmp::Reverse(record.incident.opened)));
    records.sort_by(|a, b| (b.incident.opened, &a.incident.key).cmp(&(a.incident.opened, &b.incident.key)));
    same(&records, &model.incidents());
}

/// By text, since what is no number equals nothing.
fn same(ledger: &impl Debug, model: &impl Debug) {
    assert_eq!(format!("{ledger:#?}"), format!("{model:#?}"));
}

const KEYS: [&str; 3] = ["otpsd-a", "otpsd-b", "'; --"];

fn all_series() -> Vec<Series> {
    let mut all = samples::series().to_vec();
    all.push(Series::new("0", "🐌\0", "it's \"m\"\n"));
    all
}

fn series() -> impl Strategy<Value = Series> {
    select(all_series())
}

fn period() -> impl Strategy<Value = Period> {
    prop_oneof![
        20 => (0_i64..6).prop_map(samples::period),
        1 => any::<i64>().prop_map(Period::from_index),
        1 => select(vec![i64::MIN, -1, 0, i64::MAX]).prop_map(Period::from_index),
    ]
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0_i64..4, select(vec![0, 1, 500_000_000, 999_999_999]))
        .prop_map(|(seconds, nanos)| samples::time(seconds) + jiff::SignedDuration::from_nanos(nanos))
}

/// Any figure, whole ones often. A ledger may take -0.0 for 0.0, which equals it.
fn figure() -> impl Strategy<Value = f64> {
    let any = prop_oneof![proptest::num::f64::ANY, (0_u32..1_000_000).prop_map(f64::from)];
    any.prop_map(|figure| if figure == 0.0 { 0.0 } else { figure })
}

fn reading() -> impl Strategy<Value = Reading> {
    vec((select(Metric::ALL.to_vec()), select(Statistic::ALL.to_vec()), figure()), 0..8).prop_map(|values| {
        let mut reading = Reading::default();
        for (metric, statistic, figure) in values {
            reading.of_mut(metric).set(statistic, Some(figure));
        }
        reading
    })
}

fn row() -> impl Strategy<Value = Row> {
    (series(), period(), reading()).prop_map(|(series, period, reading)| Row { series, period, reading })
}

fn terms() -> impl Strategy<Value = Terms> {
    (proptest::array::uniform5(figure()), proptest::array::uniform6(option::of(figure()))).prop_map(
        |(whole, partial)| {
            let [latency_ms, ttft_ms, output_tokens, streaming_share, samples] = whole;
            let [
                otps_p50,
                otps_token_weighted,
                input_tokens,
                cache_read_share,
                throttle_share,
                server_error_share,
            ] = partial;
            Terms {
                otps_p50,
                otps_token_weighted,
                latency_ms,
                ttft_ms,
                output_tokens,
                input_tokens,
                cache_read_share,
                streaming_share,
                throttle_share,
                server_error_share,
                samples,
            }
        },
    )
}

fn ticket() -> impl Strategy<Value = OpenTicket> {
    (select(Cause::ALL.to_vec()), period(), key(), terms(), any::<i64>())
        .prop_map(|(cause, opened, key, usual, told_day)| OpenTicket { cause, opened, key, usual, told_day })
}

fn key() -> impl Strategy<Value = Key> {
    select(KEYS.to_vec()).prop_map(Key::from_text)
}

fn incident() -> impl Strategy<Value = Incident> {
    (series(), period(), period(), key(), option::of(figure()))
        .prop_map(|(series, onset, opened, key, worst)| Incident { series, onset, opened, key, worst })
}

fn state() -> impl Strategy<Value = SeriesState> {
    let span = (period(), period()).prop_map(|(from, until)| Span { from, until });
    let parts = (
        series(),
        select(AlarmState::ALL.to_vec()),
        (period(), period()),
        option::of(incident()),
        vec(ticket(), 0..3),
        vec(span, 0..3),
    );
    parts.prop_map(|(series, state, (since, judged_through), incident, tickets, untrained)| {
        // The incident of a state is one of its own series.
        let incident = incident.map(|incident| Incident { series: series.clone(), ..incident });
        SeriesState { series, state, since, judged_through, incident, tickets, untrained }
    })
}

fn act() -> impl Strategy<Value = SourceAct> {
    select(SourceAct::ALL.to_vec())
}

fn failure() -> impl Strategy<Value = Failure> {
    select(Failure::ALL.to_vec())
}

fn trouble() -> impl Strategy<Value = Trouble> {
    (act(), failure(), time(), time(), time()).prop_map(|(act, failure, since, this_way_since, last)| {
        Trouble { act, failure, since, this_way_since, last }
    })
}

fn source_ticket() -> impl Strategy<Value = OpenSourceTicket> {
    (key(), act(), failure(), time(), time(), vec(any::<String>(), 0..3)).prop_map(
        |(key, act, failure, since, opened, regions)| OpenSourceTicket {
            key,
            act,
            failure,
            since,
            opened,
            regions,
        },
    )
}

/// Regions are told apart and sorted by name.
fn source() -> impl Strategy<Value = SourceState> {
    let region = (option::of(time()), any::<u8>(), option::of(trouble()));
    let regions = proptest::collection::btree_map(any::<String>(), region, 0..3);
    (select(vec!["main", "prod-b"]), regions, vec(source_ticket(), 0..3)).prop_map(
        |(source, regions, tickets)| SourceState {
            source: source.to_owned(),
            regions: regions
                .into_iter()
                .map(|(region, (last_good, good_polls, trouble))| RegionState {
                    region,
                    last_good,
                    good_polls,
                    trouble,
                })
                .collect(),
            tickets,
        },
    )
}

fn record() -> impl Strategy<Value = IncidentRecord> {
    (incident(), any::<String>(), option::of(period()), time())
        .prop_map(|(incident, summary, resolved, at)| IncidentRecord { incident, summary, resolved, at })
}

fn id() -> impl Strategy<Value = String> {
    (0..8).prop_map(|number| format!("m{number}"))
}

fn message() -> impl Strategy<Value = Message> {
    let kinds = vec![NoticeKind::Page, NoticeKind::Resolve, NoticeKind::Ticket(TicketAction::Opened)];
    let attributes = vec((any::<String>(), any::<String>()), 0..3);
    let texts = (any::<String>(), any::<String>(), attributes);
    (id(), select(vec!["sns.ops", "log.all"]), select(kinds), key(), texts, time()).prop_map(
        |(id, channel, kind, key, (summary, body, attributes), created)| Message {
            id,
            channel: channel.to_owned(),
            kind,
            key,
            summary,
            body,
            attributes,
            created,
        },
    )
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let states = [OwedState::Due, OwedState::Delivered, OwedState::Refused];
    (id(), select(states.to_vec()), time(), option::of(any::<String>()))
        .prop_map(|(id, state, at, error)| Outcome { id, state: state(at), error })
}

fn commit() -> impl Strategy<Value = Commit> {
    (
        vec(row(), 0..6),
        vec(state(), 0..3),
        vec(record(), 0..3),
        vec(message(), 0..4),
        vec((series(), period()), 0..3),
        vec(source(), 0..2),
    )
        .prop_map(|(rows, states, incidents, outbox, diagnosed, sources)| Commit {
            rows,
            states,
            incidents,
            outbox,
            diagnosed,
            sources,
        })
}
