//! `/readyz` and `/healthz`.

use axum::http::StatusCode;
use domain::{Period, Series};
use jiff::SignedDuration;
use web::snapshot::{OutboxStatus, OverrideConflict, StoreFailure, StoreRebuilt};
use web::{Readiness, Snapshot};

use crate::call::{Answer, get, get_later};
use crate::sample;

fn reasons(snapshot: &Snapshot) -> Vec<String> {
    Readiness::of(snapshot, sample::now()).reasons
}

async fn ready_at(seconds: i64) -> Answer {
    let mut snapshot = sample::healthy(3);
    snapshot.last_evaluation = Some(sample::now());
    for source in &mut snapshot.sources {
        source.last_success = Some(sample::now());
    }
    get_later(snapshot, SignedDuration::from_secs(seconds), "/readyz").await
}

#[tokio::test]
async fn three_periods_without_an_evaluation_are_the_limit() {
    let fine = ready_at(900).await;
    assert_eq!((fine.status, fine.body.as_str()), (StatusCode::OK, "ready\n"));
    let wedged = ready_at(901).await;
    assert_eq!(wedged.status, StatusCode::SERVICE_UNAVAILABLE);
    insta::assert_snapshot!(wedged.body, @"
    not ready:
    - nothing has been judged for 15 min, since 18:22Z; the limit is 3 periods
    - source main in eu-central-1 has not been read for 15 min, since 18:22Z
    - source main in eu-west-1 has not been read for 15 min, since 18:22Z
    - source main in us-east-1 has not been read for 15 min, since 18:22Z
    - source main in us-west-2 has not been read for 15 min, since 18:22Z
    ");
}

#[tokio::test]
async fn it_is_not_ready_before_the_first_poll_of_every_source() {
    let starting = Snapshot::starting(sample::now(), "0.1.0", domain::Rule::default());
    let answer = get(starting.clone(), "/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.body, "not ready:\n- nothing has been judged yet\n");

    let mut snapshot = sample::empty();
    snapshot.sources.push(sample::source("partner", "us-west-2"));
    snapshot.sources[1].last_success = None;
    assert_eq!(reasons(&snapshot), ["source partner in us-west-2 has not been read yet"]);
}

#[test]
fn what_was_judged_in_the_future_is_not_judged_now() {
    let (mut snapshot, now) = (sample::healthy(3), Period::containing(sample::now()));
    let before = reasons(&snapshot);
    snapshot.series[0].judged_through = now + 12;
    let ahead = "1 series were judged up to a time that is still to come, ";
    assert!(reasons(&snapshot).iter().any(|reason| reason.starts_with(ahead)), "{:?}", reasons(&snapshot));
    snapshot.series[0].judged_through = now + 1;
    assert_eq!(reasons(&snapshot), before, "two clocks may differ by a little");
}

#[test]
fn one_failed_poll_is_not_yet_a_reason_and_a_failing_source_is() {
    let mut snapshot = sample::trouble();
    snapshot.outbox.oldest_page = None;
    assert_eq!(
        reasons(&snapshot),
        [
            "source partner in us-west-2 has not been read for 47 min, since 17:35Z: denied: GetMetricData in us-west-2: \
          AccessDenied: not authorized to perform cloudwatch:GetMetricData"
        ]
    );
    snapshot.sources[2].last_success = Some(sample::now() - SignedDuration::from_mins(6));
    assert!(Readiness::of(&snapshot, sample::now()).is_ready());
}

#[test]
fn a_store_that_cannot_be_written_is_a_reason_of_one_line() {
    let mut snapshot = sample::empty();
    snapshot.store_failure = Some(StoreFailure {
        since: sample::now() - SignedDuration::from_mins(3),
        message: "commit to /var/lib/otpsd/otpsd.db: disk is full\n- all is well".to_owned(),
        hint: None,
    });
    assert_eq!(
        reasons(&snapshot),
        [
            "the store cannot be written since 18:19Z: commit to /var/lib/otpsd/otpsd.db: disk is full - all is well"
        ]
    );
}

#[tokio::test]
async fn a_page_that_is_owed_for_more_than_five_minutes_is_a_reason() {
    for (seconds, ready) in [(0, true), (300, true), (301, false)] {
        let mut snapshot = sample::healthy(1);
        let owed = sample::now() - SignedDuration::from_secs(seconds);
        snapshot.outbox = OutboxStatus { owed: 1, oldest_page: Some(owed), ..OutboxStatus::default() };
        assert_eq!(Readiness::of(&snapshot, sample::now()).is_ready(), ready, "{seconds}");
        // A ticket can wait.
        snapshot.outbox = OutboxStatus { owed: 1, oldest_owed: Some(owed), ..OutboxStatus::default() };
        assert!(Readiness::of(&snapshot, sample::now()).is_ready(), "{seconds}");
    }
    let mut snapshot = sample::healthy(1);
    snapshot.outbox.oldest_page = Some(sample::now() - SignedDuration::from_mins(7));
    let answer = get(snapshot, "/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        answer.body,
        "not ready:\n- a page has been owed for 7 min, since 18:15Z; the limit is 5 min\n"
    );
}

#[tokio::test]
async fn a_store_that_was_begun_anew_is_a_notice_for_a_day_and_no_reason() {
    let mut snapshot = sample::healthy(1);
    snapshot.store_rebuilt = Some(StoreRebuilt {
        at: sample::now() - SignedDuration::from_mins(3),
        set_aside: "/var/lib/otpsd/otpsd.db.damaged".to_owned(),
        why: "not a database\n- all is well".to_owned(),
    });
    let answer = get(snapshot.clone(), "/readyz").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(
        answer.body,
        "ready\nnotice: the store was begun anew at 18:19Z, the old one lies at /var/lib/otpsd/otpsd.db.damaged: \
         not a database - all is well\n"
    );
    snapshot.last_evaluation = None;
    let answer = get(snapshot.clone(), "/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        answer
            .body
            .starts_with("not ready:\n- nothing has been judged yet\nnotice: the store was begun anew")
    );
    for (hours, shown) in [(23, true), (24, false)] {
        let later = sample::now() + SignedDuration::from_hours(hours);
        assert_eq!(Readiness::of(&snapshot, later).notices.len(), usize::from(shown), "{hours}");
    }
}

#[tokio::test]
async fn alive_is_whoever_answers() {
    let answer = get_later(sample::trouble(), SignedDuration::from_hours(9), "/healthz").await;
    assert_eq!(answer.status, StatusCode::OK);
    insta::assert_snapshot!(answer.body, @r#"{"status":"ok","version":"0.1.0","now":"2026-10-16T03:22:30Z","started":"2026-10-06T15:02:10Z","last_evaluation":"2026-10-15T18:22:10Z"}"#);
}

#[tokio::test]
async fn a_key_that_two_overrides_set_is_a_notice() {
    let mut snapshot = sample::healthy(1);
    let conflict = |series| {
        OverrideConflict {
        what: "`page-below` of `[override.a]` at otpsd.toml:3 holds, not `page-below` of `[override.b]` at b.toml:7".to_owned(),
        series,
        example: Series::new("111122223333", "us-east-1", "us.haiku"),
    }
    };
    snapshot.override_conflicts = vec![conflict(1), conflict(7)];
    let answer = get(snapshot.clone(), "/readyz").await;
    assert_eq!(answer.status, StatusCode::OK);
    insta::assert_snapshot!(answer.body, @"
    ready
    notice: two overrides set one key for 111122223333/us-east-1/us.haiku: `page-below` of `[override.a]` at otpsd.toml:3 holds, not `page-below` of `[override.b]` at b.toml:7
    notice: two overrides set one key for 7 series, such as 111122223333/us-east-1/us.haiku: `page-below` of `[override.a]` at otpsd.toml:3 holds, not `page-below` of `[override.b]` at b.toml:7
    ");
    assert!(get(snapshot.clone(), "/metrics").await.body.contains("\notpsd_override_conflicts 2"));
    let page = get(snapshot.clone(), "/").await.body;
    assert!(
        page.contains("Two overrides set one key for 7 series, such as 111122223333/us-east-1/us.haiku"),
        "{page}"
    );
    snapshot.override_conflicts = vec![conflict(1); 100];
    assert_eq!(Readiness::of(&snapshot, sample::now()).notices.len(), 10);
}

#[tokio::test]
async fn what_is_not_watched_as_it_should_be_is_a_notice_and_no_reason() {
    let mut snapshot = sample::healthy(3);
    snapshot.last_evaluation = Some(sample::now());
    for source in &mut snapshot.sources {
        source.last_success = Some(sample::now());
    }
    snapshot.gaps = sample::trouble().gaps;
    let answer = get(snapshot, "/readyz").await;
    assert_eq!(answer.status, StatusCode::OK);
    insta::assert_snapshot!(answer.body, @"
    ready
    notice: cost_limit since 16:47Z: main: what explains is not read every hour any more, to keep to $50 a month
    ");
}
