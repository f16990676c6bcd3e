use domain::Cause;
use jiff::SignedDuration;

use super::*;

fn plan() -> CloudWatchPlan {
    CloudWatchPlan {
        expect: vec!["*nova-pro*".to_owned()],
        max_series: 3,
        ..CloudWatchPlan::new("main", &["us-east-1", "eu-west-1"])
    }
}

fn at(minute: i64) -> Timestamp {
    "2026-12-03T06:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_mins(minute)
}

fn series(region: &str, model: &str) -> Series {
    Series::new("111122223333", region, model)
}

fn look(region: &str, listed: &[&str], watched: &[&str]) -> Look {
    let of = |models: &[&str]| models.iter().map(|model| series(region, model)).collect();
    Look { listed: of(listed), watched: of(watched), left_out: Vec::new() }
}

fn with(model: &str, requests: Option<f64>) -> LeftOut {
    LeftOut { series: series("us-east-1", model), requests }
}

fn said(tickets: &[GapTicket]) -> Vec<(Cause, TicketAction)> {
    tickets.iter().map(|ticket| (ticket.open.gap.cause(), ticket.action)).collect()
}

const MISSING: (Cause, TicketAction) = (Cause::ModelMissing, TicketAction::Opened);
const THERE: (Cause, TicketAction) = (Cause::ModelMissing, TicketAction::Closed);

#[test]
fn a_model_is_missing_once_every_region_was_asked() {
    let (plan, mut coverage) = (plan(), Coverage::default());
    let none = |region| look(region, &["example.large"], &[]);
    assert_eq!(coverage.looked(at(0), &plan, "us-east-1", none("us-east-1")), []);
    let news = coverage.looked(at(1), &plan, "eu-west-1", none("eu-west-1"));
    assert_eq!(said(&news), [MISSING]);
    let regions = vec!["eu-west-1".to_owned(), "us-east-1".to_owned()];
    assert_eq!(news[0].figures, GapFigures::Missing { regions, known: Vec::new() });
    assert_eq!(news[0].open.since, at(1));
    // It is told once, and over as soon as any Region has it.
    assert_eq!(coverage.looked(at(15), &plan, "us-east-1", none("us-east-1")), []);
    let there = look("us-east-1", &["us.amazon.nova-pro-v1:0"], &[]);
    let news = coverage.looked(at(30), &plan, "us-east-1", there);
    assert_eq!(said(&news), [THERE]);
    assert_eq!(coverage.open("main").count(), 0);
}

#[test]
fn one_that_vanishes_is_missing_though_it_is_still_watched() {
    let (plan, mut coverage) = (plan(), Coverage::default());
    coverage.looked(at(0), &plan, "us-east-1", look("us-east-1", &["nova-pro-1"], &["nova-pro-1"]));
    assert_eq!(coverage.looked(at(0), &plan, "eu-west-1", look("eu-west-1", &[], &[])), []);
    let news = coverage.looked(at(15), &plan, "us-east-1", look("us-east-1", &[], &["nova-pro-1"]));
    assert_eq!(said(&news), [MISSING]);
    let GapFigures::Missing { known, .. } = &news[0].figures else { panic!("{news:?}") };
    assert_eq!(*known, [series("us-east-1", "nova-pro-1")]);
}

#[test]
fn what_is_open_survives_a_restart_and_what_nobody_asks_for_any_more_closes() {
    let (mut plan, mut coverage) = (plan(), Coverage::default());
    plan.expect.push("gone".to_owned());
    for region in plan.regions.clone() {
        coverage.looked(at(0), &plan, &region, Look::default());
    }
    let open: Vec<OpenGap> = coverage.open("main").cloned().collect();
    assert_eq!(open.len(), 2);
    plan.expect.pop();
    let whole = whole_plan(vec![SourcePlan::CloudWatch(plan.clone())]);
    let state = |source: &str| SourceState {
        source: source.to_owned(),
        gaps: open.clone(),
        ..SourceState::default()
    };
    let (mut coverage, news) = Coverage::restore(at(60), &[state("main"), state("other")], &whole);
    // Of this source the one, of the other both.
    assert_eq!(said(&news), [THERE, THERE, THERE]);
    assert_eq!(news[0].open, open[1]);
    assert_eq!(coverage.open("main").collect::<Vec<_>>(), [&open[0]]);
    assert_eq!(coverage.standing(at(60)).count(), 0, "nobody has looked yet");
    for region in plan.regions.clone() {
        assert_eq!(coverage.looked(at(61), &plan, &region, Look::default()), []);
    }
    let standing: Vec<GapTicket> = coverage.standing(at(61)).collect();
    assert_eq!((said(&standing), standing[0].open.since), (vec![MISSING], at(0)));
}

