//! The outbox is drained: bounded, in order, whatever one receiver does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use domain::{Act, Channel, ChannelPlan, Commit, DeliveryPlan, Key, SnsFormat, SnsPlan, TicketAction};
use jiff::Timestamp;

use super::*;
use crate::app::recipients::Recipients;

/// A receiver that takes its time.
struct Receiver {
    name: String,
    takes: Duration,
    /// What it answers to the n-th message of a kind.
    answer: fn(&Message, usize) -> Result<Receipt, DeliveryError>,
    now: AtomicUsize,
    most: AtomicUsize,
    got: Mutex<Vec<(String, NoticeKind)>>,
}

impl Receiver {
    fn new(
        name: &str,
        takes: Duration,
        answer: fn(&Message, usize) -> Result<Receipt, DeliveryError>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name: name.to_owned(),
            takes,
            answer,
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            got: Mutex::default(),
        })
    }

    fn got(&self) -> Vec<(String, NoticeKind)> {
        self.got.lock().unwrap().clone()
    }
}

impl Channel for Receiver {
    fn name(&self) -> &str {
        &self.name
    }

    fn deliver<'a>(
        &'a self,
        message: &'a Message,
        _: Option<&'a str>,
    ) -> Act<'a, Result<Receipt, DeliveryError>> {
        Box::pin(async move {
            let under_way = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(under_way, Ordering::SeqCst);
            tokio::time::sleep(self.takes).await;
            self.now.fetch_sub(1, Ordering::SeqCst);
            let before = {
                let mut got = self.got.lock().unwrap();
                got.push((message.key.to_string(), message.kind));
                got.iter().filter(|(key, kind)| *key == message.key.as_str() && *kind == message.kind).count()
            };
            (self.answer)(message, before)
        })
    }
}

fn takes(_: &Message, _: usize) -> Result<Receipt, DeliveryError> {
    Ok(Receipt::default())
}

fn refuses(_: &Message, _: usize) -> Result<Receipt, DeliveryError> {
    Err(DeliveryError { retry: Retry::Never, message: "no".to_owned(), hint: None })
}

fn message(number: usize, kind: NoticeKind, channel: &str) -> Message {
    let key = Key::from_text(format!("otpsd-{number:016x}"));
    Message {
        id: format!("{key}:{}:{channel}", kind.as_str()),
        channel: channel.to_owned(),
        kind,
        key,
        summary: String::new(),
        body: String::new(),
        attributes: Vec::new(),
        created: Timestamp::UNIX_EPOCH,
        standby_for: None,
    }
}

fn plan(name: &str, in_flight: u8) -> ChannelPlan {
    ChannelPlan::Sns(SnsPlan {
        name: name.trim_start_matches("sns.").to_owned(),
        topic_arn: format!("arn:aws:sns:us-east-1:111122223333:{name}"),
        endpoint_url: None,
        profile: None,
        format: SnsFormat::Alarm,
        delivery: DeliveryPlan { fallback: None, in_flight },
    })
}

/// A ledger that owes these, and a task that drains it to receivers.
struct World {
    ledger: Arc<dyn Ledger>,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

impl World {
    async fn new(receivers: &[(Arc<Receiver>, u8)], owed: Vec<Message>) -> Self {
        Self::over(Arc::new(store::Sqlite::open_in_memory().unwrap()), receivers, owed).await
    }

    async fn over(ledger: Arc<dyn Ledger>, receivers: &[(Arc<Receiver>, u8)], owed: Vec<Message>) -> Self {
        ledger.commit(Commit { outbox: owed, ..Commit::default() }).await.unwrap();
        let text = "[channel.log.all]\n[[route.page]]\nchannels = [\"log.all\"]\n[source.cloudwatch.main]\nregions = [\"us-east-1\"]";
        let file = config::File { path: "test.toml".into(), text: text.to_owned() };
        let any = config::read(&[file], config::Purpose::Check, &config::ProcessEnvironment).plan.unwrap();
        let plans: Vec<ChannelPlan> =
            receivers.iter().map(|(one, in_flight)| plan(&one.name, *in_flight)).collect();
        let opened =
            plans.iter().zip(receivers).map(|(plan, (one, _))| (plan, Arc::clone(one) as Arc<dyn Channel>));
        let destinations = Destinations::new(opened.collect(), Recipients::new(&any), std::iter::empty());
        let snapshot = web::Snapshot::starting(Timestamp::now(), "0", any.rule.clone());
        let metrics =
            web::Metrics::new(tokio::sync::watch::channel(Arc::new(snapshot)).1, Clock::Wall.reader());
        let deliver = Deliver {
            ledger: Arc::clone(&ledger),
            destinations,
            metrics: Arc::new(metrics),
            clock: Clock::Wall,
            in_hand: InHand::default(),
            changed: Arc::default(),
            pulses: Pulses::default(),
        };
        let stop = CancellationToken::new();
        let task = tokio::spawn(deliver.run(stop.clone()));
        Self { ledger, stop, task }
    }

