//! Whether a series can be judged: an engine is driven through what was read, and asked.

use std::collections::BTreeMap;

use domain::{
    Estimator, Learning, MissingReason, PERIOD_SECONDS, PERIODS_PER_DAY, Period, Plan, Series, Slot, Verdict,
};
use evaluator::{Engine, Progress, Settings};
use poller::Recording;

use crate::replay::{readings, steps};

/// The periods that are counted: those of the last week.
const LAST: i64 = 7 * PERIODS_PER_DAY;

/// Whether a series can be judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sight {
    /// It is.
    Judged {
        /// What decides, where it can.
        estimator: Estimator,
        /// Tokens per second that are usual at the end.
        otps: Option<f64>,
        periods: Periods,
    },
    /// Its history is too short, or has too little in it.
    Learning {
        progress: Progress,
        learning: Learning,
        /// When it will be enough if the traffic goes on like this; `None` if that never is.
        from: Option<Period>,
    },
    /// It has a baseline, and nothing of the last week could be held against it: mostly because of this.
    Unjudged {
        reason: MissingReason,
        /// Requests that a datapoint needs,
        samples_needed: Option<f64>,
        /// within so many minutes.
        minutes: i64,
        periods: Periods,
    },
    /// No request streams, so that there is no time to first token.
    NotStreaming,
    /// Nobody called it in the last week.
    Idle { last: Period },
}

/// Periods of the last week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Periods {
    /// That could be judged,
    pub(super) judged: u32,
    /// of those with requests.
    pub(super) with_requests: u32,
}

/// Of everybody who ever had a request, by the place in the recording.
pub(super) fn all(plan: &Plan, recording: &Recording, until: Period) -> BTreeMap<usize, Sight> {
    let shares = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = |share| move || of_share(plan, recording, until, (share, shares));
        let threads: Vec<_> = (0..shares).map(|share| scope.spawn(work(share))).collect();
        // A thread that panicked is a fault of this program: it ends here as it would have without threads.
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    })
}

/// What is counted of one series on the way.
#[derive(Debug, Default)]
struct Counted {
    periods: Periods,
    /// Why the others of the last week could not be judged.
    missing: BTreeMap<&'static str, (u32, MissingReason)>,
    streams: bool,
    last: Option<Period>,
}

fn of_share(
    plan: &Plan,
    recording: &Recording,
    until: Period,
    (share, shares): (usize, usize),
) -> Vec<(usize, Sight)> {
    let all = recording.series();
    let places: Vec<usize> = (share..all.len()).step_by(shares).collect();
    let series: Vec<Series> = places.iter().map(|place| all[*place].clone()).collect();
    let mut counted: Vec<Counted> = places.iter().map(|_| Counted::default()).collect();
    let mut engine = Engine::new(Settings::from(plan));
    for step in steps(readings(recording, |place| place % shares == share), until) {
        step.take(&mut engine, &series);
        let is_recent = until - step.through <= LAST;
        for (one, counted) in series.iter().zip(&mut counted) {
            let newest = engine.slots(one).last().filter(|slot| slot.period == step.through);
            newest.into_iter().for_each(|slot| counted.count(slot, is_recent));
        }
    }
    let sight = |((place, one), counted): ((usize, &Series), Counted)| {
        Some((place, counted.sight(&engine, one, until)?))
    };
    places.into_iter().zip(&series).zip(counted).filter_map(sight).collect()
}

impl Counted {
    fn count(&mut self, slot: &Slot, is_recent: bool) {
        let reason = match slot.verdict {
            Verdict::Missing(MissingReason::NoData | MissingReason::NotSeen) => return,
            Verdict::Missing(reason) => Some(reason),
            Verdict::Breaching | Verdict::Within => None,
        };
        self.last = Some(slot.period);
        self.streams |= reason != Some(MissingReason::NoTimeToFirstToken);
        if !is_recent {
            return;
        }
        self.periods.with_requests += 1;
        match reason {
            None => self.periods.judged += 1,
            Some(reason) => {
                self.missing.entry(reason.as_str()).or_insert((0, reason)).0 += 1;
            }
        }
    }

    /// `None` for a series that nobody ever called.
    fn sight(self, engine: &Engine, series: &Series, until: Period) -> Option<Sight> {
        let last = self.last?;
        if !self.streams {
            return Some(Sight::NotStreaming);
        }
        let usual = engine.explain(series).and_then(|explained| explained.usual);
        let Some(usual) = usual else {
            let learning = engine.settings_of(series).learning.clone();
            let progress = engine.progress(series);
            let from = learned_from(&progress, &learning, until);
            return Some(Sight::Learning { progress, learning, from });
        };
        let periods = self.periods;
        let decides = match usual.deciding {
            Estimator::P50 => usual.p50,
            Estimator::TokenWeighted => usual.token_weighted,
        };
        if periods.judged > 0 {
            let otps = decides.map(|decides| decides.expected);
            return Some(Sight::Judged { estimator: usual.deciding, otps, periods });
        }
        let reason = self.missing.into_values().max_by_key(|(count, _)| *count);
        Some(match reason {
            Some((_, reason)) => {
                let samples_needed = decides.map(|decides| decides.samples);
                let window = engine.settings_of(series).rule.widest_window;
                let minutes = i64::from(window) * PERIOD_SECONDS / 60;
                Sight::Unjudged { reason, samples_needed, minutes, periods }
            }
            None => Sight::Idle { last },
        })
    }
}

/// When there will be enough to learn from, if datapoints come as they did so far.
fn learned_from(progress: &Progress, learning: &Learning, until: Period) -> Option<Period> {
    if progress.is_enough(learning) || progress.datapoints == 0 {
        return None;
    }
    let history = i64::from(learning.history_days) * PERIODS_PER_DAY;
    let for_days = i64::from(learning.min_days) * PERIODS_PER_DAY - progress.periods;
    let lacking = f64::from(learning.min_datapoints.saturating_sub(progress.datapoints));
    let each = progress.periods.clamp(1, history) as f64 / f64::from(progress.datapoints);
    // What is older than the history does not count any more.
    let is_ever_enough = f64::from(learning.min_datapoints) * each <= history as f64;
    let for_datapoints = (lacking * each).ceil() as i64;
    is_ever_enough.then(|| until + for_days.max(for_datapoints).max(0))
}

/// As the configuration writes it.
pub(super) const fn named(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::P50 => "p50",
        Estimator::TokenWeighted => "token-weighted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_at_the_pace_of_what_is_there() {
        let learning = Learning::default();
        let until = Period::from_index(6_000_000);
        let from = |days: i64, datapoints| {
            let progress = Progress { periods: days * PERIODS_PER_DAY, datapoints };
            learned_from(&progress, &learning, until).map(|from| from - until)
        };
        // Three days and 500 datapoints are needed. Of two days one is missing, whatever else is there.
        assert_eq!(from(2, 576), Some(PERIODS_PER_DAY));
        // 100 datapoints a day: 300 are missing after two days, which are three days more.
        assert_eq!(from(2, 200), Some(3 * PERIODS_PER_DAY));
        // 35 a day are 490 in fourteen days, and never enough; 36 are 504.
        assert_eq!(from(10, 350), None);
        assert_eq!(from(10, 360).map(|periods| periods / PERIODS_PER_DAY), Some(3));
        assert_eq!(from(1, 0), None);
    }
}
