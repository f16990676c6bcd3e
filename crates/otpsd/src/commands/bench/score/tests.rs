use domain::Span;

use super::*;
use crate::commands::bench::labelled::Tier;

/// The model is scored from period 0 on, for 30 days.
fn model(labels: Vec<Label>) -> Model {
    let start = Period::from_index(-14 * PERIODS_PER_DAY);
    Model::new("m", 100, start, 44, 14, labels)
}

fn label(kind: &str, from: i64, until: i64, evident: i64, expect: Expect) -> Label {
    let at = Period::from_index;
    Label {
        kind: kind.to_owned(),
        span: Span { from: at(from), until: at(until) },
        evident: at(evident),
        expect,
        magnitude: 0.4,
    }
}

/// An hour of slowness from period 100 on, plain in its first period.
fn slowdown() -> Label {
    label("slowdown", 100, 112, 100, Expect::Page)
}

const fn page(at: i64) -> Said {
    Said { at: Period::from_index(at), what: What::Page }
}

const fn resolve(at: i64) -> Said {
    Said { at: Period::from_index(at), what: What::Resolve }
}

const fn ticket(at: i64, cause: Cause) -> Said {
    Said { at: Period::from_index(at), what: What::Ticket(cause) }
}

fn tally(labels: Vec<Label>, said: &[Said]) -> Tally {
    let mut tally = Tally::default();
    score("seed 1", &model(labels), said.to_vec(), &mut tally);
    tally
}

fn busy(labels: Vec<Label>, said: &[Said]) -> TierTally {
    tally(labels, said).of(Tier::Busy).clone()
}

use crate::commands::bench::tally::{TicketTally, TierTally};

#[test]
fn a_page_after_three_periods_and_a_resolve_three_after_the_end() {
    // Periods 100, 101, 102 are slow; the page comes at the end of 102, the start of 103: 15 minutes after the begin.
    let one = busy(vec![slowdown()], &[page(103), resolve(115)]);
    let expected =
        TierTally { months: 1.0, owed: 1, delays: vec![3], resolve_delays: vec![3], ..TierTally::default() };
    assert_eq!(one, expected);
}

#[test]
fn a_delay_counts_from_when_it_could_be_known() {
    // Plain after period 104, so at the start of 105: three periods before that is 102.
    let late = label("slowdown", 100, 112, 104, Expect::Page);
    assert_eq!(busy(vec![late], &[page(107), resolve(115)]).delays, [5]);
}

#[test]
fn what_is_owed_and_not_said_is_missed() {
    let one = tally(vec![slowdown()], &[]);
    assert_eq!((one.tier(Tier::Busy).owed, one.tier(Tier::Busy).missed), (1, 1));
    assert_eq!(
        one.wrong[0].to_string(),
        "seed 1 m 1970-01-01T08:20:00Z missed_page during slowdown for 60 min, 0.40"
    );
    // From the end of its first period to half an hour after its end a page is about it.
    for (paged, missed, false_pages) in [(101, 0, 0), (118, 0, 0), (119, 1, 1)] {
        let one = busy(vec![slowdown()], &[page(paged), resolve(paged + 3)]);
        assert_eq!((one.missed, one.false_pages), (missed, false_pages), "{paged}");
    }
}

#[test]
fn an_incident_that_stands_already_holds_what_comes_on_top() {
    // Open since 90, and until after the slowdown could be known: it needs no page of its own.
    let held = busy(vec![slowdown()], &[page(90), resolve(115)]);
    assert_eq!((held.owed, held.missed, held.false_pages, held.delays.len()), (1, 0, 1, 0));
    // Resolved at the very moment at which it could be known: it does not hold.
    assert_eq!(busy(vec![slowdown()], &[page(90), resolve(100)]).missed, 1);
    assert_eq!(busy(vec![slowdown()], &[page(90)]).missed, 0, "and one without an end holds");
    // Paged at its very begin is paged for something before.
    let before = busy(vec![slowdown()], &[page(100), resolve(103)]);
    assert_eq!((before.missed, before.false_pages, before.delays.len()), (0, 1, 0));
}

#[test]
fn repeats_and_ends() {
    // 108 is more than ten minutes before 112; 110 is not.
    let early = busy(vec![slowdown()], &[page(103), resolve(108)]);
    assert_eq!((early.resolved_early, early.resolve_delays.len()), (1, 0));
    let fine = busy(vec![slowdown()], &[page(103), resolve(110)]);
    assert_eq!((fine.resolved_early, fine.resolve_delays), (0, vec![-2]));
    let twice = busy(vec![slowdown()], &[page(103), resolve(106), page(108), resolve(116)]);
    assert_eq!((twice.repeats, twice.resolved_early, twice.resolve_delays), (1, 0, vec![4]));
    assert_eq!(busy(vec![slowdown()], &[page(103)]).never_resolved, 1);
    // A level that lasts to the end owes no resolve.
    let shift = label("level_shift", 100, 8_640, 100, Expect::Page);
    let shift = busy(vec![shift], &[page(103)]);
    assert_eq!((shift.never_resolved, shift.resolve_delays.len(), shift.delays), (0, 0, vec![3]));
}