    /// Waits until nothing is owed, and gives what became of all messages.
    async fn drained(self, within: Duration) -> Vec<Owed> {
        let drained = async {
            while self.ledger.backlog(Timestamp::now()).await.unwrap().owed > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(within, drained).await.expect("it takes too long");
        self.stop.cancel();
        self.task.await.unwrap();
        self.ledger.messages(10_000).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_incidents_reach_a_slow_receiver_within_half_a_minute() {
    let receiver = Receiver::new("sns.ops", Duration::from_millis(50), takes);
    let owed = (0..1_000).map(|number| message(number, NoticeKind::Page, "sns.ops")).collect();
    let world = World::new(&[(Arc::clone(&receiver), 8)], owed).await;
    let all = world.drained(Duration::from_secs(30)).await;
    assert!(all.iter().all(|owed| matches!(owed.state, OwedState::Delivered(_)) && owed.attempts == 1));
    assert_eq!(receiver.most.load(Ordering::SeqCst), 8, "as many at once as may be, and no more");
    let keys: BTreeSet<String> = receiver.got().into_iter().map(|(key, _)| key).collect();
    assert_eq!((keys.len(), receiver.got().len()), (1_000, 1_000), "each once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_receiver_that_hangs_holds_up_no_other() {
    let stuck = Receiver::new("sns.stuck", Duration::from_secs(3_600), takes);
    let well = Receiver::new("sns.well", Duration::from_millis(1), takes);
    let owed = (0..200)
        .flat_map(|number| ["sns.stuck", "sns.well"].map(|name| message(number, NoticeKind::Page, name)))
        .collect();
    let world = World::new(&[(stuck, 8), (Arc::clone(&well), 8)], owed).await;
    let all_there = async {
        while well.got().len() < 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), all_there).await.expect("the other receiver waits");
    world.task.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_go_before_tickets_and_a_resolve_after_its_page() {
    let receiver = Receiver::new("sns.ops", Duration::from_millis(1), takes);
    let ticket = NoticeKind::Ticket(TicketAction::Opened);
    let mut owed: Vec<Message> = (0..20).map(|number| message(number, ticket, "sns.ops")).collect();
    owed.extend((100..120).map(|number| message(number, NoticeKind::Page, "sns.ops")));
    let world = World::new(&[(Arc::clone(&receiver), 1)], owed).await;
    world.drained(Duration::from_secs(10)).await;
    let kinds: Vec<NoticeKind> = receiver.got().into_iter().map(|(_, kind)| kind).collect();
    assert!(kinds[..20].iter().all(|kind| *kind == NoticeKind::Page), "{kinds:?}");
    assert!(kinds[20..].iter().all(|kind| *kind == ticket), "{kinds:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_for_good_goes_to_who_stands_by() {
    let refusing = Receiver::new("sns.ops", Duration::from_millis(1), refuses);
    let standby = Receiver::new("sns.standby", Duration::from_millis(1), takes);
    let first = message(1, NoticeKind::Page, "sns.ops");
    let second =
        Message { standby_for: Some(first.id.clone()), ..message(1, NoticeKind::Page, "sns.standby") };
    let other = message(2, NoticeKind::Page, "sns.standby");
    let unneeded = Message { standby_for: Some(other.id.clone()), ..message(2, NoticeKind::Page, "sns.ops") };
    let world =
        World::new(&[(refusing, 8), (Arc::clone(&standby), 8)], vec![first, second, other, unneeded]).await;
    let all = world.drained(Duration::from_secs(10)).await;
    let states: BTreeMap<&str, &OwedState> =
        all.iter().map(|owed| (owed.message.id.as_str(), &owed.state)).collect();
    assert!(matches!(states["otpsd-0000000000000001:page:sns.ops"], OwedState::Refused(_)), "{states:?}");
    assert!(
        matches!(states["otpsd-0000000000000001:page:sns.standby"], OwedState::Delivered(_)),
        "{states:?}"
    );
    assert_eq!(states["otpsd-0000000000000002:page:sns.ops"], &OwedState::Standby, "{states:?}");
    assert_eq!(standby.got().len(), 2);
}

/// A ledger that can be read, and not written while it is `full`.
struct Full {
    inner: store::Sqlite,
    full: std::sync::atomic::AtomicBool,
}

impl Full {
    fn refuse(&self) -> Result<(), LedgerError> {
        let is_full = self.full.load(Ordering::SeqCst);
        let error = || LedgerError { message: "the disk is full".to_owned(), hint: None, damaged: false };
        if is_full { Err(error()) } else { Ok(()) }
    }
}

impl Ledger for Full {
    fn load(&self) -> Act<'_, Result<domain::Loaded, LedgerError>> {
        self.inner.load()
    }

    fn history<'a>(
        &'a self,
        series: &'a domain::Series,
        from: domain::Period,
    ) -> Act<'a, Result<Vec<domain::Row>, LedgerError>> {
        self.inner.history(series, from)
    }

    fn commit(&self, commit: Commit) -> Act<'_, Result<(), LedgerError>> {
        self.inner.commit(commit)
    }

    fn due<'a>(
        &'a self,
        now: Timestamp,
        limit: usize,
        each: usize,
        except: &'a [String],
    ) -> Act<'a, Result<Vec<Owed>, LedgerError>> {
        self.inner.due(now, limit, each, except)
    }

