//! Which line of the configuration loses a page, gains one or moves it.
//!
//! What two configurations say otherwise of a series is a list of single differences. Where there is one, it is the reason. Of several each
//! is put back by itself, and the series is replayed: whatever makes the page what it was is the reason. Where none does, each is tried by
//! itself in the configuration of before.
//!
//! # Layout
//!
//! - `differences`: what is otherwise for a series, with its line, and how to put it back.
//! - `parts`: the parts of a plan that can be put back.
//! - `replays`: the history of single series, again and again.

mod differences;
mod parts;
mod replays;

use std::num::NonZero;
use std::panic::resume_unwind;

use domain::{Period, Series};
use poller::Recording;

use self::differences::{Difference, differences};
use self::replays::{Alone, recordings};
use super::hindsight::{Blame, Comparison, Episode, Hindsight, How, Kind, Line};
use super::progress::Progress;
use super::two::Two;

/// Finds what makes each page that differs differ.
pub(super) fn blame(two: &Two<'_>, recording: &Recording, comparison: &mut Comparison, progress: &Progress) {
    let mut suspects: Vec<Suspect> = Vec::new();
    for (place, pair) in comparison.pages.iter().enumerate() {
        let (before, after) = comparison.episodes(pair);
        let Some(series) = before.or(after).map(Episode::series).filter(|_| pair.kind != Kind::Same) else {
            continue;
        };
        match suspects.iter_mut().find(|one| one.series == *series) {
            Some(one) => one.pairs.push(place),
            None => suspects.push(Suspect {
                series: series.clone(),
                pairs: vec![place],
                differences: differences(two, series),
                unseen: two.unseen(series),
            }),
        }
    }
    let doubtful: Vec<Series> =
        suspects.iter().filter(|one| one.is_doubtful()).map(|one| one.series.clone()).collect();
    let histories = recordings(recording, &doubtful);
    progress.expect(suspects.iter().map(|one| one.replays(comparison)).sum());
    let shares = std::thread::available_parallelism().map_or(1, NonZero::get);
    let all: Vec<(usize, Blame)> = std::thread::scope(|scope| {
        let (suspects, histories, comparison) = (&suspects, &histories, &*comparison);
        let share = |share: usize| {
            let own = suspects.iter().skip(share).step_by(shares);
            own.flat_map(|one| {
                let alone = histories.get(&one.series).map(|history| Alone { two, history, progress });
                one.blame(comparison, alone)
            })
            .collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..shares).map(|one| scope.spawn(move || share(one))).collect();
        let ended =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ended.flatten().collect()
    });
    for (place, blame) in all {
        comparison.pages[place].blame = Some(blame);
    }
}

/// A series with pages that differ, and what is otherwise for it.
struct Suspect {
    series: Series,
    /// The places of those pages.
    pairs: Vec<usize>,
    differences: Vec<Difference>,
    /// Why one of the two does not read it at all.
    unseen: Option<Line>,
}

impl Suspect {
    /// Whether it takes replays to know.
    fn is_doubtful(&self) -> bool {
        self.unseen.is_none() && self.differences.len() > 1
    }

    /// How many periods are replayed for it, about.
    fn replays(&self, comparison: &Comparison) -> u64 {
        let span = comparison.after.span;
        if self.is_doubtful() { self.differences.len() as u64 * (span.until - span.from) as u64 } else { 0 }
    }

