//! Polls of a source that does what a test says, on a clock that stands where a test puts it.

use std::sync::Mutex as StdMutex;

use domain::{MetricSet, PERIODS_PER_DAY, ReadAnswer, ReadRequest, Reading, Row, Statistics};
use jiff::SignedDuration;
use tokio::sync::watch;

use super::*;
use crate::app::clock::Mapping;
use crate::app::in_hand::InHand;

mod watched;

const ACCOUNT: &str = "111122223333";

/// What the source does with a read.
enum Reply {
    /// Everything is answered: 100 tokens a second in every period.
    Whole,
    /// The same, but these models not whole.
    Without(&'static [&'static str]),
    Fails(Failure),
    Never,
}

type Script = Box<dyn FnMut(&ReadRequest) -> Reply + Send>;

struct Fake {
    account: StdMutex<Result<String, Failure>>,
    models: StdMutex<Result<Vec<&'static str>, Failure>>,
    script: StdMutex<Script>,
    asked: StdMutex<Vec<ReadRequest>>,
}

fn error(failure: Failure) -> SourceError {
    SourceError { failure, action: None, message: failure.as_str().to_owned(), hint: None }
}

fn series(model: &str) -> Series {
    Series::new(ACCOUNT, "us-east-1", model)
}

fn reading() -> Reading {
    let mut reading = Reading::default();
    for (metric, p50) in domain::Metric::DECODE.into_iter().zip([5_000.0, 1_000.0, 400.0]) {
        let sum = Some(p50 * 200.0);
        *reading.of_mut(metric) =
            Statistics { p50: Some(p50), p95: Some(p50), sum, sample_count: Some(200.0) };
    }
    reading
}

impl Source for Fake {
    fn name(&self) -> &str {
        "main"
    }

    fn region(&self) -> &str {
        "us-east-1"
    }

    fn account(&self) -> domain::Act<'_, Result<String, SourceError>> {
        let account = self.account.lock().unwrap().clone();
        Box::pin(async { account.map_err(error) })
    }

    fn discover(&self) -> domain::Act<'_, Result<Vec<Series>, SourceError>> {
        let models = self.models.lock().unwrap().clone();
        Box::pin(async { models.map(|models| models.into_iter().map(series).collect()).map_err(error) })
    }

    fn read<'a>(&'a self, request: &'a ReadRequest) -> domain::Act<'a, Result<ReadAnswer, SourceError>> {
        self.asked.lock().unwrap().push(request.clone());
        let reply = (self.script.lock().unwrap())(request);
        Box::pin(async move {
            let missing: &[&str] = match reply {
                Reply::Whole => &[],
                Reply::Without(models) => models,
                Reply::Fails(failure) => return Err(error(failure)),
                Reply::Never => std::future::pending().await,
            };
            let is_missing = |one: &&Series| missing.contains(&one.model());
            let mut rows = Vec::new();
            for one in request.series.iter().filter(|one| !is_missing(one)) {
                let mut period = request.from;
                while period < request.until {
                    rows.push(Row { series: one.clone(), period, reading: reading() });
                    period = period + 1;
                }
            }
            let incomplete = request.series.iter().filter(is_missing).cloned().collect();
            Ok(ReadAnswer { rows, incomplete, ..ReadAnswer::default() })
        })
    }
}

struct World {
    source: Arc<Fake>,
    poll: Arc<Poll>,
    known: Known,
    clock: watch::Sender<Mapping>,
}

/// A period after which everything of before has been read.
fn noon() -> Period {
    Period::containing("2026-12-01T12:00:00Z".parse().unwrap())
}

