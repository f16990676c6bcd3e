//! Which series of a recording the sources of a configuration would read.

use domain::{Plan, Series, SourcePlan};

use crate::commands::plan::{Fleet, Watching, Why};

/// Which series of a recording are judged, and why others are not, by their place in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Watched {
    places: Vec<Option<Why>>,
    /// The source that reads each of them.
    sources: Vec<Option<String>>,
    /// The sources read none of them, and all are judged.
    pub(super) elsewhere: bool,
}

impl Watched {
    /// Those that a source reads. A configuration without a source, or whose sources read none of them, is tried on all: the recording is of
    /// another fleet then, or made up.
    pub(super) fn of(plan: &Plan, fleet: &Fleet) -> Self {
        let watched = Self::strictly(plan, fleet);
        if watched.reads_any() { watched } else { watched.elsewhere() }
    }

    /// The same for two configurations: one that reads none of what the other reads does not.
    pub(super) fn of_both(old: &Plan, new: &Plan, fleet: &Fleet) -> (Self, Self) {
        let (old, new) = (Self::strictly(old, fleet), Self::strictly(new, fleet));
        if old.reads_any() || new.reads_any() { (old, new) } else { (old.elsewhere(), new.elsewhere()) }
    }

    /// All of them.
    pub(super) fn all(series: &[Series]) -> Self {
        Self { places: vec![None; series.len()], sources: vec![None; series.len()], elsewhere: false }
    }

    fn strictly(plan: &Plan, fleet: &Fleet) -> Self {
        let watching = Watching::of(plan, fleet);
        let place = |series: &Series| fleet.seen.binary_search_by(|seen| seen.series.cmp(series)).ok();
        let nobody = vec![None; fleet.seen.len()];
        let mut watched = Self { places: nobody, sources: vec![None; fleet.seen.len()], elsewhere: false };
        for (seen, why) in watching.unwatched {
            // Of what never streamed nothing can be judged, which is said in its place.
            if let Some(place) = place(&seen.series).filter(|_| why != Why::NeverStreams) {
                watched.places[place] = Some(why);
            }
        }
        for (seen, source) in watching.watched {
            if let (Some(place), Some(source)) = (place(&seen.series), source) {
                watched.sources[place] = plan.sources.get(source).map(SourcePlan::name).map(str::to_owned);
            }
        }
        watched
    }

    fn reads_any(&self) -> bool {
        self.places.iter().any(Option::is_none)
    }

    fn elsewhere(self) -> Self {
        let elsewhere = !self.places.is_empty();
        let places = vec![None; self.places.len()];
        Self { places, elsewhere, ..self }
    }

    pub(super) fn takes(&self, place: usize) -> bool {
        self.places.get(place).is_some_and(Option::is_none)
    }

    /// Why one is not judged.
    pub(super) fn why_not(&self, place: usize) -> Option<&Why> {
        self.places.get(place)?.as_ref()
    }

    /// The source that reads one.
    pub(super) fn source(&self, place: usize) -> Option<&str> {
        self.sources.get(place)?.as_deref()
    }

    /// How many are not judged.
    pub(super) fn left_out(&self) -> usize {
        self.places.iter().flatten().count()
    }
}
