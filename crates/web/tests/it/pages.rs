//! The pages, as a reader sees them.

use std::sync::Arc;

use domain::{MissingReason, Mode, Verdict};
use jiff::SignedDuration;
use web::Snapshot;
use web::snapshot::StoreFailure;

use crate::call::{get, get_later};
use crate::sample;

/// The words of a page without its charts, a line a block.
pub(crate) fn words(html: &str) -> String {
    let (_, mut rest) = html.split_once("<body>").unwrap();
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(&before.replace('\n', " "));
        let (tag, after) = after.split_once('>').unwrap();
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        rest = match tag.split(' ').next().unwrap() {
            "svg" if tag.contains("chart") => {
                let (label, _) = tag.split_once("aria-label=\"").unwrap().1.split_once('"').unwrap();
                text.push_str(&format!("[chart: {label}]"));
                // The plot is an element of its own inside.
                after.split_once("</svg>").unwrap().1.split_once("</svg>").unwrap().1
            }
            "script" => after.split_once("</script>").unwrap().1,
            _ => after,
        };
        match name {
            "tr" | "p" | "h1" | "h2" | "li" | "section" | "figure" | "summary" | "figcaption" => {
                text.push('\n');
            }
            "td" | "th" | "div" | "dt" => text.push_str("  "),
            "br" | "span" | "dd" | "small" => text.push(' '),
            _ => {}
        }
    }
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    text.replace("&#39;", "'").replace("&#34;", "\"").replace("&#62;", ">")
}

/// The part of a page from one heading to the next.
fn section<'a>(html: &'a str, heading: &str) -> &'a str {
    let start =
        html.find(&format!(">{heading} <span class=\"count\"")).unwrap_or_else(|| panic!("{heading}"));
    html[start..].split("<h2").next().unwrap()
}

fn headline(html: &str) -> &str {
    html.split_once("<h1").unwrap().1.split_once('>').unwrap().1.split_once('<').unwrap().0
}

#[tokio::test]
async fn a_bad_evening() {
    insta::assert_snapshot!(words(&get(sample::trouble(), "/").await.body));
}

#[tokio::test]
async fn one_series_on_its_own_page() {
    let path = "/series/111122223333/us-east-1/us.amazon.nova-pro-v1:0";
    insta::assert_snapshot!(words(&get(sample::trouble(), path).await.body));
}

/// The markup of one row, for the eyes of whoever changes the templates.
#[tokio::test]
async fn the_markup_of_a_row() {
    let html = get(sample::healthy(1), "/").await.body;
    let row = html.split_once("<tbody").unwrap().1.split_once("<details").unwrap().0;
    insta::assert_snapshot!(format!("<tbody{row}"));
}

