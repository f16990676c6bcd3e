//! The daemon as an object: new (wires, no traffic), start, stop.

pub(crate) mod clock;
pub(crate) mod conflicts;
pub(crate) mod control;
pub(crate) mod delivery;
pub(crate) mod destinations;
pub(crate) mod explaining;
pub(crate) mod in_hand;
pub(crate) mod judging;
mod opening;
pub(crate) mod pulse;
pub(crate) mod recent;
pub(crate) mod recipients;
pub(crate) mod reloading;
pub(crate) mod saying;
pub(crate) mod served;
pub(crate) mod sources;
mod stages;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use config::Origins;
use domain::{CloudWatchPlan, Ledger, Plan, Source, SourcePlan};
use indicatif::ProgressBar;
use tokio::sync::{Mutex, Notify, watch};
use web::Snapshot;
use web::snapshot::StoreRebuilt;

use self::clock::Clock;
use self::conflicts::Conflicts;
use self::destinations::Destinations;
use self::explaining::Explaining;
use self::in_hand::InHand;
use self::judging::Judging;
use self::opening::{open_channel, open_heartbeats, open_source, timing};
use self::pulse::Pulses;
use self::recipients::Recipients;
use self::reloading::Reloading;
use self::saying::Saying;
use self::served::Served;
use self::sources::{Place, Sources};
use self::stages::Stages;
use crate::tasks::control::Control;
use crate::tasks::deliver::Deliver;
use crate::tasks::deliver::in_hand::SendInHand;
use crate::tasks::heartbeat::{Heartbeat, Heartbeats};
use crate::tasks::history::History;
use crate::tasks::housekeeping::Housekeeping;
use crate::tasks::poll::{Poll, at_once};
use crate::tasks::publish::Publish;
use crate::tasks::tick::Tick;
use crate::tasks::watchdog::Watchdog;

/// The name of the store in the state folder.
pub(crate) const STORE: &str = "otpsd.sqlite";

/// Why the daemon cannot start.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct StartError {
    message: String,
    pub(crate) hint: Option<String>,
}

impl StartError {
    fn new(message: impl Into<String>, hint: Option<String>) -> Self {
        Self { message: message.into(), hint }
    }
}

/// What a daemon is made of, beside its plan.
pub(crate) struct Options {
    pub(crate) clock: Clock,
    /// How much each account may be asked for, a second of its clock.
    pub(crate) quotas: poller::Quotas,
    /// The AWS configuration, where the ordinary chain is not to be asked.
    pub(crate) aws: Option<aws_config::SdkConfig>,
    /// How often an open status page looks again, in seconds of its reader.
    pub(crate) refresh_seconds: u32,
    /// What was found wrong with the store while the daemon ran: it is set aside.
    pub(crate) damaged: Option<String>,
    /// How the configuration is read again, where it can be.
    pub(crate) reloading: Option<Reloading>,
    /// Where each value of the plan is written.
    pub(crate) origins: Arc<Origins>,
    /// The bar on the terminal below the log, where there is one.
    pub(crate) bar: Option<ProgressBar>,
    /// The server of the daemon before this one in the same process.
    pub(crate) served: Option<Arc<Served>>,
}

/// A daemon that is wired and listens, and does not do anything yet.
pub(crate) struct App {
    plan: Arc<Plan>,
    origins: Arc<Origins>,
    clock: Clock,
    ledger: Arc<dyn Ledger>,
    judging: Arc<Mutex<Judging>>,
    sources: Arc<Sources>,
    metrics: Arc<web::Metrics>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    opened: Vec<(Place, CloudWatchPlan, Arc<dyn Source>)>,
    quotas: poller::Quotas,
    bar: Option<ProgressBar>,
    destinations: Destinations,
    in_hand: InHand,
    heartbeats: Heartbeats,
    reloading: Option<Reloading>,
    served: Arc<Served>,
    control: Control,
    pulses: Pulses,
}

/// A daemon that runs.
pub(crate) struct Running {
    served: Arc<Served>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    ledger: Arc<dyn Ledger>,
    stages: Stages,
    damaged: watch::Receiver<Option<String>>,
    /// There is something new to show.
    changed: Arc<Notify>,
    /// The process is to end.
    ends: Arc<AtomicBool>,
}

