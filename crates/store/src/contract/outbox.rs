//! The outbox: what may be sent when, and what became of it.

use domain::{Ledger, Message, NoticeKind, Owed, OwedState, TicketAction};
use jiff::Timestamp;

use super::samples::{key, message, outcome, owed, time};

use NoticeKind::{Page, Resolve};
const TICKET: NoticeKind = NoticeKind::Ticket(TicketAction::Opened);

async fn due(ledger: &dyn Ledger, now: Timestamp) -> Vec<String> {
    ids(ledger.due(now, 100).await.unwrap())
}

fn ids(owed: Vec<Owed>) -> Vec<String> {
    owed.into_iter().map(|owed| owed.message.id).collect()
}

async fn record(ledger: &dyn Ledger, id: &str, state: OwedState) {
    ledger.record(vec![outcome(id, state, None)]).await.unwrap();
}

pub(super) async fn a_message_comes_back_with_every_field(ledger: &dyn Ledger) {
    let message = Message {
        summary: "OTPS 66,7 → \"slow\"\n\0 of 🐌".to_owned(),
        body: "{\"a\": \"\\u0000'; DROP TABLE outbox; --\"}".repeat(1_000),
        attributes: vec![
            ("state".into(), "ALARM".into()),
            ("a".into(), "\"\\".into()),
            ("a".into(), String::new()),
        ],
        created: time(0) + jiff::SignedDuration::from_nanos(1),
        ..message("m", "sns.ops", Page, "k", 0)
    };
    ledger.commit(owed(vec![message.clone()])).await.unwrap();
    let state = OwedState::Due(message.created);
    let whole = [Owed { message, attempts: 0, state, last_error: None }];
    assert_eq!(ledger.due(time(1), 1).await.unwrap(), whole);
    assert_eq!(ledger.messages(1).await.unwrap(), whole);
    assert_eq!(ledger.due(time(0), 1).await.unwrap(), [], "a nanosecond too early");
}

pub(super) async fn a_known_message_is_left_as_it_is(ledger: &dyn Ledger) {
    let first = message("m", "sns.ops", Page, "k", 0);
    ledger.commit(owed(vec![first.clone()])).await.unwrap();
    record(ledger, "m", OwedState::Delivered(time(3))).await;
    let again = Message { body: "other".to_owned(), ..first.clone() };
    ledger.commit(owed(vec![first.clone(), again])).await.unwrap();
    let delivered =
        Owed { message: first, attempts: 1, state: OwedState::Delivered(time(3)), last_error: None };
    assert_eq!(ledger.messages(10).await.unwrap(), [delivered]);
    assert_eq!(ledger.next_due().await.unwrap(), None);
}

pub(super) async fn messages_come_newest_first(ledger: &dyn Ledger) {
    let messages = ["a", "b", "c"].map(|id| message(id, "sns.ops", Page, id, 0));
    ledger.commit(owed(messages.to_vec())).await.unwrap();
    record(ledger, "b", OwedState::Refused(time(9))).await;
    assert_eq!(ids(ledger.messages(10).await.unwrap()), ["c", "b", "a"]);
    assert_eq!(ids(ledger.messages(2).await.unwrap()), ["c", "b"]);
    assert_eq!(ids(ledger.messages(0).await.unwrap()), [""; 0]);
}

/// A page and its resolve to two channels; another incident to one.
async fn incident(ledger: &dyn Ledger) {
    let pages = vec![message("p1", "sns.ops", Page, "k", 0), message("p2", "log.all", Page, "k", 0)];
    ledger.commit(owed(pages)).await.unwrap();
    let resolves = vec![
        message("r1", "sns.ops", Resolve, "k", 60),
        message("r2", "log.all", Resolve, "k", 60),
        message("q", "sns.ops", Page, "other", 70),
    ];
    ledger.commit(owed(resolves)).await.unwrap();
}

