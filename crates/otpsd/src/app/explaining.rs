//! Why a series is in its state, as the control socket tells it: now, or at a time before.

use std::convert::Infallible;
use std::sync::Arc;

use domain::{Ledger, Period, Row, Series};
use evaluator::{Engine, Settings};
use jiff::Timestamp;
use tokio::sync::Mutex;
use web::Snapshot;

use super::control::Answer;
use super::judging::Judging;
use crate::explained::which::which;
use crate::explained::{Explained, Incident, Told};
use crate::replay::replay;

/// What an explanation is made from.
#[derive(Clone)]
pub(crate) struct Explaining {
    judging: Arc<Mutex<Judging>>,
    ledger: Arc<dyn Ledger>,
}

impl Explaining {
    pub(crate) fn new(judging: Arc<Mutex<Judging>>, ledger: Arc<dyn Ledger>) -> Self {
        Self { judging, ledger }
    }

    /// The answer to `explain`.
    pub(crate) async fn answer(&self, snapshot: &Snapshot, series: Option<&str>, at: Option<&str>) -> Answer {
        let Some(series) = series else {
            return Answer::refused("`explain` has no `series`", "name a series, or a part of its name");
        };
        let at: Option<Timestamp> = match at.map(str::parse).transpose() {
            Ok(at) => at,
            Err(_) => return Answer::refused("`at` is not a time", "write it such as 2026-10-15T18:20:00Z"),
        };
        match at {
            None => self.now(snapshot, series).await,
            Some(at) => self.then(series, at).await,
        }
    }

    async fn now(&self, snapshot: &Snapshot, wanted: &str) -> Answer {
        let judging = self.judging.lock().await;
        let engine = judging.engine();
        let series = match which(engine.series(), wanted) {
            Ok(series) => series,
            Err(not_one) => return Answer::no(not_one.no, not_one.message, not_one.hint),
        };
        match Explained::of(engine, series) {
            Some(mut explained) => {
                explained.not_seen = not_seen(snapshot, series);
                if let Some(incident) = &mut explained.incident {
                    told(&judging, incident);
                }
                Answer::explained(explained)
            }
            None => Answer::no(NOT_JUDGED, format!("nothing of {series} was judged yet"), None),
        }
    }

    /// Replays what is stored of the series up to a time.
    async fn then(&self, wanted: &str, at: Timestamp) -> Answer {
        let (series, settings) = {
            let judging = self.judging.lock().await;
            match which(judging.engine().series(), wanted) {
                Ok(series) => (series.clone(), judging.engine().settings().clone()),
                Err(not_one) => return Answer::no(not_one.no, not_one.message, not_one.hint),
            }
        };
        let rows = match self.ledger.history(&series, Period::from_index(0)).await {
            Ok(rows) => rows,
            Err(error) => return Answer::refused(error.message, error.hint.unwrap_or_default()),
        };
        let first = rows.first().map(|row| row.period);
        let whose = series.clone();
        let replayed = tokio::task::spawn_blocking(move || replayed(settings, &whose, rows, at)).await;
        match (replayed, first) {
            (Ok(Some(explained)), _) => Answer::explained(explained),
            (Ok(None), first) => {
                let hint = first.map(|first| format!("what is stored of it begins {first}"));
                Answer::no(NOT_JUDGED, format!("nothing of {series} was there before {at}"), hint)
            }
            (Err(error), _) => Answer::refused(error.to_string(), "look into the log of the daemon"),
        }
    }
}

/// There is nothing to explain yet.
const NOT_JUDGED: &str = "not_judged";

fn replayed(settings: Settings, series: &Series, rows: Vec<Row>, at: Timestamp) -> Option<Explained> {
    let mut engine = Engine::new(settings);
    let readings = rows.into_iter().map(|row| (row.period, vec![row]));
    let until = Period::containing(at);
    match replay(&mut engine, std::slice::from_ref(series), readings, until, |_| Ok::<(), Infallible>(())) {
        Ok(()) => {}
        Err(never) => match never {},
    }
    Explained::of(&engine, series)
}

/// Who was told of an incident, or why nobody was.
fn told(judging: &Judging, incident: &mut Incident) {
    let is_it = |key: &domain::Key| key.as_str() == incident.key;
    for page in judging.pages().filter(|page| page.open().any(|member| is_it(&member.incident))) {
        let (key, channel) = (page.key.to_string(), page.channel.clone());
        match incident.told.iter_mut().find(|told| told.key == key) {
            Some(told) => told.channels.push(channel),
            None => incident.told.push(Told { key, channels: vec![channel] }),
        }
    }
    let untold = judging.untold().find(|(page, _)| is_it(&page.incident().key));
    incident.untold = untold.map(|(_, why)| why.to_string());
}

/// Why the source of a series cannot be read, if it cannot.
fn not_seen(snapshot: &Snapshot, series: &Series) -> Option<String> {
    let status = snapshot.series.iter().find(|status| status.series == *series)?;
    let source = snapshot
        .sources
        .iter()
        .find(|source| source.name == status.source && source.region == series.region())?;
    let failure = source.failure.as_ref()?;
    Some(format!(
        "source `{}` in {} cannot be read since {}: {}: {}",
        source.name,
        source.region,
        failure.since,
        failure.failure.as_str(),
        failure.message
    ))
}
