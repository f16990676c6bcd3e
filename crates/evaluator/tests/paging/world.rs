//! Incidents without an engine, a configuration without a file, and a desk that tells what it said in lines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use domain::{
    Cause, ChannelPlan, DaemonPlan, DeliveryPlan, Estimator, Evidence, GroupBy, Incident, JiraPlan, Key,
    Learning, LogPlan, Maintenance, Matcher, Otps, OtpsDrop, PERIODS_PER_HOUR, Page, PagerDutyPlan,
    PagerDutySeverity, Period, Plan, Resolve, Route, Routes, Rule, Secret, Series, Silence, Slot, SnsFormat,
    SnsPlan, Terms, Ticket, TicketAction, TicketRule, Verdict, Window,
};
use evaluator::{Desk, Effect, Notice, Paging};
use jiff::Timestamp;

/// 2026-10-03T04:00:00Z.
const T0: i64 = 5_970_000;

pub(crate) fn at(k: i64) -> Period {
    Period::from_index(T0 + k)
}

/// When the verdict on a period is known: two minutes after its end.
pub(crate) fn judged(k: i64) -> Timestamp {
    at(k).end() + jiff::SignedDuration::from_mins(2)
}

pub(crate) fn series(model: &str) -> Series {
    Series::new("111122223333", "us-east-1", model)
}

pub(crate) fn in_europe(model: &str) -> Series {
    Series::new("111122223333", "eu-west-1", model)
}

/// The page of an incident: three of five periods at 60 % of 100 tokens a second, with so many requests in each.
pub(crate) fn page_of(series: &Series, opened: i64, samples: f64) -> Page {
    let slot = |k: i64| Slot {
        period: at(k),
        verdict: if k > opened - 3 { Verdict::Breaching } else { Verdict::Within },
        estimator: Estimator::P50,
        otps: Some(Otps { p50: Some(if k > opened - 3 { 60.0 } else { 100.0 }), token_weighted: None }),
        baseline: Some(100.0),
        noise: None,
        samples,
        window: 1,
    };
    let evidence = Evidence {
        now: Terms { samples, ..Terms::default() },
        usual: Terms::default(),
        slots: (opened - 4..=opened).map(slot).collect(),
        line: Some(0.8),
        m_of_n: (3, 5),
        findings: Vec::new(),
        learned_from: None,
    };
    let drop = OtpsDrop::observe(series.clone(), &Rule::default(), evidence);
    Page::open(drop.expect("three of five breach"), at(opened))
}

pub(crate) fn opens(series: &Series, opened: i64) -> Effect {
    Effect::Page(Box::new(page_of(series, opened, 200.0)))
}

/// The end of the incident that a period opened; two periods before it the first one was back.
pub(crate) fn resolve_of(series: &Series, opened: i64, resolved: i64) -> Resolve {
    Resolve {
        incident: Incident { worst: Some(0.55), ..page_of(series, opened, 200.0).incident().clone() },
        recovered: at(resolved - 2),
        resolved: at(resolved),
        slots: Vec::new(),
        accepted: None,
        unwatched: false,
    }
}

pub(crate) fn ends(series: &Series, opened: i64, resolved: i64) -> Effect {
    Effect::Resolve(Box::new(resolve_of(series, opened, resolved)))
}

pub(crate) fn ended(series: &Series, opened: i64, resolved: i64) -> Effect {
    Effect::Ended(Box::new(resolve_of(series, opened, resolved)))
}

pub(crate) fn ticket_of(series: &Series, cause: Cause, opened: i64, decided: i64) -> Ticket {
    Ticket {
        series: series.clone(),
        cause,
        action: TicketAction::Opened,
        opened: at(opened),
        decided: at(decided),
        key: Key::of_ticket(series, cause, at(opened)),
        usual: Terms::default(),
        now: Terms::default(),
        days: (3, 5),
        findings: Vec::new(),
    }
}

pub(crate) fn ticket(series: &Series, action: TicketAction, decided: i64) -> Effect {
    Effect::Ticket(Box::new(Ticket { action, ..ticket_of(series, Cause::Queueing, 0, decided) }))
}

/// Two channels for pages and one for tickets, and a fourth that no route leads to.
pub(crate) fn plan() -> Plan {
    Plan {
        daemon: DaemonPlan {
            listen: "127.0.0.1:9464".parse().unwrap(),
            public_url: None,
            state_dir: PathBuf::new(),
            log: LogPlan::Auto,
            heartbeat_url: None,
        },
        rule: Rule::default(),
        overrides: Vec::new(),
        learning: Learning::default(),
        ticket_rule: TicketRule::default(),
        group_by: GroupBy::Region,
        labels: Vec::new(),
        maintenance: Vec::new(),
        heartbeat: None,
        sources: Vec::new(),
        channels: vec![oncall("oncall"), sns("ops"), jira(), ChannelPlan::Log { name: "all".to_owned() }],
        routes: Routes {
            page: vec![route(Matcher::default(), &["pagerduty.oncall", "sns.ops"])],
            ticket: vec![route(Matcher::default(), &["jira.llm"])],
        },
    }
}