impl World {
    /// A source with these models, backfilled for two days.
    fn new(models: &[&'static str]) -> Self {
        let text = "[source.cloudwatch.main]\nregions = [\"us-east-1\"]\n\
                    [channel.log.all]\n[[route.page]]\nchannels = [\"log.all\"]\n";
        let file = config::File { path: "test.toml".into(), text: text.to_owned() };
        let outcome = config::read(&[file], config::Purpose::Run, &config::ProcessEnvironment);
        let plan = Arc::new(outcome.plan.unwrap());
        let domain::SourcePlan::CloudWatch(source_plan) = plan.sources[0].clone();
        let origin = settles(noon());
        let (sender, mapping) = watch::channel(Mapping { origin, anchor: None, rate: 1.0 });
        let clock = Clock::Rehearsal(mapping);
        let snapshot = web::Snapshot::starting(origin, "0", plan.rule.clone());
        let metrics = Arc::new(web::Metrics::new(watch::channel(Arc::new(snapshot)).1, clock.reader()));
        let ledger = Arc::new(store::Sqlite::open_in_memory().unwrap());
        let sources = Arc::new(Sources::new(Arc::clone(&plan)));
        let judging = Judging::new(
            Arc::clone(&plan),
            ledger,
            Arc::clone(&metrics),
            Arc::clone(&sources),
            InHand::default(),
        );
        let source = Arc::new(Fake {
            account: StdMutex::new(Ok(ACCOUNT.to_owned())),
            models: StdMutex::new(Ok(models.to_vec())),
            script: StdMutex::new(Box::new(|_| Reply::Whole)),
            asked: StdMutex::default(),
        });
        let poll = Arc::new(Poll {
            source: Arc::clone(&source) as Arc<dyn Source>,
            place: Place { source: "main".to_owned(), region: "us-east-1".to_owned() },
            plan: source_plan,
            timing: Timing {
                settle_delay: SignedDuration::from_secs(120),
                reread_periods: 3,
                discover_every: SignedDuration::from_secs(900),
                backfill_periods: 2 * PERIODS_PER_DAY,
            },
            at_once: 1,
            quotas: poller::Quotas::default(),
            judging: Arc::new(Mutex::new(judging)),
            sources,
            metrics,
            clock,
            changed: Arc::default(),
            pulses: Pulses::default(),
        });
        poll.sources.configured(&poll.place, Duration::from_secs(120), None);
        Self { source, poll, known: Known::default(), clock: sender }
    }

    fn script(&self, script: impl FnMut(&ReadRequest) -> Reply + Send + 'static) {
        *self.source.script.lock().unwrap() = Box::new(script);
    }

    /// A poll when a period has just settled; what was asked is that of this poll alone.
    async fn poll(&mut self, period: Period) -> End {
        self.source.asked.lock().unwrap().clear();
        self.clock.send_modify(|mapping| mapping.origin = settles(period));
        self.poll.poll(&mut self.known, settles(period)).await
    }

    /// Reads of decode metrics or of all: models, first and last period from noon on.
    fn asked(&self) -> Vec<(String, i64, i64)> {
        let asked = self.source.asked.lock().unwrap();
        let reads = asked.iter().filter(|request| request.metrics != MetricSet::Diagnosis);
        reads
            .map(|request| {
                let models: Vec<_> = request.series.iter().map(Series::model).collect();
                (models.join(" "), request.from - noon(), request.until - 1 - noon())
            })
            .collect()
    }

    async fn judged(&self, model: &str) -> Option<i64> {
        let judging = self.poll.judging.lock().await;
        Some(judging.engine().state(&series(model))?.judged_through - noon())
    }

    fn status(&self) -> web::snapshot::SourceStatus {
        self.poll.sources.status().remove(0)
    }
}

fn settles(period: Period) -> Timestamp {
    period.end() + SignedDuration::from_secs(120)
}

fn read(models: &str, from: i64, through: i64) -> (String, i64, i64) {
    (models.to_owned(), from, through)
}

#[tokio::test]
async fn a_history_is_adopted_and_then_period_after_period_followed() {
    let mut world = World::new(&["a", "b"]);
    assert_eq!(world.poll(noon()).await, End::Whole);
    assert_eq!(world.asked(), [read("a b", 1 - 2 * PERIODS_PER_DAY, 0)]);
    assert_eq!(world.judged("b").await, Some(0));
    assert_eq!(world.poll(noon() + 1).await, End::Whole);
    assert_eq!(world.asked(), [read("a b", -2, 1)], "with the last three again");
    assert_eq!(world.poll(noon() + 1).await, End::Whole);
    assert!(world.asked().is_empty(), "nothing has settled since");
    assert_eq!(world.status().last_success, Some(settles(noon() + 1)));
}

/// Set back by two hours, and then put forward by more than a day.
#[tokio::test]
async fn a_clock_that_jumps_judges_nothing_twice_and_leaves_nothing_out() {
    let mut world = World::new(&["a"]);
    world.poll(noon()).await;
    world.poll(noon() + 1).await;
    for k in [-23, -22] {
        let now = settles(noon() + k);
        assert_eq!(world.poll(noon() + k).await, End::Whole);
        assert!(world.asked().is_empty(), "what was judged is not read again as if it were new");
        assert_eq!(world.judged("a").await, Some(1));
        let next = world.poll.timing.next(now, 1).duration_since(now);
        assert_eq!(next.as_secs(), 300, "it looks again within a period, not after the size of the jump");
    }
    assert_eq!(world.poll(noon() + 313).await, End::Whole);
    let asked = world.asked();
    assert!(asked.len() <= 2, "a catch-up, not every poll that was left out: {asked:?}");
    assert_eq!((asked[0].1, asked.last().unwrap().2), (-1, 313));
    assert_eq!(world.judged("a").await, Some(313));
}

#[tokio::test]
async fn what_lags_behind_is_read_from_where_it_is_after_all_others() {
    let mut world = World::new(&["a", "b"]);
    world.poll(noon()).await;
    world.script(|_| Reply::Without(&["b"]));
    assert_eq!(world.poll(noon() + 1).await, End::Behind);
    assert_eq!(world.status().limited, None, "once is not yet worth a word");
    world.script(|_| Reply::Fails(Failure::Network));
    assert_eq!(world.poll(noon() + 1).await, End::Behind, "it alone is asked again, in vain");
    assert_eq!(world.asked(), [read("b", -2, 1)]);
    let good_polls = world.poll.judging.lock().await.sources().next().unwrap().regions[0].good_polls;
    assert_eq!((good_polls, world.status().limited), (2, None), "that poll was neither good nor bad");
    world.script(|_| Reply::Without(&["b"]));
    assert_eq!(world.poll(noon() + 2).await, End::Behind);
    assert_eq!(world.asked(), [read("a", -1, 2), read("b", -2, 2)]);
    assert_eq!((world.judged("a").await, world.judged("b").await), (Some(2), Some(0)));
    let limited = world.status().limited.unwrap();
    assert_eq!((limited.failure, world.status().failure), (Failure::Partial, None));
    assert!(limited.message.ends_with("answers 1 of 2 series only in part"), "{}", limited.message);

    // Asked alone it fails as a whole, which makes the other one no less seen.
    world.script(|request| match request.series[0].model() {
        "b" => Reply::Fails(Failure::Server),
        _ => Reply::Whole,
    });
    assert_eq!(world.poll(noon() + 3).await, End::Behind);
    assert_eq!(world.judged("a").await, Some(3));
    assert_eq!(world.status().failure, None);

    world.script(|_| Reply::Whole);
    assert_eq!(world.poll(noon() + 3).await, End::Whole);
    assert_eq!(world.asked(), [read("b", -2, 3)], "the other one is not asked again");
    assert_eq!(world.judged("b").await, Some(3));
    assert_eq!(world.status().limited, None);
}

#[tokio::test]
async fn a_gap_of_days_is_read_at_once_and_one_that_is_stuck_stops_alone() {
    let mut world = World::new(&["a", "b"]);
    world.poll(noon()).await;
    let days = 3 * PERIODS_PER_DAY;
    world.script(|_| Reply::Without(&["b"]));
    assert_eq!(world.poll(noon() + days).await, End::Behind);
    assert_eq!(world.asked(), [read("a b", -2, days)]);
    assert_eq!((world.judged("a").await, world.judged("b").await), (Some(days), Some(0)));
    assert_eq!(world.poll.sources.history(), Some(web::snapshot::ReadingHistory { read: 1, of: 2 }));
    world.script(|_| Reply::Whole);
    assert_eq!(world.poll(noon() + days).await, End::Whole);
    assert_eq!(world.asked(), [read("b", -2, days)]);
    assert_eq!(world.poll.sources.history(), None);
}

/// Three days of 13 series are as much as is read in one go.
#[tokio::test]
async fn what_was_read_of_a_gap_is_not_asked_again_after_a_failure() {
    let mut world = World::new(&MODELS);
    world.poll(noon()).await;
    let days = 3 * PERIODS_PER_DAY;
    let mut reads = 0;
    world.script(move |_| {
        reads += 1;
        if reads == 2 { Reply::Fails(Failure::Network) } else { Reply::Whole }
    });
    assert_eq!(world.poll(noon() + days).await, End::Behind);
    assert_eq!((world.judged("m").await, world.judged("n").await), (Some(days), Some(0)));
    assert_eq!(world.poll.sources.history(), Some(web::snapshot::ReadingHistory { read: 13, of: 25 }));
    assert_eq!(world.poll(noon() + days).await, End::Whole);
    assert_eq!(world.asked(), [read("n o p q r s t u v w x y", -2, days)]);
    assert_eq!(world.judged("y").await, Some(days));
}

#[tokio::test]
async fn a_source_that_answers_nothing_fails_and_judges_nothing() {
    let mut world = World::new(&["a"]);
    *world.source.models.lock().unwrap() = Err(Failure::Denied);
    assert_eq!(
        world.poll(noon()).await,
        End::Failed(Failure::Denied),
        "nothing is known, so nothing is read"
    );
    *world.source.models.lock().unwrap() = Ok(vec!["a"]);
    world.poll(noon()).await;
    world.script(|_| Reply::Fails(Failure::Throttled));
    assert_eq!(world.poll(noon() + 1).await, End::Failed(Failure::Throttled));
    assert_eq!(world.judged("a").await, Some(0));
    let failure = world.status().failure.unwrap();
    assert_eq!((failure.failure, failure.since), (Failure::Throttled, settles(noon() + 1)));
}

#[tokio::test]
async fn a_source_without_anything_to_watch_shows_at_once_and_is_told_after_an_hour() {
    let mut world = World::new(&[]);
    let limited = |world: &World| world.status().limited.map(|limited| limited.failure);
    let is_told = async |world: &World| world.poll.judging.lock().await.is_told_empty("main");
    for k in 0..12 {
        assert_eq!(world.poll(noon() + k).await, End::Whole);
        assert_eq!(limited(&world), Some(Failure::Empty));
    }
    assert!(!is_told(&world).await, "within the hour the first model may come");
    for k in 12..16 {
        world.poll(noon() + k).await;
    }
    assert!(is_told(&world).await);
    // After a restart it is the same ticket.
    world.known = Known::default();
    world.poll(noon() + 16).await;
    assert!(is_told(&world).await);
    *world.source.models.lock().unwrap() = Ok(vec!["a"]);
    for k in 17..19 {
        world.poll(noon() + k).await;
    }
    assert_eq!((limited(&world), is_told(&world).await), (None, false));
}

#[tokio::test]
async fn known_series_are_read_where_they_may_not_be_listed() {
    let mut world = World::new(&["a"]);
    world.poll(noon()).await;
    *world.source.models.lock().unwrap() = Err(Failure::Denied);
    // As after a restart: only the ledger knows.
    world.known = Known::default();
    assert_eq!(world.poll(noon() + 1).await, End::Whole);
    assert_eq!(world.judged("a").await, Some(1));
    assert_eq!(world.status().limited.unwrap().failure, Failure::Denied);
    // A model that has left the listing stays watched.
    *world.source.models.lock().unwrap() = Ok(vec!["new"]);
    assert_eq!(world.poll(noon() + 2).await, End::Whole);
    assert_eq!((world.judged("a").await, world.judged("new").await), (Some(2), Some(2)));
}

#[tokio::test]
async fn nothing_is_read_under_the_name_of_another_account() {
    let mut world = World::new(&["a"]);
    world.poll(noon()).await;
    world.known = Known::default();
    *world.source.account.lock().unwrap() = Err(Failure::Credentials);
    assert_eq!(world.poll(noon() + 1).await, End::Failed(Failure::Credentials));
    assert!(world.asked().is_empty());
    *world.source.account.lock().unwrap() = Ok("444455556666".to_owned());
    *world.source.models.lock().unwrap() = Ok(Vec::new());
    world.poll(noon() + 1).await;
    assert!(world.asked().is_empty(), "these are not its series");
    assert_eq!(world.judged("a").await, Some(0));
}

#[tokio::test]
async fn a_history_with_holes_is_adopted_when_it_has_none() {
    let mut world = World::new(&["a", "b"]);
    world.script(|_| Reply::Without(&["b"]));
    assert_eq!(world.poll(noon()).await, End::Behind);
    assert_eq!((world.judged("a").await, world.judged("b").await), (Some(0), None));
    world.script(|_| Reply::Whole);
    assert_eq!(world.poll(noon() + 1).await, End::Whole);
    assert_eq!(world.asked(), [read("a", -2, 1), read("b", 2 - 2 * PERIODS_PER_DAY, 1)]);
    assert_eq!(world.judged("b").await, Some(1));
}

const MODELS: [&str; 25] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u",
    "v", "w", "x", "y",
];

