//! Pages, tickets that were filed, silences and the audit log; and what is forgotten of all of it.

use domain::{
    AuditRecord, Commit, Filed, Key, Ledger, Matcher, NoticeKind, OwedState, Silence, TicketAction,
};

use super::samples::{
    bare_state, ids, key, message, owed, page_state, period, record, record_of, series, state, time,
};

async fn write(ledger: &dyn Ledger, commit: Commit) {
    assert!(!commit.is_empty());
    ledger.commit(commit).await.unwrap();
}

pub(super) async fn a_page_comes_back_with_every_field(ledger: &dyn Ledger) {
    let page = page_state("k", "sns.ops");
    write(ledger, Commit { pages: vec![page.clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().pages, [page]);
}

pub(super) async fn a_page_replaces_the_one_of_its_key_and_channel(ledger: &dyn Ledger) {
    let [before, other] = [page_state("k", "sns.ops"), page_state("k", "log.all")];
    write(ledger, Commit { pages: vec![before.clone(), other.clone()], ..Commit::default() }).await;
    let mut after = before.clone();
    after.held_told = false;
    after.summary = "two of three are slow".to_owned();
    after.members.remove(0);
    after.members[0].resolved = Some(period(9));
    write(ledger, Commit { pages: vec![after.clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().pages, [after.clone(), other.clone()]);
    let grown = domain::PageState { members: before.members, ..after };
    write(ledger, Commit { pages: vec![grown.clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().pages, [grown, other]);
}

pub(super) async fn pages_are_loaded_oldest_first_and_those_that_are_over_too(ledger: &dyn Ledger) {
    let page = |name, told| domain::PageState { told: time(told), ..page_state(name, "sns.ops") };
    let mut closed = page("c", 1);
    closed.closed = Some(time(9));
    let pages = vec![page("b", 5), closed.clone(), page("a", 2), page("d", 2)];
    write(ledger, Commit { pages, ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().pages, [closed, page("a", 2), page("d", 2), page("b", 5)]);
}

pub(super) async fn open_incidents_are_loaded_by_key(ledger: &dyn Ledger) {
    let [first, second, third] = series().map(|series| record_of(&series, period(3)));
    let mut over = second.clone();
    (over.resolved, over.evidence) = (Some(period(7)), None);
    write(ledger, Commit { incidents: vec![first.clone(), second, third.clone()], ..Commit::default() })
        .await;
    write(ledger, Commit { incidents: vec![over], ..Commit::default() }).await;
    let mut open = [first, third];
    open.sort_by(|a, b| a.incident.key.cmp(&b.incident.key));
    assert_eq!(ledger.load().await.unwrap().incidents, open);
}

pub(super) async fn filed_tickets_keep_their_channels_in_order(ledger: &dyn Ledger) {
    let filed = |name, channels: &[&str]| Filed {
        key: key(name),
        channels: channels.iter().map(|channel| (*channel).to_owned()).collect(),
    };
    let [b, a] = [filed("b", &["jira.llm", "log.all", "jira.a"]), filed("a", &["jira.llm"])];
    write(ledger, Commit { filed: vec![b.clone(), a.clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().filed, [a, b.clone()]);
    let changed = filed("a", &["opsitem.ops", "jira.llm"]);
    write(ledger, Commit { filed: vec![changed.clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().filed, [changed, b]);
    write(ledger, Commit { filed: vec![filed("a", &[]), filed("b", &[])], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().filed, []);
}

fn silence(id: &str, until: i64) -> Silence {
    Silence {
        id: id.to_owned(),
        matcher: Matcher {
            models: vec!["anthropic.*".to_owned(), "\"".to_owned()],
            accounts: vec!["111122223333".to_owned()],
            regions: Vec::new(),
            causes: vec!["otps_drop".to_owned()],
            labels: [("tier".to_owned(), "2".to_owned()), ("a".to_owned(), String::new())].into(),
        },
        author: "ana".to_owned(),
        comment: "a planned load test, until 18:00".to_owned(),
        from: time(0),
        until: time(until),
    }
}

pub(super) async fn a_silence_replaces_the_one_of_its_id(ledger: &dyn Ledger) {
    let mut all = vec![silence("5f2a01bc", 9), silence("0a2a01bc", 9)];
    write(ledger, Commit { silences: all.clone(), ..Commit::default() }).await;
    all.reverse();
    assert_eq!(ledger.load().await.unwrap().silences, all);
    all[1].until = time(3);
    all[1].matcher = Matcher::default();
    write(ledger, Commit { silences: vec![all[1].clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().silences, all);
}

fn entry(at: i64, act: &str) -> AuditRecord {
    AuditRecord {
        at: time(at),
        who: "ana".to_owned(),
        act: act.to_owned(),
        subject: "111122223333/us-east-1/m".to_owned(),
        detail: "it's \"normal\" now\n".to_owned(),
    }
}

pub(super) async fn the_audit_log_comes_newest_first(ledger: &dyn Ledger) {
    let audit = vec![entry(5, "accept"), entry(4, "silence_add")];
    write(ledger, Commit { audit, ..Commit::default() }).await;
    write(ledger, Commit { audit: vec![entry(5, "untold")], ..Commit::default() }).await;
    let all = [entry(5, "untold"), entry(4, "silence_add"), entry(5, "accept")];
    assert_eq!(ledger.audit(9).await.unwrap(), all);
    assert_eq!(ledger.audit(1).await.unwrap(), all[..1]);
    assert_eq!(ledger.audit(0).await.unwrap(), []);
}

pub(super) async fn what_is_over_is_forgotten(ledger: &dyn Ledger) {
    let [.., series] = series();
    let over = |at| {
        let mut over = record_of(&series, period(at));
        (over.resolved, over.at) = (Some(period(at + 1)), time(at));
        over
    };
    let page = |name, closed| domain::PageState { closed: Some(time(closed)), ..page_state(name, "sns.ops") };
    let ticket = |id, key| message(id, "jira.llm", NoticeKind::Ticket(TicketAction::Opened), key, 0);
    let commit = Commit {
        incidents: vec![over(9), over(10)],
        pages: vec![page("old", 9), page("young", 10)],
        silences: vec![silence("old", 9), silence("young", 10)],
        audit: vec![entry(9, "accept"), entry(10, "accept")],
        outbox: vec![ticket("old", "a"), ticket("young", "b"), ticket("refused", "c")],
        ..Commit::default()
    };
    write(ledger, commit).await;
    record(ledger, "old", OwedState::Delivered(time(9))).await;
    record(ledger, "young", OwedState::Delivered(time(10))).await;
    record(ledger, "refused", OwedState::Refused(time(9))).await;
    ledger.forget_closed(time(10)).await.unwrap();
    assert_eq!(ledger.incidents(9).await.unwrap(), [over(10)]);
    assert_eq!(ids(ledger.messages(9).await.unwrap()), ["young"]);
    assert_eq!(ledger.load().await.unwrap().silences, [silence("young", 10)]);
    assert_eq!(ledger.audit(9).await.unwrap(), [entry(10, "accept")]);
    // A page that is not remembered can be opened again; one that is remembered as closed cannot be in the way of its like.
    let reopened = domain::PageState { closed: None, ..page("old", 9) };
    write(ledger, Commit { pages: vec![reopened.clone()], ..Commit::default() }).await;
    assert_eq!(ledger.load().await.unwrap().pages, [page("young", 10), reopened]);
}

pub(super) async fn what_is_open_or_owed_is_not_forgotten(ledger: &dyn Ledger) {
    let [first, second, third] = series();
    let open = record_of(&first, period(1));
    // Over for itself, and a member of a page that is not.
    let mut member = record_of(&second, period(1));
    (member.resolved, member.at) = (Some(period(2)), time(0));
    let mut page = page_state("page", "sns.ops");
    page.members[0].incident = member.incident.key.clone();
    let engine = state(&third);
    let [ticket, ..] = &engine.tickets[..] else { unreachable!("the sample has two") };
    let mut source = super::samples::source("main");
    source.tickets.truncate(1);
    let to = |id: &str, key: &Key| {
        let mut message = message(id, "sns.ops", NoticeKind::Page, "", 0);
        message.key = key.clone();
        message
    };
    let about = [
        ("incident", &open.incident.key),
        ("member", &member.incident.key),
        ("page", &page.key),
        ("engine's incident", &engine.incident.as_ref().unwrap().key),
        ("engine's ticket", &ticket.key),
        ("source's ticket", &source.tickets[0].key),
        ("filed", &key("filed")),
        ("owed", &key("owed")),
        ("nothing", &key("nothing")),
    ];
    let commit = Commit {
        incidents: vec![open.clone(), member.clone()],
        pages: vec![page.clone()],
        states: vec![engine.clone()],
        sources: vec![source.clone()],
        filed: vec![Filed { key: key("filed"), channels: vec!["jira.llm".to_owned()] }],
        outbox: about.iter().map(|(id, key)| to(id, key)).collect(),
        ..Commit::default()
    };
    write(ledger, commit).await;
    for (id, _) in about {
        record(ledger, id, OwedState::Delivered(time(0))).await;
    }
    ledger
        .commit(owed(vec![message("still owed", "sns.ops", NoticeKind::Resolve, "owed", 0)]))
        .await
        .unwrap();
    let later = time(86_400 * 365);
    ledger.forget_closed(later).await.unwrap();
    let kept: Vec<_> = about[..8].iter().map(|(id, _)| *id).chain(["still owed"]).rev().collect();
    assert_eq!(ids(ledger.messages(20).await.unwrap()), kept);
    let incidents = ledger.incidents(9).await.unwrap();
    assert_eq!(incidents.len(), 2, "{incidents:?}");

    // Once all of it is over, all of it goes.
    let (mut over, mut closed) = (open, page_state("page", "sns.ops"));
    (over.resolved, closed.closed) = (Some(period(4)), Some(time(0)));
    source.tickets.clear();
    let commit = Commit {
        incidents: vec![over],
        pages: vec![closed],
        states: vec![bare_state(&third)],
        sources: vec![source],
        filed: vec![Filed { key: key("filed"), channels: Vec::new() }],
        ..Commit::default()
    };
    write(ledger, commit).await;
    record(ledger, "still owed", OwedState::Delivered(time(0))).await;
    ledger.forget_closed(later).await.unwrap();
    assert_eq!(ledger.messages(20).await.unwrap(), []);
    assert_eq!(ledger.incidents(9).await.unwrap(), []);
}
