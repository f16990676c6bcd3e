//! What a backtest finds, as a value: every output of it is a rendering of this.
//!
//! # Layout
//!
//! - `comparison`: what two configurations would have done, and which lines make the difference.
//! - `episode`: an incident from before its onset to its end, and who would have been told.
//! - `ratios`: how a series did at any time.
//! - `seen`: since when a series could be judged, or why it never could, and when it came closest to paging.

mod comparison;
mod episode;
mod ratios;
mod seen;

use domain::{GroupPage, Key, Plan, Rule, Series, Span, Ticket};
use evaluator::{Effect, Untold};

use crate::event::{Event, PageLine};

pub(crate) use self::comparison::{Blame, Comparison, How, Kind, Line, PagePair, TicketPair};
pub(crate) use self::episode::{Episode, Measured, Moment, Telling};
pub(crate) use self::ratios::Ratios;
pub(crate) use self::seen::{Closest, Counts, Never, Seen, Sight};

/// What a configuration would have done on recorded history.
#[derive(Debug, Clone)]
pub(crate) struct Hindsight {
    /// From the first period of the recording up to its last.
    pub(crate) span: Span,
    /// Every series of the recording, in order.
    pub(crate) series: Vec<Seen>,
    /// The incidents, in order of their decision and then of their series.
    pub(crate) episodes: Vec<Episode>,
    /// The pages as they would have been told, in order of time: one for each channel.
    pub(crate) pages: Vec<GroupPage>,
    /// The tickets, in the same order.
    pub(crate) tickets: Vec<Filed>,
    /// All that was said, in order of time and then of series.
    pub(crate) said: Vec<Said>,
    /// Whether the configuration tells anybody of any page, whatever happens.
    pub(crate) tells: bool,
}

/// A ticket from its opening to its end.
#[derive(Debug, Clone)]
pub(crate) struct Filed {
    /// As it was opened.
    pub(crate) opened: Ticket,
    /// As it was closed; `None` while it stands at the end.
    pub(crate) closed: Option<Ticket>,
    /// The channels that would have been told.
    pub(crate) channels: Vec<String>,
}

/// Something that was said, and who would have been told.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) effect: Effect,
    /// The pages of an incident that opens; the channels that are told that one is over. One for each channel.
    pub(crate) tellings: Vec<Telling>,
    /// The channels of a ticket.
    pub(crate) channels: Vec<String>,
    /// Why nobody was told of an incident, by the last look.
    pub(crate) untold: Option<Untold>,
}

impl Said {
    /// As one line for machines.
    pub(crate) fn event(&self, plan: &Plan) -> Option<Event> {
        let pages = self.tellings.iter().map(|telling| PageLine {
            key: telling.page.to_string(),
            channel: telling.channel.clone(),
            told: telling.at.to_string(),
            joins: telling.joins,
        });
        Some(Event {
            pages: pages.collect(),
            channels: self.channels.clone(),
            untold: self.untold.as_ref().map(ToString::to_string),
            ..Event::of(&self.effect, plan)?
        })
    }
}

impl Hindsight {
    /// Days of the recording.
    pub(crate) fn days(&self) -> f64 {
        (self.span.until - self.span.from) as f64 / domain::PERIODS_PER_DAY as f64
    }

    /// The incidents that are pages: those that somebody would have been told of; all of them where the configuration tells nobody of any,
    /// since what was decided is looked at then.
    pub(crate) fn paging(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(|episode| !self.tells || episode.is_told())
    }

    /// The pages that would have been sent, each once whatever number of channels it goes to.
    pub(crate) fn pages(&self) -> usize {
        let mut keys: Vec<&Key> =
            self.episodes.iter().flat_map(|episode| &episode.tellings).map(|telling| &telling.page).collect();
        keys.sort();
        keys.dedup();
        keys.len()
    }

    /// A series.
    pub(crate) fn seen(&self, series: &Series) -> Option<&Seen> {
        let place = self.series.binary_search_by(|seen| seen.series.cmp(series)).ok()?;
        self.series.get(place)
    }

    /// The rule of a series; the default of one that is not there.
    pub(crate) fn rule(&self, series: &Series) -> Rule {
        self.seen(series).map(|seen| seen.rule.clone()).unwrap_or_default()
    }

    /// Periods from the begin of the first slow one to the end of the one that decided, over all pages: the middle of them (of two, the
    /// longer), and the longest.
    pub(crate) fn to_decision(&self) -> Option<(i64, i64)> {
        let mut periods: Vec<i64> = self.paging().map(|one| one.opened() - one.onset() + 1).collect();
        periods.sort_unstable();
        Some((*periods.get(periods.len() / 2)?, *periods.last()?))
    }

    /// Of the periods with requests from when on each series could be judged, those that were: their counts.
    pub(crate) fn judged(&self) -> (u64, u64) {
        let able = self.series.iter().filter(|seen| matches!(seen.sight, Sight::From(_)));
        able.fold((0, 0), |(judged, of), seen| {
            (judged + u64::from(seen.counts.judged), of + u64::from(seen.counts.since_judged()))
        })
    }

    /// The series that came closest to paging, closest first.
    pub(crate) fn closest(&self) -> Vec<(&Seen, &Closest)> {
        let mut closest: Vec<_> =
            self.series.iter().filter_map(|seen| Some((seen, seen.closest()?))).collect();
        closest.sort_by(|(_, a), (_, b)| a.order(b));
        closest
    }
}
