//! What else there is to see when a page is written: what is healthy, and what nobody can tell.

use std::collections::BTreeMap;

use domain::{Elsewhere, GroupPage, PERIODS_PER_HOUR, Period, Plan, Surroundings, Unseen};
use evaluator::{Engine, SourceWatch};
use jiff::Timestamp;

use crate::app::sources::Sources;

/// A series that could be judged within so many periods is one that can be seen.
const LATELY: i64 = PERIODS_PER_HOUR / 2;

/// What is around a page.
pub(super) fn around(
    page: &GroupPage,
    plan: &Plan,
    now: Timestamp,
    engine: &Engine,
    sources: &Sources,
    watch: &SourceWatch,
) -> Surroundings {
    let horizon = Period::last_ended(now) - LATELY;
    let mut around = Surroundings::default();
    let mut regions: BTreeMap<&str, (Vec<f64>, usize)> = BTreeMap::new();
    let mut of_group: Vec<&str> = Vec::new();
    for series in engine.series() {
        let is_in_group = plan.group_by.group(series) == page.state.group;
        if is_in_group {
            of_group.push(series.region());
        }
        let slots = engine.slots(series).iter().rev();
        let newest = slots.take_while(|slot| slot.period >= horizon).find_map(domain::Slot::ratio);
        let Some(ratio) = newest else { continue };
        around.judged += usize::from(is_in_group);
        let is_slow = engine.state(series).is_some_and(|state| state.incident.is_some());
        let (ratios, slow) = regions.entry(series.region()).or_default();
        ratios.push(ratio);
        *slow += usize::from(is_slow);
    }
    around.elsewhere = regions
        .into_iter()
        .filter(|(region, _)| !of_group.contains(region))
        .map(|(region, (mut ratios, slow))| {
            ratios.sort_by(f64::total_cmp);
            Elsewhere {
                region: region.to_owned(),
                series: ratios.len(),
                slow,
                ratio: ratios[ratios.len() / 2],
                worst: ratios[0],
            }
        })
        .collect();
    around.unseen = unseen(engine, sources, watch);
    around.fell_back = page.pages.iter().filter_map(|page| engine.fell_back(page.incident())).collect();
    around
}

fn unseen(engine: &Engine, sources: &Sources, watch: &SourceWatch) -> Vec<Unseen> {
    let ticket = |source: &str, region: &str| {
        let is_about = |ticket: &&domain::OpenSourceTicket| ticket.regions.iter().any(|one| one == region);
        Some(watch.state(source)?.tickets.iter().find(is_about)?.key.clone())
    };
    let of = |source: &str, region: &str| {
        engine.series().filter(|one| one.region() == region && sources.of(one) == source).count()
    };
    sources
        .status()
        .into_iter()
        .filter_map(|status| {
            let failure = status.failure?;
            Some(Unseen {
                series: of(&status.name, &status.region),
                ticket: ticket(&status.name, &status.region),
                source: status.name,
                region: status.region,
                failure: failure.failure,
                since: failure.since,
            })
        })
        .collect()
}
