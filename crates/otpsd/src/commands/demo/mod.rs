//! A day and a half of a small fleet in a minute: the simulator and the very same daemon in one process, with real SDK
//! clients between them over HTTP.

mod narrator;
mod stage;
mod summary;

use std::time::Duration;

use anyhow::{Context as _, Result};
use domain::ExitCode;
use jiff::Timestamp;
use simulator::loopback::Loopback;
use tokio::sync::watch;

use self::narrator::Narrator;
use self::stage::Stage;
use crate::app::clock::{Clock, Mapping};
use crate::app::{App, Options, Running};
use crate::cli::DemoArgs;
use crate::commands::{asked_to_end, failed, runtime};

/// The story is the same every time.
const SEED: u64 = 1;
/// Its first midnight, a Monday.
const BEGIN: &str = "2026-11-02T00:00:00Z";
/// How often an open status page looks again: time flies.
const REFRESH_SECONDS: u32 = 2;
/// The history is read and learned in seconds; a machine that takes this long is stuck.
const LONGEST_PROLOGUE: Duration = Duration::from_secs(300);
/// After the story the last period has yet to settle, to be read and to be delivered.
const LONGEST_EPILOGUE: Duration = Duration::from_secs(30);
/// How often the narrator looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    runtime()?.block_on(async {
        let stage = Stage::build(SEED, BEGIN.parse()?, args.length)?;
        let loopback =
            Loopback::start(stage.loopback_options()).await.context("cannot listen on 127.0.0.1")?;
        let options =
            Options { clock: stage.clock(), aws: Some(stage.aws()), refresh_seconds: REFRESH_SECONDS };
        let plan = stage.plan(&loopback.url())?;
        let app = match App::new(plan, options).await {
            Ok(app) => app,
            Err(error) => return Ok(failed(&error, error.hint.as_deref())),
        };
        let running = app.start();
        let mut narrator = Narrator::new(&stage, running.address(), &loopback.url());
        let ended = tokio::select! {
            played = play(&stage, &running, &loopback, &mut narrator) => Some(played?),
            _ = asked_to_end() => None,
        };
        let code = match ended {
            Some(()) => summary::print(&stage, &running.ledger().messages(10_000).await.unwrap_or_default()),
            None => {
                narrator.stopped();
                ExitCode::Success
            }
        };
        running.stop().await;
        loopback.shutdown().await;
        Ok(code)
    })
}

/// Plays the story to its end.
async fn play(
    stage: &Stage,
    running: &Running,
    loopback: &Loopback,
    narrator: &mut Narrator<'_>,
) -> Result<()> {
    narrator.introduce();
    let mut snapshots = running.snapshots();
    let began = std::time::Instant::now();
    let learned =
        snapshots.wait_for(|snapshot| !snapshot.series.is_empty() && snapshot.last_evaluation.is_some());
    tokio::time::timeout(LONGEST_PROLOGUE, learned).await.context("the history was not read in time")??;
    narrator.learned(&running.snapshots().borrow(), began.elapsed(), &loopback.calls());
    stage.begin();
    let clock = stage.clock();
    while clock.now() < stage.end() {
        narrator.look(clock.now(), &running.snapshots().borrow().clone(), &loopback.calls());
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let last = stage.last_period();
    let all_judged = snapshots.wait_for(|snapshot| {
        snapshot.series.iter().all(|status| status.judged_through >= last) && snapshot.outbox.owed == 0
    });
    tokio::time::timeout(LONGEST_EPILOGUE, all_judged)
        .await
        .context("the last period was not judged in time")??;
    narrator.look(clock.now(), &running.snapshots().borrow().clone(), &loopback.calls());
    Ok(())
}

/// The time of a rehearsal that stands still until it is begun.
fn held(origin: Timestamp, rate: f64) -> (watch::Sender<Mapping>, Clock) {
    let (sender, receiver) = watch::channel(Mapping { origin, anchor: None, rate });
    (sender, Clock::Rehearsal(receiver))
}
