//! Events at random: one long story for most models, and short ones around it with calm between them.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::random::log_uniform;
use super::seed::Generator;
use super::{Event, EventKind, ModelSpec};

/// Hours of calm between two events, at least and at most.
const CALM_HOURS: (i64, i64) = (6, 20);
/// A level shift must stand for so many days, so that it can be told from a slowdown.
const LEVEL_DAYS: i64 = 5;

const LONG: [EventKind; 9] = [
    EventKind::PromptGrowth,
    EventKind::Queueing,
    EventKind::LongerResponses,
    EventKind::CacheRegression,
    EventKind::Erosion,
    EventKind::StreamingShift,
    EventKind::WentSilent,
    EventKind::LongSlowdown,
    EventKind::LevelShift,
];

/// Slowdowns thrice, as they are what a page is for.
const SHORT: [EventKind; 14] = [
    EventKind::Slowdown,
    EventKind::Slowdown,
    EventKind::Slowdown,
    EventKind::MostRequestsSlow,
    EventKind::Dip,
    EventKind::ChattySpell,
    EventKind::BigPromptsSpell,
    EventKind::MixShift,
    EventKind::TrafficTrough,
    EventKind::NonstreamingBurst,
    EventKind::Gap,
    EventKind::LoadSurge,
    EventKind::SlowMinority,
    EventKind::Grey,
];

/// Events of one model between two periods.
pub(crate) fn schedule(numbers: &mut Generator, spec: &ModelSpec, from: Period, until: Period) -> Vec<Event> {
    let event = |kind, from, length, magnitude| Event {
        series: spec.series.clone(),
        kind,
        from,
        until: from + length,
        magnitude,
    };
    let story = long(numbers, spec, from, until)
        .map(|(kind, from, length, magnitude)| event(kind, from, length, magnitude));
    let mut events = Vec::new();
    let mut at = from + numbers.random_range(0..PERIODS_PER_DAY);
    loop {
        // Where nobody calls, nothing can be noticed.
        while at < until && spec.rhythm.factor(at) == 0.0 {
            at = at + PERIODS_PER_HOUR;
        }
        let (kind, length, magnitude) = short(numbers);
        let calm = numbers.random_range(CALM_HOURS.0..CALM_HOURS.1) * PERIODS_PER_HOUR;
        let after = at + length + calm;
        match &story {
            // In the way: the story comes first.
            Some(story) if at < story.until && after > story.from => at = story.until + calm,
            _ if after > until => break,
            _ => {
                events.push(event(kind, at, length, magnitude));
                at = after;
            }
        }
    }
    events.extend(story);
    events
}

/// The long story: what, when, how long, how much. A sixth of the models has none, and those where it does not fit.
fn long(
    numbers: &mut Generator,
    spec: &ModelSpec,
    from: Period,
    until: Period,
) -> Option<(EventKind, Period, i64, f64)> {
    let kind = *LONG.choose(numbers)?;
    let quiet =
        numbers.random_bool(1.0 / 6.0) || (kind == EventKind::CacheRegression && spec.cache.is_none());
    let (days, magnitude) = match kind {
        EventKind::PromptGrowth => (7.0..=10.0, 1.0..=2.0),
        EventKind::Queueing => (7.0..=10.0, 0.6..=1.2),
        EventKind::LongerResponses => (5.0..=8.0, 0.35..=0.8),
        EventKind::CacheRegression => (6.0..=8.0, 0.8..=1.0),
        EventKind::Erosion => (15.0..=19.0, 0.22..=0.32),
        EventKind::StreamingShift => (3.0..=5.0, 0.35..=0.7),
        EventKind::LongSlowdown => (2.0..=4.0, 0.3..=0.55),
        EventKind::LevelShift if numbers.random_bool(0.3) => (1.0..=1.0, -0.6..=-0.25),
        EventKind::LevelShift => (1.0..=1.0, 0.28..=0.5),
        _ => (1.5..=3.0, 1.0..=1.0),
    };
    let length = (numbers.random_range(days) * PERIODS_PER_DAY as f64) as i64;
    let magnitude = numbers.random_range(magnitude);
    let fits = if kind == EventKind::LevelShift { LEVEL_DAYS * PERIODS_PER_DAY } else { length };
    let first = from + PERIODS_PER_DAY;
    let room = until - first - fits;
    if quiet || room <= 0 {
        return None;
    }
    let start = first + numbers.random_range(0..room);
    let length = if kind == EventKind::LevelShift { until - start } else { length };
    Some((kind, start, length, magnitude))
}

/// A short event: what, how long, how much.
fn short(numbers: &mut Generator) -> (EventKind, i64, f64) {
    let kind = SHORT.choose(numbers).copied().unwrap_or(EventKind::Slowdown);
    let (periods, magnitude) = match kind {
        EventKind::MostRequestsSlow => (6.0..=72.0, 0.35..=0.55),
        EventKind::Dip => (1.0..=2.99, 0.4..=0.6),
        EventKind::MixShift if numbers.random_bool(0.5) => (6.0..=72.0, -3.0..=-1.0),
        EventKind::MixShift => (6.0..=72.0, 1.0..=3.0),
        EventKind::TrafficTrough => (6.0..=72.0, 0.8..=0.98),
        EventKind::NonstreamingBurst => (6.0..=48.0, 0.25..=0.75),
        EventKind::Gap => (1.0..=36.0, 1.0..=1.0),
        EventKind::LoadSurge => (6.0..=72.0, 0.8..=3.0),
        EventKind::SlowMinority => (6.0..=72.0, 0.55..=0.9),
        EventKind::Grey => (6.0..=72.0, 0.15..=0.25),
        EventKind::ChattySpell | EventKind::BigPromptsSpell => (6.0..=72.0, 0.4..=1.8),
        _ => (6.0..=72.0, 0.27..=0.6),
    };
    let length = log_uniform(numbers, *periods.start(), *periods.end()) as i64;
    (kind, length, numbers.random_range(magnitude))
}
