//! The outbox: what may be sent when, and what became of it.

use domain::{Backlog, Ledger, Message, NoticeKind, Owed, OwedState, TicketAction};

use super::samples::{audit_of, begin, due, ids, message, outcome, owed, record, states, time};

use NoticeKind::{Page, Resolve};
use OwedState::{Delivered, Due, Refused, Withdrawn};
const TICKET: NoticeKind = NoticeKind::Ticket(TicketAction::Opened);

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
    let standby = Message { id: "s".to_owned(), standby_for: Some("m".to_owned()), ..message.clone() };
    ledger.commit(owed(vec![message.clone(), standby.clone()])).await.unwrap();
    let whole =
        |message: Message, state| Owed { message, attempts: 0, state, last_error: None, reference: None };
    let state = Due(message.created);
    let [message, standby] = [whole(message, state), whole(standby, OwedState::Standby)];
    assert_eq!(ledger.due(time(1), 5, 5, &[]).await.unwrap(), std::slice::from_ref(&message));
    assert_eq!(ledger.messages(5).await.unwrap(), [standby, message]);
    assert_eq!(ledger.due(time(0), 5, 5, &[]).await.unwrap(), [], "a nanosecond too early");
}

pub(super) async fn a_known_message_is_left_as_it_is(ledger: &dyn Ledger) {
    let first = message("m", "sns.ops", Page, "k", 0);
    ledger.commit(owed(vec![first.clone()])).await.unwrap();
    begin(ledger, &["m"]).await;
    record(ledger, "m", Delivered(time(3))).await;
    let again = Message { body: "other".to_owned(), ..first.clone() };
    ledger.commit(owed(vec![first.clone(), again])).await.unwrap();
    let delivered =
        Owed { message: first, attempts: 1, state: Delivered(time(3)), last_error: None, reference: None };
    assert_eq!(ledger.messages(10).await.unwrap(), [delivered]);
    assert_eq!(ledger.next_due().await.unwrap(), None);
}

pub(super) async fn messages_come_newest_first(ledger: &dyn Ledger) {
    let messages = ["a", "b", "c"].map(|id| message(id, "sns.ops", Page, id, 0));
    ledger.commit(owed(messages.to_vec())).await.unwrap();
    record(ledger, "b", Refused(time(9))).await;
    assert_eq!(ids(ledger.messages(10).await.unwrap()), ["c", "b", "a"]);
    assert_eq!(ids(ledger.messages(2).await.unwrap()), ["c", "b"]);
    assert_eq!(ids(ledger.messages(0).await.unwrap()), [""; 0]);
}

pub(super) async fn of_a_key_to_a_channel_only_the_oldest_goes(ledger: &dyn Ledger) {
    let of = |id, channel, key, seconds| message(id, channel, TICKET, key, seconds);
    let tickets = vec![
        of("a1", "jira.llm", "a", 0),
        of("a2", "jira.llm", "a", 0),
        of("a1'", "log.all", "a", 0),
        of("b1", "jira.llm", "b", 1),
    ];
    ledger.commit(owed(tickets)).await.unwrap();
    assert_eq!(due(ledger, 100).await, ["a1", "a1'", "b1"]);
    // It waits for the next attempt, and what comes after it does, too; nothing else does.
    begin(ledger, &["a1"]).await;
    record(ledger, "a1", Due(time(200))).await;
    assert_eq!(due(ledger, 100).await, ["a1'", "b1"]);
    record(ledger, "a1'", Delivered(time(100))).await;
    record(ledger, "b1", Delivered(time(100))).await;
    assert_eq!(due(ledger, 199).await, [""; 0]);
    assert_eq!(ledger.next_due().await.unwrap(), Some(time(200)), "not 0, when the other fell due");
    assert_eq!(due(ledger, 200).await, ["a1"]);
    // Refused for good, it is in nobody's way.
    record(ledger, "a1", Refused(time(200))).await;
    assert_eq!(due(ledger, 200).await, ["a2"]);
}

pub(super) async fn what_wakes_people_goes_first_then_the_oldest(ledger: &dyn Ledger) {
    let messages = vec![
        message("ticket", "sns.tickets", TICKET, "t", 5),
        message("page", "sns.ops", Page, "a", 5),
        message("late", "sns.ops", Page, "b", 6),
        message("resolve", "log.all", Resolve, "c", 5),
        message("old ticket", "sns.tickets", TICKET, "u", 4),
    ];
    ledger.commit(owed(messages)).await.unwrap();
    assert_eq!(ledger.next_due().await.unwrap(), Some(time(4)));
    assert_eq!(due(ledger, 10).await, ["page", "resolve", "late", "old ticket", "ticket"]);
    assert_eq!(due(ledger, 5).await, ["page", "resolve", "old ticket", "ticket"]);
    let some = async |limit, each, except: &[&str]| {
        let except: Vec<_> = except.iter().map(|channel| (*channel).to_owned()).collect();
        ids(ledger.due(time(10), limit, each, &except).await.unwrap())
    };
    assert_eq!(some(2, 9, &[]).await, ["page", "resolve"]);
    assert_eq!(some(0, 9, &[]).await, [""; 0]);
    assert_eq!(some(9, 1, &[]).await, ["page", "resolve", "old ticket"]);
    assert_eq!(some(9, 0, &[]).await, [""; 0]);
    assert_eq!(some(9, 9, &["sns.ops", "nobody"]).await, ["resolve", "old ticket", "ticket"]);
    assert_eq!(some(1, 1, &["sns.ops", "log.all"]).await, ["old ticket"]);
}

