//! What else there is to see when the daemon writes a page.

use domain::{GroupPage, Period, Plan, Surroundings, Unseen};
use evaluator::{Engine, SourceWatch};
use jiff::Timestamp;

use crate::app::sources::Sources;
use crate::surroundings::{LATELY, Look, of_group};

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
    let looks = engine.series().map(|series| {
        let slots = engine.slots(series).iter().rev();
        Look {
            series,
            ratio: slots.take_while(|slot| slot.period >= horizon).find_map(domain::Slot::ratio),
            is_slow: engine.state(series).is_some_and(|state| state.incident.is_some()),
        }
    });
    let fell_back = page.pages.iter().filter_map(|page| engine.fell_back(page.incident())).collect();
    let unseen = unseen(engine, sources, watch);
    Surroundings { unseen, fell_back, ..of_group(&page.state.group, plan, looks) }
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
