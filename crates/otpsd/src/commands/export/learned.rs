//! What is usual at the end of a recording, as the daemon would have learned it.

use std::convert::Infallible;

use domain::{ExitCode, Period, Row, Rule, Series};
use evaluator::{Engine, Progress, Settings};
use poller::Recording;

use crate::cli::LearnedArgs;
use crate::commands::{complain, configuration, failed};
use crate::replay::replay;

/// A series of a recording.
#[derive(Debug)]
pub(super) struct Learned {
    pub(super) series: Series,
    pub(super) rule: Rule,
    pub(super) level: Level,
}

/// What native alarms can be given of a series.
#[derive(Debug)]
pub(super) enum Level {
    /// The baseline of the p50, in tokens per second, for the hour of the last period of the recording.
    Known { otps: f64, until: Period },
    /// It is LEARNING, or has nothing that streams.
    Learning(Progress),
    /// Only the token-weighted OTPS could be learned, which needs sums that a p50 is not compared with.
    OnlyTokenWeighted,
}

/// Learns from recordings.
pub(super) fn read(args: &LearnedArgs) -> Result<Vec<Learned>, ExitCode> {
    if args.recordings.is_empty() {
        complain(
            "without a recording no model is known, and nothing of what is usual",
            Some(
                "name recordings after the configuration, such as history.csv.gz or the JSON of `aws cloudwatch get-metric-data`",
            ),
        );
        return Err(ExitCode::CannotRun);
    }
    let plan = configuration::read(&args.config, config::Purpose::Backtest)?;
    let recording =
        Recording::read(&args.recordings).map_err(|error| failed(&error, error.hint.as_deref()))?;
    let span = recording.span().ok_or_else(|| failed(&"the recording has no rows", None))?;
    let all = recording.series();
    let readings = recording.periods().map(|rows| {
        let period = rows.period();
        let row = |(index, reading): (usize, _)| Row { series: all[index].clone(), period, reading };
        (period, rows.rows().map(row).collect())
    });
    let mut engine = Engine::new(Settings::from(&plan));
    let Ok(()) = replay(&mut engine, all, readings, span.until, |_| Ok::<(), Infallible>(()));
    let learned = |series: &Series| Learned {
        series: series.clone(),
        rule: plan.rule_of(series),
        level: level(&engine, series, span.until),
    };
    Ok(all.iter().map(learned).collect())
}

fn level(engine: &Engine, series: &Series, until: Period) -> Level {
    match engine.explain(series).and_then(|explained| explained.usual) {
        None => Level::Learning(engine.progress(series)),
        Some(usual) => match usual.p50 {
            None => Level::OnlyTokenWeighted,
            Some(p50) => Level::Known { otps: p50.expected, until },
        },
    }
}
