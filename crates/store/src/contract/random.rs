//! Random values that meet often: few series, periods, keys, channels and ids.

use domain::{
    AlarmState, AuditRecord, Cause, Check, Commit, Estimator, Evidence, Failure, Filed, Finding, Gap, Group,
    Incident, IncidentRecord, Key, Matcher, Member, Message, Metric, MissingReason, NoticeKind, OpenGap,
    OpenSourceTicket, OpenTicket, Otps, Outcome, OwedState, PageState, Period, Reading, RegionState, Row,
    Series, SeriesState, Silence, Slot, SourceAct, SourceState, Span, Spending, Statistic, Subject, Terms,
    Thrift, TicketAction, Tier, TierShares, Trouble, Verdict,
};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples;

const KEYS: [&str; 3] = ["otpsd-a", "otpsd-b", "'; --"];

pub(super) fn all_series() -> Vec<Series> {
    let mut all = samples::series().to_vec();
    all.push(Series::new("0", "🐌\0", "it's \"m\"\n"));
    all
}

fn series() -> impl Strategy<Value = Series> {
    select(all_series())
}

pub(super) fn period() -> impl Strategy<Value = Period> {
    prop_oneof![
        20 => (0_i64..6).prop_map(samples::period),
        1 => any::<i64>().prop_map(Period::from_index),
        1 => select(vec![i64::MIN, -1, 0, i64::MAX]).prop_map(Period::from_index),
    ]
}

pub(super) fn time() -> impl Strategy<Value = Timestamp> {
    (0_i64..4, select(vec![0, 1, 500_000_000, 999_999_999]))
        .prop_map(|(seconds, nanos)| samples::time(seconds) + jiff::SignedDuration::from_nanos(nanos))
}

/// Any figure, whole ones often. A ledger may take -0.0 for 0.0, which equals it.
fn figure() -> impl Strategy<Value = f64> {
    let any = prop_oneof![proptest::num::f64::ANY, (0_u32..1_000_000).prop_map(f64::from)];
    any.prop_map(|figure| if figure == 0.0 { 0.0 } else { figure })
}

fn reading() -> impl Strategy<Value = Reading> {
    let values = vec((select(Metric::ALL.to_vec()), select(Statistic::ALL.to_vec()), figure()), 0..8);
    let served = vec((select(Tier::ALL.to_vec()), figure()), 0..3);
    (values, served).prop_map(|(values, served)| {
        let mut reading = Reading::default();
        for (metric, statistic, figure) in values {
            reading.of_mut(metric).set(statistic, Some(figure));
        }
        for (tier, figure) in served {
            reading.set_served(tier, Some(figure));
        }
        reading
    })
}

fn row() -> BoxedStrategy<Row> {
    (series(), period(), reading())
        .prop_map(|(series, period, reading)| Row { series, period, reading })
        .boxed()
}

