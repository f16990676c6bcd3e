//! Situations in which pages get lost or repeated: what is said, with the exact keys. What a lost store does stands in `store_lost`.

use domain::{Acceptance, GroupBy, Key, PageState, Resolve, TicketAction};
use evaluator::{Effect, Notice, Paging};

use crate::world::{
    World, at, ends, judged, line, oncall, opens, page_of, plan, resolve_of, route, series, sns, ticket,
};

/// `page|us-east-1|5970000`
const KEY: &str = "otpsd-f5a76268213b6e09";

fn to_both(what: &str, members: &str) -> [String; 2] {
    ["pagerduty.oncall", "sns.ops"].map(|channel| format!("{what} {KEY} {channel}: {members}"))
}

fn states(notices: &[Notice]) -> Vec<PageState> {
    let state = |notice: &Notice| match notice {
        Notice::Page(page) => Some(page.state.clone()),
        Notice::Changed(state) => Some(state.as_ref().clone()),
        _ => None,
    };
    notices.iter().filter_map(state).collect()
}

#[test]
fn store_full_or_locked() {
    let a = series("a");
    let mut world = World::new();
    let before = world.paging.clone();
    assert_eq!(world.step(0, &[opens(&a, 0)]), to_both("page", "a"));
    // While it cannot be written down nothing is said again, and what follows has the same key.
    for k in 1..4 {
        assert_eq!(world.step(k, &[]), [""; 0]);
    }
    assert_eq!(
        world.step(7, &[ends(&a, 0, 7)]),
        to_both("resolve", "a").map(|line| line.replace(": a", ": (a)"))
    );
    // The daemon dies before it was written down: the same is said, with the same key.
    world.paging = before;
    assert_eq!(world.step(9, &[opens(&a, 0)]), to_both("page", "a"));
}

#[test]
fn restart_in_mid_incident() {
    let (a, b) = (series("a"), series("b"));
    let mut world = World::new();
    let pages = states(&world.notices(0, &[opens(&a, 0)]));
    world.paging = Paging::default();
    world.paging.restore(pages, Vec::new(), vec![page_of(&a, 0, 200.0)], Vec::new());
    assert_eq!(world.step(3, &[]), [""; 0], "it is not told again");
    assert_eq!(world.step(4, &[opens(&b, 4)]), to_both("changed", "a b"));
    assert_eq!(world.step(7, &[ends(&a, 0, 7)]), to_both("changed", "(a) b"));
    assert_eq!(world.step(9, &[ends(&b, 4, 9)]), to_both("resolve", "(a) (b)"));
}

#[test]
fn restart_before_anybody_was_told() {
    let a = series("a");
    // It was silenced before the restart. What the silence was, the ledger knows; why it waits was said.
    let mut world = World::new();
    world.silences = vec![crate::world::silence(domain::Matcher::default(), 0, 9)];
    world.paging.restore(Vec::new(), Vec::new(), vec![page_of(&a, 0, 200.0)], Vec::new());
    assert_eq!(world.step(3, &[]), [""; 0]);
    assert_eq!(world.paging.untold().count(), 1);
    assert_eq!(world.step(9, &[]), to_both("page", "a"));
}

#[test]
fn first_start_in_mid_incident() {
    let (a, b) = (series("a"), series("b"));
    let mut world = World::new();
    // History was read at noon: the incident that stands is eight hours old, and pages with its own onset and key.
    let said = world.notices(96, &[Effect::Page(Box::new(page_of(&a, 0, 200.0)))]);
    assert_eq!(said.iter().map(line).collect::<Vec<_>>(), to_both("page", "a"));
    let states = states(&said);
    assert_eq!((states[0].opened, states[0].told), (at(0), judged(96)));
    assert_eq!(states[0].members[0].onset, at(-2));
    assert_eq!(world.step(97, &[opens(&b, 97)]), to_both("changed", "a b"));
}

#[test]
fn data_revised_after_the_page() {
    let a = series("a");
    let mut world = World::new();
    world.step(0, &[opens(&a, 0)]);
    // A revision never takes an incident back, and the same page once more is none.
    assert_eq!(world.step(1, &[]), [""; 0]);
    assert_eq!(world.step(2, &[opens(&a, 0)]), [""; 0]);
    assert_eq!(world.step(3, &[ends(&a, 0, 3)]), to_both("resolve", "(a)"));
    assert_eq!(world.step(4, &[ends(&a, 0, 3)]), [""; 0], "one resolve");
}