    fn begin(&self, ids: Vec<String>) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            self.refuse()?;
            self.inner.begin(ids).await
        })
    }

    fn next_due(&self) -> Act<'_, Result<Option<Timestamp>, LedgerError>> {
        self.inner.next_due()
    }

    fn record(&self, outcomes: Vec<Outcome>) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            self.refuse()?;
            self.inner.record(outcomes).await
        })
    }

    fn backlog(&self, now: Timestamp) -> Act<'_, Result<domain::Backlog, LedgerError>> {
        self.inner.backlog(now)
    }

    fn messages(&self, limit: usize) -> Act<'_, Result<Vec<Owed>, LedgerError>> {
        self.inner.messages(limit)
    }

    fn incidents(&self, limit: usize) -> Act<'_, Result<Vec<domain::IncidentRecord>, LedgerError>> {
        self.inner.incidents(limit)
    }

    fn audit(&self, limit: usize) -> Act<'_, Result<Vec<domain::AuditRecord>, LedgerError>> {
        self.inner.audit(limit)
    }

    fn forget_readings(&self, horizon: domain::Period) -> Act<'_, Result<(), LedgerError>> {
        self.inner.forget_readings(horizon)
    }

    fn forget_closed(&self, horizon: Timestamp) -> Act<'_, Result<(), LedgerError>> {
        self.inner.forget_closed(horizon)
    }
}

/// Takes a page the third time.
fn hiccups(_: &Message, before: usize) -> Result<Receipt, DeliveryError> {
    if before >= 3 {
        return Ok(Receipt::default());
    }
    let soon = Retry::After(Duration::from_millis(10));
    Err(DeliveryError { retry: soon, message: "not now".to_owned(), hint: None })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_store_is_full_a_page_is_tried_until_it_is_taken_and_then_no_more() {
    let receiver = Receiver::new("sns.ops", Duration::from_millis(1), hiccups);
    let ledger = Arc::new(Full {
        inner: store::Sqlite::open_in_memory().unwrap(),
        full: std::sync::atomic::AtomicBool::new(true),
    });
    let owed = vec![message(1, NoticeKind::Page, "sns.ops")];
    let world =
        World::over(Arc::clone(&ledger) as Arc<dyn Ledger>, &[(Arc::clone(&receiver), 8)], owed).await;
    let taken = async {
        while receiver.got().len() < 3 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    // The pauses between attempts double from two seconds.
    tokio::time::timeout(Duration::from_secs(20), taken).await.expect("it waits for the store");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.got().len(), 3, "it was taken, though that cannot be written down");
    ledger.full.store(false, Ordering::SeqCst);
    let all = world.drained(Duration::from_secs(10)).await;
    assert!(matches!(all[0].state, OwedState::Delivered(_)), "{all:?}");
    assert_eq!(all[0].attempts, 1, "of three attempts nobody wrote down when they were made");
}
