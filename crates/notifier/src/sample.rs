//! One invented incident and its tickets for all tests. The figures agree with each other:
//! 372 tokens at 62.0 tok/s take 6.00 s, 369 at 41.0 take 9.00 s; 41.0 / 62.0 = 0.661, 40.2 / 60.0 = 0.67.

use domain::{
    Cause, Check, DaemonPlan, Elsewhere, Estimator, Evidence, Failure, FellBack, Finding, GroupBy, GroupPage,
    GroupResolve, HeldPage, Incident, Key, Labelling, Learning, LogPlan, Matcher, Member, MissingReason,
    Otps, OtpsDrop, Page, PageState, Period, Plan, Resolve, Routes, Rule, Series, Slot, SourceAct,
    SourceError, SourceTicket, Split, Subject, Surroundings, Terms, Ticket, TicketAction, TicketRule, Unseen,
    Verdict,
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
        overrides: Vec::new(),
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
        quota_tokens: Some(1_810_000.0),
        tiers: None,
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
            finding(Subject::QuotaUsage, Check::RuledOut, 1_810_000.0, 1_835_000.0),
            finding(Subject::ServerErrors, Check::RuledOut, 0.0, 0.0),
            Finding { subject: Subject::ServiceTier, check: Check::NotChecked, usual: None, now: None },
        ],
        learned_from: None,
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

/// The same slump in four series of two accounts, in no order of traffic. 43.0 / 74.2 = 0.58, 39.9 / 60.8 = 0.66, 77.9 / 118.0 = 0.66.
pub(crate) fn paged_group() -> GroupPage {
    let haiku = "us.anthropic.claude-haiku-4-5-20251001-v1:0";
    let (a, b) = ("111122223333", "444455556666");
    let pages: Vec<Page> = [
        (a, "us.amazon.nova-pro-v1:0", scaled(74.2, 43.0, 860.0)),
        (a, MODEL, evidence()),
        (b, MODEL, scaled(60.8, 39.9, 1_210.0)),
        (a, haiku, scaled(118.0, 77.9, 2_410.0)),
    ]
    .into_iter()
    .map(|(account, model, evidence)| {
        page_of(Series::new(account, "us-east-1", model), &Rule::default(), evidence)
    })
    .collect();
    let state =
        PageState { members: pages.iter().map(|page| member(page.incident())).collect(), ..paged().state };
    GroupPage { state, pages }
}

/// The sample's evidence with another baseline, another level, and another traffic.
fn scaled(baseline: f64, level: f64, samples: f64) -> Evidence {
    let mut scaled = evidence();
    for slot in &mut scaled.slots {
        slot.baseline = Some(baseline);
        slot.samples = samples;
        let value = if slot.verdict == Verdict::Breaching { level } else { baseline };
        slot.otps = slot.otps.map(|_| Otps { p50: Some(value), token_weighted: Some(value) });
    }
    for (terms, otps) in [(&mut scaled.usual, baseline), (&mut scaled.now, level)] {
        terms.otps_p50 = Some(otps);
        terms.otps_token_weighted = Some(otps);
        terms.latency_ms = terms.ttft_ms + terms.output_tokens / otps * 1_000.0;
        terms.samples = samples;
    }
    scaled
}

/// Three Regions that are well, and a source that cannot be read in two.
pub(crate) fn surroundings() -> Surroundings {
    let elsewhere = |region: &str, series, ratio, worst| Elsewhere {
        region: region.to_owned(),
        series,
        slow: 0,
        ratio,
        worst,
    };
    let unseen = |region: &str, series| Unseen {
        source: "prod-b".to_owned(),
        region: region.to_owned(),
        series,
        failure: Failure::Denied,
        since: "2026-12-03T05:52:00Z".parse().unwrap(),
        ticket: Some(source_ticket().key),
    };
    Surroundings {
        judged: 22,
        elsewhere: vec![
            elsewhere("us-west-2", 31, 1.01, 0.97),
            elsewhere("eu-west-1", 27, 0.99, 0.91),
            elsewhere("eu-central-1", 18, 1.0, 0.95),
        ],
        unseen: vec![unseen("us-east-1", 11), unseen("eu-west-1", 9)],
        fell_back: Vec::new(),
    }
}

/// Of 2,900 requests 2,030 are usually latency-optimized, of 2,940 now 147.
pub(crate) fn fell_back() -> FellBack {
    FellBack {
        series: series(),
        usual: Split { standard: 870.0, optimized: 2_030.0 },
        now: Split { standard: 2_793.0, optimized: 147.0 },
    }
}

/// Owners, a tier, a name and a runbook for the models of Anthropic, and an owner for the rest.
pub(crate) fn labelled() -> Plan {
    let labelling = |name: &str, model: &str, labels: &[(&str, &str)]| Labelling {
        name: name.to_owned(),
        matcher: Matcher { models: vec![model.to_owned()], ..Matcher::default() },
        labels: labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    Plan {
        labels: vec![
            labelling(
                "support",
                "*anthropic*",
                &[
                    ("owner", "team-support"),
                    ("tier", "1"),
                    ("alias", "support-chat"),
                    ("runbook", "https://wiki.example.com/llm-slow"),
                ],
            ),
            labelling("rest", "*", &[("owner", "team-platform")]),
        ],
        ..plan(&Rule::default())
    }
}

/// A reading in the midst of all that.
pub(crate) fn around<T>(now: &str, read: impl FnOnce(&Context<'_>) -> T) -> T {
    read(&Context::new(&labelled(), now.parse().unwrap(), &surroundings()))
}

/// The end of the same: each of the four is over, the last is that of [`resolve`].
pub(crate) fn resolved_group() -> GroupResolve {
    let mut resolved = resolved();
    let last = resolved.last.incident.key.clone();
    resolved.state.members = paged_group().state.members;
    let ends =
        ["2026-12-03T07:50:00Z", "2026-12-03T08:45:00Z", "2026-12-03T08:20:00Z", "2026-12-03T08:35:00Z"];
    for (member, end) in resolved.state.members.iter_mut().zip(ends) {
        member.recovered = Some(period(end));
        member.resolved = Some(period(end) + 2);
        if member.incident == last {
            member.worst = resolved.last.incident.worst;
        }
    }
    resolved
}

/// Two of the four are back; the others have not been seen since 07:35Z.
pub(crate) fn held() -> HeldPage {
    let mut state = resolved_group().state;
    state.summary =
        around("2026-12-03T06:17:02Z", |context| crate::text::page::summary(&paged_group(), context));
    state.closed = None;
    for member in state.members.iter_mut().skip(2) {
        (member.recovered, member.resolved) = (None, None);
    }
    HeldPage {
        state,
        seen: Some(period("2026-12-03T07:30:00Z")),
        at: "2026-12-03T13:35:00Z".parse().unwrap(),
    }
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
        unwatched: false,
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
