//! A day and a half of a small fleet in a minute, or of a recording: the loopback services and the very same daemon in one
//! process, with real SDK clients between them over HTTP.
//!
//! # Layout
//!
//! - `stage`: what is played. `props`: what must be put away again, however it ends.
//! - `narrator`: tells it, in order of time (`timeline`). `summary`: what it comes to.
//! - `notice`: what was said. `names`, `moments`, `figures`: how series, times and numbers are written.
//! - `screen`, `wrap`: how it looks.

mod figures;
mod moments;
mod names;
mod narrator;
mod notice;
mod props;
mod screen;
mod stage;
mod summary;
mod timeline;
mod wrap;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anstyle::Style;
use anyhow::{Context as _, Result, bail};
use domain::{ExitCode, Ledger, Owed};
use simulator::loopback::Loopback;
use tokio::sync::watch;
use web::Snapshot;

use self::narrator::{Narrator, Play, Sight};
use self::props::{Interrupt, Props};
use self::screen::{BOLD, DIM, Screen, terminal_columns};
use self::stage::Stage;
use self::summary::Summary;
use crate::app::clock::Clock;
use crate::app::{App, Options};
use crate::cli::DemoArgs;
use crate::commands::recorded::Recorded;
use crate::commands::{complain, failed, runtime};

/// The first midnight of the story, a Monday.
pub(crate) const STORY_BEGINS: &str = "2026-11-02T00:00:00Z";
/// The story is the same every time.
const SEED: u64 = 1;
/// How often an open status page looks again: time flies.
const REFRESH_SECONDS: u32 = 2;
/// The history is read and learned in seconds, or in minutes where a recording is large.
const LONGEST_PROLOGUE: Duration = Duration::from_secs(600);
/// After the end the last periods have yet to be read, judged and delivered, on a slow machine all of them.
const LONGEST_EPILOGUE: Duration = Duration::from_secs(300);
/// How often the narrator looks where nothing changes.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// More than the daemon of a demo ever says.
const MOST_MESSAGES: usize = 10_000;

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode> {
    let runtime = runtime()?;
    let code = runtime.block_on(show(args));
    // What still computes has nobody left to tell.
    runtime.shutdown_background();
    code
}

async fn show(args: &DemoArgs) -> Result<ExitCode> {
    let mut interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let mut props = Props::default();
    let mut out = anstream::stdout();
    let ended = tokio::select! {
        biased;
        why = interrupt.caught() => Err(why),
        performed = perform(args, &mut props, &mut out) => Ok(performed),
    };
    let clean = props.put_away().await;
    match ended {
        // On a terminal, `^C` stands on a line of its own.
        Err(why) => {
            let behind = if clean { " Nothing is left behind." } else { "" };
            unread(writeln!(out, "\nStopped by {why}.{behind}").map(|()| ExitCode::Success))
        }
        Ok(Ok(code)) => Ok(code),
        Ok(Err(error)) => match error.downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(io::ErrorKind::BrokenPipe) => Ok(ExitCode::Success),
            _ => Err(error),
        },
    }
}

/// Whoever reads no further has seen enough.
fn unread(written: io::Result<ExitCode>) -> Result<ExitCode> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::Success),
        written => Ok(written?),
    }
}

/// Sets everything up, plays it to its end and sums it up.
async fn perform(args: &DemoArgs, props: &mut Props, out: &mut impl Write) -> Result<ExitCode> {
    let stage = match build(args).await? {
        Ok(stage) => stage,
        Err(code) => return Ok(code),
    };
    let loopback =
        props.serve(Loopback::start(stage.loopback_options()).await.context("cannot listen on 127.0.0.1")?);
    let options = Options {
        clock: stage.clock(),
        quotas: stage.quotas(),
        aws: Some(stage.aws()),
        refresh_seconds: REFRESH_SECONDS,
        damaged: None,
        reloading: None,
        origins: Arc::default(),
        bar: None,
        served: None,
    };
    let plan = stage.plan(&loopback.url(), props.state_dir()?)?;
    let app = match App::new(plan, options).await {
        Ok(app) => app,
        Err(error) => return Ok(failed(&error, error.hint.as_deref())),
    };
    let running = props.run(app.start());
    let mut screen = Screen::new(out, terminal_columns);
    introduce(&mut screen, args, &stage.play(), running.address(), &loopback.url())?;
    let mut house = House {
        snapshot: Arc::clone(&running.snapshots().borrow()),
        snapshots: running.snapshots(),
        ledger: running.ledger(),
        loopback: &loopback,
        clock: stage.clock(),
        messages: Vec::new(),
    };
    let mut narrator = Narrator::new(stage.play(), screen);
    play(&stage, &mut house, &mut narrator).await?;
    let (names, moments) = (std::mem::take(narrator.names()), narrator.moments());
    let summary = Summary::new(stage.series(), &names, moments, &house.messages);
    Ok(match args.recording.is_empty() {
        true => summary.story(narrator.screen(), stage.events())?,
        false => summary.recording(narrator.screen())?,
    })
}

