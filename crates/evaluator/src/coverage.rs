//! What of a source is not watched as its configuration wants it, and when that is told.
//!
//! A model that must be there is missing once every Region of its source was asked and none has it: a Region that cannot be asked proves
//! nothing. Series beyond `max-series` are left out in a fixed order. Each gap is one ticket, which closes when the gap does.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    CloudWatchPlan, Gap, GapFigures, GapTicket, Glob, LeftOut, OpenGap, Plan, Series, SourcePlan,
    SourceState, Thrift, TicketAction,
};
use jiff::Timestamp;

#[cfg(test)]
mod tests;

/// What a Region of a source was found to have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Look {
    /// The series that CloudWatch lists.
    pub listed: BTreeSet<Series>,
    /// The series that are watched, listed or not.
    pub watched: BTreeSet<Series>,
    /// The series that `max-series` leaves out.
    pub left_out: Vec<LeftOut>,
}

/// The gaps of all sources.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    sources: BTreeMap<String, Looked>,
}

#[derive(Debug, Clone, Default)]
struct Looked {
    /// By Region, as it was found last since the start.
    looks: BTreeMap<String, Look>,
    open: Vec<(OpenGap, Option<GapFigures>)>,
}

impl Coverage {
    /// Takes up the gaps that were open. Those of a source that is not configured any more, or for which there is no key any more, close.
    #[must_use]
    pub fn restore(now: Timestamp, states: &[SourceState], plan: &Plan) -> (Self, Vec<GapTicket>) {
        let (mut coverage, mut said) = (Self::default(), Vec::new());
        for state in states.iter().filter(|state| !state.gaps.is_empty()) {
            let Some(SourcePlan::CloudWatch(source)) = plan.source(&state.source) else {
                said.extend(state.gaps.iter().map(|open| gone(&state.source, open, now)));
                continue;
            };
            let (wanted, unwanted): (Vec<_>, Vec<_>) =
                state.gaps.iter().cloned().partition(|open| is_wanted(source, &open.gap));
            said.extend(unwanted.iter().map(|open| gone(&state.source, open, now)));
            let open = wanted.into_iter().map(|open| (open, None)).collect();
            coverage.sources.insert(state.source.clone(), Looked { looks: BTreeMap::new(), open });
        }
        (coverage, said)
    }

    /// A Region of a source was asked what it has. Says what opens and closes.
    pub fn looked(
        &mut self,
        now: Timestamp,
        plan: &CloudWatchPlan,
        region: &str,
        look: Look,
    ) -> Vec<GapTicket> {
        let looked = self.sources.entry(plan.name.clone()).or_default();
        looked.looks.insert(region.to_owned(), look);
        looked.looks.retain(|region, _| plan.regions.contains(region));
        let is_whole = plan.regions.iter().all(|region| looked.looks.contains_key(region));
        let mut said = Vec::new();
        let left_out = looked.left_out();
        let gap = (!left_out.is_empty()).then_some(Gap::SeriesLimit);
        if gap.is_some() || is_whole {
            let figures = GapFigures::LeftOut { limit: plan.max_series, left_out };
            said.extend(looked.stands(now, plan, Gap::SeriesLimit, gap.is_some(), figures));
        }
        if is_whole {
            for expected in &plan.expect {
                let (is_there, figures) = looked.sought(plan, expected);
                said.extend(looked.stands(
                    now,
                    plan,
                    Gap::ModelMissing(expected.clone()),
                    !is_there,
                    figures,
                ));
            }
        }
        said
    }

    /// What a source costs was reckoned: `figures` where not all of it can be read for that.
    pub fn reckoned(
        &mut self,
        now: Timestamp,
        plan: &CloudWatchPlan,
        is_short: bool,
        figures: GapFigures,
    ) -> Vec<GapTicket> {
        let looked = self.sources.entry(plan.name.clone()).or_default();
        looked.stands(now, plan, Gap::CostLimit, is_short, figures).into_iter().collect()
    }

    /// The open gaps of a source, in the order in which they were found.
    pub fn open(&self, source: &str) -> impl Iterator<Item = &OpenGap> {
        self.sources.get(source).into_iter().flat_map(|looked| looked.open.iter().map(|(open, _)| open))
    }

    /// The open gaps of all sources whose figures are known, as if each was found now.
    pub fn standing(&self, now: Timestamp) -> impl Iterator<Item = GapTicket> {
        self.sources.iter().flat_map(move |(source, looked)| {
            looked.open.iter().filter_map(move |(open, figures)| {
                let figures = figures.clone()?;
                Some(GapTicket {
                    source: source.clone(),
                    open: open.clone(),
                    figures,
                    at: now,
                    action: TicketAction::Opened,
                })
            })
        })
    }

