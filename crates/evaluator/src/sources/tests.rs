//! Outages as stories: minutes after six in the morning.

use super::*;

const EAST: &str = "us-east-1";
const WEST: &str = "us-west-2";

fn at(minutes: i64) -> Timestamp {
    "2026-12-03T06:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_mins(minutes)
}

fn error(failure: Failure) -> SourceError {
    SourceError { failure, action: None, message: format!("{failure:?}"), hint: None }
}

#[derive(Default)]
struct World {
    watch: SourceWatch,
    told: Vec<SourceTicket>,
}

impl World {
    /// A poll of `main`.
    fn poll(&mut self, minutes: i64, region: &str, result: Result<(), (SourceAct, Failure)>) -> &mut Self {
        self.poll_of("main", minutes, region, result)
    }

    fn poll_of(
        &mut self,
        source: &str,
        minutes: i64,
        region: &str,
        result: Result<(), (SourceAct, Failure)>,
    ) -> &mut Self {
        let error = result.err().map(|(_, failure)| error(failure));
        let trouble = result.err().zip(error.as_ref()).map(|((act, _), error)| (act, error));
        // Ten series a Region, one of which is judged all the same, and an incident.
        let affected = |regions: &[String]| {
            let n = regions.len();
            Affected { series: 10 * n, behind: 9 * n, incidents: n }
        };
        let news = self.watch.polled(at(minutes), source, region, trouble, affected);
        self.told.extend(news.tickets);
        // Whatever is remembered is all that there is.
        let states = self.watch.states().cloned().collect();
        let (again, nothing) = SourceWatch::restore(at(minutes), states, |_, _| true);
        assert_eq!(nothing, SourceNews::default());
        self.watch = again;
        self
    }

    fn good(&mut self, minutes: i64, region: &str) -> &mut Self {
        self.poll(minutes, region, Ok(()))
    }

    fn denied(&mut self, minutes: i64, region: &str) -> &mut Self {
        self.poll(minutes, region, Err((SourceAct::Read, Failure::Denied)))
    }

    fn fails(&mut self, minutes: impl IntoIterator<Item = i64>, region: &str, failure: Failure) -> &mut Self {
        for minute in minutes {
            self.poll(minute, region, Err((SourceAct::Read, failure)));
        }
        self
    }

    /// What was told: `opened denied at 10 in us-east-1`.
    fn told(&self) -> Vec<String> {
        let line = |ticket: &SourceTicket| {
            let why = ticket.closed.map_or(String::new(), |why| format!(" ({why:?})"));
            let minute = ticket.at.duration_since(at(0)).as_mins();
            let (action, kind) = (ticket.action().as_str(), ticket.failure.as_str());
            format!("{action} {kind} at {minute} in {}{why}", ticket.regions.join(" "))
        };
        self.told.iter().map(line).collect()
    }
}

#[test]
fn ten_minutes_of_failed_polls_are_one_ticket() {
    let mut world = World::default();
    world.good(-5, EAST).fails(0..=9, EAST, Failure::Denied);
    assert!(world.told.is_empty());
    world.fails(10..60, EAST, Failure::Denied);
    assert_eq!(world.told(), ["opened denied at 10 in us-east-1"]);
    let ticket = &world.told[0];
    assert_eq!((ticket.since, ticket.worked_until, ticket.at), (at(0), Some(at(-5)), at(10)));
    assert_eq!((ticket.series, ticket.incidents), (9, 1));
    assert_eq!(ticket.error, Some(error(Failure::Denied)));
    let since = Period::containing(at(0));
    assert_eq!(ticket.key, Key::of_source("main", SourceAct::Read, Failure::Denied, since));
}

#[test]
fn nine_minutes_that_heal_are_nothing() {
    let mut world = World::default();
    for start in [0, 20, 40] {
        world.fails(start..start + 10, EAST, Failure::Timeout).good(start + 10, EAST);
    }
    assert!(world.told.is_empty());
}

#[test]
fn it_closes_after_two_good_polls_in_every_region() {
    let mut world = World::default();
    world.denied(0, EAST).denied(1, WEST).denied(10, EAST);
    assert_eq!(world.told(), ["opened denied at 10 in us-east-1 us-west-2"]);
    world.good(15, EAST).good(20, EAST).good(20, WEST);
    world.denied(21, WEST).good(25, EAST).good(25, WEST);
    assert_eq!(world.told.len(), 1, "the West answered once since it failed");
    world.good(30, WEST);
    assert_eq!(world.told()[1..], ["closed denied at 30 in us-east-1 us-west-2 (Recovered)"]);
    assert_eq!(world.told[0].key, world.told[1].key);
    assert_eq!(world.told[1].series, 20, "all of them are judged again");
    world.good(35, EAST).good(35, WEST);
    assert_eq!(world.told.len(), 2);
}

#[test]
fn a_region_that_joins_later_is_told_by_the_same_ticket() {
    let mut world = World::default();
    world.fails(0..=12, EAST, Failure::Denied).denied(13, WEST);
    world.good(15, EAST).good(20, EAST);
    assert_eq!(world.told(), ["opened denied at 10 in us-east-1"]);
    world.good(25, WEST).good(30, WEST);
    assert_eq!(world.told()[1..], ["closed denied at 30 in us-east-1 us-west-2 (Recovered)"]);
}

