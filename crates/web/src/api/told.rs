//! Who was told, who was not, what mutes, and what was done.

use domain::{Member, PageState, Period};
use jiff::Timestamp;
use serde::Serialize;

use crate::about::in_words;
use crate::figures::finite;
use crate::snapshot::{MaintenanceStatus, Snapshot, UntoldStatus};

/// `/api/v1/pages`
#[derive(Serialize)]
pub(crate) struct PageList {
    now: String,
    pages: Vec<PageJson>,
    untold: Vec<UntoldJson>,
}

/// `/api/v1/silences`
#[derive(Serialize)]
pub(crate) struct SilenceList {
    now: String,
    silences: Vec<SilenceJson>,
    maintenance: Vec<WindowJson>,
}

/// `/api/v1/audit`
#[derive(Serialize)]
pub(crate) struct AuditList {
    now: String,
    audit: Vec<AuditJson>,
}

#[derive(Serialize)]
struct PageJson {
    key: String,
    group: String,
    channel: String,
    opened: String,
    told: String,
    summary: String,
    open: usize,
    members: Vec<MemberJson>,
}

#[derive(Serialize)]
struct MemberJson {
    key: String,
    id: String,
    account: String,
    region: String,
    model: String,
    open: bool,
    onset: String,
    opened: String,
    joined: String,
    recovered: Option<String>,
    resolved: Option<String>,
    worst_ratio: Option<f64>,
}

#[derive(Serialize)]
struct UntoldJson {
    key: String,
    id: String,
    account: String,
    region: String,
    model: String,
    reason: &'static str,
    why: String,
}

#[derive(Serialize)]
struct SilenceJson {
    id: String,
    holds: bool,
    about: String,
    models: Vec<String>,
    accounts: Vec<String>,
    regions: Vec<String>,
    causes: Vec<String>,
    labels: domain::Labels,
    author: String,
    comment: String,
    from: String,
    until: String,
}

#[derive(Serialize)]
struct WindowJson {
    name: String,
    about: String,
    comment: Option<String>,
    until: String,
}

#[derive(Serialize)]
struct AuditJson {
    at: String,
    who: String,
    act: String,
    subject: String,
    detail: String,
}

impl PageList {
    pub(crate) fn new(snapshot: &Snapshot, now: Timestamp) -> Self {
        let open = snapshot.pages.iter().filter(|page| page.closed.is_none());
        Self {
            now: now.to_string(),
            pages: open.map(PageJson::new).collect(),
            untold: snapshot.untold.iter().map(UntoldJson::new).collect(),
        }
    }
}

impl SilenceList {
    pub(crate) fn new(snapshot: &Snapshot, now: Timestamp) -> Self {
        let silences = snapshot.silences.iter().filter(|silence| silence.until > now);
        let windows = snapshot.maintenance.iter().filter(|window| window.until > now);
        Self {
            now: now.to_string(),
            silences: silences.map(|silence| SilenceJson::new(silence, now)).collect(),
            maintenance: windows.map(WindowJson::new).collect(),
        }
    }
}

impl AuditList {
    pub(crate) fn new(snapshot: &Snapshot, now: Timestamp) -> Self {
        let audit = snapshot.audit.iter().map(|record| AuditJson {
            at: record.at.to_string(),
            who: record.who.clone(),
            act: record.act.clone(),
            subject: record.subject.clone(),
            detail: record.detail.clone(),
        });
        Self { now: now.to_string(), audit: audit.collect() }
    }
}

impl PageJson {
    fn new(page: &PageState) -> Self {
        Self {
            key: page.key.to_string(),
            group: page.group.to_string(),
            channel: page.channel.clone(),
            opened: page.opened.to_string(),
            told: page.told.to_string(),
            summary: page.summary.clone(),
            open: page.open().count(),
            members: page.members.iter().map(MemberJson::new).collect(),
        }
    }
}

impl MemberJson {
    fn new(member: &Member) -> Self {
        let series = &member.series;
        Self {
            key: member.incident.to_string(),
            id: series.to_string(),
            account: series.account().to_owned(),
            region: series.region().to_owned(),
            model: series.model().to_owned(),
            open: member.resolved.is_none(),
            onset: member.onset.to_string(),
            opened: member.opened.to_string(),
            joined: member.joined.to_string(),
            recovered: member.recovered.as_ref().map(Period::to_string),
            resolved: member.resolved.as_ref().map(Period::to_string),
            worst_ratio: finite(member.worst),
        }
    }
}

impl UntoldJson {
    fn new(untold: &UntoldStatus) -> Self {
        let series = &untold.series;
        Self {
            key: untold.key.to_string(),
            id: series.to_string(),
            account: series.account().to_owned(),
            region: series.region().to_owned(),
            model: series.model().to_owned(),
            reason: untold.why.reason(),
            why: untold.why.to_string(),
        }
    }
}

impl SilenceJson {
    fn new(silence: &domain::Silence, now: Timestamp) -> Self {
        let matcher = &silence.matcher;
        Self {
            id: silence.id.clone(),
            holds: silence.holds(now),
            about: in_words(matcher),
            models: matcher.models.clone(),
            accounts: matcher.accounts.clone(),
            regions: matcher.regions.clone(),
            causes: matcher.causes.clone(),
            labels: matcher.labels.clone(),
            author: silence.author.clone(),
            comment: silence.comment.clone(),
            from: silence.from.to_string(),
            until: silence.until.to_string(),
        }
    }
}

impl WindowJson {
    fn new(window: &MaintenanceStatus) -> Self {
        Self {
            name: window.name.clone(),
            about: window.about.clone(),
            comment: window.comment.clone(),
            until: window.until.to_string(),
        }
    }
}
