//! Which source watches which series, and why some are not watched.

use std::collections::BTreeMap;

use domain::{CloudWatchPlan, Plan, SourcePlan, UNKNOWN_ACCOUNT};

use super::fleet::{Fleet, Seen};

/// Who watches what.
#[derive(Debug)]
pub(crate) struct Watching<'f> {
    /// In the order of the series, each with the place of its source in the plan; `None` where the plan has none at all.
    pub(crate) watched: Vec<(&'f Seen, Option<usize>)>,
    /// In the order of the series.
    pub(crate) unwatched: Vec<(&'f Seen, Why)>,
    /// Series that more than one source may have, by the names of the first two.
    pub(crate) doubtful: BTreeMap<(String, String), usize>,
}

/// Why a series is not watched.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Why {
    /// No source reads its account and Region.
    NoSource,
    /// A source that reads there leaves it out, by its name.
    LeftOut(String),
    /// It never streamed, so that it has no time to first token.
    NeverStreams,
    /// It has fewer requests in a day than the source asks for.
    TooFew { source: String, requests: f64, wanted: u32 },
    /// The source has others with more requests, as many as it watches.
    OverMost { source: String, most: u32 },
}

impl Why {
    /// As JSON writes it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::NoSource => "no_source",
            Self::LeftOut(_) => "left_out",
            Self::NeverStreams => "never_streams",
            Self::TooFew { .. } => "too_few_requests",
            Self::OverMost { .. } => "over_max_series",
        }
    }

    /// In words, after the number of series.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::NoSource => "read by no source".to_owned(),
            Self::LeftOut(source) => format!("left out by `include` or `ignore` of source {source}"),
            Self::NeverStreams => "without a time to first token: nothing streams".to_owned(),
            Self::TooFew { source, wanted, .. } => {
                format!("below `min-daily-requests = {wanted}` of source {source}")
            }
            Self::OverMost { source, most } => format!("over `max-series = {most}` of source {source}"),
        }
    }
}

impl<'f> Watching<'f> {
    pub(crate) fn of(plan: &Plan, fleet: &'f Fleet) -> Self {
        let sources: Vec<_> = plan.sources.iter().map(|SourcePlan::CloudWatch(source)| source).collect();
        let mut all = Self { watched: Vec::new(), unwatched: Vec::new(), doubtful: BTreeMap::new() };
        for seen in &fleet.seen {
            match all.place(&sources, fleet, seen) {
                Ok(source) => all.watched.push((seen, source)),
                Err(why) => all.unwatched.push((seen, why)),
            }
        }
        for (index, source) in sources.iter().enumerate() {
            all.keep_most(index, source);
        }
        all.watched.sort_by(|one, other| one.0.series.cmp(&other.0.series));
        all.unwatched.sort_by(|one, other| one.0.series.cmp(&other.0.series));
        all
    }

    fn place(
        &mut self,
        sources: &[&CloudWatchPlan],
        fleet: &Fleet,
        seen: &Seen,
    ) -> Result<Option<usize>, Why> {
        if sources.is_empty() {
            return if seen.streams { Ok(None) } else { Err(Why::NeverStreams) };
        }
        // One that names the account comes before one that may have it.
        let reads = |source: &CloudWatchPlan| {
            let account = source.account_id.as_ref().or_else(|| fleet.accounts.get(&source.name));
            let is_own = account.is_some_and(|account| account == seen.series.account());
            let may_be =
                account.is_none() || source.linked_accounts || seen.series.account() == UNKNOWN_ACCOUNT;
            let is_there = source.regions.iter().any(|region| region == seen.series.region());
            (is_there && (is_own || may_be)).then_some(!is_own)
        };
        let mut there: Vec<_> =
            sources.iter().enumerate().filter_map(|(index, source)| Some((reads(source)?, index))).collect();
        there.sort_unstable();
        let Some(&(_, nearest)) = there.first() else { return Err(Why::NoSource) };
        let takes = |(_, index): &&(bool, usize)| sources[*index].watches(seen.series.model());
        let mut taking = there.iter().filter(takes);
        let Some(&(is_guess, first)) = taking.next() else {
            return Err(Why::LeftOut(sources[nearest].name.clone()));
        };
        // One that is left out on purpose is no surprise; one that would be watched if it streamed may be.
        if !seen.streams {
            return Err(Why::NeverStreams);
        }
        if is_guess && let Some((_, second)) = taking.next() {
            let names = (sources[first].name.clone(), sources[*second].name.clone());
            *self.doubtful.entry(names).or_default() += 1;
        }
        let source = sources[first];
        match seen.daily_requests {
            Some(requests) if requests < f64::from(source.min_daily_requests) => {
                Err(Why::TooFew { source: source.name.clone(), requests, wanted: source.min_daily_requests })
            }
            _ => Ok(Some(first)),
        }
    }

    /// Of a source that has more series than it watches, those with the most requests stay.
    fn keep_most(&mut self, index: usize, source: &CloudWatchPlan) {
        let most = source.max_series as usize;
        let (mut own, others): (Vec<_>, Vec<_>) =
            self.watched.drain(..).partition(|(_, source)| *source == Some(index));
        self.watched = others;
        let requests = |seen: &Seen| seen.daily_requests.unwrap_or(0.0);
        if own.len() > most {
            own.sort_by(|(one, _), (other, _)| {
                requests(other).total_cmp(&requests(one)).then_with(|| one.series.cmp(&other.series))
            });
            let why = || Why::OverMost { source: source.name.clone(), most: source.max_series };
            self.unwatched.extend(own.drain(most..).map(|(seen, _)| (seen, why())));
        }
        self.watched.extend(own);
    }
}