#[tokio::test]
async fn trouble_comes_first() {
    let html = get(sample::trouble(), "/").await.body;
    let order = ["Needs attention", "In ALARM", "Not seen", "INSUFFICIENT_DATA", "LEARNING", "OK"];
    let places = order.map(|heading| {
        let marker =
            if heading == "Needs attention" { format!(">{heading}<") } else { format!(">{heading} <span") };
        html.find(&marker).unwrap_or_else(|| panic!("{heading}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    assert!(html.contains("<title>(2) ALARM · otpsd</title>"));
}

#[tokio::test]
async fn a_source_that_fails_makes_its_series_unknown_at_once() {
    let html = get(sample::trouble(), "/").await.body;
    let unseen = section(&html, "Not seen");
    assert_eq!(unseen.matches("us-west-2 · 111122223333").count(), 2);
    assert!(unseen.contains("since 17:35Z"), "the last good poll");
    assert!(!section(&html, "OK").contains("us-west-2"));
}

#[tokio::test]
async fn an_incident_that_is_not_seen_any_more_is_still_open() {
    let mut snapshot = sample::trouble();
    snapshot.sources[0] = snapshot.sources[2].clone();
    (snapshot.sources[0].name, snapshot.sources[0].region) = ("main".to_owned(), "us-east-1".to_owned());
    let html = get(snapshot, "/").await.body;
    let alarms = section(&html, "In ALARM");
    assert!(alarms.contains("slow since 17:55Z, not seen since 17:35Z"), "{}", words(&html));
}

#[tokio::test]
async fn a_wedged_daemon_shows_nothing_as_healthy() {
    let html = get_later(sample::healthy(3), SignedDuration::from_mins(23), "/").await.body;
    assert_eq!(headline(&html), "Nothing has been judged for 23 min, since 18:22Z; the limit is 3 periods");
    assert!(section(&html, "Not seen").contains("since 18:20Z"));
    assert!(!html.contains("<h2 id=\"calm\""));
    assert!(
        html.contains("as of <time>2026-10-15 18:45:30Z</time>"),
        "the daemon's clock, not the snapshot's"
    );
}

#[tokio::test]
async fn a_source_that_nobody_reports_makes_its_series_unknown() {
    let mut snapshot = sample::healthy(1);
    snapshot.sources.clear();
    let html = get(snapshot, "/").await.body;
    assert_eq!(headline(&html), "No ALARM, but 1 of 1 series is not seen");
}

#[tokio::test]
async fn a_series_whose_answer_was_not_whole_is_not_seen() {
    let mut snapshot = sample::healthy(2);
    for slot in &mut snapshot.series[0].slots[3..] {
        slot.verdict = Verdict::Missing(MissingReason::NotSeen);
    }
    let html = get(snapshot, "/").await.body;
    // The third of the five periods, 18:05Z to 18:10Z, was the last that was answered.
    assert!(section(&html, "Not seen").contains("since 18:10Z"));
}

#[tokio::test]
async fn headlines() {
    let late = |mut snapshot: Snapshot| {
        snapshot.last_evaluation = None;
        snapshot
    };
    let observe = |mut snapshot: Snapshot| {
        snapshot.rule.mode = Mode::Observe;
        snapshot
    };
    let learning = |mut snapshot: Snapshot| {
        snapshot.series.retain(|status| status.learning.is_some());
        (snapshot.incidents, snapshot.sources) = (Vec::new(), sample::healthy(0).sources);
        snapshot
    };
    for (snapshot, expected) in [
        (sample::healthy(200), "No ALARM: all 200 series are judged, none is slow"),
        (sample::trouble(), "2 of 10 series are in ALARM"),
        (sample::healthy(0), "No series is watched"),
        (late(sample::healthy(2)), "Nothing has been judged yet"),
        (learning(sample::trouble()), "No series can be judged yet"),
    ] {
        assert_eq!(headline(&get(snapshot, "/").await.body), expected);
    }
    assert!(get(observe(sample::healthy(1)), "/").await.body.contains("observe mode: nothing is sent"));
}

#[tokio::test]
async fn a_store_that_cannot_be_written_needs_attention() {
    let mut snapshot = sample::healthy(1);
    snapshot.store_failure = Some(StoreFailure {
        since: sample::now() - SignedDuration::from_mins(3),
        message: "commit to /var/lib/otpsd/otpsd.db: disk is full".to_owned(),
        hint: Some("make room on the disk of state-dir".to_owned()),
    });
    let text = words(&get(snapshot, "/").await.body);
    assert!(text.contains("The store cannot be written since 18:19Z, 3 min ago"), "{text}");
    assert!(text.contains("hint: make room on the disk of state-dir"), "{text}");
}

#[tokio::test]
async fn refused_messages_need_attention() {
    let mut snapshot = sample::healthy(1);
    snapshot.outbox.refused = 2;
    assert!(words(&get(snapshot, "/").await.body).contains("2 messages refused for good"));
}

#[tokio::test]
async fn a_figure_that_does_not_decide_is_not_shown_as_if_it_did() {
    let html = get(sample::trouble(), "/").await.body;
    let alarms = section(&html, "In ALARM");
    let nova = alarms
        .split("<tbody role=\"rowgroup\">")
        .find(|row| row.contains(">us.amazon.nova-pro-v1:0<"))
        .unwrap();
    assert!(nova.contains("<span class=\"note\">weighted "), "{nova}");
    assert!(nova.contains("token-weighted, decides"), "the chart has its line");
}

#[tokio::test]
async fn every_p95_is_labelled_as_context() {
    let html = get(sample::healthy(1), "/").await.body;
    assert_eq!(html.matches("p95 (graph only, never pages)").count(), 3, "the table and two charts");
}

#[tokio::test]
async fn the_page_of_a_large_fleet_stays_small() {
    let html = get(sample::healthy(200), "/").await.body;
    assert_eq!(html.matches("scope=\"row\" class=\"c-series\"").count(), 200);
    assert_eq!(html.matches("<details").count(), 30);
    assert_eq!(html.matches("<a class=\"model\"").count(), 170);
    assert!(html.len() < 800_000, "{} bytes", html.len());
}

#[tokio::test]
async fn the_page_renews_itself_with_and_without_script() {
    let mut snapshot = sample::healthy(1);
    snapshot.refresh_seconds = 2;
    let html = get(snapshot.clone(), "/").await.body;
    assert!(html.contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"));
    assert!(html.contains("data-refresh=\"2\""));
    snapshot.refresh_seconds = 0;
    let html = get(snapshot, "/").await.body;
    assert!(!html.contains("http-equiv") && !html.contains("<script"));
}

#[tokio::test]
async fn no_number_that_is_none_reaches_a_page() {
    let mut snapshot = sample::healthy(1);
    let status = &mut snapshot.series[0];
    for slot in &mut status.slots {
        (slot.baseline, slot.noise, slot.samples) = (Some(0.0), Some(f64::NAN), f64::INFINITY);
    }
    for point in Arc::make_mut(&mut status.history) {
        (point.value, point.otps_p50, point.baseline) = (Some(f64::NAN), Some(f64::INFINITY), Some(f64::NAN));
        point.waits.ttft_p95_ms = Some(f64::NEG_INFINITY);
    }
    status.waits.latency_p95_ms = Some(f64::NAN);
    let text = get(snapshot, "/").await.body;
    let (_, body) = text.split_once("<body>").unwrap();
    for number in ["NaN", "inf", "Inf"] {
        assert!(!body.replace("inference", "").contains(number), "{number}");
    }
}
