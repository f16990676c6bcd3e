//! What a configuration would have done on recorded history.

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use domain::{ExitCode, Period, Plan, Row};
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
    let mut out = BufWriter::new(io::stdout().lock());
    let mut told = Told::default();
    let printed = match args.format {
        BacktestFormat::Jsonl => replay(&plan, &recording, |event| {
            told.count(&event);
            writeln!(out, "{}", serde_json::to_string(&event)?)
        }),
        BacktestFormat::Table => {
            let mut events = Vec::new();
            let result = replay(&plan, &recording, |event| {
                told.count(&event);
                events.push(event);
                Ok(())
            });
            result.and_then(|()| print(&mut out, &events, &recording, &told))
        }
    };
    match printed.and_then(|()| out.flush()) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ if args.fail_on_page && told.pages > 0 => Ok(ExitCode::No),
        _ => Ok(ExitCode::Success),
    }
}

/// Counts for the last line.
#[derive(Debug, Default)]
struct Told {
    pages: usize,
    resolves: usize,
    tickets: usize,
}

impl Told {
    fn count(&mut self, event: &Event) {
        match event.event {
            "page_opened" => self.pages += 1,
            "page_resolved" => self.resolves += 1,
            "ticket_opened" => self.tickets += 1,
            _ => {}
        }
    }
}

/// Drives the engine through a recording, a period at a time, as the daemon would have.
fn replay(
    plan: &Plan,
    recording: &Recording,
    mut tell: impl FnMut(Event) -> io::Result<()>,
) -> io::Result<()> {
    let mut engine = Engine::new(Settings {
        rule: plan.rule.clone(),
        learning: plan.learning.clone(),
        ticket_rule: plan.ticket_rule.clone(),
    });
    let (series, span) = (recording.series(), recording.span());
    let until = span.map_or_else(|| Period::from_index(0), |span| span.until);
    let readings = recording.periods().map(|rows| {
        let period = rows.period();
        let row = |(index, reading): (usize, _)| Row { series: series[index].clone(), period, reading };
        (period, rows.rows().map(row).collect())
    });
    crate::replay::replay(&mut engine, series, readings, until, |effect| {
        Event::of(&effect, &plan.rule).map_or(Ok(()), &mut tell)
    })
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
