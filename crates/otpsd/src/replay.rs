//! Drives an engine through recorded history.

use domain::{Period, Row, Series};
use evaluator::{Effect, Engine, Input};

/// Judges readings a period at a time, as the daemon would have, and hands on what is said. `readings` come in order of
/// time. Periods in which nobody had anything are judged too, before what came after them is known, up to and without
/// `until`.
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
    let mut advance = |engine: &mut Engine, through: Period| {
        let effects = engine.step(through.end(), Input::Advance { series, through });
        effects.into_iter().try_for_each(&mut tell)
    };
    let mut next: Option<Period> = None;
    for (period, rows) in readings.take_while(|(period, _)| *period < until) {
        if next.is_some_and(|next| next < period) {
            advance(engine, period - 1)?;
        }
        engine.step(period.end(), Input::Readings(&rows));
        advance(engine, period)?;
        next = Some(period + 1);
    }
    if next.is_some_and(|next| next < until) {
        advance(engine, until - 1)?;
    }
    Ok(())
}
