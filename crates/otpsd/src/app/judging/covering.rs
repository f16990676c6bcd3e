//! What of each source is not watched as it should be, and what it costs: the tickets about both.

use std::collections::BTreeMap;

use domain::{
    CloudWatchPlan, Commit, Filed, GapFigures, GapTicket, Key, LedgerError, LeftOut, MetricSet, OpenGap,
    PERIODS_PER_HOUR, SourcePlan, SourceState, Spending, Thrift, TicketAction,
};
use evaluator::Desk;
use evaluator::coverage::{Coverage, Look};
use evaluator::thrift::{Budget, month_end};
use jiff::Timestamp;
use poller::Cost;

use super::owing::Owing;
use super::{Judging, surroundings};
use crate::app::recipients::Recipients;
use crate::app::sources::Place;

/// Who was told of the open tickets about gaps: the channels, by ticket. Its end is told to exactly these.
pub(super) type GapsTold = BTreeMap<Key, Vec<String>>;

impl Judging {
    /// Takes up the gaps that the ledger remembers. What nobody asks for any more closes. Gives what was filed about anything else.
    pub(super) fn restore_gaps(
        &mut self,
        now: Timestamp,
        states: &[SourceState],
        filed: Vec<Filed>,
    ) -> Vec<Filed> {
        let is_of_gap =
            |one: &Filed| states.iter().flat_map(|state| &state.gaps).any(|open| open.key == one.key);
        let (of_gaps, others): (Vec<_>, Vec<_>) = filed.into_iter().partition(is_of_gap);
        self.gaps_told = of_gaps.into_iter().map(|one| (one.key, one.channels)).collect();
        let (coverage, news) = Coverage::restore(now, states, &self.plan);
        self.coverage = coverage;
        for state in states {
            self.remember_gaps(&state.source);
        }
        // It is written with whatever is written first.
        self.note_gaps(now, &news);
        others
    }

    /// A Region of a source was asked what it has.
    pub(crate) async fn looked(
        &mut self,
        now: Timestamp,
        plan: &CloudWatchPlan,
        region: &str,
        look: Look,
    ) -> Result<(), LedgerError> {
        let news = self.coverage.looked(now, plan, region, look);
        self.remember_gaps(&plan.name);
        self.note_gaps(now, &news);
        self.write(now).await
    }

    /// So many metrics were asked of a source, as CloudWatch bills them.
    pub(crate) fn spent(&mut self, now: Timestamp, source: &str, billed_metrics: u64) {
        let state = self.watch.spent(now, source, billed_metrics);
        self.add(Commit { sources: vec![state], ..Commit::default() });
    }

    /// How a source is read, for the sake of what it costs.
    pub(crate) fn thrift(&self, source: &str) -> Thrift {
        self.spending(source).thrift
    }

    /// What was asked of a source this month.
    pub(crate) fn spending(&self, source: &str) -> Spending {
        self.watch.state(source).map(|state| state.spending).unwrap_or_default()
    }

    /// Series of a source that are left out in a Region.
    pub(crate) fn left_out(&self, place: &Place) -> &[LeftOut] {
        self.coverage.left_out(&place.source, &place.region)
    }

    /// The open gaps of a source.
    pub(crate) fn gaps(&self, source: &str) -> impl Iterator<Item = &OpenGap> {
        self.coverage.open(source)
    }

    /// An open gap in one line, as far as its figures are known.
    pub(crate) fn gap_summary(&self, key: &Key, now: Timestamp) -> Option<String> {
        let ticket = self.coverage.standing(now).find(|ticket| ticket.open.key == *key)?;
        Some(notifier::text::coverage::summary(&ticket))
    }

