//! What is withdrawn, and what goes in its place.

use domain::{Commit, Ledger, Message, NoticeKind, OwedState, TicketAction};

use super::samples::{audit_of, begin, due, message, owed, page_state, record, states, time};

use NoticeKind::{Page, Resolve};
use OwedState::{Delivered, Due, Refused, Standby, Withdrawn};

/// The page `p` to `sns.ops`, and `s` to `log.all` that stands by for it.
async fn page(ledger: &dyn Ledger) {
    let standby = Message { standby_for: Some("p".to_owned()), ..message("s", "log.all", Page, "k", 0) };
    ledger.commit(owed(vec![message("p", "sns.ops", Page, "k", 0), standby])).await.unwrap();
}

/// Its resolve `r`, and `rs` that stands by for that.
async fn resolve(ledger: &dyn Ledger) {
    let standby = Message { standby_for: Some("r".to_owned()), ..message("rs", "log.all", Resolve, "k", 60) };
    ledger.commit(owed(vec![message("r", "sns.ops", Resolve, "k", 60), standby])).await.unwrap();
}

async fn stand(ledger: &dyn Ledger, expected: &[(&str, OwedState)]) {
    let expected: Vec<_> = expected.iter().map(|(id, state)| ((*id).to_owned(), state.clone())).collect();
    assert_eq!(states(ledger).await, expected);
}

pub(super) async fn neither_is_sent_when_the_page_was_not_begun(ledger: &dyn Ledger) {
    page(ledger).await;
    resolve(ledger).await;
    let withdrawn = Withdrawn(time(60));
    stand(ledger, &[("p", withdrawn.clone()), ("s", Standby), ("r", withdrawn), ("rs", Standby)]).await;
    assert_eq!(due(ledger, 1_000).await, [""; 0]);
    assert_eq!(ledger.next_due().await.unwrap(), None);
    let audit = ledger.audit(9).await.unwrap();
    assert_eq!(audit.iter().map(|record| &*record.subject).collect::<Vec<_>>(), ["otpsd-k"; 2]);
    assert!(
        audit
            .iter()
            .all(|record| (record.at, &*record.who, &*record.act) == (time(60), "otpsd", "withdrawn"))
    );
    assert_eq!(
        audit_of(ledger).await,
        [
            "the page to sns.ops: the incident was over before it was sent",
            "the resolve to sns.ops: its page was not sent",
        ]
    );
}

pub(super) async fn what_was_sent_before_it_could_be_written_is_resolved(ledger: &dyn Ledger) {
    let outbox = vec![message("p", "sns.ops", Page, "k", 0), message("r", "sns.ops", Resolve, "k", 60)];
    ledger.commit(Commit { outbox, begun: vec!["p".to_owned()], ..Commit::default() }).await.unwrap();
    stand(ledger, &[("p", Withdrawn(time(60))), ("r", Due(time(60)))]).await;
}

pub(super) async fn a_page_that_may_have_arrived_is_resolved_and_not_repeated(ledger: &dyn Ledger) {
    page(ledger).await;
    begin(ledger, &["p"]).await;
    resolve(ledger).await;
    stand(ledger, &[("p", Withdrawn(time(60))), ("s", Standby), ("r", Due(time(60))), ("rs", Standby)]).await;
    assert_eq!(due(ledger, 60).await, ["r"]);
    // The attempt that was under way failed: nothing of it is tried again.
    record(ledger, "p", Due(time(90))).await;
    assert_eq!(due(ledger, 1_000).await, ["r"]);
    assert_eq!(
        audit_of(ledger).await,
        ["the page to sns.ops: it had not arrived when the incident was over; its resolve is sent"]
    );
}

pub(super) async fn a_page_that_arrives_late_is_delivered(ledger: &dyn Ledger) {
    page(ledger).await;
    begin(ledger, &["p"]).await;
    resolve(ledger).await;
    record(ledger, "p", Delivered(time(61))).await;
    stand(ledger, &[("p", Delivered(time(61))), ("s", Standby), ("r", Due(time(60))), ("rs", Standby)]).await;
}

pub(super) async fn a_page_withdrawn_while_it_is_taken_up_is_resolved_after_all(ledger: &dyn Ledger) {
    page(ledger).await;
    assert_eq!(due(ledger, 0).await, ["p"]);
    resolve(ledger).await;
    assert_eq!(due(ledger, 1_000).await, [""; 0]);
    // Whoever had asked before the resolve came begins now.
    begin(ledger, &["p"]).await;
    assert_eq!(due(ledger, 1_000).await, ["r"]);
    record(ledger, "p", Due(time(90))).await;
    stand(ledger, &[("p", Withdrawn(time(60))), ("s", Standby), ("r", Due(time(60))), ("rs", Standby)]).await;
}