pub(super) async fn a_beginning_is_an_attempt_and_the_last_error_stays(ledger: &dyn Ledger) {
    let page = message("m", "sns.ops", Page, "k", 0);
    ledger.commit(owed(vec![page.clone()])).await.unwrap();
    let failed = outcome("m", Due(time(30)), Some("no answer within 10 s"));
    for _ in 0..2 {
        begin(ledger, &["m", "nobody"]).await;
        ledger.record(vec![failed.clone()]).await.unwrap();
    }
    let mut now = Owed {
        message: page,
        attempts: 2,
        state: Due(time(30)),
        last_error: Some("no answer within 10 s".to_owned()),
        reference: None,
    };
    assert_eq!(ledger.messages(1).await.unwrap(), [now.clone()]);
    begin(ledger, &["m"]).await;
    record(ledger, "m", Delivered(time(31))).await;
    now.attempts = 3;
    now.state = Delivered(time(31));
    assert_eq!(ledger.messages(1).await.unwrap(), [now.clone()]);
    // What came late changes nothing any more.
    record(ledger, "m", Due(time(40))).await;
    record(ledger, "m", Refused(time(40))).await;
    assert_eq!(ledger.messages(1).await.unwrap(), [now]);
}

pub(super) async fn an_outcome_without_a_beginning_was_an_attempt(ledger: &dyn Ledger) {
    ledger.commit(owed(vec![message("m", "sns.ops", Page, "k", 0)])).await.unwrap();
    record(ledger, "m", Due(time(5))).await;
    assert_eq!(ledger.messages(1).await.unwrap()[0].attempts, 1);
    record(ledger, "nobody", Delivered(time(1))).await;
    assert_eq!(states(ledger).await, [("m".to_owned(), Due(time(5)))]);
}

pub(super) async fn a_reference_is_handed_to_what_comes_later(ledger: &dyn Ledger) {
    let of = |id, channel, key| message(id, channel, TICKET, key, 0);
    ledger
        .commit(owed(vec![of("opened", "jira.llm", "t"), of("elsewhere", "opsitem.ops", "t")]))
        .await
        .unwrap();
    let mut taken = outcome("opened", Delivered(time(1)), None);
    taken.reference = Some("LLM-42".to_owned());
    ledger.record(vec![taken]).await.unwrap();
    ledger.commit(owed(vec![of("updated", "jira.llm", "t"), of("other", "jira.llm", "u")])).await.unwrap();
    let references = async || {
        let messages = ledger.messages(9).await.unwrap().into_iter().rev();
        messages.map(|owed| (owed.message.id, owed.reference)).collect::<Vec<_>>()
    };
    let expected = |id: &str, reference: Option<&str>| (id.to_owned(), reference.map(str::to_owned));
    let mut all = vec![
        expected("opened", None),
        expected("elsewhere", None),
        expected("updated", Some("LLM-42")),
        expected("other", None),
    ];
    assert_eq!(references().await, all);
    let due = ledger.due(time(1), 9, 9, &[]).await.unwrap();
    assert_eq!(due[1].reference.as_deref(), Some("LLM-42"));
    // It was moved to another project; whoever comes next is told the newest name.
    let mut moved = outcome("updated", Delivered(time(2)), None);
    moved.reference = Some("OPS-7".to_owned());
    ledger.record(vec![moved]).await.unwrap();
    ledger.commit(owed(vec![of("closed", "jira.llm", "t")])).await.unwrap();
    all.push(expected("closed", Some("OPS-7")));
    assert_eq!(references().await, all);
}

pub(super) async fn the_backlog_is_what_is_owed_and_what_was_refused_lately(ledger: &dyn Ledger) {
    assert_eq!(ledger.backlog(time(0)).await.unwrap(), Backlog::default());
    let week = 7 * 86_400;
    let messages = vec![
        message("ticket", "jira.llm", TICKET, "t", 3),
        message("page", "sns.ops", Page, "a", 5),
        message("later page", "log.all", Page, "a", 6),
        message("resolve", "sns.ops", Resolve, "c", 4),
        message("refused", "sns.ops", Page, "d", 1),
        message("refused long ago", "sns.ops", Page, "e", 1),
        Message { standby_for: Some("page".to_owned()), ..message("standby", "log.all", Page, "a", 0) },
    ];
    ledger.commit(owed(messages)).await.unwrap();
    record(ledger, "refused", Refused(time(11))).await;
    record(ledger, "refused long ago", Refused(time(10))).await;
    let mut backlog = Backlog { owed: 4, refused: 1, oldest: Some(time(3)), oldest_page: Some(time(5)) };
    assert_eq!(ledger.backlog(time(week + 11)).await.unwrap(), backlog);
    record(ledger, "ticket", Delivered(time(20))).await;
    record(ledger, "page", Due(time(900))).await;
    backlog = Backlog { owed: 3, oldest: Some(time(4)), refused: 2, ..backlog };
    assert_eq!(ledger.backlog(time(week + 10)).await.unwrap(), backlog, "since when, not when next");
}

pub(super) async fn only_messages_that_are_owed_are_recorded(ledger: &dyn Ledger) {
    let standby = Message { standby_for: Some("m".to_owned()), ..message("s", "log.all", Page, "k", 0) };
    ledger.commit(owed(vec![message("m", "sns.ops", Page, "k", 0), standby])).await.unwrap();
    record(ledger, "s", Delivered(time(1))).await;
    record(ledger, "m", OwedState::Standby).await;
    assert_eq!(states(ledger).await, [("m".to_owned(), Due(time(0))), ("s".to_owned(), OwedState::Standby)]);
    record(ledger, "m", Withdrawn(time(2))).await;
    assert_eq!(states(ledger).await[0].1, Withdrawn(time(2)));
    assert_eq!(audit_of(ledger).await, [""; 0], "whoever withdraws it writes down why");
}
