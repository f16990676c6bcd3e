//! Who was told on the bad evening, who was not, and what was done.

use domain::{
    AlarmState, AuditRecord, Group, GroupBy, IncidentRecord, Key, Matcher, Member, Message, NoticeKind, Owed,
    OwedState, PageState, Silence, TicketAction,
};
use web::Snapshot;
use web::snapshot::{MaintenanceStatus, OutboxStatus, StoreRebuilt, Untold, UntoldStatus};

use super::{ACCOUNT, ago, newest, steady, trouble};

/// The page about `incidents`, as one channel got it.
pub(crate) fn page(channel: &str, incidents: &[IncidentRecord]) -> PageState {
    let opened = incidents[0].incident.opened;
    let group = GroupBy::Region.group(&incidents[0].incident.series);
    let member = |record: &IncidentRecord| Member {
        incident: record.incident.key.clone(),
        series: record.incident.series.clone(),
        onset: record.incident.onset,
        opened: record.incident.opened,
        joined: ago(10),
        worst: record.incident.worst,
        recovered: record.resolved.map(|resolved| resolved - 2),
        resolved: record.resolved,
    };
    PageState {
        key: Key::of_page(&group, opened),
        channel: channel.to_owned(),
        receiver: format!("unserved receiver of {channel}"),
        group,
        opened,
        told: ago(10),
        summary: "Bedrock us-east-1 decodes 36 % slower: 2 of 4 models".to_owned(),
        members: incidents.iter().map(member).collect(),
        held_told: false,
        closed: None,
    }
}

/// A message about a page.
pub(crate) fn message(page: &PageState, kind: NoticeKind, state: OwedState) -> Owed {
    Owed {
        message: Message {
            id: format!("{}:{}:{}@{}", page.key, kind.as_str(), page.channel, page.told),
            channel: page.channel.clone(),
            kind,
            key: page.key.clone(),
            summary: page.summary.clone(),
            body: String::new(),
            attributes: Vec::new(),
            created: page.told,
            standby_for: None,
        },
        attempts: 1,
        state,
        last_error: None,
        reference: None,
    }
}

/// The messages of the bad evening: one channel got the page, the other does not take it yet.
pub(super) fn messages(snapshot: &Snapshot) -> Vec<Owed> {
    let [oncall, ops] = [&snapshot.pages[0], &snapshot.pages[1]];
    let mut waits = message(oncall, NoticeKind::Page, OwedState::Due(ago(-1)));
    waits.attempts = 3;
    waits.last_error = Some("POST http://127.0.0.1:8080/v2/enqueue: 503 Service Unavailable".to_owned());
    let over = page("sns.tickets", &snapshot.incidents[2..]);
    let ticket = NoticeKind::Ticket(TicketAction::Opened);
    let mut ticket = message(&over, ticket, OwedState::Delivered(ago(3_000)));
    (ticket.message.created, ticket.message.summary) = (ago(3_000), snapshot.incidents[2].summary.clone());
    vec![waits, message(ops, NoticeKind::Page, OwedState::Delivered(ago(10))), ticket]
}