/// Two days of twenty series are as much as is read in one go. After that the next period is due, and the known ones come
/// first.
#[tokio::test]
async fn adopting_many_makes_room_for_those_that_are_known() {
    let mut world = World::new(&MODELS);
    let (clock, mut reads) = (world.clock.clone(), 0);
    world.script(move |_| {
        reads += 1;
        if reads == 1 {
            clock.send_modify(|mapping| mapping.origin = settles(noon() + 1));
        }
        Reply::Whole
    });
    world.poll(noon()).await;
    assert_eq!((world.judged("t").await, world.judged("u").await), (Some(0), None));
    assert_eq!(world.poll.sources.history(), Some(web::snapshot::ReadingHistory { read: 20, of: 25 }));
    world.poll(noon() + 1).await;
    let asked = world.asked();
    assert_eq!((asked[0].1, asked[0].2), (-2, 1), "the twenty that are known: {asked:?}");
    assert_eq!(
        asked[1],
        read("u v w x y", 2 - 2 * PERIODS_PER_DAY, 1),
        "in one read, so that it is billed once"
    );
    assert_eq!(world.judged("y").await, Some(1));
    assert_eq!(world.poll.sources.history(), None);
}

/// One of the first twenty makes CloudWatch fail.
#[tokio::test]
async fn a_history_that_cannot_be_read_holds_up_no_other() {
    let mut world = World::new(&MODELS);
    world.script(|request| {
        if request.series.contains(&series("a")) { Reply::Fails(Failure::Server) } else { Reply::Whole }
    });
    assert_eq!(world.poll(noon()).await, End::Behind);
    assert_eq!((world.judged("b").await, world.judged("y").await), (None, Some(0)));
    // Those that failed come after what is new.
    *world.source.models.lock().unwrap() = Ok(vec!["z"]);
    world.known.discovered = None;
    assert_eq!(world.poll(noon() + 1).await, End::Behind);
    let asked: Vec<String> = world.asked().into_iter().map(|(models, ..)| models).collect();
    assert_eq!(asked, ["u v w x y", "z", "a b c d e f g h i j k l m n o p q r s t"]);
}