#[test]
fn what_is_left_out_is_told_at_once_in_a_fixed_order() {
    let (mut plan, mut coverage) = (plan(), Coverage::default());
    plan.expect.clear();
    let left_out = vec![with("quiet", Some(3.0)), with("b", None), with("a", None), with("busy", Some(9.0))];
    let over = Look { left_out, ..Look::default() };
    let news = coverage.looked(at(0), &plan, "us-east-1", over);
    assert_eq!(said(&news), [(Cause::SeriesLimit, TicketAction::Opened)]);
    let GapFigures::LeftOut { limit: 3, left_out } = &news[0].figures else { panic!("{news:?}") };
    let models: Vec<&str> = left_out.iter().map(|one| one.series.model()).collect();
    assert_eq!(models, ["busy", "quiet", "a", "b"]);
    // It is over when nothing is left out in any Region, and every one was asked.
    assert_eq!(coverage.looked(at(15), &plan, "us-east-1", Look::default()), []);
    let news = coverage.looked(at(16), &plan, "eu-west-1", Look::default());
    assert_eq!(said(&news), [(Cause::SeriesLimit, TicketAction::Closed)]);
}

#[test]
fn that_more_is_shed_is_told_and_that_it_goes_on_is_not() {
    let (plan, mut coverage) = (plan(), Coverage::default());
    let figures = |thrift, spent_usd| GapFigures::Cost {
        limit_usd: 50.0,
        spent_usd,
        full_usd: 60.0,
        thrifty_usd: 48.0,
        thrift,
        until: at(10_000),
    };
    let mut reckon = |minute, is_short, thrift| {
        said(&coverage.reckoned(at(minute), &plan, is_short, figures(thrift, minute as f64)))
    };
    let cost = |action| vec![(Cause::CostLimit, action)];
    assert_eq!(reckon(0, false, Thrift::None), []);
    assert_eq!(reckon(5, true, Thrift::Diagnosis), cost(TicketAction::Opened));
    assert_eq!(reckon(10, true, Thrift::Diagnosis), []);
    assert_eq!(reckon(15, true, Thrift::Polling), cost(TicketAction::Updated));
    assert_eq!(reckon(20, true, Thrift::Diagnosis), [], "less is shed");
    assert_eq!(reckon(25, false, Thrift::None), cost(TicketAction::Closed));
}

#[test]
fn the_busiest_are_taken_up_and_what_must_be_there_before_them() {
    let mut plan = plan();
    let new = || {
        vec![
            with("a", Some(50.0)),
            with("nova-pro-1", Some(1.0)),
            with("b", Some(50.0)),
            with("c", Some(80.0)),
            with("d", None),
        ]
    };
    let models = |(taken, left): (Vec<Series>, Vec<LeftOut>)| {
        let taken: Vec<String> = taken.iter().map(|one| one.model().to_owned()).collect();
        let left: Vec<String> = left.iter().map(|one| one.series.model().to_owned()).collect();
        (taken.join(" "), left.join(" "))
    };
    assert_eq!(models(taken_up(&plan, new(), 3)), ("nova-pro-1 c a".into(), "b d".into()));
    assert_eq!(models(taken_up(&plan, new(), 9)), ("nova-pro-1 c a b d".into(), String::new()));
    // Too little traffic is no matter of the limit: it waits until there is more.
    plan.min_daily_requests = 60;
    assert_eq!(models(taken_up(&plan, new(), 1)), ("nova-pro-1".into(), "c".into()));
}

fn whole_plan(sources: Vec<SourcePlan>) -> Plan {
    Plan {
        daemon: domain::DaemonPlan {
            listen: ([127, 0, 0, 1], 9464).into(),
            public_url: None,
            state_dir: "/var/lib/otpsd".into(),
            log: domain::LogPlan::Auto,
            heartbeat_url: None,
        },
        rule: domain::Rule::default(),
        overrides: Vec::new(),
        learning: domain::Learning::default(),
        ticket_rule: domain::TicketRule::default(),
        group_by: domain::GroupBy::Region,
        labels: Vec::new(),
        maintenance: Vec::new(),
        heartbeat: None,
        sources,
        channels: Vec::new(),
        routes: domain::Routes::default(),
    }
}
