//! An explanation from what the ledger holds.

use std::collections::BTreeMap;
use std::convert::Infallible;

use domain::{Ledger, LedgerError, PageState, Period, Row, Series, SeriesState};
use evaluator::{Engine, Input, Settings, lent_from, needed_from};
use jiff::Timestamp;

use super::which::{NotOne, which};
use super::{Explained, Incident, Told};
use crate::replay::replay;

/// There is nothing to explain yet, as the control socket writes it.
pub(crate) const NOT_JUDGED: &str = "not_judged";

/// Why there is no explanation.
#[derive(Debug)]
pub(crate) enum Unexplained {
    /// The answer is no.
    No(NotOne),
    /// The ledger cannot be read.
    Failed(LedgerError),
}

impl From<LedgerError> for Unexplained {
    fn from(error: LedgerError) -> Self {
        Self::Failed(error)
    }
}

impl From<NotOne> for Unexplained {
    fn from(not_one: NotOne) -> Self {
        Self::No(not_one)
    }
}

/// A series as it was when something of it was last written down, or at a time before: without a daemon.
pub(crate) async fn explain(
    ledger: &dyn Ledger,
    settings: Settings,
    wanted: &str,
    at: Option<Timestamp>,
) -> Result<(Series, Explained), Unexplained> {
    let loaded = ledger.load().await?;
    let series = which(loaded.states.iter().map(|state| &state.series), wanted)?.clone();
    if let Some(at) = at {
        let explained = then(ledger, settings, &series, at).await?;
        return Ok((series, explained));
    }
    let states = loaded.states;
    let Some(state) = states.iter().find(|state| state.series == series).cloned() else {
        return Err(not_judged(format!("nothing of {series} was judged yet"), None));
    };
    let mut engine = Engine::new(settings);
    let settings = engine.settings_of(&series);
    let mut from = needed_from(&state, &settings.learning);
    // The one that it learns from comes first.
    let sibling = settings.rule.learn_from.as_deref().map(|model| series.sibling(model));
    if let Some(lender) = sibling.and_then(|sibling| states.iter().find(|state| state.series == sibling)) {
        let needed = lent_from(&state, &settings.learning);
        let lent = needed.map_or(from, |needed| from.min(needed));
        take_up(ledger, &mut engine, lender.clone(), lent).await?;
        from = from.min(lent);
    }
    take_up(ledger, &mut engine, state, from).await?;
    let mut explained = Explained::of(&engine, &series)
        .ok_or_else(|| not_judged(format!("nothing of {series} was judged yet"), None))?;
    if let Some(incident) = &mut explained.incident {
        told(loaded.pages.iter(), incident);
    }
    Ok((series, explained))
}

/// Takes up a state and the readings from a period on.
async fn take_up(
    ledger: &dyn Ledger,
    engine: &mut Engine,
    state: SeriesState,
    from: Period,
) -> Result<(), LedgerError> {
    let rows = ledger.history(&state.series, from).await?;
    engine.step(state.judged_through.end(), Input::Readings(&rows));
    engine.restore(state);
    Ok(())
}

/// A series as it was at a time: what is stored of it is replayed.
pub(crate) async fn then(
    ledger: &dyn Ledger,
    settings: Settings,
    series: &Series,
    at: Timestamp,
) -> Result<Explained, Unexplained> {
    let rows = ledger.history(series, Period::from_index(0)).await?;
    let first = rows.first().map(|row| row.period);
    let mut histories = Vec::new();
    let sibling = Engine::new(settings.clone()).settings_of(series).rule.learn_from.clone();
    if let Some(sibling) = sibling.map(|model| series.sibling(&model)) {
        histories.push((sibling.clone(), ledger.history(&sibling, Period::from_index(0)).await?));
    }
    histories.push((series.clone(), rows));
    let whose = series.clone();
    let replayed = tokio::task::spawn_blocking(move || replayed(settings, &whose, histories, at)).await;
    match replayed {
        Ok(Some(explained)) => Ok(explained),
        Ok(None) => {
            let hint = first.map(|first| format!("what is stored of it begins {first}"));
            Err(not_judged(format!("nothing of {series} was there before {at}"), hint))
        }
        Err(error) => Err(Unexplained::Failed(LedgerError {
            message: format!("cannot replay what is stored of {series}: {error}"),
            hint: Some("this is a bug of otpsd; its log has the panic".to_owned()),
            damaged: false,
        })),
    }
}

fn not_judged(message: String, hint: Option<String>) -> Unexplained {
    Unexplained::No(NotOne { no: NOT_JUDGED, message, hint })
}

fn replayed(
    settings: Settings,
    series: &Series,
    histories: Vec<(Series, Vec<Row>)>,
    at: Timestamp,
) -> Option<Explained> {
    let mut engine = Engine::new(settings);
    let (all, rows): (Vec<Series>, Vec<Vec<Row>>) = histories.into_iter().unzip();
    let mut readings: BTreeMap<Period, Vec<Row>> = BTreeMap::new();
    for row in rows.into_iter().flatten() {
        readings.entry(row.period).or_default().push(row);
    }
    let until = Period::containing(at);
    match replay(&mut engine, &all, readings.into_iter(), until, |_| Ok::<(), Infallible>(())) {
        Ok(()) => {}
        Err(never) => match never {},
    }
    Explained::of(&engine, series)
}

/// Who was told of an incident.
pub(crate) fn told<'p>(pages: impl Iterator<Item = &'p PageState>, incident: &mut Incident) {
    let is_it = |key: &domain::Key| key.as_str() == incident.key;
    for page in pages.filter(|page| page.open().any(|member| is_it(&member.incident))) {
        let (key, channel) = (page.key.to_string(), page.channel.clone());
        match incident.told.iter_mut().find(|told| told.key == key) {
            Some(told) => told.channels.push(channel),
            None => incident.told.push(Told { key, channels: vec![channel] }),
        }
    }
}
