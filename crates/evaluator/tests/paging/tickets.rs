//! Tickets: told when nothing mutes them, and from then on to exactly those who were told.

use domain::TicketAction::{Closed, Opened, Updated};
use domain::{Cause, Filed, Key, Matcher, Mode};

use crate::world::{World, at, line, models, opens, route, series, silence, ticket, ticket_of};

/// `ticket|queueing|111122223333/us-east-1/a|5970000`
const KEY: &str = "otpsd-3b539787d266742e";

#[test]
fn whatever_is_said_later_goes_to_those_who_were_told() {
    let a = series("a");
    let mut world = World::new();
    assert_eq!(world.step(0, &[ticket(&a, Opened, 0)]), [format!("queueing opened {KEY} -> jira.llm")]);
    let filed = Filed { key: Key::from_text(KEY), channels: vec!["jira.llm".to_owned()] };
    assert!(world.paging.filed().eq([filed.clone()]));
    assert_eq!(world.paging.filed_of(&filed.key), filed);

    world.plan.routes.ticket = vec![route(Matcher::default(), &["log.all"])];
    assert_eq!(world.step(9, &[ticket(&a, Updated, 9)]), [format!("queueing updated {KEY} -> jira.llm")]);
    assert_eq!(world.step(12, &[ticket(&a, Closed, 12)]), [format!("queueing closed {KEY} -> jira.llm")]);
    assert_eq!(world.paging.filed().count(), 0);
    assert!(world.paging.filed_of(&filed.key).channels.is_empty());
}

#[test]
fn the_first_route_that_takes_its_cause_wins() {
    let mut world = World::new();
    let creep = Matcher { causes: vec!["queueing".to_owned()], ..Matcher::default() };
    world.plan.routes.ticket = vec![
        route(models(&["b"]), &["jira.llm"]),
        route(creep, &["log.all", "jira.llm"]),
        route(Matcher::default(), &["jira.llm"]),
    ];
    let said = world.step(0, &[ticket(&series("a"), Opened, 0)]);
    assert_eq!(said, [format!("queueing opened {KEY} -> log.all jira.llm")]);
}

#[test]
fn a_muted_ticket_waits() {
    let a = series("a");
    let mut world = World::new();
    world.silences = vec![silence(models(&["a"]), -10, 8)];
    assert_eq!(world.step(0, &[ticket(&a, Opened, 0)]), [""; 0]);
    // It was updated meanwhile: whoever is told hears the newest figures, as of a new ticket.
    assert_eq!(world.step(5, &[ticket(&a, Updated, 5)]), [""; 0]);
    let mut closed = world.clone();
    let told = world.notices(8, &[]);
    assert_eq!(told.iter().map(line).collect::<Vec<_>>(), [format!("queueing opened {KEY} -> jira.llm")]);
    let evaluator::Notice::Ticket { ticket: told, .. } = &told[0] else { panic!("{told:?}") };
    assert_eq!((told.opened, told.decided), (at(0), at(5)));

    assert_eq!(closed.step(7, &[ticket(&a, Closed, 7)]), [""; 0]);
    assert_eq!(closed.step(8, &[]), [""; 0], "it is closed, and nobody was told");
}

#[test]
fn a_silence_holds_back_updates_and_not_the_end() {
    let a = series("a");
    let mut world = World::new();
    world.step(0, &[ticket(&a, Opened, 0)]);
    world.silences =
        vec![silence(Matcher { causes: vec!["queueing".to_owned()], ..Matcher::default() }, 1, 99)];
    assert_eq!(world.step(5, &[ticket(&a, Updated, 5)]), [""; 0]);
    assert_eq!(world.step(9, &[ticket(&a, Closed, 9)]), [format!("queueing closed {KEY} -> jira.llm")]);
}

#[test]
fn an_update_of_what_nobody_was_told_of_is_news() {
    let a = series("a");
    let mut world = World::new();
    world.plan.rule.mode = Mode::Observe;
    assert_eq!(world.step(0, &[ticket(&a, Opened, 0)]), [""; 0]);
    // Restarted, and no longer only observing: the engine's state is all that knows of the ticket.
    let mut world = World::new();
    let said = world.step(9, &[ticket(&a, Updated, 9)]);
    assert_eq!(said, [format!("queueing opened {KEY} -> jira.llm")]);
    assert_eq!(world.step(10, &[ticket(&series("b"), Closed, 10)]), [""; 0]);
}

#[test]
fn what_waited_before_a_restart_still_waits() {
    let a = series("a");
    let mut world = World::new();
    world.silences = vec![silence(Matcher::default(), -10, 8)];
    world.paging.restore(Vec::new(), Vec::new(), Vec::new(), vec![ticket_of(&a, Cause::Queueing, 0, 4)]);
    assert_eq!(world.step(4, &[]), [""; 0]);
    assert_eq!(world.step(8, &[]), [format!("queueing opened {KEY} -> jira.llm")]);
    // One that was filed is not filed again.
    let filed = world.paging.filed().collect();
    let mut world = World::new();
    world.paging.restore(Vec::new(), filed, Vec::new(), vec![ticket_of(&a, Cause::Queueing, 0, 9)]);
    assert_eq!(world.step(9, &[]), [""; 0]);
    assert_eq!(world.step(10, &[ticket(&a, Closed, 10)]), [format!("queueing closed {KEY} -> jira.llm")]);
}

#[test]
fn tickets_come_after_pages_and_both_within_a_step() {
    let a = series("a");
    let mut world = World::new();
    assert_eq!(
        world.step(0, &[ticket(&a, Opened, 0), opens(&a, 0)]),
        [
            "page otpsd-f5a76268213b6e09 pagerduty.oncall: a".to_owned(),
            "page otpsd-f5a76268213b6e09 sns.ops: a".to_owned(),
            format!("queueing opened {KEY} -> jira.llm"),
        ]
    );
    assert_eq!(
        World::new().step(9, &[ticket(&a, Opened, 0), ticket(&a, Updated, 5), ticket(&a, Closed, 9)]),
        [""; 0],
        "it came and went unseen"
    );
}