pub(super) async fn a_resolve_waits_for_its_page(ledger: &dyn Ledger) {
    incident(ledger).await;
    assert_eq!(due(ledger, time(-1)).await, [""; 0]);
    assert_eq!(due(ledger, time(100)).await, ["p1", "p2", "q"]);

    // Its page waits for the next attempt, and the resolve with it; nothing else does.
    record(ledger, "p1", OwedState::Due(time(200))).await;
    assert_eq!(due(ledger, time(100)).await, ["p2", "q"]);
    record(ledger, "p2", OwedState::Delivered(time(100))).await;
    assert_eq!(due(ledger, time(100)).await, ["r2", "q"]);
    record(ledger, "r2", OwedState::Delivered(time(100))).await;
    record(ledger, "q", OwedState::Delivered(time(100))).await;
    assert_eq!(due(ledger, time(199)).await, [""; 0]);
    assert_eq!(ledger.next_due().await.unwrap(), Some(time(200)), "not 60, when the resolve fell due");
    assert_eq!(due(ledger, time(200)).await, ["p1"]);
}

pub(super) async fn a_refused_page_is_in_nobodys_way(ledger: &dyn Ledger) {
    incident(ledger).await;
    record(ledger, "p1", OwedState::Refused(time(10))).await;
    assert_eq!(due(ledger, time(100)).await, ["p2", "r1", "q"]);
}

pub(super) async fn a_delivered_page_lets_its_resolve_go(ledger: &dyn Ledger) {
    incident(ledger).await;
    record(ledger, "p1", OwedState::Delivered(time(10))).await;
    record(ledger, "p2", OwedState::Delivered(time(10))).await;
    assert_eq!(due(ledger, time(59)).await, [""; 0]);
    assert_eq!(ledger.next_due().await.unwrap(), Some(time(60)));
    assert_eq!(due(ledger, time(100)).await, ["r1", "r2", "q"]);
}

pub(super) async fn the_oldest_goes_first_and_pages_before_tickets(ledger: &dyn Ledger) {
    let messages = vec![
        message("ticket", "sns.tickets", TICKET, "t", 5),
        message("page", "sns.ops", Page, "a", 5),
        message("late", "sns.ops", Page, "b", 6),
        message("resolve", "sns.ops", Resolve, "c", 5),
        message("old ticket", "sns.tickets", TICKET, "u", 4),
    ];
    ledger.commit(owed(messages)).await.unwrap();
    assert_eq!(ledger.next_due().await.unwrap(), Some(time(4)));
    assert_eq!(due(ledger, time(10)).await, ["old ticket", "page", "resolve", "ticket", "late"]);
    assert_eq!(ids(ledger.due(time(10), 2).await.unwrap()), ["old ticket", "page"]);
    assert_eq!(ledger.due(time(10), 0).await.unwrap(), []);
}

pub(super) async fn attempts_are_counted_and_the_last_error_stays(ledger: &dyn Ledger) {
    let page = message("m", "sns.ops", Page, "k", 0);
    ledger.commit(owed(vec![page.clone()])).await.unwrap();
    let failed = outcome("m", OwedState::Due(time(30)), Some("no answer within 10 s"));
    ledger.record(vec![failed.clone(), failed]).await.unwrap();
    let mut now = Owed {
        message: page,
        attempts: 2,
        state: OwedState::Due(time(30)),
        last_error: Some("no answer within 10 s".to_owned()),
    };
    assert_eq!(ledger.messages(1).await.unwrap(), [now.clone()]);
    record(ledger, "m", OwedState::Delivered(time(31))).await;
    now.attempts = 3;
    now.state = OwedState::Delivered(time(31));
    assert_eq!(ledger.messages(1).await.unwrap(), [now]);
}

pub(super) async fn an_unknown_outcome_changes_nothing(ledger: &dyn Ledger) {
    incident(ledger).await;
    let before = ledger.messages(10).await.unwrap();
    record(ledger, "nobody", OwedState::Delivered(time(1))).await;
    assert_eq!(ledger.messages(10).await.unwrap(), before);
}

pub(super) async fn recipients_are_those_who_were_owed_the_page(ledger: &dyn Ledger) {
    incident(ledger).await;
    ledger.commit(owed(vec![message("t", "sns.tickets", TICKET, "k", 0)])).await.unwrap();
    record(ledger, "p1", OwedState::Refused(time(1))).await;
    record(ledger, "p2", OwedState::Delivered(time(1))).await;
    assert_eq!(ledger.recipients(&key("k")).await.unwrap(), ["sns.ops", "log.all"]);
    assert_eq!(ledger.recipients(&key("other")).await.unwrap(), ["sns.ops"]);
    assert_eq!(ledger.recipients(&key("unknown")).await.unwrap(), [""; 0]);
}