pub(super) async fn a_delivered_page_is_resolved(ledger: &dyn Ledger) {
    page(ledger).await;
    begin(ledger, &["p"]).await;
    record(ledger, "p", Delivered(time(1))).await;
    resolve(ledger).await;
    assert_eq!(due(ledger, 59).await, [""; 0]);
    assert_eq!(due(ledger, 60).await, ["r"]);
    assert_eq!(audit_of(ledger).await, [""; 0]);
}

pub(super) async fn what_was_refused_goes_to_what_stood_by(ledger: &dyn Ledger) {
    page(ledger).await;
    assert_eq!(due(ledger, 1_000).await, ["p"]);
    begin(ledger, &["p"]).await;
    record(ledger, "p", Refused(time(5))).await;
    stand(ledger, &[("p", Refused(time(5))), ("s", Due(time(5)))]).await;
    begin(ledger, &["s"]).await;
    record(ledger, "s", Delivered(time(6))).await;
    // Its resolve goes the same way.
    resolve(ledger).await;
    stand(
        ledger,
        &[
            ("p", Refused(time(5))),
            ("s", Delivered(time(6))),
            ("r", Withdrawn(time(60))),
            ("rs", Due(time(60))),
        ],
    )
    .await;
    assert_eq!(audit_of(ledger).await, ["the resolve to sns.ops: its page was refused for good"]);
}

pub(super) async fn a_resolve_addressed_to_what_stood_by_goes_there_only_after_its_page(ledger: &dyn Ledger) {
    let both = || {
        let to = |id, channel| message(id, channel, Resolve, "k", 60);
        owed(vec![to("r", "sns.ops"), to("r2", "log.all")])
    };
    page(ledger).await;
    begin(ledger, &["p"]).await;
    record(ledger, "p", Delivered(time(5))).await;
    ledger.commit(both()).await.unwrap();
    let withdrawn = Withdrawn(time(60));
    stand(
        ledger,
        &[("p", Delivered(time(5))), ("s", withdrawn.clone()), ("r", Due(time(60))), ("r2", withdrawn)],
    )
    .await;
}

pub(super) async fn nothing_stands_in_for_a_page_whose_incident_is_over(ledger: &dyn Ledger) {
    page(ledger).await;
    begin(ledger, &["p"]).await;
    resolve(ledger).await;
    // It is refused only now: nobody got the page, so nobody gets the resolve.
    record(ledger, "p", Refused(time(70))).await;
    let withdrawn = Withdrawn(time(70));
    stand(
        ledger,
        &[("p", Refused(time(70))), ("s", withdrawn.clone()), ("r", withdrawn.clone()), ("rs", withdrawn)],
    )
    .await;
    assert_eq!(due(ledger, 1_000).await, [""; 0]);
}

pub(super) async fn nothing_stands_in_for_a_page_that_is_closed(ledger: &dyn Ledger) {
    page(ledger).await;
    let mut state = page_state("k", "sns.ops");
    state.closed = Some(time(50));
    ledger.commit(Commit { pages: vec![state], ..Commit::default() }).await.unwrap();
    record(ledger, "p", Refused(time(70))).await;
    stand(ledger, &[("p", Refused(time(70))), ("s", Withdrawn(time(70)))]).await;
}

pub(super) async fn a_standby_refused_hands_on_to_its_own(ledger: &dyn Ledger) {
    page(ledger).await;
    let third = Message { standby_for: Some("s".to_owned()), ..message("t", "sns.third", Page, "k", 0) };
    ledger.commit(owed(vec![third])).await.unwrap();
    record(ledger, "p", Refused(time(5))).await;
    stand(ledger, &[("p", Refused(time(5))), ("s", Due(time(5))), ("t", Standby)]).await;
    record(ledger, "s", Refused(time(6))).await;
    assert_eq!(due(ledger, 6).await, ["t"]);
}

pub(super) async fn what_stands_by_for_something_refused_long_ago_is_owed(ledger: &dyn Ledger) {
    let ticket = |id, channel, at| message(id, channel, NoticeKind::Ticket(TicketAction::Opened), "k", at);
    ledger.commit(owed(vec![ticket("p", "jira.llm", 0)])).await.unwrap();
    record(ledger, "p", Refused(time(5))).await;
    let standby = Message { standby_for: Some("p".to_owned()), ..ticket("s", "log.all", 9) };
    ledger.commit(owed(vec![standby])).await.unwrap();
    assert_eq!(due(ledger, 9).await, ["s"]);
}