    /// Series of a source that are left out in a Region, those with the most requests first.
    #[must_use]
    pub fn left_out(&self, source: &str, region: &str) -> &[LeftOut] {
        let look = self.sources.get(source).and_then(|looked| looked.looks.get(region));
        look.map_or(&[], |look| &look.left_out)
    }
}

/// Whether the configuration has what a gap is about.
fn is_wanted(plan: &CloudWatchPlan, gap: &Gap) -> bool {
    match gap {
        Gap::ModelMissing(expected) => plan.expect.contains(expected),
        Gap::SeriesLimit => true,
        Gap::CostLimit => plan.max_monthly_usd.is_some(),
    }
}

/// The end of a gap that nobody asks about any more.
fn gone(source: &str, open: &OpenGap, now: Timestamp) -> GapTicket {
    let figures = GapFigures::Missing { regions: Vec::new(), known: Vec::new() };
    GapTicket {
        source: source.to_owned(),
        open: open.clone(),
        figures,
        at: now,
        action: TicketAction::Closed,
    }
}

impl Looked {
    fn left_out(&self) -> Vec<LeftOut> {
        let mut all: Vec<LeftOut> =
            self.looks.values().flat_map(|look| look.left_out.iter().cloned()).collect();
        all.sort_by(busiest_first);
        all
    }

    /// Whether any listed series matches, and what is known of it.
    fn sought(&self, plan: &CloudWatchPlan, expected: &str) -> (bool, GapFigures) {
        let glob = Glob::new(expected);
        let of = |series: fn(&Look) -> &BTreeSet<Series>| {
            let all = self.looks.values().flat_map(series);
            all.filter(|one| glob.matches(one.model())).cloned().collect::<Vec<_>>()
        };
        let listed = of(|look| &look.listed);
        let is_there = !listed.is_empty();
        let known = if is_there { listed } else { of(|look| &look.watched) };
        let mut regions = plan.regions.clone();
        regions.sort();
        (is_there, GapFigures::Missing { regions, known })
    }

    /// A gap stands or does not. Says so where that is new.
    fn stands(
        &mut self,
        now: Timestamp,
        plan: &CloudWatchPlan,
        gap: Gap,
        stands: bool,
        figures: GapFigures,
    ) -> Option<GapTicket> {
        let place = self.open.iter().position(|(open, _)| open.gap == gap);
        let (open, action) = match (place, stands) {
            (None, false) => return None,
            (Some(place), true) => {
                let before = self.open[place].1.replace(figures.clone());
                if before.is_none_or(|before| thrift(&figures) <= thrift(&before)) {
                    return None;
                }
                (self.open[place].0.clone(), TicketAction::Updated)
            }
            (None, true) => {
                let open = OpenGap::new(&plan.name, gap, now);
                self.open.push((open.clone(), Some(figures.clone())));
                (open, TicketAction::Opened)
            }
            (Some(place), false) => (self.open.remove(place).0, TicketAction::Closed),
        };
        Some(GapTicket { source: plan.name.clone(), open, figures, at: now, action })
    }
}

/// How much is shed; that it is more than before is news.
const fn thrift(figures: &GapFigures) -> Thrift {
    match figures {
        GapFigures::Cost { thrift, .. } => *thrift,
        GapFigures::Missing { .. } | GapFigures::LeftOut { .. } => Thrift::None,
    }
}

/// The order in which series are taken up while there is room: those with the most requests first, equal ones by name. What was not read
/// counts as nothing.
fn busiest_first(one: &LeftOut, other: &LeftOut) -> std::cmp::Ordering {
    let requests = |left: &LeftOut| left.requests.unwrap_or(0.0);
    requests(other).total_cmp(&requests(one)).then_with(|| one.series.cmp(&other.series))
}

/// Of new series, those that are taken up and those that are left out, each in the order of [`Look::left_out`]. What must be there is taken
/// up before all others; nothing of it waits for traffic. `room` is how many more may be watched, and `min_daily_requests` what a series
/// must have had; what it had is `None` where that was not read, which leaves it out when it matters.
#[must_use]
pub fn taken_up(plan: &CloudWatchPlan, new: Vec<LeftOut>, room: usize) -> (Vec<Series>, Vec<LeftOut>) {
    let pinned: Vec<_> = plan.expect.iter().map(|expected| Glob::new(expected)).collect();
    let is_pinned = |series: &Series| pinned.iter().any(|glob| glob.matches(series.model()));
    let least = f64::from(plan.min_daily_requests);
    let mut wanted: Vec<LeftOut> = new
        .into_iter()
        .filter(|one| least <= 0.0 || is_pinned(&one.series) || one.requests.is_some_and(|n| n >= least))
        .collect();
    wanted.sort_by(|one, other| {
        is_pinned(&other.series).cmp(&is_pinned(&one.series)).then_with(|| busiest_first(one, other))
    });
    let left_out = wanted.split_off(room.min(wanted.len()));
    (wanted.into_iter().map(|one| one.series).collect(), left_out)
}