/// What is played. Reading a recording and drawing a fleet take a while, and can be interrupted.
async fn build(args: &DemoArgs) -> Result<Result<Stage, ExitCode>> {
    let DemoArgs { length, recording, from } = args.clone();
    let built = tokio::task::spawn_blocking(move || {
        if recording.is_empty() {
            return Ok(Ok(Stage::story(SEED, STORY_BEGINS.parse()?, length)));
        }
        Ok(Recorded::read(&recording).and_then(|recorded| {
            Stage::recording(&recorded, from, length).map_err(|error| {
                complain(&error.to_string(), Some(error.hint));
                ExitCode::Usage
            })
        }))
    });
    built.await?
}

fn introduce<W: Write>(
    screen: &mut Screen<W>,
    args: &DemoArgs,
    &Play { begins, ends, .. }: &Play<'_>,
    page: SocketAddr,
    loopback: &str,
) -> io::Result<()> {
    screen.plain(&format!("Status page while this plays: {BOLD}http://{page}/{BOLD:#}"))?;
    if let Some(columns) = screen.too_narrow() {
        let hint = format!(
            "(This terminal has {columns} columns. From {} on it is a pleasure to read.)",
            screen::NARROWEST
        );
        screen.paragraph(DIM, &hint)?;
    }
    screen.plain("")?;
    let seconds = args.length.as_secs();
    let what = match args.recording.is_empty() {
        true => format!("a day and a half of six models in {seconds} s, every request simulated"),
        false => {
            format!("a recording from {begins} to {ends} in {seconds} s, with what was before as history")
        }
    };
    let text = format!(
        "otpsd demo: {what}. The daemon, its AWS clients and its store are the real ones; CloudWatch, SNS and \
         PagerDuty are stand-ins on {loopback}. No credentials, no network. Ctrl-C ends it."
    );
    screen.paragraph(Style::new(), &text)?;
    screen.plain("")
}

/// What the narrator looks at.
struct House<'a> {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    ledger: Arc<dyn Ledger>,
    loopback: &'a Loopback,
    clock: Clock,
    /// What is known since the last change.
    snapshot: Arc<Snapshot>,
    /// Newest first.
    messages: Vec<Owed>,
}

impl House<'_> {
    /// Looks, and hands what it sees to `tell`.
    async fn look(&mut self, tell: impl FnOnce(&Sight<'_>) -> io::Result<()>) -> Result<()> {
        let now = self.clock.now();
        let newest = Arc::clone(&self.snapshots.borrow_and_update());
        // Whatever is said or delivered is shown anew.
        if !Arc::ptr_eq(&self.snapshot, &newest) {
            self.messages = self.ledger.messages(MOST_MESSAGES).await?;
            self.snapshot = newest;
        }
        let calls = self.loopback.calls();
        tell(&Sight { now, snapshot: &self.snapshot, messages: &self.messages, calls: &calls })?;
        Ok(())
    }

    /// Waits for something to change, a little while at most.
    async fn wait(&mut self) {
        let _ = tokio::time::timeout(LOOK_EVERY, self.snapshots.changed()).await;
    }

    /// Waits until the first polls have been judged, and the history of everybody who has one.
    async fn learned(&mut self, has_history: bool) -> Result<()> {
        let is_read = |snapshot: &Snapshot| {
            snapshot.history().is_none()
                && snapshot.sources.iter().all(|source| source.last_success.is_some())
        };
        let judged = |snapshot: &Arc<Snapshot>| {
            let has_somebody = || !snapshot.series.is_empty() && is_read(snapshot);
            snapshot.last_evaluation.is_some() && (!has_history || has_somebody())
        };
        if let Ok(first) = tokio::time::timeout(LONGEST_PROLOGUE, self.snapshots.wait_for(judged)).await {
            first?;
            return Ok(());
        }
        let snapshot = Arc::clone(&self.snapshots.borrow());
        let failure = snapshot.sources.iter().find_map(|source| source.failure.as_ref());
        let why = failure.map_or("the daemon is still at it", |failure| failure.message.as_str());
        bail!("the history was not read within {} minutes: {why}", LONGEST_PROLOGUE.as_secs() / 60)
    }
}

/// Plays from the first line to the last.
async fn play<W: Write>(stage: &Stage, house: &mut House<'_>, narrator: &mut Narrator<'_, W>) -> Result<()> {
    let began = Instant::now();
    narrator.learning()?;
    house.learned(stage.has_history()).await?;
    house.look(|sight| narrator.learned(sight, began.elapsed())).await?;
    stage.begin();
    while house.clock.now() < stage.end() {
        house.wait().await;
        house.look(|sight| narrator.look(sight)).await?;
        stage.keep_pace(house.snapshot.last_evaluation.unwrap_or_else(|| stage.play().begins));
    }
    stage.slow_down();
    let last = stage.last_period();
    let deadline = Instant::now() + LONGEST_EPILOGUE;
    loop {
        let mut over = false;
        house
            .look(|sight| {
                let judged = |status: &web::snapshot::SeriesStatus| status.judged_through >= last;
                over = sight.snapshot.series.iter().all(judged) && !sight.messages.iter().any(is_owed);
                if over { narrator.end(sight) } else { narrator.look(sight) }
            })
            .await?;
        if over {
            return Ok(());
        }
        if Instant::now() > deadline {
            bail!("the last period was not judged in time");
        }
        house.wait().await;
    }
}

fn is_owed(owed: &Owed) -> bool {
    matches!(owed.state, domain::OwedState::Due(_))
}
