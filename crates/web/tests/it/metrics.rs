//! `/metrics`.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::http::Method;
use domain::{Failure, NoticeKind, ReadAnswer, Series, SourceError};
use jiff::SignedDuration;
use web::snapshot::{ReadingHistory, SourceFailure};
use web::{DeliveryOutcome, PollOutcome, Web};

use crate::call::{call, get, get_later, web};
use crate::openmetrics::{Family, parse};
use crate::sample;

async fn scrape(web: Web) -> BTreeMap<String, Family> {
    parse(&call(web, Method::GET, "/metrics").await.body)
}

/// The value of the sample that has these labels among its own.
fn value(families: &BTreeMap<String, Family>, family: &str, labels: &[(&str, &str)]) -> Option<f64> {
    let has = |own: &BTreeMap<String, String>| labels.iter().all(|(name, value)| own[*name] == **value);
    families[family].samples.iter().find(|(_, own, _)| has(own)).map(|(_, _, value)| *value)
}

/// Something has been counted everywhere.
fn busy() -> Web {
    let web = web(sample::trouble(), sample::now());
    let metrics = &web.metrics;
    metrics.poll_finished("main", "us-east-1", PollOutcome::Complete, Duration::from_millis(300));
    metrics.poll_finished("main", "us-east-1", PollOutcome::Complete, Duration::from_millis(700));
    metrics.poll_finished("main", "us-east-1", PollOutcome::Incomplete, Duration::from_millis(700));
    metrics.poll_finished(
        "partner",
        "us-west-2",
        PollOutcome::Failed(Failure::Denied),
        Duration::from_millis(90),
    );
    metrics.metrics_requested("main", "us-east-1", 240);
    metrics.calls("main", "us-east-1", 3);
    metrics.calls("main", "us-east-1", 4);
    metrics.quota("111122223333", "us-east-1", 0.25, 2, Duration::from_millis(500));
    metrics.quota("111122223333", "us-east-1", 0.5, 1, Duration::from_millis(250));
    metrics.delivered("sns.ops", NoticeKind::Page, DeliveryOutcome::Delivered);
    metrics.delivered("pagerduty.oncall", NoticeKind::Page, DeliveryOutcome::Failed);
    metrics.delivered("pagerduty.oncall", NoticeKind::Page, DeliveryOutcome::Refused);
    metrics.step_seconds(Duration::from_millis(4));
    metrics.committed(true, Duration::from_millis(2));
    metrics.committed(false, Duration::from_secs(7));
    web
}

#[tokio::test]
async fn what_the_loops_report_is_counted() {
    let families = scrape(busy()).await;
    let main = [("source", "main"), ("region", "us-east-1")];
    let poll = |outcome| value(&families, "otpsd_polls", &[main[0], main[1], ("outcome", outcome)]);
    assert_eq!((poll("complete"), poll("incomplete")), (Some(2.0), Some(1.0)));
    assert_eq!(value(&families, "otpsd_polls", &[("source", "partner"), ("outcome", "denied")]), Some(1.0));
    assert_eq!(value(&families, "otpsd_metrics_requested", &main), Some(240.0));
    assert_eq!(value(&families, "otpsd_source_calls", &main), Some(7.0));
    let quota = |name| value(&families, name, &[("account", "111122223333"), ("region", "us-east-1")]);
    assert_eq!(quota("otpsd_quota_share"), Some(0.5), "the newest");
    assert_eq!(quota("otpsd_throttled_attempts"), Some(3.0));
    assert_eq!(quota("otpsd_quota_wait_seconds"), Some(0.75));
    let delivered = |channel, outcome| {
        value(&families, "otpsd_deliveries", &[("channel", channel), ("kind", "page"), ("outcome", outcome)])
    };
    assert_eq!(delivered("sns.ops", "delivered"), Some(1.0));
    assert_eq!(delivered("pagerduty.oncall", "failed"), Some(1.0));
    assert_eq!(delivered("pagerduty.oncall", "refused"), Some(1.0));
    assert_eq!(value(&families, "otpsd_commits", &[("outcome", "failed")]), Some(1.0));

    let histogram = |family: &str, suffix: &str| {
        let name = format!("{family}{suffix}");
        families[family].samples.iter().find(|(own, _, _)| *own == name).unwrap().2
    };
    assert_eq!(histogram("otpsd_step_duration_seconds", "_count"), 1.0);
    assert!((histogram("otpsd_commit_duration_seconds", "_sum") - 7.002).abs() < 1e-9);
}

