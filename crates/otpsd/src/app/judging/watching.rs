//! How the polls of sources went, and the tickets about them.

use domain::{LedgerError, Period, SourcePlan, SourceState};
use evaluator::{Affected, SourceNews, SourceWatch};
use jiff::Timestamp;

use super::{Judging, owing};
use crate::app::sources::{Place, Sight};

impl Judging {
    /// Takes up what the ledger remembers of sources. A ticket about one that is not configured any more closes.
    pub(super) fn restore_sources(&mut self, now: Timestamp, states: Vec<SourceState>) {
        let plans = &self.plan.sources;
        let is_configured = |source: &str, region: &str| {
            plans.iter().any(|SourcePlan::CloudWatch(plan)| {
                plan.name == source && plan.regions.iter().any(|one| one == region)
            })
        };
        let (watch, news) = SourceWatch::restore(now, states, is_configured);
        self.watch = watch;
        // It is written with whatever is written first.
        self.note(now, news);
    }

    /// A poll ended; `settled` is the last period that could have been read.
    pub(crate) async fn polled(
        &mut self,
        now: Timestamp,
        place: &Place,
        sight: Sight<'_>,
        settled: Period,
    ) -> Result<(), LedgerError> {
        let (engine, sources) = (&self.engine, &self.sources);
        let affected = |regions: &[String]| {
            let mut affected = Affected::default();
            let is_in = |region: &str| regions.iter().any(|one| one == region);
            for one in engine.series().filter(|one| is_in(one.region()) && sources.of(one) == place.source) {
                let state = engine.state(one);
                affected.series += 1;
                affected.behind += usize::from(state.is_none_or(|state| state.judged_through < settled));
                affected.incidents += usize::from(state.is_some_and(|state| state.incident.is_some()));
            }
            affected
        };
        let news = self.watch.polled(now, &place.source, &place.region, sight.trouble(), affected);
        self.note(now, news);
        self.write(now).await
    }

    /// What is remembered of every source.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &SourceState> {
        self.watch.states()
    }

    /// When a source was last read in a Region, as far as is remembered.
    pub(crate) fn last_good(&self, place: &Place) -> Option<Timestamp> {
        let regions = &self.watch.state(&place.source)?.regions;
        regions.iter().find(|one| one.region == place.region)?.last_good
    }

    /// Puts news to what is to be written.
    fn note(&mut self, now: Timestamp, news: SourceNews) {
        for ticket in &news.tickets {
            let (source, key, failure) = (&ticket.source, &ticket.key, ticket.failure.as_str());
            let summary = notifier::text::source::summary(ticket);
            match ticket.closed {
                None => tracing::warn!(source, %key, failure, "{summary}"),
                Some(_) => tracing::info!(source, %key, failure, "{summary}"),
            }
        }
        let outbox = owing::of_sources(&self.plan, now, &news.tickets);
        self.add(domain::Commit { outbox, sources: news.states, ..domain::Commit::default() });
    }
}