impl App {
    /// Opens everything that the daemon needs of this machine, and nothing outside it.
    pub(crate) async fn new(plan: Plan, options: Options) -> Result<Self, StartError> {
        let plan = Arc::new(plan);
        let Options { clock, quotas, aws, refresh_seconds, damaged, reloading, origins, bar, served } =
            options;
        let store = plan.daemon.state_dir.join(STORE);
        let opened = match damaged {
            None => store::Sqlite::open(&store),
            Some(why) => store::Sqlite::open_anew(&store, &why),
        };
        let ledger = opened.map_err(|error| {
            let error = domain::LedgerError::from(error);
            StartError::new(error.message, error.hint)
        })?;
        let rebuilt = ledger.set_aside().map(|aside| StoreRebuilt {
            at: clock.now(),
            set_aside: aside.path.display().to_string(),
            why: aside.why.clone(),
        });
        let ledger: Arc<dyn Ledger> = Arc::new(ledger);
        let served = Served::open(plan.daemon.listen, served).await.map_err(|error| {
            let hint = "another process may listen there: choose another `listen` under [daemon], or stop it";
            StartError::new(
                format!("cannot listen on {}: {error}", plan.daemon.listen),
                Some(hint.to_owned()),
            )
        })?;

        let mut first = Snapshot::starting(clock.now(), crate::VERSION, plan.rule.clone());
        first.overrides.clone_from(&plan.overrides);
        first.refresh_seconds = refresh_seconds;
        first.store_rebuilt.clone_from(&rebuilt);
        let (snapshots, receiver) = watch::channel(Arc::new(first));
        let pulses = Pulses::default();
        let control =
            Control::bind(&plan.daemon.state_dir, receiver.clone(), pulses.clone()).map_err(|error| {
                let path = plan.daemon.state_dir.join(control::SOCKET);
                StartError::new(format!("cannot listen on {}: {error}", path.display()), None)
            })?;
        let metrics = Arc::new(web::Metrics::new(receiver, clock.reader()));

        let sources = Arc::new(Sources::new(Arc::clone(&plan)));
        let in_hand = InHand::default();
        let mut judging = Judging::new(
            Arc::clone(&plan),
            Arc::clone(&ledger),
            Arc::clone(&metrics),
            Arc::clone(&sources),
            in_hand.clone(),
        );
        let restored = judging.restore(clock.now()).await;
        let pages = restored.map_err(|error| StartError::new(error.message, error.hint))?;
        judging.unwatch(clock.now());
        if let Some(rebuilt) = &rebuilt {
            tracing::error!(
                hint = "what it knew of silences, accepted levels and past incidents is in that file, for sqlite3; once it is not needed, delete it",
                "the store was damaged ({}), and was set aside as {}: a new one is made, and history is read again from the sources",
                rebuilt.why,
                rebuilt.set_aside
            );
            judging.rebuilt(clock.now(), rebuilt);
        }
        let mut opened = Vec::new();
        for SourcePlan::CloudWatch(source) in &plan.sources {
            for one in open_source(source, &quotas, aws.as_ref()).await {
                let place = Place { source: source.name.clone(), region: one.region().to_owned() };
                sources.configured(&place, source.settle_delay, judging.last_good(&place));
                if judging.last_good(&place).is_none() {
                    judging.adopts(clock.now(), &place);
                }
                opened.push((place, source.clone(), one));
            }
        }
        let mut channels = Vec::new();
        for channel in &plan.channels {
            channels.push((channel, open_channel(channel, aws.as_ref()).await?));
        }
        let heartbeats = open_heartbeats(&plan, aws.as_ref()).await?;
        let recipients = Recipients::new(&plan);
        let destinations = Destinations::new(channels, recipients, pages.iter());
        for page in judging.pages().filter(|page| recipients.of_page_state(page).is_none()) {
            tracing::warn!(
                key = %page.key, channel = %page.channel,
                "no channel leads to who got the open page about {} any more: nobody will be told when it is over",
                page.group
            );
        }
        Ok(Self {
            plan,
            origins,
            clock,
            ledger,
            judging: Arc::new(Mutex::new(judging)),
            sources,
            metrics,
            snapshots,
            opened,
            quotas,
            bar,
            destinations,
            in_hand,
            heartbeats,
            reloading,
            served,
            control,
            pulses,
        })
    }