#[test]
fn pages_for_nothing_are_false_and_told_apart() {
    let dip = label("dip", 200, 202, 200, Expect::Nothing);
    let grey = label("grey", 300, 312, 300, Expect::Either);
    let tail = label("slow_minority", 400, 424, 400, Expect::Tail);
    let said =
        [page(204), resolve(206), page(304), resolve(310), page(404), resolve(410), page(500), resolve(505)];
    let one = tally(vec![dip, grey, tail], &said);
    let busy = one.tier(Tier::Busy);
    // The dip and the one at 500 are false; either is as right as silence; a tail has its own figure.
    assert_eq!((busy.false_pages, busy.owed, busy.tails, busy.tails_paged), (2, 0, 1, 1));
    assert_eq!(one.false_pages_during, [("dip".to_owned(), 1), ("nothing".to_owned(), 1)].into());
    assert_eq!(
        one.wrong.iter().map(|wrong| wrong.kind).collect::<Vec<_>>(),
        [WrongKind::TailPaged, WrongKind::FalsePage, WrongKind::FalsePage]
    );
}

#[test]
fn what_is_said_while_learning_is_not_scored() {
    let one = busy(vec![], &[page(-50), resolve(-40), page(-3), resolve(5), page(-2)]);
    assert_eq!(one.false_pages, 0);
    assert_eq!(busy(vec![], &[page(0)]).false_pages, 1);
}

#[test]
fn tickets_are_right_by_their_cause() {
    let day = PERIODS_PER_DAY;
    let growth = || label("prompt_growth", 0, 8 * day, 4 * day, Expect::Ticket(Cause::PromptGrowth));
    let tickets = |said: &[Said]| tally(vec![growth()], said).tickets;
    let none = TicketTally { owed: 1, ..TicketTally::default() };
    assert_eq!(tickets(&[]), none);
    let right = ticket(5 * day, Cause::PromptGrowth);
    assert_eq!(tickets(&[right]), TicketTally { right: 1, ..none });
    let other = ticket(4 * day, Cause::Queueing);
    assert_eq!(tickets(&[other]), none, "the wrong cause is neither right nor false");
    assert_eq!(tickets(&[other, right]), TicketTally { right: 1, extra: 1, ..none });
    // Two days after the end is still about it, later is about nothing.
    assert_eq!(tickets(&[ticket(10 * day, Cause::PromptGrowth)]), TicketTally { right: 1, ..none });
    let late = ticket(10 * day + 1, Cause::PromptGrowth);
    assert_eq!(tickets(&[late]), TicketTally { false_ones: 1, ..none });
    // Nobody is asked about sources and levels.
    assert_eq!(tickets(&[ticket(5, Cause::SourceFailing), ticket(5, Cause::LevelShift)]), none);
}

#[test]
fn a_ticket_about_a_tail_is_fair_while_one_lasts() {
    let tail = || label("slow_minority", 400, 424, 400, Expect::Tail);
    let tickets = |cause, at| tally(vec![tail()], &[ticket(at, cause)]).tickets.false_ones;
    assert_eq!(tickets(Cause::SlowTail, 420), 0);
    assert_eq!(tickets(Cause::Queueing, 420), 1);
    assert_eq!(tickets(Cause::SlowTail, 399), 1);
}

#[test]
fn the_order_of_what_was_said_does_not_matter() {
    let forward = busy(vec![slowdown()], &[page(103), resolve(115)]);
    assert_eq!(busy(vec![slowdown()], &[resolve(115), page(103)]), forward);
}

#[test]
fn models_add_up_by_their_traffic() {
    let mut tally = Tally::default();
    for (samples, said) in [(100, vec![page(103), resolve(115)]), (20, vec![]), (19, vec![page(104)])] {
        let start = Period::from_index(-14 * PERIODS_PER_DAY);
        let model = Model::new("m", samples, start, 35, 14, vec![slowdown()]);
        let mut one = Tally::default();
        score("seed 1", &model, said, &mut one);
        tally += one;
    }
    let by_tier = Tier::ALL.map(|tier| (tally.tier(tier).owed, tally.tier(tier).missed));
    assert_eq!(by_tier, [(1, 0), (1, 1), (1, 0)]);
    let all = tally.all();
    assert_eq!((all.owed, all.missed, all.never_resolved, all.delays), (3, 1, 1, vec![3, 4]));
    assert!((all.months - 2.1).abs() < 1e-9);
}
