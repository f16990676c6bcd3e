//! Drives an engine through recorded history.

use domain::{Period, Row, Series};
use evaluator::{Effect, Engine, Input};
use poller::Recording;

/// What the engine is told at a time: readings, and that everything up to and including `through` was read.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) rows: Vec<Row>,
    pub(crate) through: Period,
}

impl Step {
    /// Judges `series` up to here.
    pub(crate) fn take(&self, engine: &mut Engine, series: &[Series]) -> Vec<Effect> {
        let (now, through) = (self.through.end(), self.through);
        engine.step(now, Input::Readings(&self.rows));
        engine.step(now, Input::Advance { series, through })
    }
}

/// The steps of a daemon that reads a period at a time. `readings` come in order of time. Periods in which nobody had anything
/// are judged too, before what came after them is known, up to and without `until`.
pub(crate) fn steps(
    readings: impl Iterator<Item = (Period, Vec<Row>)>,
    until: Period,
) -> impl Iterator<Item = Step> {
    let mut next: Option<Period> = None;
    let read = readings.take_while(move |(period, _)| *period < until).map(Some);
    read.chain(std::iter::once(None)).flat_map(move |reading| {
        let begin = reading.as_ref().map_or(until, |(period, _)| *period);
        let gap = next.filter(|next| *next < begin).map(|_| Step { rows: Vec::new(), through: begin - 1 });
        next = Some(begin + 1);
        let step = reading.map(|(through, rows)| Step { rows, through });
        gap.into_iter().chain(step)
    })
}

/// Judges readings as [`steps`] has them, and hands on what is said.
///
/// # Errors
///
/// Those of `tell`, which end it.
pub(crate) fn replay<E>(
    engine: &mut Engine,
    series: &[Series],
    readings: impl Iterator<Item = (Period, Vec<Row>)>,
    until: Period,
    mut tell: impl FnMut(Effect) -> Result<(), E>,
) -> Result<(), E> {
    steps(readings, until).try_for_each(|step| step.take(engine, series).into_iter().try_for_each(&mut tell))
}

/// The readings of a recording in order of time, of those series whose place in it is taken.
pub(crate) fn readings(
    recording: &Recording,
    takes: impl Fn(usize) -> bool,
) -> impl Iterator<Item = (Period, Vec<Row>)> {
    let series = recording.series();
    recording.periods().map(move |rows| {
        let period = rows.period();
        let taken = rows.rows().filter(|(index, _)| takes(*index));
        (
            period,
            taken.map(|(index, reading)| Row { series: series[index].clone(), period, reading }).collect(),
        )
    })
}
