//! A plan and a recording through engines, all processors at once.
//!
//! Nothing that is said of one series depends on another, so every processor takes a share of them, with an engine of its own that is driven
//! as the daemon would have driven it. Who is told depends on all of them, and is looked at afterwards, in order of time.

use std::num::NonZero;
use std::panic::resume_unwind;

use domain::{Period, Plan, Series, Span};
use evaluator::{Effect, Engine, Settings};
use poller::Recording;

use super::hindsight::{Counts, Episode, Hindsight, Ratios, Seen, Sight};
use super::progress::Progress;
use super::telling;
use super::watched::Watched;
use super::watching::Watching;
use crate::commands::plan::Why;
use crate::replay::{readings, steps};

/// What is looked for beside what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What is said.
    Said,
    /// What incidents looked like period by period, with hours before and after.
    Charts,
}

/// What a configuration would have done on a recording, which is not empty.
pub(super) fn replay(
    plan: &Plan,
    recording: &Recording,
    watched: &Watched,
    span: Span,
    detail: Detail,
    progress: &Progress,
) -> Hindsight {
    let shares = shares(recording);
    let share_of = share_of(recording.series(), shares);
    let work = Work { plan, recording, watched, span, share_of: &share_of, detail };
    let mut found = Found::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..shares).map(|share| scope.spawn(move || work.share(share, progress))).collect();
        for worker in workers {
            // A share that panicked is a fault of this program: it ends here as it would have without threads.
            found.add(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
    });
    let Found { mut said, mut series, mut episodes } = found;
    // Stable: what is said of one series at one time stays in its order.
    said.sort_by_key(|(place, period, _)| (*period, *place));
    series.sort_by_key(|(place, _)| *place);
    episodes.sort_by_key(|(place, episode)| (episode.opened(), *place));
    let mut hindsight = Hindsight {
        span,
        series: series.into_iter().map(|(_, seen)| seen).collect(),
        episodes: episodes.into_iter().map(|(_, episode)| episode).collect(),
        pages: Vec::new(),
        tickets: Vec::new(),
        said: Vec::new(),
        tells: !plan.only_observes() && !plan.routes.page.is_empty(),
    };
    telling::tell(plan, said.into_iter().map(|(_, period, effect)| (period, effect)), &mut hindsight);
    hindsight
}

/// How many engines are driven at once.
fn shares(recording: &Recording) -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get).min(recording.series().len().max(1))
}

/// The share of each series. Latency-optimized requests may come back under the name of the series itself, which only an engine that has
/// both can see: they are in one share.
fn share_of(all: &[Series], shares: usize) -> Vec<usize> {
    let mut share_of: Vec<Option<usize>> = vec![None; all.len()];
    let mut next = (0..shares).cycle();
    for (place, series) in all.iter().enumerate() {
        let share = share_of[place].or_else(|| next.next());
        share_of[place] = share;
        if let Ok(twin) = all.binary_search(&series.latency_optimized()) {
            share_of[twin] = share;
        }
    }
    share_of.into_iter().map(Option::unwrap_or_default).collect()
}

/// How many steps a replay takes, about.
pub(super) fn steps_of(recording: &Recording, span: Span) -> u64 {
    (span.until - span.from) as u64 * shares(recording) as u64
}

/// What a share found, each with the place of its series in the recording.
#[derive(Debug, Default)]
struct Found {
    said: Vec<(usize, Period, Effect)>,
    series: Vec<(usize, Seen)>,
    episodes: Vec<(usize, Episode)>,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.said.extend(other.said);
        self.series.extend(other.series);
        self.episodes.extend(other.episodes);
    }
}

#[derive(Debug, Clone, Copy)]
struct Work<'w> {
    plan: &'w Plan,
    recording: &'w Recording,
    watched: &'w Watched,
    span: Span,
    share_of: &'w [usize],
    detail: Detail,
}

impl Work<'_> {
    /// The series of one share.
    fn share(self, share: usize, progress: &Progress) -> Found {
        let all = self.recording.series();
        let mut found = Found::default();
        let mut places: Vec<usize> = Vec::new();
        for place in (0..all.len()).filter(|place| self.share_of[*place] == share) {
            match self.watched.why_not(place) {
                None => places.push(place),
                Some(why) => found.series.push((place, not_watched(&all[place], self.plan, why.clone()))),
            }
        }
        let series: Vec<Series> = places.iter().map(|place| all[*place].clone()).collect();
        let charts = self.detail == Detail::Charts;
        let mut watching: Vec<Watching> =
            series.iter().map(|one| Watching::new(one.clone(), self.plan, self.span, charts)).collect();
        let mut engine = Engine::new(Settings::from(self.plan));
        let takes = |place: usize| self.share_of[place] == share && self.watched.takes(place);
        for step in steps(readings(self.recording, takes), self.span.until) {
            let effects = step.take(&mut engine, &series);
            for one in &mut watching {
                one.look(&step, &effects, &engine);
            }
            for effect in effects {
                if let Some(period) = decided(&effect) {
                    let place = all.binary_search(effect.series()).unwrap_or(all.len());
                    found.said.push((place, period, effect));
                }
            }
            progress.step();
        }
        for (place, one) in places.into_iter().zip(watching) {
            let (seen, episodes) = one.finish(&engine);
            found.series.push((place, seen));
            found.episodes.extend(episodes.into_iter().map(|episode| (place, episode)));
        }
        found
    }
}

/// The period whose verdict led to something that is told.
fn decided(effect: &Effect) -> Option<Period> {
    match effect {
        Effect::Page(page) => Some(page.incident().opened),
        Effect::Resolve(resolve) => Some(resolve.resolved),
        Effect::Ticket(ticket) => Some(ticket.decided),
        Effect::Ended(_) | Effect::Transition(_) | Effect::Diagnose(_) => None,
    }
}

fn not_watched(series: &Series, plan: &Plan, why: Why) -> Seen {
    Seen {
        series: series.clone(),
        rule: plan.rule_of(series),
        sight: Sight::NotWatched(why),
        counts: Counts::default(),
        near: Vec::new(),
        ratios: Ratios::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_and_its_twin_are_in_one_share_and_the_shares_are_even() {
        let mut all: Vec<Series> = ["a", "a+latency-optimized", "b", "c", "c+latency-optimized", "d"]
            .map(|model| Series::new("-", "us-east-1", model))
            .to_vec();
        all.sort();
        assert_eq!(share_of(&all, 2), [0, 0, 1, 0, 0, 1]);
        assert_eq!(share_of(&all, 1), [0; 6]);
    }
}
