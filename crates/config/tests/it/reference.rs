//! The reference and the examples are configurations like any other, and the reference tells the truth.

use std::path::Path;

use config::{Purpose, REFERENCE};
use domain::{ChannelPlan, Learning, LogPlan, Mode, PagerDutySeverity, Plan, Rule, SourcePlan, TicketRule};

use crate::surroundings::{outcome, seen};

const MINIMAL: &str = include_str!("../../../../config/examples/minimal.toml");
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
