//! Why a series is in its state, as the control socket tells it: now, or at a time before.

use std::sync::Arc;

use config::Origins;
use domain::{Ledger, Plan, Series};
use jiff::Timestamp;
use tokio::sync::Mutex;
use web::Snapshot;

use super::control::Answer;
use super::judging::Judging;
use crate::explained::stored::{self, NOT_JUDGED, Unexplained};
use crate::explained::which::which;
use crate::explained::{Explained, Incident, written};

/// What an explanation is made from.
#[derive(Clone)]
pub(crate) struct Explaining {
    pub(crate) judging: Arc<Mutex<Judging>>,
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) plan: Arc<Plan>,
    /// Where each value of the plan is written.
    pub(crate) origins: Arc<Origins>,
}

impl Explaining {
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
                explained.written = written(&self.plan, &self.origins, series);
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
        match stored::then(self.ledger.as_ref(), settings, &series, at).await {
            Ok(mut explained) => {
                explained.written = written(&self.plan, &self.origins, &series);
                Answer::explained(explained)
            }
            Err(Unexplained::No(no)) => Answer::no(no.no, no.message, no.hint),
            Err(Unexplained::Failed(error)) => Answer::refused(error.message, error.hint.unwrap_or_default()),
        }
    }
}

/// Who was told of an incident, or why nobody was.
fn told(judging: &Judging, incident: &mut Incident) {
    stored::told(judging.pages(), incident);
    let is_it = |key: &domain::Key| key.as_str() == incident.key;
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