    /// Decides how a source is read from now on, by what its limit leaves.
    pub(crate) async fn reckon(&mut self, now: Timestamp, plan: &CloudWatchPlan) -> Result<(), LedgerError> {
        let Some(limit) = plan.max_monthly_usd else { return Ok(()) };
        let spending = self.spending(&plan.name);
        let until = month_end(evaluator::thrift::month_of(now));
        let spent = Cost { calls: 0, billed_metrics: spending.billed_metrics }.usd();
        let reads = 1 + i64::from(plan.reread_periods);
        let of = |periods, metrics| -> f64 {
            let regions = self.sources.by_region(&plan.name);
            regions.into_values().map(|series| Cost::of_read(series, periods, metrics).usd()).sum()
        };
        let budget = Budget {
            limit,
            spent,
            poll: of(reads, MetricSet::Decode),
            explanation: of(PERIODS_PER_HOUR, MetricSet::Diagnosis),
            left: until.duration_since(now),
        };
        let thrift = budget.thrift(spending.thrift);
        let figures = GapFigures::Cost {
            limit_usd: limit,
            spent_usd: spent,
            full_usd: budget.month(Thrift::None),
            thrifty_usd: budget.month(thrift),
            thrift,
            until,
        };
        let states = self.watch.thrifty(&plan.name, thrift).into_iter().collect();
        self.add(Commit { sources: states, ..Commit::default() });
        let news = self.coverage.reckoned(now, plan, thrift != Thrift::None, figures);
        self.remember_gaps(&plan.name);
        self.note_gaps(now, &news);
        self.write(now).await
    }

    fn remember_gaps(&mut self, source: &str) {
        let open = self.coverage.open(source).cloned().collect();
        let states = self.watch.gaps(source, open).into_iter().collect();
        self.add(Commit { sources: states, ..Commit::default() });
    }

    fn note_gaps(&mut self, now: Timestamp, news: &[GapTicket]) {
        for ticket in news {
            let (source, key, cause) = (&ticket.source, &ticket.open.key, ticket.open.gap.cause().as_str());
            let summary = notifier::text::coverage::summary(ticket);
            match ticket.action {
                TicketAction::Opened | TicketAction::Updated => {
                    tracing::warn!(source, %key, cause, "{summary}");
                }
                TicketAction::Closed => tracing::info!(source, %key, cause, "{summary}"),
            }
            if let GapFigures::LeftOut { left_out, .. } = &ticket.figures {
                for one in left_out {
                    tracing::warn!(source, series = %one.series, requests = one.requests, "not watched: max-series");
                }
            }
        }
        self.tell_of_gaps(now, news);
    }

    /// Puts what is to be told of gaps to what is to be written: news, and what nobody was told of before. Says whether somebody is told.
    pub(super) fn tell_of_gaps(&mut self, now: Timestamp, news: &[GapTicket]) -> bool {
        let Self { engine, watch, silences, plan, sources, recent, coverage, gaps_told, .. } = self;
        let look = |page: &domain::GroupPage| surroundings::around(page, plan, now, engine, sources, watch);
        let owing = Owing { plan, silences, now, around: &look };
        let seen = |series: &domain::Series| recent.seen(series);
        let desk = Desk { plan: plan.as_ref(), silences: silences.as_slice(), seen: &seen };
        let mut commit = Commit::default();
        for ticket in news {
            let key = &ticket.open.key;
            match ticket.action {
                // Below, with what nobody was told of before.
                TicketAction::Opened => {}
                TicketAction::Updated => {
                    if let Some(channels) = gaps_told.get(key) {
                        commit.outbox.extend(owing.gap_ticket(ticket, channels));
                    }
                }
                TicketAction::Closed => {
                    if let Some(channels) = gaps_told.remove(key) {
                        commit.outbox.extend(owing.gap_ticket(ticket, &channels));
                        commit.filed.push(Filed { key: key.clone(), channels: Vec::new() });
                    }
                }
            }
        }
        for ticket in coverage.standing(now) {
            let key = &ticket.open.key;
            if gaps_told.contains_key(key) {
                continue;
            }
            let regions: Vec<&str> = regions_of(plan, &ticket.source).collect();
            let channels = Recipients::new(plan).of_source(&desk, ticket.open.gap.cause(), &regions, now);
            if channels.is_empty() {
                continue;
            }
            commit.outbox.extend(owing.gap_ticket(&ticket, &channels));
            commit.filed.push(Filed { key: key.clone(), channels: channels.clone() });
            gaps_told.insert(key.clone(), channels);
        }
        let tells = !commit.outbox.is_empty();
        self.add(commit);
        tells
    }
}

fn regions_of<'a>(plan: &'a domain::Plan, source: &str) -> impl Iterator<Item = &'a str> {
    plan.source(source)
        .into_iter()
        .flat_map(|SourcePlan::CloudWatch(plan)| plan.regions.iter().map(String::as_str))
}