/// On the heap, as everything that is large and part of something larger: the strategies of all steps together must fit a stack.
fn terms() -> BoxedStrategy<Terms> {
    let tiers = proptest::array::uniform3(figure()).prop_map(|[reserved, priority, flex]| TierShares {
        reserved,
        priority,
        flex,
    });
    let partial = proptest::array::uniform7(option::of(figure()));
    (proptest::array::uniform5(figure()), partial, option::of(tiers))
        .prop_map(|(whole, partial, tiers)| {
            let [latency_ms, ttft_ms, output_tokens, streaming_share, samples] = whole;
            let [
                otps_p50,
                otps_token_weighted,
                input_tokens,
                cache_read_share,
                throttle_share,
                server_error_share,
                quota_tokens,
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
                quota_tokens,
                tiers,
                samples,
            }
        })
        .boxed()
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
fn source() -> BoxedStrategy<SourceState> {
    let region = (option::of(time()), any::<u8>(), option::of(trouble()));
    let regions = proptest::collection::btree_map(any::<String>(), region, 0..3);
    let spending = (0..40_000, 0..u64::from(u32::MAX), select(Thrift::ALL.to_vec()))
        .prop_map(|(month, billed_metrics, thrift)| Spending { month, billed_metrics, thrift });
    (select(vec!["main", "prod-b"]), regions, vec(source_ticket(), 0..3), vec(gap(), 0..3), spending)
        .prop_map(|(source, regions, tickets, gaps, spending)| SourceState {
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
            gaps,
            spending,
        })
        .boxed()
}

fn gap() -> impl Strategy<Value = OpenGap> {
    let kind = prop_oneof![
        any::<String>().prop_map(Gap::ModelMissing),
        select(vec![Gap::SeriesLimit, Gap::CostLimit])
    ];
    (key(), kind, time()).prop_map(|(key, gap, since)| OpenGap { key, gap, since })
}

fn record() -> impl Strategy<Value = IncidentRecord> {
    (incident(), any::<String>(), option::of(evidence()), option::of(period()), time()).prop_map(
        |(incident, summary, evidence, resolved, at)| IncidentRecord {
            incident,
            summary,
            evidence,
            resolved,
            at,
        },
    )
}

fn slot() -> impl Strategy<Value = Slot> {
    let missing = MissingReason::ALL.map(Verdict::Missing);
    let verdicts: Vec<_> = [Verdict::Breaching, Verdict::Within].into_iter().chain(missing).collect();
    let otps = (option::of(figure()), option::of(figure()))
        .prop_map(|(p50, token_weighted)| Otps { p50, token_weighted });
    let kind = (select(verdicts), select(vec![Estimator::P50, Estimator::TokenWeighted]));
    let figures = (option::of(figure()), option::of(figure()), figure());
    (period(), kind, option::of(otps), figures, any::<u8>()).prop_map(
        |(period, (verdict, estimator), otps, (baseline, noise, samples), window)| Slot {
            period,
            verdict,
            estimator,
            otps,
            baseline,
            noise,
            samples,
            window,
        },
    )
}

fn finding() -> impl Strategy<Value = Finding> {
    let subjects = vec![
        Subject::PromptLength,
        Subject::ResponseLength,
        Subject::StreamingShare,
        Subject::CacheReads,
        Subject::Throttles,
        Subject::ServerErrors,
        Subject::QuotaUsage,
        Subject::ServiceTier,
        Subject::ReservedTier,
        Subject::FlexTier,
    ];
    let checks = vec![Check::RuledOut, Check::Moved, Check::NotChecked];
    (select(subjects), select(checks), option::of(figure()), option::of(figure()))
        .prop_map(|(subject, check, usual, now)| Finding { subject, check, usual, now })
}

pub(crate) fn evidence() -> BoxedStrategy<Evidence> {
    let m_of_n = (any::<u8>(), any::<u8>());
    let figures = (terms(), terms(), vec(slot(), 0..4), option::of(figure()), m_of_n, vec(finding(), 0..4));
    (figures, option::of(any::<String>()))
        .prop_map(|((now, usual, slots, line, m_of_n, findings), learned_from)| Evidence {
            now,
            usual,
            slots,
            line,
            m_of_n,
            findings,
            learned_from,
        })
        .boxed()
}

fn member() -> impl Strategy<Value = Member> {
    (incident(), time(), option::of(period()), option::of(period())).prop_map(
        |(incident, joined, recovered, resolved)| Member {
            incident: incident.key,
            series: incident.series,
            onset: incident.onset,
            opened: incident.opened,
            joined,
            worst: incident.worst,
            recovered,
            resolved,
        },
    )
}

fn page() -> impl Strategy<Value = PageState> {
    let texts = (any::<String>(), any::<String>(), any::<String>());
    let times = (period(), time(), option::of(time()));
    (key(), channel(), texts, times, vec(member(), 0..4), any::<bool>()).prop_map(
        |(key, channel, (receiver, group, summary), (opened, told, closed), members, held_told)| PageState {
            key,
            channel,
            receiver,
            group: Group::from_text(group),
            opened,
            told,
            summary,
            members,
            held_told,
            closed,
        },
    )
}

fn filed() -> impl Strategy<Value = Filed> {
    (key(), vec(channel(), 0..3)).prop_map(|(key, channels)| Filed { key, channels })
}

fn silence() -> impl Strategy<Value = Silence> {
    let names = || vec(any::<String>(), 0..2);
    let labels = proptest::collection::btree_map(any::<String>(), any::<String>(), 0..2);
    let matcher = (names(), names(), names(), names(), labels).prop_map(
        |(models, accounts, regions, causes, labels)| Matcher { models, accounts, regions, causes, labels },
    );
    let id = select(vec!["0a2a01bc", "5f2a01bc"]);
    (id, matcher, any::<String>(), any::<String>(), time(), time()).prop_map(
        |(id, matcher, author, comment, from, until)| Silence {
            id: id.to_owned(),
            matcher,
            author,
            comment,
            from,
            until,
        },
    )
}

fn audit() -> impl Strategy<Value = AuditRecord> {
    (time(), any::<String>(), any::<String>()).prop_map(|(at, who, detail)| AuditRecord {
        at,
        who,
        act: "accept".to_owned(),
        subject: String::new(),
        detail,
    })
}

fn channel() -> impl Strategy<Value = String> {
    select(vec!["sns.ops", "log.all"]).prop_map(str::to_owned)
}

pub(super) fn id() -> impl Strategy<Value = String> {
    (0..8).prop_map(|number| format!("m{number}"))
}

/// Pages and resolves of few keys often, so that they meet.
fn message() -> impl Strategy<Value = Message> {
    let kinds = vec![NoticeKind::Page, NoticeKind::Resolve, NoticeKind::Ticket(TicketAction::Opened)];
    let attributes = vec((any::<String>(), any::<String>()), 0..3);
    let texts = (any::<String>(), any::<String>(), attributes);
    let key = prop_oneof![3 => Just(Key::from_text(KEYS[0])), 1 => key()];
    let standby_for = prop_oneof![2 => Just(None), 1 => id().prop_map(Some)];
    (id(), channel(), select(kinds), key, texts, time(), standby_for).prop_map(
        |(id, channel, kind, key, (summary, body, attributes), created, standby_for)| Message {
            id,
            channel,
            kind,
            key,
            summary,
            body,
            attributes,
            created,
            standby_for,
        },
    )
}

pub(super) fn outcome() -> impl Strategy<Value = Outcome> {
    let state = prop_oneof![
        4 => time().prop_map(OwedState::Due),
        4 => time().prop_map(OwedState::Delivered),
        4 => time().prop_map(OwedState::Refused),
        1 => time().prop_map(OwedState::Withdrawn),
        1 => Just(OwedState::Standby),
    ];
    (id(), state, option::of(any::<String>()), option::of(any::<String>()))
        .prop_map(|(id, state, error, reference)| Outcome { id, state, error, reference })
}

pub(super) fn commit() -> impl Strategy<Value = Commit> {
    let watched =
        (vec(row(), 0..6), vec(state(), 0..3), vec((series(), period()), 0..3), vec(source(), 0..2));
    let outbox = vec((message(), any::<bool>()), 0..5);
    let told = (vec(record(), 0..3), vec(page(), 0..3), vec(filed(), 0..2), outbox);
    let said = (vec(silence(), 0..2), vec(audit(), 0..3));
    (watched, told, said).prop_map(
        |((rows, states, diagnosed, sources), (incidents, pages, filed, outbox), (silences, audit))| Commit {
            rows,
            states,
            incidents,
            begun: begun(&outbox),
            outbox: outbox.into_iter().map(|(message, _)| message).collect(),
            diagnosed,
            sources,
            pages,
            filed,
            silences,
            audit,
        },
    )
}

/// What stands by is handed to nobody.
fn begun(outbox: &[(Message, bool)]) -> Vec<String> {
    let begun = outbox.iter().filter(|(message, begun)| *begun && message.standby_for.is_none());
    begun.map(|(message, _)| message.id.clone()).collect()
}