#[test]
fn other_kinds_and_other_sources_have_tickets_of_their_own() {
    let mut world = World::default();
    for minute in 0..=10 {
        world.denied(minute, EAST);
        world.fails([minute], WEST, Failure::Timeout);
        world.poll_of("other", minute, EAST, Err((SourceAct::Read, Failure::Denied)));
    }
    let expected = [
        "opened denied at 10 in us-east-1",
        "opened timeout at 10 in us-west-2",
        "opened denied at 10 in us-east-1",
    ];
    assert_eq!(world.told(), expected);
    assert_eq!(world.told.iter().map(|ticket| &ticket.key).collect::<BTreeSet<_>>().len(), 3);
}

#[test]
fn an_outage_of_changing_kinds_is_one_outage() {
    let mut world = World::default();
    for minute in 0..60 {
        let failure = if minute % 2 == 0 { Failure::Timeout } else { Failure::Network };
        world.fails([minute], EAST, failure);
    }
    assert_eq!(world.told(), ["opened timeout at 10 in us-east-1"]);
    assert_eq!(world.told[0].since, at(0), "it has not been read since");
}

#[test]
fn a_failure_that_becomes_another_one_is_told_anew() {
    let mut world = World::default();
    world.fails(0..20, EAST, Failure::Denied).fails(20..=29, EAST, Failure::Throttled);
    assert_eq!(world.told(), ["opened denied at 10 in us-east-1"]);
    world.fails([30], EAST, Failure::Throttled);
    let after = ["opened throttled at 30 in us-east-1", "closed denied at 30 in us-east-1 (FailsOtherwise)"];
    assert_eq!(world.told()[1..], after);
    assert_eq!(world.told[1].since, at(20));
    world.good(35, EAST).good(40, EAST);
    assert_eq!(world.told()[3..], ["closed throttled at 40 in us-east-1 (Recovered)"]);
}

#[test]
fn a_region_moves_to_a_ticket_that_is_open() {
    let mut world = World::default();
    world.fails(0..=10, EAST, Failure::Denied).fails(0..=10, WEST, Failure::Timeout);
    world.fails(11..=25, WEST, Failure::Denied).fails(11..=25, EAST, Failure::Denied);
    let after = ["closed timeout at 21 in us-west-2 (FailsOtherwise)"];
    assert_eq!(world.told()[2..], after);
    world.good(30, EAST).good(35, EAST).good(35, WEST).good(40, WEST);
    assert_eq!(world.told()[3..], ["closed denied at 40 in us-east-1 us-west-2 (Recovered)"]);
}

#[test]
fn series_that_may_not_be_listed_are_judged_all_the_same() {
    let mut world = World::default();
    for minute in [0, 5, 10] {
        world.poll(minute, EAST, Err((SourceAct::Discover, Failure::Denied)));
    }
    assert_eq!(world.told(), ["opened denied at 10 in us-east-1"]);
    assert_eq!((world.told[0].act, world.told[0].series), (SourceAct::Discover, 10));
}

#[test]
fn a_failure_before_a_long_stop_is_not_its_beginning() {
    let mut world = World::default();
    world.denied(0, EAST).denied(600, EAST);
    assert!(world.told.is_empty(), "nobody polled in between");
    world.denied(605, EAST).denied(610, EAST);
    assert_eq!(world.told(), ["opened denied at 610 in us-east-1"]);
    assert_eq!(world.told[0].since, at(600));
}

#[test]
fn what_is_not_configured_any_more_closes() {
    let mut world = World::default();
    world.denied(0, EAST).denied(0, WEST).denied(10, EAST);
    let states: Vec<_> = world.watch.states().cloned().collect();
    let (_, news) = SourceWatch::restore(at(20), states.clone(), |_, region| region == WEST);
    assert!(news.tickets.is_empty(), "the West is still denied");
    assert_eq!(news.states[0].tickets[0].regions, [WEST]);

    let (watch, news) = SourceWatch::restore(at(20), states, |_, _| false);
    assert_eq!(watch.states().count(), 0);
    world.told = news.tickets;
    assert_eq!(world.told(), ["closed denied at 20 in us-east-1 us-west-2 (NotConfigured)"]);
    let empty = SourceState { source: "main".to_owned(), ..SourceState::default() };
    assert_eq!(news.states, [empty]);
}

#[test]
fn what_was_asked_is_counted_by_the_month() {
    let mut watch = SourceWatch::default();
    let time = |text: &str| text.parse::<Timestamp>().unwrap();
    watch.spent(time("2026-12-31T23:50:00Z"), "main", 41);
    assert!(watch.thrifty("main", Thrift::Diagnosis).is_some());
    assert_eq!(watch.thrifty("main", Thrift::Diagnosis), None, "it is no news");
    let state = watch.spent(time("2026-12-31T23:59:59Z"), "main", 1);
    let december = Spending { month: 24_323, billed_metrics: 42, thrift: Thrift::Diagnosis };
    assert_eq!(state.spending, december);
    let state = watch.spent(time("2027-01-01T00:00:00Z"), "main", 5);
    let january = Spending { month: 24_324, billed_metrics: 5, thrift: Thrift::None };
    assert_eq!(state.spending, january);
    // A poll that ends changes nothing of that.
    let news = watch.polled(time("2027-01-01T00:00:01Z"), "main", "us-east-1", None, |_| Affected::default());
    assert_eq!(news.states[0].spending, january);
}