pub(crate) fn route(matcher: Matcher, channels: &[&str]) -> Route {
    Route { matcher, hours: None, channels: channels.iter().map(|&name| name.to_owned()).collect() }
}

pub(crate) fn oncall(name: &str) -> ChannelPlan {
    ChannelPlan::PagerDuty(PagerDutyPlan {
        name: name.to_owned(),
        routing_key: Secret::new("R0123456789abcdefghijklmnopqrstu"),
        url: "https://events.pagerduty.com/v2/enqueue".to_owned(),
        severity: PagerDutySeverity::Critical,
        delivery: DeliveryPlan::DEFAULT,
    })
}

pub(crate) fn sns(name: &str) -> ChannelPlan {
    ChannelPlan::Sns(SnsPlan {
        name: name.to_owned(),
        topic_arn: format!("arn:aws:sns:us-east-1:111122223333:{name}"),
        endpoint_url: None,
        profile: None,
        format: SnsFormat::Alarm,
        delivery: DeliveryPlan::DEFAULT,
    })
}

fn jira() -> ChannelPlan {
    ChannelPlan::Jira(JiraPlan {
        name: "llm".to_owned(),
        url: "https://example.atlassian.net".to_owned(),
        project: "LLM".to_owned(),
        issue_type: "Task".to_owned(),
        user: None,
        token: Secret::new("token"),
        labels: Vec::new(),
        reopen_within: std::time::Duration::from_secs(86_400),
        wont_fix: Vec::new(),
        delivery: DeliveryPlan::DEFAULT,
    })
}

pub(crate) fn models(globs: &[&str]) -> Matcher {
    Matcher { models: globs.iter().map(|&glob| glob.to_owned()).collect(), ..Matcher::default() }
}

/// A silence from one verdict to another.
pub(crate) fn silence(matcher: Matcher, from: i64, until: i64) -> Silence {
    Silence {
        id: "5117ab1e".to_owned(),
        matcher,
        author: "kim".to_owned(),
        comment: "moving".to_owned(),
        from: judged(from),
        until: judged(until),
    }
}

/// A window from one verdict to another.
pub(crate) fn maintenance(matcher: Matcher, from: i64, until: i64) -> Maintenance {
    let window = Window::Once { from: judged(from), until: judged(until) };
    Maintenance { name: "upgrade".to_owned(), matcher, window, comment: None }
}

/// A paging and the desk that it works at.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) silences: Vec<Silence>,
    pub(crate) paging: Paging,
    /// Where it is not the period of the step.
    pub(crate) seen: BTreeMap<Series, Option<Period>>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::of(plan())
    }

    pub(crate) fn of(plan: Plan) -> Self {
        Self { plan, silences: Vec::new(), paging: Paging::default(), seen: BTreeMap::new() }
    }

    /// What is said when the verdicts on a period are known.
    pub(crate) fn notices(&mut self, k: i64, effects: &[Effect]) -> Vec<Notice> {
        let seen = |series: &Series| self.seen.get(series).copied().unwrap_or_else(|| Some(at(k)));
        let desk = Desk { plan: &self.plan, silences: &self.silences, seen: &seen };
        self.paging.step(judged(k), &desk, effects)
    }

    /// The same in lines.
    pub(crate) fn step(&mut self, k: i64, effects: &[Effect]) -> Vec<String> {
        self.notices(k, effects).iter().map(line).collect()
    }

    /// A tick, so many hours after [`T0`].
    pub(crate) fn hours(&mut self, hours: i64) -> Vec<String> {
        self.step(hours * PERIODS_PER_HOUR, &[])
    }
}

/// A notice in a line: what, key, to whom, and the models that it is about. Of members, those that are over stand in parentheses.
pub(crate) fn line(notice: &Notice) -> String {
    let members = |state: &domain::PageState| {
        let name = |member: &domain::Member| match member.resolved {
            None => member.series.model().to_owned(),
            Some(_) => format!("({})", member.series.model()),
        };
        state.members.iter().map(name).collect::<Vec<_>>().join(" ")
    };
    let of = |what: &str, state: &domain::PageState| {
        format!("{what} {} {}: {}", state.key, state.channel, members(state))
    };
    match notice {
        Notice::Page(page) => of("page", &page.state),
        Notice::Changed(state) => of("changed", state),
        Notice::Resolve(resolve) => of("resolve", &resolve.state),
        Notice::Held { held, channels } => format!("held {} -> {}", held.state.key, channels.join(" ")),
        Notice::HeldOver { held, channels } => {
            format!("held over {} -> {}", held.state.key, channels.join(" "))
        }
        Notice::Ticket { ticket, channels } => {
            format!("{} {} {} -> {}", ticket.cause, ticket.action.as_str(), ticket.key, channels.join(" "))
        }
        Notice::Untold { incident, why } => format!("untold {}: {why}", incident.series.model()),
        Notice::Forgotten { incident } => format!("forgotten {}", incident.series.model()),
    }
}