    /// Begins to poll, judge, send and serve.
    pub(crate) fn start(self) -> Running {
        let changed = Arc::new(Notify::new());
        let receiver = self.snapshots.subscribe();
        let (tell_damaged, damaged) = watch::channel(None);
        let mut stages = Stages::default();
        // They end in reverse order: first nothing new is read, last nobody is shown anything.
        let publish = Publish {
            plan: Arc::clone(&self.plan),
            judging: Arc::clone(&self.judging),
            ledger: Arc::clone(&self.ledger),
            sources: Arc::clone(&self.sources),
            in_hand: self.in_hand.clone(),
            reloading: self.reloading.clone(),
            clock: self.clock.clone(),
            changed: Arc::clone(&changed),
            snapshots: self.snapshots,
            damaged: tell_damaged,
            pulses: self.pulses.clone(),
            conflicts: Conflicts::new(Arc::clone(&self.plan), Arc::clone(&self.origins)),
        };
        stages.start("publish", |stop| publish.run(stop));
        let web = web::Web {
            snapshots: receiver.clone(),
            clock: self.clock.reader(),
            metrics: Arc::clone(&self.metrics),
        };
        self.served.show(web::router(web));
        let explaining = Explaining {
            judging: Arc::clone(&self.judging),
            ledger: Arc::clone(&self.ledger),
            plan: Arc::clone(&self.plan),
            origins: self.origins,
        };
        let saying = Saying {
            judging: Arc::clone(&self.judging),
            reloading: self.reloading,
            clock: self.clock.clone(),
            changed: Arc::clone(&changed),
        };
        stages.start("control", |stop| self.control.run(explaining, saying, stop));
        let housekeeping = Housekeeping { ledger: Arc::clone(&self.ledger), clock: self.clock.clone() };
        stages.start("housekeeping", |stop| housekeeping.run(stop));
        let deliver = Deliver {
            ledger: Arc::clone(&self.ledger),
            destinations: self.destinations.clone(),
            metrics: Arc::clone(&self.metrics),
            clock: self.clock.clone(),
            in_hand: self.in_hand.clone(),
            changed: Arc::clone(&changed),
            pulses: self.pulses.clone(),
        };
        stages.start("deliver", |stop| deliver.run(stop));
        let in_hand = SendInHand { in_hand: self.in_hand, destinations: self.destinations };
        stages.start("deliver from memory", |stop| in_hand.run(stop));
        let tick = Tick {
            judging: Arc::clone(&self.judging),
            clock: self.clock.clone(),
            changed: Arc::clone(&changed),
            pulses: self.pulses.clone(),
        };
        stages.start("tick", |stop| tick.run(stop));
        let at_once = at_once(self.opened.len());
        for (place, plan, source) in self.opened {
            let poll = Poll {
                source,
                place,
                timing: timing(&plan, &self.plan),
                plan,
                at_once,
                quotas: self.quotas.clone(),
                judging: Arc::clone(&self.judging),
                sources: Arc::clone(&self.sources),
                metrics: Arc::clone(&self.metrics),
                clock: self.clock.clone(),
                changed: Arc::clone(&changed),
                pulses: self.pulses.clone(),
            };
            stages.start("poll", |stop| poll.run(stop));
        }
        let history = History {
            sources: Arc::clone(&self.sources),
            on_terminal: self.bar.is_some(),
            bar: self.bar.unwrap_or_else(ProgressBar::hidden),
            changed: Arc::clone(&changed),
        };
        stages.start("history", |stop| history.run(stop));
        if !self.heartbeats.is_empty() {
            let heartbeat = Heartbeat {
                heartbeats: self.heartbeats,
                snapshots: receiver.clone(),
                clock: self.clock.clone(),
                pulses: self.pulses.clone(),
            };
            stages.start("heartbeat", |stop| heartbeat.run(stop));
        }
        let ends = Arc::new(AtomicBool::new(false));
        let watchdog = Watchdog { pulses: self.pulses, snapshots: receiver.clone(), ends: Arc::clone(&ends) };
        stages.start("watchdog", |stop| watchdog.run(stop));
        Running {
            served: self.served,
            snapshots: receiver,
            ledger: self.ledger,
            stages,
            damaged,
            changed,
            ends,
        }
    }
}

impl Running {
    /// Where the status page is served.
    pub(crate) fn address(&self) -> SocketAddr {
        self.served.address()
    }

    /// What the next daemon in this process goes on with.
    pub(crate) fn served(&self) -> Arc<Served> {
        Arc::clone(&self.served)
    }

    /// What is shown, as it changes.
    pub(crate) fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.clone()
    }

    /// What was written down.
    pub(crate) fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::clone(&self.ledger)
    }

    /// Returns once the store turns out to be damaged, with what is wrong with it.
    pub(crate) async fn damaged(&self) -> String {
        let mut damaged = self.damaged.clone();
        match damaged.wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or_default(),
            Err(_) => std::future::pending().await,
        }
    }

    /// Shows what is new.
    pub(crate) fn show(&self) {
        self.changed.notify_one();
    }

    /// Ends everything in order, within [`stages::LONGEST_STOP`], and the process with it.
    pub(crate) async fn stop(self) {
        self.ends.store(true, Ordering::Relaxed);
        self.stages.stop().await;
        self.served.end().await;
    }

    /// Ends everything but the server in the same way, to begin anew in this process.
    pub(crate) async fn pause(self) {
        self.stages.stop().await;
    }
}