#[test]
fn a_read_is_complete_incomplete_or_failed() {
    let answer = |incomplete| Ok(ReadAnswer { incomplete, ..ReadAnswer::default() });
    assert_eq!(PollOutcome::of(&answer(Vec::new())), PollOutcome::Complete);
    assert_eq!(PollOutcome::of(&answer(vec![Series::new("-", "r", "m")])), PollOutcome::Incomplete);
    let error = SourceError { failure: Failure::Timeout, action: None, message: String::new(), hint: None };
    assert_eq!(PollOutcome::of(&Err(error)), PollOutcome::Failed(Failure::Timeout));
}

#[tokio::test]
async fn states_are_those_of_the_newest_snapshot() {
    let families = scrape(busy()).await;
    let series = |state| value(&families, "otpsd_series", &[("state", state)]);
    assert_eq!(
        [series("ALARM"), series("OK"), series("INSUFFICIENT_DATA"), series("LEARNING")],
        [Some(2.0), Some(6.0), Some(1.0), Some(1.0)]
    );
    let single = |name| value(&families, name, &[]);
    assert_eq!(single("otpsd_series_not_seen"), Some(2.0));
    assert_eq!(single("otpsd_incidents_open"), Some(2.0));
    assert_eq!(single("otpsd_outbox_owed"), Some(1.0));
    assert_eq!(single("otpsd_ready"), Some(0.0), "a source has not been read for 47 minutes");
    assert_eq!(single("otpsd_store_writable"), Some(1.0));
    // 2026-10-15T18:22:10Z
    assert_eq!(single("otpsd_last_evaluation_timestamp_seconds"), Some(1_792_088_530.0));
    assert_eq!(value(&families, "otpsd_tickets_open", &[("cause", "prompt_growth")]), Some(1.0));
    assert_eq!(value(&families, "otpsd_tickets_open", &[("cause", "source_failing")]), Some(1.0));
    assert_eq!(value(&families, "otpsd_tickets_open", &[("cause", "queueing")]), Some(0.0));
    assert_eq!(value(&families, "otpsd_source_up", &[("source", "partner")]), Some(0.0));
    assert_eq!(value(&families, "otpsd_build", &[("version", "0.1.0")]), Some(1.0));
}

#[tokio::test]
async fn who_was_told_and_who_was_not() {
    let families = parse(&get(sample::delivery::night(), "/metrics").await.body);
    let single = |name| value(&families, name, &[]);
    assert_eq!(single("otpsd_pages_open"), Some(1.0), "to three channels");
    assert_eq!(single("otpsd_silences"), Some(1.0), "the other one is still to come");
    let untold = |reason| value(&families, "otpsd_incidents_untold", &[("reason", reason)]);
    assert_eq!(
        ["silence", "maintenance", "observe", "no_route"].map(untold),
        [Some(1.0), Some(1.0), Some(0.0), Some(0.0)]
    );
    // 2026-10-15T15:17:10Z
    assert_eq!(single("otpsd_store_rebuilt_timestamp_seconds"), Some(1_792_077_430.0));
    assert_eq!(single("otpsd_outbox_in_hand"), Some(0.0));
    assert_eq!(single("otpsd_oldest_unsent_page_seconds"), Some(0.0));
}

#[tokio::test]
async fn the_age_of_the_oldest_unsent_page_rises_between_snapshots() {
    let mut snapshot = sample::healthy(1);
    snapshot.outbox.oldest_page = Some(sample::now() - SignedDuration::from_secs(40));
    snapshot.outbox.in_hand = 2;
    for (minutes, age) in [(0, 40.0), (10, 640.0)] {
        let answer = get_later(snapshot.clone(), SignedDuration::from_mins(minutes), "/metrics").await;
        let families = parse(&answer.body);
        assert_eq!(value(&families, "otpsd_oldest_unsent_page_seconds", &[]), Some(age));
        assert_eq!(value(&families, "otpsd_outbox_in_hand", &[]), Some(2.0));
    }
    // A page of the future, by a clock that was set back, is new and not overdue.
    snapshot.outbox.oldest_page = Some(sample::now() + SignedDuration::from_mins(1));
    let families = parse(&get(snapshot, "/metrics").await.body);
    assert_eq!(value(&families, "otpsd_oldest_unsent_page_seconds", &[]), Some(0.0));
}

#[tokio::test]
async fn the_age_of_the_last_evaluation_rises_in_a_wedged_daemon() {
    for (minutes, age) in [(0, 20.0), (10, 620.0), (600, 36_020.0)] {
        let answer = get_later(sample::healthy(2), SignedDuration::from_mins(minutes), "/metrics").await;
        let families = parse(&answer.body);
        assert_eq!(value(&families, "otpsd_last_evaluation_age_seconds", &[]), Some(age));
        assert_eq!(value(&families, "otpsd_ready", &[]), Some(if minutes < 15 { 1.0 } else { 0.0 }));
    }
}

