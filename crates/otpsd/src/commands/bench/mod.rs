//! Measures detection: what the engine says about labelled fleets, against what is owed.
//!
//! # Layout
//!
//! - `labelled`, `files`: what is owed, made or read.
//! - `fleets`: labelled fleets, and what detectors say of them.
//! - `said`, `recipe`: what the engine says, and what the plain recipe would.
//! - `score`: one model, what was said against what was owed.
//! - `tally`, `wrong`: what was counted.
//! - `intervals`, `figures`: what the counts mean, and the goals.
//! - `table`, `json`: the figures for people and for machines.
//! - `progress`: how far it is, on a terminal.

mod figures;
mod files;
mod fleets;
mod intervals;
mod json;
mod labelled;
mod progress;
mod recipe;
mod said;
mod score;
mod table;
mod tally;
mod wrong;

use std::io::{self, Write as _};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;
use domain::ExitCode;
use evaluator::Settings;
use simulator::FleetOptions;

use self::fleets::{Counted, Labelled, Unscored};
use self::progress::Progress;
use crate::cli::{BenchArgs, BenchFormat, Models};
use crate::commands::{complain, configuration, failed};

pub(crate) fn run(args: &BenchArgs) -> Result<ExitCode> {
    let settings = match &args.config {
        None => Settings::default(),
        Some(config) => match configuration::read(config, config::Purpose::Backtest) {
            Ok(plan) => Settings::from(&plan),
            Err(code) => return Ok(code),
        },
    };
    let fleets = match fleets(args) {
        Ok(fleets) => fleets,
        Err((what, hint)) => {
            complain(&what, Some(hint));
            return Ok(ExitCode::Usage);
        }
    };
    let counted = match count(&fleets, &settings) {
        Ok(counted) => counted,
        Err(unscored) => return Ok(failed(&unscored.message, unscored.hint.as_deref())),
    };
    match print(args, &fleets, counted) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::Success),
    }
}

/// What is to be measured, or what is wrong with the command line and what to do about it.
fn fleets(args: &BenchArgs) -> Result<Vec<Labelled>, (String, &'static str)> {
    if args.recordings.is_empty() {
        let models = match args.models.as_slice() {
            [] => FleetOptions::default().models,
            [Models::Count(count)] => *count,
            _ => {
                let what = "--models is a number where fleets are made by seed".to_owned();
                return Err((what, "give one number, or a RECORDING with its files"));
            }
        };
        let options = FleetOptions { models, days: args.days, calm: args.calm, ..FleetOptions::default() };
        return Ok(args.seeds.0.iter().map(|seed| Labelled::Seed(*seed, options.clone())).collect());
    }
    let files: Vec<&PathBuf> = args
        .models
        .iter()
        .filter_map(|models| match models {
            Models::File(file) => Some(file),
            Models::Count(_) => None,
        })
        .collect();
    if [args.labels.len(), files.len(), args.models.len()] != [args.recordings.len(); 3] {
        let (recordings, labels) = (args.recordings.len(), args.labels.len());
        let what = format!("{recordings} RECORDING, {labels} --labels and {} --models FILE", files.len());
        return Err((what, "give both files once for each recording, in the same order"));
    }
    let each = args.recordings.iter().zip(&args.labels).zip(files);
    Ok(each
        .map(|((recording, labels), models)| Labelled::Files {
            recording: recording.clone(),
            labels: labels.clone(),
            models: models.clone(),
        })
        .collect())
}

/// Counts fleet by fleet, as many at a time as there are cores. The order of the result is that of the fleets.
fn count(fleets: &[Labelled], settings: &Settings) -> Result<Counted, Unscored> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let (next, progress) = (AtomicUsize::new(0), Progress::new(fleets.len()));
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(fleet) = fleets.get(index) else { return done };
            done.push((index, fleet.count(settings)));
            progress.one_more();
        }
    };
    let mut done: Vec<(usize, Result<Counted, Unscored>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores.min(fleets.len())).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    progress.end();
    done.sort_by_key(|(index, _)| *index);
    let mut all = Counted::default();
    for (_, counted) in done {
        all += counted?;
    }
    Ok(all)
}

fn print(args: &BenchArgs, fleets: &[Labelled], counted: Counted) -> io::Result<()> {
    let Counted { models, otpsd, recipe } = counted;
    let mut out = io::stdout().lock();
    match args.format {
        BenchFormat::Table => {
            write!(out, "{}", table::table(&what(args, fleets.len(), models), &otpsd, &recipe))?;
            if args.list {
                writeln!(out)?;
                otpsd.wrong.iter().try_for_each(|wrong| writeln!(out, "{wrong}"))?;
            }
        }
        BenchFormat::Json => {
            let wrong = args.list.then(|| otpsd.wrong.iter().map(json::WrongLine::of).collect());
            let report = json::Report {
                fleets: fleets.iter().map(Labelled::name).collect(),
                models,
                months: otpsd.all().months,
                otpsd: json::Detector::of(&otpsd),
                recipe: json::Detector::of(&recipe),
                goals: json::Goals::all(),
                wrong,
            };
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        }
    }
    out.flush()
}

/// What was measured, in one line without its end.
fn what(args: &BenchArgs, fleets: usize, models: usize) -> String {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    if args.recordings.is_empty() {
        let learn = FleetOptions::default().learn_days;
        let events = if args.calm { "nothing happens" } else { "with events" };
        let fleets = counted(fleets, "fleet");
        let models = counted(models, "model");
        format!("{fleets}, {models}, {} days of which {learn} for learning, {events}", args.days)
    } else {
        format!("{}, {}", counted(fleets, "recording"), counted(models, "model"))
    }
}