pub(super) async fn a_resolve_ends_the_pages_since_the_one_before(ledger: &dyn Ledger) {
    ledger.commit(owed(vec![message("p", "sns.ops", Page, "k", 0)])).await.unwrap();
    record(ledger, "p", Delivered(time(1))).await;
    // Told once more, and not sent: the first one is out there.
    let again = [message("p2", "sns.ops", Page, "k", 2), message("r", "sns.ops", Resolve, "k", 3)];
    ledger.commit(owed(again.to_vec())).await.unwrap();
    let mut all = vec![("p", Delivered(time(1))), ("p2", Withdrawn(time(3))), ("r", Due(time(3)))];
    stand(ledger, &all).await;
    record(ledger, "r", Delivered(time(4))).await;
    // A new one, and not sent: what the first one opened is closed.
    let again = [message("p3", "sns.ops", Page, "k", 5), message("r2", "sns.ops", Resolve, "k", 6)];
    ledger.commit(owed(again.to_vec())).await.unwrap();
    all[2].1 = Delivered(time(4));
    all.extend([("p3", Withdrawn(time(6))), ("r2", Withdrawn(time(6)))]);
    stand(ledger, &all).await;
    // There is no second end.
    ledger.commit(owed(vec![message("r3", "sns.ops", Resolve, "k", 7)])).await.unwrap();
    all.push(("r3", Withdrawn(time(7))));
    stand(ledger, &all).await;
    assert_eq!(audit_of(ledger).await.last().unwrap(), "the resolve to sns.ops: its end was told before");
}

pub(super) async fn a_channel_that_also_stands_by_is_told_once(ledger: &dyn Ledger) {
    let own = message("own", "log.all", Page, "k", 0);
    ledger.commit(owed(vec![own])).await.unwrap();
    page(ledger).await;
    record(ledger, "own", Delivered(time(1))).await;
    record(ledger, "p", Refused(time(2))).await;
    let mut all = vec![("own", Delivered(time(1))), ("p", Refused(time(2))), ("s", Withdrawn(time(2)))];
    stand(ledger, &all).await;
    assert_eq!(audit_of(ledger).await, ["the page to log.all: it goes there already"]);
    let to = |id, channel| message(id, channel, Resolve, "k", 60);
    let resolves = vec![to("own r", "log.all"), to("r", "sns.ops"), to("r for", "log.all")];
    ledger.commit(owed(resolves)).await.unwrap();
    let withdrawn = Withdrawn(time(60));
    all.extend([("own r", Due(time(60))), ("r", withdrawn.clone()), ("r for", withdrawn)]);
    stand(ledger, &all).await;
}

pub(super) async fn a_channel_that_also_stands_by_in_vain_is_resolved(ledger: &dyn Ledger) {
    ledger.commit(owed(vec![message("own", "log.all", Page, "k", 0)])).await.unwrap();
    page(ledger).await;
    record(ledger, "own", Delivered(time(1))).await;
    record(ledger, "p", Delivered(time(1))).await;
    let to = |id, channel| message(id, channel, Resolve, "k", 60);
    let resolves = vec![to("r", "sns.ops"), to("r for", "log.all"), to("own r", "log.all")];
    ledger.commit(owed(resolves)).await.unwrap();
    // Which of the two goes there is all the same.
    stand(
        ledger,
        &[
            ("own", Delivered(time(1))),
            ("p", Delivered(time(1))),
            ("s", Withdrawn(time(60))),
            ("r", Due(time(60))),
            ("r for", Due(time(60))),
            ("own r", Withdrawn(time(60))),
        ],
    )
    .await;
}

pub(super) async fn a_standby_of_two_is_let_go_once(ledger: &dyn Ledger) {
    page(ledger).await;
    let other = message("p2", "sns.other", Page, "k", 0);
    let standby = Message { standby_for: Some("p2".to_owned()), ..message("s2", "log.all", Page, "k", 0) };
    ledger.commit(owed(vec![other, standby])).await.unwrap();
    record(ledger, "p", Refused(time(5))).await;
    record(ledger, "p2", Refused(time(6))).await;
    stand(
        ledger,
        &[("p", Refused(time(5))), ("s", Due(time(5))), ("p2", Refused(time(6))), ("s2", Withdrawn(time(6)))],
    )
    .await;
}

pub(super) async fn a_refusal_withdraws_no_resolve_that_somebody_needs(ledger: &dyn Ledger) {
    let pages = [message("p", "sns.ops", Page, "k", 0), message("p2", "sns.ops", Page, "k", 1)];
    ledger.commit(owed(pages.to_vec())).await.unwrap();
    record(ledger, "p", Delivered(time(2))).await;
    begin(ledger, &["p2"]).await;
    ledger.commit(owed(vec![message("r", "sns.ops", Resolve, "k", 3)])).await.unwrap();
    record(ledger, "p2", Refused(time(4))).await;
    stand(ledger, &[("p", Delivered(time(2))), ("p2", Refused(time(4))), ("r", Due(time(3)))]).await;
}

pub(super) async fn a_resolve_whose_page_nobody_knows_is_sent(ledger: &dyn Ledger) {
    page(ledger).await;
    let elsewhere =
        [message("a", "sns.renamed", Resolve, "k", 9), message("b", "sns.ops", Resolve, "other", 9)];
    ledger.commit(owed(elsewhere.to_vec())).await.unwrap();
    assert_eq!(due(ledger, 9).await, ["p", "a", "b"]);
}