#[tokio::test]
async fn what_is_not_seen_has_no_figures() {
    let families = parse(&get(sample::trouble(), "/metrics").await.body);
    let ratio = |region| value(&families, "otpsd_otps_ratio", &[("region", region)]);
    assert!(ratio("us-east-1").is_some_and(|ratio| (0.5..0.7).contains(&ratio)));
    assert_eq!(ratio("us-west-2"), None);
    let models = |family: &str| families[family].samples.len();
    // Of ten series two are not seen and one has no requests; a third of the rest has no baseline.
    assert_eq!((models("otpsd_otps_p50_tokens_per_second"), models("otpsd_otps_ratio")), (7, 6));
    assert_eq!(models("otpsd_series_last_data_timestamp_seconds"), 10);
}

#[tokio::test]
async fn labels_are_escaped() {
    let mut snapshot = sample::empty();
    let model = "a\"b\\c\nd";
    snapshot.series = vec![sample::steady("us-east-1", model, 60.0)];
    let families = parse(&get(snapshot, "/metrics").await.body);
    assert_eq!(families["otpsd_otps_ratio"].samples[0].1["model"], model);
}

#[tokio::test]
async fn a_fleet_beyond_the_limit_is_cut_and_says_so() {
    let mut snapshot = sample::empty();
    let one = sample::steady("us-east-1", "m", 60.0);
    snapshot.series = (0..web::SERIES_LIMIT + 7)
        .map(|place| {
            let series = Series::new(sample::ACCOUNT, "us-east-1", &format!("m-{place:05}"));
            web::snapshot::SeriesStatus { series, history: Default::default(), ..one.clone() }
        })
        .collect();
    let families = parse(&get(snapshot, "/metrics").await.body);
    assert_eq!(families["otpsd_otps_ratio"].samples.len(), web::SERIES_LIMIT);
    assert_eq!(value(&families, "otpsd_series_omitted", &[]), Some(7.0));
    assert_eq!(value(&families, "otpsd_series", &[("state", "OK")]), Some(web::SERIES_LIMIT as f64 + 7.0));
}

#[tokio::test]
async fn the_reference_lists_every_metric_and_no_other() {
    let reference = include_str!("../../../../docs/reference/metrics.md");
    let rows: BTreeMap<&str, &str> = reference
        .lines()
        .filter_map(|line| Some((line.strip_prefix("| `")?.split_once('`')?.0, line)))
        .collect();
    let families = scrape(busy()).await;
    let served: BTreeMap<String, &Family> = families
        .iter()
        .map(|(name, family)| match family.kind.as_str() {
            "counter" => (format!("{name}_total"), family),
            "info" => (format!("{name}_info"), family),
            _ => (name.clone(), family),
        })
        .collect();
    assert_eq!(rows.keys().copied().collect::<Vec<_>>(), served.keys().collect::<Vec<_>>());
    for (name, family) in served {
        let row = rows[name.as_str()];
        assert!(row.contains(&format!("| {} |", family.kind)), "{row}");
        for label in
            family.samples.iter().flat_map(|(_, labels, _)| labels.keys()).filter(|label| *label != "le")
        {
            assert!(row.contains(&format!("`{label}`")), "the label {label} is not listed: {row}");
        }
    }
}

#[tokio::test]
async fn a_source_says_how_it_fails_how_late_it_is_and_how_far_its_history_is() {
    let mut snapshot = sample::empty();
    let mut late = sample::steady("us-east-1", "us.amazon.nova-pro-v1:0", 60.0);
    late.judged_through = late.judged_through - 3;
    snapshot.series = vec![sample::steady("us-east-1", "us.amazon.nova-lite-v1:0", 60.0), late];
    let failure =
        |failure| SourceFailure { failure, message: String::new(), hint: None, since: sample::now() };
    snapshot.sources[0].limited = Some(failure(Failure::Partial));
    snapshot.sources[0].history = Some(ReadingHistory { read: 312, of: 1_000 });
    let families = scrape(web(snapshot, sample::now())).await;
    let main = [("source", "main"), ("region", "us-east-1")];
    let of_main = |name| value(&families, name, &main);
    assert_eq!(value(&families, "otpsd_source_failure", &[main[0], main[1], ("kind", "partial")]), Some(1.0));
    assert_eq!(of_main("otpsd_history_series_read"), Some(312.0));
    assert_eq!(of_main("otpsd_history_series_wanted"), Some(1_000.0));
    // It is judged through 18:05. The next period ended at 18:10 and had settled at 18:12, ten and a half minutes ago.
    assert_eq!(of_main("otpsd_source_lag_seconds"), Some(630.0));
}

#[tokio::test]
async fn the_whole_text() {
    let mut snapshot = sample::empty();
    snapshot.series = vec![sample::steady("us-east-1", "us.amazon.nova-pro-v1:0", 60.0)];
    insta::assert_snapshot!(get(snapshot, "/metrics").await.body);
}