/// The bad evening, later: one of three slow models is back, another one is silenced, one in a maintenance window, a receiver refused
/// for good and its fallback stood in, and the store had to be begun anew.
pub(crate) fn night() -> Snapshot {
    let mut snapshot = trouble();
    muted(&mut snapshot);

    let mut haiku = snapshot.incidents[snapshot.incidents.len() - 1].clone();
    haiku.incident = domain::Incident::new(haiku.incident.series, newest() - 6, newest() - 2);
    haiku.incident.worst = Some(0.7);
    haiku.resolved = Some(newest() - 1);
    let told = [snapshot.incidents[0].clone(), snapshot.incidents[1].clone(), haiku];
    snapshot.pages =
        ["pagerduty.oncall", "sns.ops", "webhook.chat"].map(|channel| page(channel, &told)).to_vec();
    let [oncall, ops, chat] = [&snapshot.pages[0], &snapshot.pages[1], &snapshot.pages[2]];
    let mut refused = message(chat, NoticeKind::Page, OwedState::Refused(ago(9)));
    refused.last_error = Some("POST of webhook.chat: 410 Gone".to_owned());
    let standby = |first: &Owed, state| {
        let mut stands_by = message(&page("sns.fallback", &told), NoticeKind::Page, state);
        stands_by.message.id = format!("{} instead", first.message.id);
        stands_by.message.standby_for = Some(first.message.id.clone());
        stands_by
    };
    let delivered = message(oncall, NoticeKind::Page, OwedState::Delivered(ago(10)));
    let mut brief = page("pagerduty.oncall", &told[1..2]);
    (brief.group, brief.key) = (Group::from_text("eu-west-1"), Key::from_text("otpsd-0123456789abcdef"));
    brief.told = ago(63);
    "eu.amazon.nova-lite in eu-west-1 decoded at 0.74 of its baseline".clone_into(&mut brief.summary);
    snapshot.messages = vec![
        standby(&delivered, OwedState::Standby),
        standby(&refused, OwedState::Delivered(ago(8))),
        refused,
        message(ops, NoticeKind::Page, OwedState::Delivered(ago(10))),
        delivered,
        message(&brief, NoticeKind::Resolve, OwedState::Withdrawn(ago(61))),
        message(&brief, NoticeKind::Page, OwedState::Withdrawn(ago(61))),
    ];
    snapshot.outbox = OutboxStatus { refused: 1, ..OutboxStatus::default() };
    snapshot.store_rebuilt = Some(StoreRebuilt {
        at: ago(185),
        set_aside: "/var/lib/otpsd/otpsd.db.damaged-2026-10-15T151710Z".to_owned(),
        why: "quick_check of /var/lib/otpsd/otpsd.db: database disk image is malformed".to_owned(),
    });
    snapshot.audit = audit(&brief);
    snapshot
}

/// Two more are slow, and nobody was told.
fn muted(snapshot: &mut Snapshot) {
    for (region, model, why) in [
        ("us-east-1", "us.example.batch-v1:0", Untold::Silence("1f2e3d4c".to_owned())),
        ("eu-west-1", "eu.example.nightly-v1:0", Untold::Maintenance("weekend".to_owned())),
    ] {
        let mut status = steady(region, model, 50.0);
        status.state = AlarmState::Alarm;
        let mut incident = domain::Incident::new(status.series.clone(), newest() - 8, newest() - 5);
        incident.worst = Some(0.71);
        snapshot.untold.push(UntoldStatus { series: status.series.clone(), key: incident.key.clone(), why });
        let summary = format!("{model} in {region} decodes at 0.71 of its baseline");
        let record = IncidentRecord { incident, summary, evidence: None, resolved: None, at: ago(25) };
        snapshot.incidents.insert(2, record);
        snapshot.series.push(status);
    }
    let silence = |id: &str, model: &str, from: i64, until: i64, author: &str, comment: &str| Silence {
        id: id.to_owned(),
        matcher: Matcher { models: vec![model.to_owned()], ..Matcher::default() },
        author: author.to_owned(),
        comment: comment.to_owned(),
        from: ago(from),
        until: ago(until),
    };
    snapshot.silences = vec![
        silence("1f2e3d4c", "*batch*", 40, -80, "ana", "load test until 19:40Z, slow is expected"),
        silence("5a6b7c8d", "*nova*", -600, -900, "ben", "moving to another profile"),
    ];
    snapshot.maintenance = vec![MaintenanceStatus {
        name: "weekend".to_owned(),
        comment: Some("hosts are patched".to_owned()),
        until: ago(-217),
        about: "Region eu-west-1".to_owned(),
    }];
}

fn audit(brief: &PageState) -> Vec<AuditRecord> {
    let record = |minutes, who: &str, act: &str, subject: &str, detail: &str| AuditRecord {
        at: ago(minutes),
        who: who.to_owned(),
        act: act.to_owned(),
        subject: subject.to_owned(),
        detail: detail.to_owned(),
    };
    vec![
        record(
            25,
            "otpsd",
            "untold",
            &format!("{ACCOUNT}/us-east-1/us.example.batch-v1:0"),
            "silence 1f2e3d4c",
        ),
        record(
            40,
            "ana",
            "silence_add",
            "1f2e3d4c",
            "model *batch* until 19:42Z: load test until 19:40Z, slow is expected",
        ),
        record(
            61,
            "otpsd",
            "withdrawn",
            brief.key.as_str(),
            "it was over before anything of it had been sent to pagerduty.oncall",
        ),
        record(185, "otpsd", "store_rebuilt", "/var/lib/otpsd/otpsd.db", "set aside; history is read again"),
    ]
}