    /// The reason of each of its pairs, by their places.
    fn blame(&self, comparison: &Comparison, alone: Option<Alone<'_>>) -> Vec<(usize, Blame)> {
        let only = |lines: Vec<Line>| -> Vec<(usize, Blame)> {
            self.pairs.iter().map(|place| (*place, Blame { how: How::Only, lines: lines.clone() })).collect()
        };
        if let Some(unseen) = &self.unseen {
            return only(vec![unseen.clone()]);
        }
        let Some(alone) = alone.filter(|_| self.is_doubtful()) else {
            return only(self.differences.iter().map(|one| one.line.clone()).collect());
        };
        let back: Vec<Hindsight> =
            self.differences.iter().map(|one| alone.put_back(&self.series, one)).collect();
        let mut tried: Option<Vec<Hindsight>> = None;
        let mut found = Vec::new();
        for place in &self.pairs {
            let pair = Question::of(comparison, *place);
            let lines = |which: &dyn Fn(usize) -> bool| -> Vec<Line> {
                let those = self.differences.iter().enumerate().filter(|(at, _)| which(*at));
                those.map(|(_, one)| one.line.clone()).collect()
            };
            let mut blame = Blame { how: How::PutBack, lines: lines(&|at| pair.is_as_before(&back[at])) };
            if blame.lines.is_empty() {
                blame = Blame { how: How::Part, lines: lines(&|at| pair.is_partly_as_before(&back[at])) };
            }
            if blame.lines.is_empty() {
                let tried = tried.get_or_insert_with(|| {
                    self.differences.iter().map(|one| alone.put_in(&self.series, one)).collect()
                });
                blame = Blame { how: How::EachAlone, lines: lines(&|at| !pair.is_as_before(&tried[at])) };
            }
            if blame.lines.is_empty() {
                blame = Blame { how: How::Together, lines: lines(&|_| true) };
            }
            found.push((*place, blame));
        }
        found
    }
}

/// What is asked of a replay about one pair.
struct Question<'c> {
    kind: Kind,
    by_decision: bool,
    before: Option<&'c Episode>,
    after: Option<&'c Episode>,
    end: Period,
}

impl<'c> Question<'c> {
    fn of(comparison: &'c Comparison, place: usize) -> Self {
        let pair = &comparison.pages[place];
        let (before, after) = comparison.episodes(pair);
        let (by_decision, end) = (comparison.by_decision, comparison.after.span.until);
        Self { kind: pair.kind, by_decision, before, after, end }
    }

    /// Whether a replay has the page as it was: a lost one is there, one that was gained is not, and one that moved is where it was.
    fn is_as_before(&self, replayed: &Hindsight) -> bool {
        let is_page = |one: &&Episode| self.by_decision || one.is_told();
        let mut pages = replayed.episodes.iter().filter(is_page);
        let overlaps = |one: &Episode, other: &Episode| {
            one.onset() < other.over(self.end) && other.onset() < one.over(self.end)
        };
        match (self.kind, self.before, self.after) {
            (Kind::Lost, Some(before), _) => pages.any(|one| overlaps(one, before)),
            (Kind::Gained, _, Some(after)) => !pages.any(|one| one.opened() == after.opened()),
            (Kind::Moved, Some(before), _) => {
                pages.any(|one| PARTS.iter().all(|part| part(one) == part(before)))
            }
            _ => true,
        }
    }

    /// Whether a replay has at least one thing as it was that moved.
    fn is_partly_as_before(&self, replayed: &Hindsight) -> bool {
        let (Kind::Moved, Some(before), Some(after)) = (self.kind, self.before, self.after) else {
            return false;
        };
        let moved = PARTS.iter().filter(|part| part(before) != part(after));
        let is_page = |one: &&Episode| self.by_decision || one.is_told();
        moved
            .into_iter()
            .any(|part| replayed.episodes.iter().filter(is_page).any(|one| part(one) == part(before)))
    }
}

/// What can move of a page: when it is decided, when it is over, and who is told.
const PARTS: [fn(&Episode) -> Part; 3] = [
    |one| Part::Period(Some(one.opened())),
    |one| Part::Period(one.resolve.as_ref().map(|resolve| resolve.resolved)),
    |one| Part::Channels(channels(one)),
];

#[derive(PartialEq)]
enum Part {
    Period(Option<Period>),
    Channels(Vec<String>),
}

/// Who is told. When is a matter of the other series of a group, too, which a replay of one does not have.
fn channels(episode: &Episode) -> Vec<String> {
    let mut channels: Vec<String> = episode.tellings.iter().map(|one| one.channel.clone()).collect();
    channels.sort_unstable();
    channels
}
