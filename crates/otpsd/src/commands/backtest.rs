//! What a configuration would have done on recorded history.

use std::convert::Infallible;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::panic::resume_unwind;

use anyhow::Result;
use domain::{ExitCode, Period, Plan, Row, Series};
use evaluator::{Engine, Settings};
use poller::Recording;

use crate::cli::{BacktestArgs, BacktestFormat};
use crate::commands::{configuration, failed};
use crate::event::Event;

pub(crate) fn run(args: &BacktestArgs) -> Result<ExitCode> {
    let plan = match configuration::read(&args.config, config::Purpose::Backtest) {
        Ok(plan) => plan,
        Err(code) => return Ok(code),
    };
    let recording = match Recording::read(&args.recordings) {
        Ok(recording) => recording,
        Err(error) => return Ok(failed(&error, error.hint.as_deref())),
    };
    let events = replay(&plan, &recording);
    let told = Told::of(&events);
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = match args.format {
        BacktestFormat::Jsonl => events.iter().try_for_each(|event| {
            serde_json::to_writer(&mut out, event)?;
            out.write_all(b"\n")
        }),
        BacktestFormat::Table => print(&mut out, &events, &recording, &told),
    };
    match printed.and_then(|()| out.flush()) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if args.fail_on_page && told.pages > 0 => Ok(ExitCode::No),
        _ => Ok(ExitCode::Success),
    }
}

/// Counts for the last line.
#[derive(Debug)]
struct Told {
    pages: usize,
    resolves: usize,
    tickets: usize,
}

impl Told {
    fn of(events: &[Event]) -> Self {
        let count = |name: &str| events.iter().filter(|event| event.event == name).count();
        Self {
            pages: count("page_opened"),
            resolves: count("page_resolved"),
            tickets: count("ticket_opened"),
        }
    }
}

/// What would have been said, in order of time and then of series.
///
/// Nothing that is said of one series depends on another, so every processor takes a share of them, with an engine of its
/// own that is driven as the daemon would have driven it.
fn replay(plan: &Plan, recording: &Recording) -> Vec<Event> {
    let series = recording.series().len();
    let shares = std::thread::available_parallelism().map_or(1, NonZero::get).min(series.max(1));
    let mut said: Vec<(usize, Event)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..shares)
            .map(|share| scope.spawn(move || replay_share(plan, recording, share, shares)))
            .collect();
        // A share that panicked is a fault of this program: it ends here as it would have without threads.
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    // Stable: what is said of one series at one time stays in its order.
    said.sort_by(|(a, one), (b, other)| one.time.cmp(&other.time).then(a.cmp(b)));
    said.into_iter().map(|(_, event)| event).collect()
}

/// What would have been said of every `shares`th series, each with its place in the recording.
fn replay_share(plan: &Plan, recording: &Recording, share: usize, shares: usize) -> Vec<(usize, Event)> {
    let mut engine = Engine::new(Settings::from(plan));
    let all = recording.series();
    let series: Vec<Series> = all.iter().skip(share).step_by(shares).cloned().collect();
    let until = recording.span().map_or_else(|| Period::from_index(0), |span| span.until);
    let readings = recording.periods().map(|rows| {
        let period = rows.period();
        let mine = rows.rows().filter(|(index, _)| index % shares == share);
        (period, mine.map(|(index, reading)| Row { series: all[index].clone(), period, reading }).collect())
    });
    let mut said = Vec::new();
    let Ok(()) = crate::replay::replay(&mut engine, &series, readings, until, |effect| {
        if let Some(event) = Event::of(&effect, plan) {
            let place = all.binary_search_by(|one| event.order_of(one)).unwrap_or(all.len());
            said.push((place, event));
        }
        Ok::<(), Infallible>(())
    });
    said
}

/// The widest a table may be.
const WIDTH: u16 = 110;

fn print(out: &mut impl Write, events: &[Event], recording: &Recording, told: &Told) -> io::Result<()> {
    if !events.is_empty() {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(WIDTH);
        table.set_header(["TIME (UTC)", "WHAT", "SUMMARY"]);
        for event in events {
            let time = event.time.strip_suffix(":00Z").unwrap_or(&event.time).replace('T', " ");
            table.add_row([time, event.event.replace('_', " "), event.summary.clone()]);
        }
        for line in table.to_string().lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)?;
    }
    let days =
        recording.span().map_or(0.0, |span| (span.until - span.from) as f64 / domain::PERIODS_PER_DAY as f64);
    let n = recording.series().len();
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    writeln!(
        out,
        "{n} series, {days:.1} days: {} opened, {} resolved, {} opened",
        counted(told.pages, "page"),
        told.resolves,
        counted(told.tickets, "ticket")
    )
}
