//! The status page: who was told, who was not, and what was done.

use domain::{Key, OwedState, Series};
use jiff::SignedDuration;
use web::Snapshot;
use web::snapshot::{Untold, UntoldStatus};

use crate::call::{get, get_later};
use crate::pages::words;
use crate::sample;
use crate::sample::delivery::{night, page};

/// The part of the page whose heading has this id, in words.
async fn part(snapshot: Snapshot, id: &str) -> String {
    let html = get(snapshot, "/").await.body;
    part_of(&html, id)
}

fn part_of(html: &str, id: &str) -> String {
    let Some((_, rest)) = html.split_once(&format!("<section aria-labelledby=\"{id}\">")) else {
        return String::new();
    };
    words(&format!("<body>{}</section>", rest.split("</section>").next().unwrap()))
}

#[tokio::test]
async fn a_page_to_three_channels_is_one_line_that_says_how_far_each_is() {
    insta::assert_snapshot!(part(night(), "pages").await);
}

#[tokio::test]
async fn what_nobody_was_told_of_says_why_not() {
    insta::assert_snapshot!(part(night(), "untold").await);
    let html = get(night(), "/").await.body;
    assert!(html.contains("<a href=\"#silence-1f2e3d4c\">silence 1f2e3d4c</a>"));
    assert!(html.contains("<tr role=\"row\" id=\"silence-1f2e3d4c\">"));
    assert!(html.contains("slow since 17:35Z; nobody was told: silence 1f2e3d4c"), "beside its state");
    let own = get(night(), "/series/111122223333/us-east-1/us.example.batch-v1:0").await.body;
    assert!(own.contains("nobody was told: silence 1f2e3d4c"));
}

#[tokio::test]
async fn silences_and_windows_say_who_why_and_until() {
    insta::assert_snapshot!(part(night(), "mutes").await);
}

#[tokio::test]
async fn what_has_ended_mutes_nothing_any_more() {
    // The silence of the batch ends at 19:42Z, the window at 21:59Z.
    let shown =
        |html: &str| ["1f2e3d4c", "5a6b7c8d", "weekend"].map(|name| part_of(html, "mutes").contains(name));
    let after =
        |minutes| async move { get_later(night(), SignedDuration::from_mins(minutes), "/").await.body };
    assert_eq!(shown(&after(79).await), [true, true, true]);
    assert_eq!(shown(&after(80).await), [false, true, true]);
    assert_eq!(shown(&after(217).await), [false, true, false]);
}

#[tokio::test]
async fn messages_that_nobody_waits_for_are_calm() {
    insta::assert_snapshot!(part(night(), "messages").await);
    let html = get(night(), "/").await.body;
    for calm in ["stands by for pagerduty.oncall", "withdrawn 17:21Z, over by then"] {
        assert!(html.contains(&format!("<span class=\"state quiet\">{calm}</span>")), "{calm}");
    }
}

#[tokio::test]
async fn the_audit_log_is_at_the_end_and_short() {
    insta::assert_snapshot!(part(night(), "audit").await);
    let mut snapshot = night();
    let one = snapshot.audit[0].clone();
    snapshot.audit = vec![one; 50];
    let html = get(snapshot, "/").await.body;
    assert_eq!(part_of(&html, "audit").matches("untold").count(), 20);
    assert!(html.find("id=\"audit\"") > html.find("id=\"sources\""));
}

#[tokio::test]
async fn a_link_to_a_page_leads_to_its_first_line() {
    let mut snapshot = night();
    let key = snapshot.pages[0].key.clone();
    // A channel that was told of fewer of them.
    snapshot.pages[2].members.truncate(1);
    let html = get(snapshot, "/").await.body;
    assert_eq!(html.matches(&format!("<li id=\"page-{key}\">")).count(), 1);
    let own = get(night(), "/series/111122223333/us-east-1/us.amazon.nova-pro-v1:0").await.body;
    assert!(own.contains(&format!("told in the page of <a href=\"../../../#page-{key}\">us-east-1</a>")));
    assert_eq!(html.matches(&format!("key <code>{key}</code>")).count(), 2, "two lines");
}

#[tokio::test]
async fn a_page_that_is_closed_is_not_among_the_open_ones() {
    let mut snapshot = night();
    for page in &mut snapshot.pages {
        page.closed = Some(sample::now());
    }
    assert_eq!(part(snapshot, "pages").await, "");
}

