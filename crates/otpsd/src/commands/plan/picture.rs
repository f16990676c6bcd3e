//! What a configuration comes to, for the series that are known.

use config::Origins;
use domain::{Plan, Series, SourcePlan};

use super::cost::{self, PlaceBill, Total};
use super::fleet::Fleet;
use super::rules::{self, Alike};
use super::telling::{self, Kind, Told};
use super::warning::{self, Basis, Warning};
use super::watching::{Watching, Why};

/// All that is said of one configuration.
#[derive(Debug)]
pub(crate) struct Picture<'f> {
    pub(crate) plan: &'f Plan,
    pub(crate) origins: &'f Origins,
    pub(crate) watching: Watching<'f>,
    /// What series are judged by, those that are judged alike together.
    pub(crate) alike: Vec<Alike>,
    /// Who is told of pages, and of tickets.
    pub(crate) pages: Vec<(Told, Vec<Series>)>,
    pub(crate) tickets: Vec<(Told, Vec<Series>)>,
    /// Who is told of sources that cannot be read, with the names of these.
    pub(crate) sources: Vec<(Told, Vec<String>)>,
    pub(crate) bills: Vec<PlaceBill>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'f> Picture<'f> {
    pub(crate) fn of(plan: &'f Plan, origins: &'f Origins, fleet: &'f Fleet) -> Self {
        let watching = Watching::of(plan, fleet);
        let series = || watching.watched.iter().map(|(seen, _)| &seen.series);
        let alike = rules::alike(plan, origins, series());
        let [pages, tickets] = Kind::ALL.map(|kind| telling::groups(plan, origins, kind, series()));
        let bills = cost::bills(plan, &watching);
        let basis =
            Basis { plan, origins, watching: &watching, bills: &bills, pages: &pages, tickets: &tickets };
        let warnings = warning::warnings(&basis);
        let mut sources: Vec<(Told, Vec<String>)> = Vec::new();
        for SourcePlan::CloudWatch(source) in &plan.sources {
            let told = Told::of_source(plan, origins, &source.regions);
            match sources.iter_mut().find(|(same, _)| *same == told) {
                Some((_, names)) => names.push(source.name.clone()),
                None => sources.push((told, vec![source.name.clone()])),
            }
        }
        Self { plan, origins, watching, alike, pages, tickets, sources, bills, warnings }
    }

    /// The series that are watched, in their order.
    pub(crate) fn series(&self) -> impl Iterator<Item = &'f Series> {
        self.watching.watched.iter().map(|(seen, _)| &seen.series)
    }

    pub(crate) fn total(&self) -> Total {
        self.bills.iter().sum()
    }

    /// The source that watches a series, by its name.
    pub(crate) fn source(&self, series: &Series) -> Option<&'f str> {
        let (_, source) = self.watching.watched.get(self.place(series)?)?;
        self.plan.sources.get((*source)?).map(SourcePlan::name)
    }

    pub(crate) fn watches(&self, series: &Series) -> bool {
        self.place(series).is_some()
    }

    /// Why a series that is there is not watched.
    pub(crate) fn why_unwatched(&self, series: &Series) -> Option<&Why> {
        let unwatched = &self.watching.unwatched;
        let place = unwatched.binary_search_by(|(seen, _)| seen.series.cmp(series)).ok()?;
        unwatched.get(place).map(|(_, why)| why)
    }

    fn place(&self, series: &Series) -> Option<usize> {
        self.watching.watched.binary_search_by(|(seen, _)| seen.series.cmp(series)).ok()
    }
}
