//! An explanation from a recording: the engine is driven through it, as it would have been.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use domain::{ExitCode, Period, Row};
use evaluator::{Engine, Settings};
use jiff::Timestamp;
use poller::Recording;

use crate::commands::{complain, configuration, failed};
use crate::explained::which::which;
use crate::explained::{Explained, written};
use crate::replay::replay;

/// What there is to say of a series at a time, or at the end of the recording.
pub(super) fn explain(
    config: Option<&Path>,
    recordings: &[PathBuf],
    series: &str,
    at: Option<Timestamp>,
) -> Result<Explained, ExitCode> {
    let read = |config| configuration::read_with_origins(config, config::Purpose::Backtest);
    let configured = config.map(read).transpose()?;
    let settings = configured.as_ref().map_or_else(Settings::default, |(plan, _)| Settings::from(plan));
    let recording = Recording::read(recordings).map_err(|error| failed(&error, error.hint.as_deref()))?;
    let series = which(recording.series().iter(), series).map_err(|not_one| {
        complain(&not_one.message, not_one.hint.as_deref());
        ExitCode::No
    })?;
    let span = recording.span().ok_or_else(|| failed(&"the recording has no rows", None))?;
    let until = at.map_or(span.until, |at| Period::containing(at).min(span.until));
    let place = recording.series().iter().position(|one| one == series);
    let rows = recording.periods().filter_map(|rows| {
        let (_, reading) = rows.rows().find(|(index, _)| Some(*index) == place)?;
        Some((rows.period(), vec![Row { series: series.clone(), period: rows.period(), reading }]))
    });
    let mut engine = Engine::new(settings);
    let said = replay(&mut engine, std::slice::from_ref(series), rows, until, |_| Ok::<(), Infallible>(()));
    match said {
        Ok(()) => {}
        Err(never) => match never {},
    }
    let mut explained = Explained::of(&engine, series).ok_or_else(|| {
        let what = format!("nothing of {series} was there before {}", until.start());
        complain(&what, Some(&format!("the recording is from {} to {}", span.from, span.until)));
        ExitCode::No
    })?;
    if let Some((plan, origins)) = &configured {
        explained.written = written(plan, origins, series);
    }
    Ok(explained)
}