#[tokio::test]
async fn a_page_that_only_what_is_not_seen_holds_open_says_so() {
    let held = "held open by what cannot be seen";
    assert!(!part(night(), "pages").await.contains(held));
    let mut snapshot = night();
    snapshot.sources[0] = snapshot.sources[2].clone();
    (snapshot.sources[0].name, snapshot.sources[0].region) = ("main".to_owned(), "us-east-1".to_owned());
    let text = part(snapshot, "pages").await;
    assert!(text.contains(held), "{text}");
    assert_eq!(text.matches("open, not seen").count(), 2, "{text}");
}

#[tokio::test]
async fn a_regional_slump_lists_what_fits_and_counts_the_rest() {
    let mut snapshot = night();
    let mut large = page("sns.ops", &snapshot.incidents[..1]);
    let one = large.members[0].clone();
    large.members = (0..75)
        .map(|place| {
            let series = Series::new(sample::ACCOUNT, "us-east-1", &format!("m-{place}"));
            domain::Member { incident: Key::of_incident(&series, one.opened), series, ..one.clone() }
        })
        .collect();
    snapshot.pages = (0..40)
        .map(|place| domain::PageState { key: Key::from_text(format!("otpsd-{place:016}")), ..large.clone() })
        .collect();
    let html = get(snapshot, "/").await.body;
    let text = part_of(&html, "pages");
    assert!(text.starts_with("Open pages 40 "), "{text}");
    assert!(text.ends_with("and 10 more, as JSON"), "{text}");
    assert_eq!(text.matches("75 of 75 open").count(), 30);
    assert_eq!(text.matches("and 15 more, as JSON").count(), 30);
    assert!(!html.contains("<details id=\"m-otpsd-0000000000000001-2\" open>"), "too long to stand open");
}

#[tokio::test]
async fn the_headline_says_when_nobody_was_told() {
    let headline = |snapshot: Snapshot| async move {
        let html = get(snapshot, "/").await.body;
        html.split_once("<h1 class=\"alarm\">").unwrap().1.split_once('<').unwrap().0.to_owned()
    };
    assert_eq!(headline(night()).await, "4 of 12 series are in ALARM, 2 of them told to nobody");
    let mut snapshot = sample::trouble();
    snapshot.pages.clear();
    snapshot.untold = snapshot.incidents[..2]
        .iter()
        .map(|record| UntoldStatus {
            series: record.incident.series.clone(),
            key: record.incident.key.clone(),
            why: Untold::NoRoute,
        })
        .collect();
    assert_eq!(headline(snapshot.clone()).await, "2 of 10 series are in ALARM, told to nobody");
    assert_eq!(part(snapshot.clone(), "untold").await.matches("no route takes it").count(), 2);
    assert!(get(snapshot, "/").await.body.contains("<span class=\"state unknown\">no route takes it</span>"));
}

#[tokio::test]
async fn a_store_that_was_begun_anew_is_loud_for_a_day() {
    insta::assert_snapshot!(part(night(), "attention").await);
    let shown = |hours| async move {
        let html = get_later(night(), SignedDuration::from_hours(hours), "/").await.body;
        html.contains("The store was damaged and begun anew")
    };
    assert!(shown(20).await);
    // It was begun anew three hours and five minutes before.
    assert!(!shown(21).await);
}

#[tokio::test]
async fn a_page_that_does_not_get_through_is_loud() {
    let text = part(sample::trouble(), "attention").await;
    assert!(
        text.starts_with("Needs attention\nA page does not get through since 18:12Z, 10 min ago\n"),
        "{text}"
    );
    let mut snapshot = sample::trouble();
    snapshot.outbox.in_hand = 1;
    let text = part(snapshot, "attention").await;
    assert!(text.contains("1 page in hand: not written down, sent from memory"), "{text}");
}

#[tokio::test]
async fn a_fallback_that_still_stands_by_stood_in_for_nobody() {
    let mut snapshot = night();
    for owed in &mut snapshot.messages {
        if owed.message.channel == "sns.fallback" {
            owed.state = OwedState::Standby;
        }
    }
    assert!(!part(snapshot, "pages").await.contains("and instead"));
}