#[test]
fn ticket_on_a_shared_topic() {
    let a = series("a");
    // The configuration refuses a ticket to a topic that gets pages. Nothing here rests on that.
    let mut world = World::new();
    world.plan.routes.page = vec![route(domain::Matcher::default(), &["sns.ops"])];
    world.plan.routes.ticket = vec![route(domain::Matcher::default(), &["sns.ops"])];
    // The key of the ticket is its own, so that neither its update nor its end touches the page.
    // ticket|queueing|111122223333/us-east-1/a|5970000
    let ticket_key = "otpsd-3b539787d266742e";
    assert_eq!(
        world.step(0, &[opens(&a, 0), ticket(&a, TicketAction::Opened, 0)]),
        [format!("page {KEY} sns.ops: a"), format!("queueing opened {ticket_key} -> sns.ops")]
    );
    assert_eq!(
        world.step(5, &[ticket(&a, TicketAction::Closed, 5)]),
        [format!("queueing closed {ticket_key} -> sns.ops")]
    );
    assert_eq!(world.paging.pages().flat_map(PageState::open).count(), 1);
    assert_eq!(world.step(7, &[ends(&a, 0, 7)]), [format!("resolve {KEY} sns.ops: (a)")]);
}

#[test]
fn a_human_resolved_or_acknowledged_meanwhile() {
    let (a, b) = (series("a"), series("b"));
    let mut world = World::new();
    world.step(0, &[opens(&a, 0)]);
    // Somebody resolves it in PagerDuty. A trigger now would open a second alert there, so there is none, whoever joins; the resolve goes
    // once, and finds nothing to do.
    assert_eq!(world.step(2, &[opens(&b, 2)]), to_both("changed", "a b"));
    assert_eq!(world.step(5, &[ends(&a, 0, 5)]), to_both("changed", "(a) b"));
    // Somebody accepts the level of b as the new normal: that is an end like others.
    let acceptance = Acceptance { who: "kim".to_owned(), why: "a larger model".to_owned() };
    let accepted = Resolve { accepted: Some(acceptance), ..resolve_of(&b, 2, 6) };
    let said = world.notices(6, &[Effect::Resolve(Box::new(accepted.clone()))]);
    assert_eq!(said.iter().map(line).collect::<Vec<_>>(), to_both("resolve", "(a) (b)"));
    let Notice::Resolve(resolve) = &said[0] else { panic!("{said:?}") };
    assert_eq!(resolve.last, accepted);
}

#[test]
fn configuration_changed_in_mid_incident() {
    let (a, b) = (series("a"), series("b"));
    let mut world = World::new();
    let receivers: Vec<String> =
        states(&world.notices(0, &[opens(&a, 0)])).into_iter().map(|page| page.receiver).collect();

    // The channel is renamed, the other one leads elsewhere, the route goes to a third, and groups are others.
    world.plan.channels[0] = oncall("primary");
    world.plan.channels[1] = sns("elsewhere");
    world.plan.routes.page = vec![route(domain::Matcher::default(), &["log.all"])];
    world.plan.group_by = GroupBy::Account;
    world.plan.sources.clear();
    // Who opens now is a page of another group, to the third.
    // page|111122223333/us-east-1|5970003
    assert_eq!(world.step(3, &[opens(&b, 3)]), ["page otpsd-78285c891b8f056b log.all: b"]);
    // The resolve goes to those who got the page, under the names they had, and where they led.
    let said = world.notices(7, &[ends(&a, 0, 7)]);
    assert_eq!(said.iter().map(line).collect::<Vec<_>>(), to_both("resolve", "(a)"));
    let of = |notice: &Notice| match notice {
        Notice::Resolve(resolve) => resolve.state.receiver.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(said.iter().map(of).collect::<Vec<_>>(), receivers);
    assert_eq!(receivers[0], oncall("primary").receiver(), "the renamed channel still leads there");
    assert_eq!(receivers[1], plan().channels[1].receiver(), "and this is what the other one was");

    assert_eq!(world.step(9, &[ends(&b, 3, 9)]), ["resolve otpsd-78285c891b8f056b log.all: (b)"]);
}

#[test]
fn keys_name_the_group_and_the_period() {
    assert_eq!(Key::of_page(&GroupBy::Region.group(&series("a")), at(0)).as_str(), KEY);
}
