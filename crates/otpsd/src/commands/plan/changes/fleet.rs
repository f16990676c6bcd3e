//! Sources, Regions and series that come and go.

use std::collections::{BTreeMap, BTreeSet};

use domain::{CloudWatchPlan, Plan, Series, SourcePlan};

use super::super::picture::Picture;
use super::super::watching::Why;
use super::super::words::series_that;
use super::Change;
use crate::figures::counted;

pub(super) fn changes(
    old: &Picture<'_>,
    new: &Picture<'_>,
    added: &[Series],
    removed: &[Series],
    is_known: bool,
) -> Vec<Change> {
    let mut all = Vec::new();
    let (mut came, mut went) = (told(added), told(removed));
    let number = |series: &[Series]| {
        if is_known { format!(": {}", counted(series.len(), "series")) } else { String::new() }
    };
    let mut regions = Regions::new();
    for source in sources(new.plan) {
        let of =
            |picture: &Picture<'_>, series: &Series| picture.source(series) == Some(source.name.as_str());
        let Some(former) = sources(old.plan).find(|former| former.name == source.name) else {
            let series = came.take(|series| of(new, series));
            let number = number(&series);
            all.push(source_came(new, source, series, &number));
            continue;
        };
        let (places, former_places) = (place(new, source, "regions"), place(old, former, "regions"));
        let mut note = |is_added: bool, region: &String, series: Vec<Series>| {
            let why = (is_added, region.clone(), places.clone(), former_places.clone());
            let (names, all) = regions.entry(why).or_default();
            names.push(source.name.clone());
            all.extend(series);
        };
        for region in source.regions.iter().filter(|region| !former.regions.contains(region)) {
            note(true, region, came.take(|series| of(new, series) && series.region() == region));
        }
        for region in former.regions.iter().filter(|region| !source.regions.contains(region)) {
            note(false, region, went.take(|series| of(old, series) && series.region() == region));
        }
    }
    all.extend(regions.into_iter().map(|(why, (names, series))| {
        let number = number(&series);
        region_moved(why, &names, series, &number)
    }));
    for former in sources(old.plan) {
        if !sources(new.plan).any(|source| source.name == former.name) {
            let of = |series: &Series| old.source(series) == Some(former.name.as_str());
            let series = went.take(of);
            let words = format!("source {} is not there any more{}", former.name, number(&series));
            all.push(Change {
                kind: "source_removed",
                what: former.name.clone(),
                words,
                former_places: table(old, former),
                series,
                ..Change::default()
            });
        }
    }
    all.extend(others(old, new, came.rest, went.rest));
    all
}

/// Regions that sources read now (`true`) or do not read any more, with the lines that say so; with the sources, and their series there.
type Regions = BTreeMap<(bool, String, Vec<String>, Vec<String>), (Vec<String>, Vec<Series>)>;

fn region_moved(
    (is_added, region, places, former_places): (bool, String, Vec<String>, Vec<String>),
    names: &[String],
    mut series: Vec<Series>,
    number: &str,
) -> Change {
    series.sort();
    let sources = format!("{} {}", if names.len() == 1 { "source" } else { "sources" }, names.join(", "));
    let what = names.join(", ");
    if is_added {
        let words = format!("Region {region} added to {sources}{number}");
        let after = Some(region);
        Change { kind: "region_added", what, after, words, places, series, ..Change::default() }
    } else {
        let words = format!("Region {region} is not read by {sources} any more{number}");
        let before = Some(region);
        Change {
            kind: "region_removed",
            what,
            before,
            words,
            places,
            former_places,
            series,
            ..Change::default()
        }
    }
}

fn source_came(new: &Picture<'_>, source: &CloudWatchPlan, series: Vec<Series>, number: &str) -> Change {
    let words = format!("source {} added, in {}{number}", source.name, source.regions.join(", "));
    Change {
        kind: "source_added",
        what: source.name.clone(),
        after: Some(source.regions.join(", ")),
        words,
        places: table(new, source),
        series,
        ..Change::default()
    }
}

/// Series that come or go though their source and Region stay.
fn others(
    old: &Picture<'_>,
    new: &Picture<'_>,
    came: BTreeSet<Series>,
    went: BTreeSet<Series>,
) -> Vec<Change> {
    let mut all = Vec::new();
    let mut by_source: BTreeMap<(Option<&str>, String), Vec<Series>> = BTreeMap::new();
    for series in came {
        let before = old.why_unwatched(&series).map(Why::words).unwrap_or_default();
        by_source.entry((new.source(&series), before)).or_default().push(series);
    }
    for ((source, before), series) in by_source {
        let of = source.map(|name| format!(" by source {name}")).unwrap_or_default();
        let before = if before.is_empty() { before } else { format!(", before {before}") };
        let words = format!("{} watched now{of}{before}", series_that(series.len(), "is", "are"));
        let what = source.unwrap_or_default().to_owned();
        all.push(Change { kind: "series_added", what, words, series, ..Change::default() });
    }
    let mut by_why: BTreeMap<String, Vec<Series>> = BTreeMap::new();
    for series in went {
        let why = new.why_unwatched(&series).map(Why::words).unwrap_or_default();
        by_why.entry(why).or_default().push(series);
    }
    for (why, series) in by_why {
        let words = format!("{} not watched any more: {why}", series_that(series.len(), "is", "are"));
        all.push(Change { kind: "series_removed", words, series, ..Change::default() });
    }
    all
}

/// Series that no change has told of yet.
struct Untold {
    rest: BTreeSet<Series>,
}

fn told(series: &[Series]) -> Untold {
    Untold { rest: series.iter().cloned().collect() }
}

impl Untold {
    fn take(&mut self, which: impl Fn(&Series) -> bool) -> Vec<Series> {
        let (taken, rest) = std::mem::take(&mut self.rest).into_iter().partition(|series| which(series));
        self.rest = rest;
        let taken: BTreeSet<Series> = taken;
        taken.into_iter().collect()
    }
}

pub(super) fn sources(plan: &Plan) -> impl Iterator<Item = &CloudWatchPlan> {
    plan.sources.iter().map(|SourcePlan::CloudWatch(source)| source)
}

fn place(picture: &Picture<'_>, source: &CloudWatchPlan, key: &str) -> Vec<String> {
    picture.origins.of_source(&source.name, key).map(ToString::to_string).into_iter().collect()
}

fn table(picture: &Picture<'_>, source: &CloudWatchPlan) -> Vec<String> {
    let table = picture.origins.table(&format!("source.cloudwatch.{}", source.name));
    table.map(ToString::to_string).into_iter().collect()
}
