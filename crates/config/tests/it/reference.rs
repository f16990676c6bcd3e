//! The reference and the examples are configurations like any other, and the reference tells the truth.

use std::path::Path;

use config::{Purpose, REFERENCE};
use domain::{
    About, ChannelPlan, DeliveryPlan, GroupBy, Labels, Learning, LogPlan, Mode, PAGE_CAUSE,
    PagerDutySeverity, Plan, Rule, Series, SnsFormat, SourcePlan, TicketRule,
};
use jiff::Timestamp;

use crate::surroundings::{outcome, seen};

const MINIMAL: &str = include_str!("../../../../config/examples/minimal.toml");
const TEAM: &str = include_str!("../../../../config/examples/team.toml");
const BACKTEST: &str = include_str!("../../../../config/examples/backtest.toml");

fn plan(text: &str, purpose: Purpose) -> Plan {
    let outcome = outcome(text, purpose);
    assert_eq!(outcome.problems, []);
    outcome.plan.unwrap()
}

#[test]
fn the_reference_says_the_defaults() {
    let written = plan(REFERENCE, Purpose::Run);
    assert_eq!(written.rule, Rule::default());
    assert_eq!(written.learning, Learning::default());
    assert_eq!(written.ticket_rule, TicketRule::default());

    let unwritten = plan("", Purpose::Backtest);
    assert_eq!(unwritten.rule, Rule::default());
    assert_eq!(unwritten.learning, Learning::default());
    assert_eq!(unwritten.ticket_rule, TicketRule::default());
    assert_eq!((unwritten.group_by, written.group_by), (GroupBy::Region, GroupBy::Region));
    assert_eq!(format!("{:?}", unwritten.daemon), format!("{:?}", written.daemon));
    assert_eq!(written.daemon.listen.to_string(), "127.0.0.1:9464");
    assert_eq!(written.daemon.state_dir, Path::new("/var/lib/otpsd"));
    assert_eq!(written.daemon.log, LogPlan::Auto);

    let shortest = plan(MINIMAL, Purpose::Run);
    assert_eq!(format!("{:?}", shortest.sources), format!("{:?}", written.sources));
    let pagerduty =
        |plan: &Plan| match plan.channels.iter().find(|channel| channel.name() == "pagerduty.oncall") {
            Some(ChannelPlan::PagerDuty(plan)) => plan.clone(),
            other => panic!("{other:?}"),
        };
    assert_eq!(format!("{:?}", pagerduty(&shortest)), format!("{:?}", pagerduty(&written)));
    assert_eq!(pagerduty(&shortest).severity, PagerDutySeverity::Critical);
    assert_eq!(pagerduty(&shortest).delivery, DeliveryPlan::DEFAULT);
    assert_eq!(pagerduty(&shortest).routing_key.expose(), "R0TESTTESTTESTTESTTESTTESTTEST00");
}

#[test]
fn the_reference_has_its_sources_channels_and_routes() {
    let plan = plan(REFERENCE, Purpose::Run);
    let SourcePlan::CloudWatch(source) = &plan.sources[0];
    assert_eq!((source.name.as_str(), &source.regions[..]), ("main", &["us-east-1".to_owned()][..]));
    assert_eq!(source.settle_delay.as_secs(), 120);
    assert_eq!(source.discover_every.as_secs(), 900);
    assert_eq!(source.attempt_timeout.as_secs(), 10);
    let names: Vec<_> = plan.channels.iter().map(ChannelPlan::name).collect();
    assert_eq!(names, ["log.all", "pagerduty.oncall", "sns.ops", "sns.tickets"]);
    let topic = plan.channels.iter().find_map(|channel| match channel {
        ChannelPlan::Sns(plan) if plan.name == "tickets" => Some((plan.format, plan.delivery.clone())),
        _ => None,
    });
    assert_eq!(topic, Some((SnsFormat::Alarm, DeliveryPlan::DEFAULT)), "what is not written is the default");
    assert_eq!(plan.routes.page[0].channels, ["pagerduty.oncall", "sns.ops", "log.all"]);
    assert_eq!(plan.routes.ticket[0].channels, ["sns.tickets", "log.all"]);
    assert!(plan.routes.page[0].matcher.takes_all());
}

#[test]
fn the_examples_can_be_used_for_what_they_are() {
    assert_eq!(plan(MINIMAL, Purpose::Check).rule.mode, Mode::Page);
    assert_eq!(plan(BACKTEST, Purpose::Backtest).rule.mode, Mode::Observe);
    insta::assert_snapshot!(seen(BACKTEST, Purpose::Check), @r#"
    warning: there is no source, so that nothing can be watched
    --> otpsd.toml
     = hint: add a table `[source.cloudwatch.main]`; only `otpsd backtest` works
             without
    "#);
}

#[test]
fn the_team_sleeps_while_the_second_tier_is_slow() {
    let plan = plan(TEAM, Purpose::Run);
    let to = |model: &str, time: &str| {
        let series = Series::new("111122223333", "us-east-1", model);
        let labels: Labels = plan.labels_of(&series);
        let about =
            About { series: Some(&series), regions: &["us-east-1"], cause: PAGE_CAUSE, labels: &labels };
        let time: Timestamp = time.parse().unwrap();
        plan.routes.page.iter().find(|route| route.takes(&about, time)).unwrap().channels[0].clone()
    };
    let (sonnet, haiku) =
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.anthropic.claude-haiku-4-5-20251001-v1:0");
    // In December New York is five hours behind UTC: 22:00 is 03:00 of the next day, 07:00 is 12:00.
    for (model, time, channel) in [
        (haiku, "2026-12-01T02:59:59Z", "pagerduty.oncall"),
        (haiku, "2026-12-01T03:00:00Z", "jira.llm"),
        (haiku, "2026-12-01T11:59:59Z", "jira.llm"),
        (haiku, "2026-12-01T12:00:00Z", "pagerduty.oncall"),
        (sonnet, "2026-12-01T03:00:00Z", "pagerduty.oncall"),
        ("amazon.nova-pro-v1:0", "2026-12-01T03:00:00Z", "pagerduty.oncall"),
    ] {
        assert_eq!(to(model, time), channel, "{model} at {time}");
    }
    assert_eq!(plan.maintenance[0].matcher.labels, Labels::from([("owner".into(), "team-batch".into())]));
}
