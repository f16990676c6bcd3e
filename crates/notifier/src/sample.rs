//! One invented incident and its tickets for all tests. The figures agree with each other:
//! 372 tokens at 62.0 tok/s take 6.00 s, 369 at 41.0 take 9.00 s; 41.0 / 62.0 = 0.661, 40.2 / 60.0 = 0.67.

use domain::{
    Cause, Check, DaemonPlan, Estimator, Evidence, Failure, Finding, GroupBy, GroupPage, GroupResolve,
    Incident, Key, Learning, LogPlan, Member, MissingReason, Otps, OtpsDrop, Page, PageState, Period, Plan,
    Resolve, Routes, Rule, Series, Slot, SourceAct, SourceError, SourceTicket, Subject, Surroundings, Terms,
    Ticket, TicketAction, TicketRule, Verdict,
};
use jiff::Timestamp;

use crate::context::Context;

pub(crate) const MODEL: &str = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";

pub(crate) fn series() -> Series {
    Series::new("111122223333", "us-east-1", MODEL)
}

pub(crate) fn period(time: &str) -> Period {
    Period::starting(time.parse().unwrap()).unwrap()
}

pub(crate) fn with_context<T>(rule: &Rule, now: &str, read: impl FnOnce(&Context<'_>) -> T) -> T {
    let now: Timestamp = now.parse().unwrap();
    let plan = plan(rule);
    read(&Context::new(&plan, now, &Surroundings::default()))
}

/// A configuration without labels.
pub(crate) fn plan(rule: &Rule) -> Plan {
    Plan {
        daemon: DaemonPlan {
            listen: ([127, 0, 0, 1], 9464).into(),
            public_url: Some("https://otpsd.ops.example.com".to_owned()),
            state_dir: "/var/lib/otpsd".into(),
            log: LogPlan::Auto,
            heartbeat_url: None,
        },
        rule: rule.clone(),
        learning: Learning::default(),
        ticket_rule: TicketRule::default(),
        group_by: GroupBy::Region,
        labels: Vec::new(),
        maintenance: Vec::new(),
        heartbeat: None,
        sources: Vec::new(),
        channels: Vec::new(),
        routes: Routes::default(),
    }
}

pub(crate) fn slot(time: &str, verdict: Verdict, p50: f64, token_weighted: f64, samples: f64) -> Slot {
    let missing = matches!(verdict, Verdict::Missing(_));
    Slot {
        period: period(time),
        verdict,
        estimator: Estimator::P50,
        otps: (!missing).then_some(Otps { p50: Some(p50), token_weighted: Some(token_weighted) }),
        baseline: Some(62.0),
        noise: Some(0.04),
        samples,
        window: 1,
    }
}

pub(crate) fn usual() -> Terms {
    Terms {
        otps_p50: Some(62.0),
        otps_token_weighted: Some(60.0),
        latency_ms: 6_800.0,
        ttft_ms: 800.0,
        output_tokens: 372.0,
        input_tokens: Some(3_080.0),
        cache_read_share: Some(0.61),
        streaming_share: 0.98,
        throttle_share: Some(0.001),
        server_error_share: Some(0.0),
        samples: 2_900.0,
    }
}

pub(crate) fn slow() -> Terms {
    Terms {
        otps_p50: Some(41.0),
        otps_token_weighted: Some(40.2),
        latency_ms: 9_850.0,
        ttft_ms: 850.0,
        output_tokens: 369.0,
        input_tokens: Some(3_095.0),
        cache_read_share: Some(0.60),
        ..usual()
    }
}

pub(crate) fn finding(subject: Subject, check: Check, usual: f64, now: f64) -> Finding {
    Finding { subject, check, usual: Some(usual), now: Some(now) }
}

pub(crate) fn evidence() -> Evidence {
    let missing = Verdict::Missing(MissingReason::NotSeen);
    Evidence {
        now: slow(),
        usual: usual(),
        slots: vec![
            slot("2026-12-03T05:50:00Z", Verdict::Within, 61.4, 59.8, 2_910.0),
            slot("2026-12-03T05:55:00Z", Verdict::Breaching, 43.1, 42.9, 2_870.0),
            slot("2026-12-03T06:00:00Z", missing, 0.0, 0.0, 0.0),
            slot("2026-12-03T06:05:00Z", Verdict::Breaching, 40.2, 40.0, 2_960.0),
            slot("2026-12-03T06:10:00Z", Verdict::Breaching, 41.0, 40.2, 2_940.0),
        ],
        line: Some(0.8),
        m_of_n: (0, 0),
        findings: vec![
            finding(Subject::PromptLength, Check::RuledOut, 3_080.0, 3_095.0),
            finding(Subject::ResponseLength, Check::RuledOut, 372.0, 369.0),
            finding(Subject::StreamingShare, Check::RuledOut, 0.98, 0.98),
            finding(Subject::CacheReads, Check::RuledOut, 0.61, 0.60),
            finding(Subject::Throttles, Check::RuledOut, 0.001, 0.001),
            finding(Subject::ServerErrors, Check::RuledOut, 0.0, 0.0),
            Finding { subject: Subject::ServiceTier, check: Check::NotChecked, usual: None, now: None },
        ],
    }
}

pub(crate) fn page_of(series: Series, rule: &Rule, evidence: Evidence) -> Page {
    let opened = evidence.slots.last().unwrap().period;
    Page::open(OtpsDrop::observe(series, rule, evidence).unwrap(), opened)
}

pub(crate) fn page() -> Page {
    page_of(series(), &Rule::default(), evidence())
}

/// The page of a group that began with one incident.
pub(crate) fn paged_of(page: Page) -> GroupPage {
    let incident = page.incident();
    let group = GroupBy::Region.group(&incident.series);
    let state = PageState {
        key: Key::of_page(&group, incident.opened),
        channel: String::new(),
        receiver: String::new(),
        group,
        opened: incident.opened,
        told: told(),
        summary: String::new(),
        members: vec![member(incident)],
        held_told: false,
        closed: None,
    };
    GroupPage { state, pages: vec![page] }
}

pub(crate) fn paged() -> GroupPage {
    paged_of(page())
}

pub(crate) fn told() -> Timestamp {
    "2026-12-03T06:17:02Z".parse().unwrap()
}

fn member(incident: &Incident) -> Member {
    Member {
        incident: incident.key.clone(),
        series: incident.series.clone(),
        onset: incident.onset,
        opened: incident.opened,
        joined: told(),
        worst: incident.worst,
        recovered: None,
        resolved: None,
    }
}

pub(crate) fn resolved() -> GroupResolve {
    let last = resolve();
    let mut state = paged().state;
    state.members = vec![Member {
        recovered: Some(last.recovered),
        resolved: Some(last.resolved),
        ..member(&last.incident)
    }];
    state.closed = Some("2026-12-03T09:02:00Z".parse().unwrap());
    GroupResolve { state, last }
}

pub(crate) fn resolve() -> Resolve {
    let mut incident =
        Incident::new(series(), period("2026-12-03T05:55:00Z"), period("2026-12-03T06:10:00Z"));
    incident.worst = Some(0.58);
    Resolve {
        incident,
        recovered: period("2026-12-03T08:45:00Z"),
        resolved: period("2026-12-03T08:55:00Z"),
        slots: vec![
            slot("2026-12-03T08:45:00Z", Verdict::Within, 57.1, 55.0, 2_810.0),
            slot("2026-12-03T08:50:00Z", Verdict::Within, 60.3, 58.8, 2_905.0),
            slot("2026-12-03T08:55:00Z", Verdict::Within, 60.8, 59.1, 2_930.0),
        ],
        accepted: None,
    }
}

pub(crate) fn ticket(cause: Cause, action: TicketAction, now: Terms, findings: Vec<Finding>) -> Ticket {
    let opened = period("2026-11-29T23:55:00Z");
    let decided = if action == TicketAction::Opened { opened } else { period("2026-12-06T23:55:00Z") };
    Ticket {
        series: series(),
        cause,
        action,
        opened,
        decided,
        key: Key::of_ticket(&series(), cause, opened),
        usual: usual(),
        now,
        days: (3, 5),
        findings,
    }
}

/// The prompt grew by half, and the first token with it: 0.80 s to 1.13 s for 1,540 tokens more.
pub(crate) fn longer_prompt() -> Terms {
    Terms {
        ttft_ms: 1_130.0,
        latency_ms: 7_180.0,
        input_tokens: Some(4_620.0),
        otps_p50: Some(61.8),
        output_tokens: 374.0,
        ..usual()
    }
}

pub(crate) fn prompt_findings() -> Vec<Finding> {
    vec![
        finding(Subject::PromptLength, Check::Moved, 3_080.0, 4_620.0),
        finding(Subject::ResponseLength, Check::RuledOut, 372.0, 374.0),
        finding(Subject::CacheReads, Check::RuledOut, 0.61, 0.61),
        finding(Subject::Throttles, Check::RuledOut, 0.001, 0.001),
        Finding { subject: Subject::ServiceTier, check: Check::NotChecked, usual: None, now: None },
    ]
}

/// Eight minutes to six, a role is denied in four Regions.
pub(crate) fn source_ticket() -> SourceTicket {
    let time = |time: &str| time.parse::<Timestamp>().unwrap();
    let since = time("2026-12-03T05:52:00Z");
    let (act, failure) = (SourceAct::Read, Failure::Denied);
    SourceTicket {
        source: "main".to_owned(),
        act,
        failure,
        key: Key::of_source("main", act, failure, Period::containing(since)),
        regions: ["eu-central-1", "eu-west-1", "us-east-1", "us-west-2"].map(str::to_owned).to_vec(),
        since,
        worked_until: Some(time("2026-12-03T05:47:00Z")),
        at: time("2026-12-03T06:02:00Z"),
        series: 41,
        incidents: 2,
        error: Some(SourceError {
            failure,
            action: Some("cloudwatch:GetMetricData".to_owned()),
            message: "GetMetricData of source `main` in us-east-1 failed: AccessDenied: User: \
                      arn:aws:sts::111122223333:assumed-role/otpsd-read/otpsd is not authorized to perform: \
                      cloudwatch:GetMetricData"
                .to_owned(),
            hint: Some("allow `cloudwatch:GetMetricData` to the credentials of the source".to_owned()),
        }),
        closed: None,
    }
}