#[tokio::test(start_paused = true)]
async fn a_read_that_does_not_end_is_given_up() {
    let mut world = World::new(&["a"]);
    world.poll(noon()).await;
    world.script(|_| Reply::Never);
    let began = tokio::time::Instant::now();
    assert_eq!(world.poll(noon() + 1).await, End::Failed(Failure::Timeout));
    assert_eq!(began.elapsed().as_secs(), 300);
    assert!(LONGEST_ACT > began.elapsed(), "the watchdog is not the one who ends it");
}

#[tokio::test(start_paused = true)]
async fn what_explains_holds_up_no_verdict() {
    let mut world = World::new(&["a"]);
    world.poll(noon()).await;
    world.script(|request| match request.metrics {
        MetricSet::Diagnosis => Reply::Never,
        _ => Reply::Whole,
    });
    // The next hour: what explains is due.
    let began = tokio::time::Instant::now();
    assert_eq!(world.poll(noon() + 12).await, End::Whole);
    assert_eq!((world.judged("a").await, began.elapsed().as_secs()), (Some(12), 15));
}

#[test]
fn a_period_is_read_when_it_has_settled() {
    let timing = World::new(&[]).poll.timing;
    let time = |text: &str| text.parse::<Timestamp>().unwrap();
    assert_eq!(timing.settled(time("2026-12-01T00:06:59Z"), 1).start(), time("2026-11-30T23:55:00Z"));
    assert_eq!(timing.settled(time("2026-12-01T00:07:00Z"), 1).start(), time("2026-12-01T00:00:00Z"));
    assert_eq!(timing.next(time("2026-12-01T00:06:59Z"), 1), time("2026-12-01T00:07:00Z"));
    assert_eq!(timing.next(time("2026-12-01T00:07:00Z"), 1), time("2026-12-01T00:12:00Z"));
    // Every second one: those that end at ten minutes past the hour, twenty, and so on.
    assert_eq!(timing.settled(time("2026-12-01T00:11:59Z"), 2).end(), time("2026-12-01T00:00:00Z"));
    assert_eq!(timing.settled(time("2026-12-01T00:12:00Z"), 2).end(), time("2026-12-01T00:10:00Z"));
    assert_eq!(timing.next(time("2026-12-01T00:12:00Z"), 2), time("2026-12-01T00:22:00Z"));
}
