//! Tells what happens: what happened to the models, what was polled, what changed, who was told what.
//!
//! The daemon may lag behind its clock on a slow machine. A line is told when nothing can come before it any more, so
//! that the order of the lines is that of their times, however fast the machine is.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::time::Duration;

use anstyle::Style;
use domain::{
    AlarmState, Key, NoticeKind, Owed, OwedState, PERIOD_SECONDS, PERIODS_PER_HOUR, Period, Rule, Series,
};
use jiff::{SignedDuration, Timestamp};
use simulator::Event;
use simulator::loopback::CallTotals;
use web::Snapshot;
use web::snapshot::SeriesStatus;

use super::figures::Volume;
use super::moments::Moments;
use super::names::Names;
use super::notice::Notice;
use super::screen::{BOLD, CYAN, DIM, GREEN, RED, Screen, YELLOW};
use super::timeline::{Entry, Timeline, Word};
use crate::figures::{counted, thousands};

/// What was polled is told this often, by the clock of the story.
const HOURS_BETWEEN_POLL_LINES: i64 = 6;
/// Models that are listed one by one.
const MOST_LISTED: usize = 24;

/// What can be seen at one moment.
pub(super) struct Sight<'a> {
    /// The clock, read before all else.
    pub(super) now: Timestamp,
    pub(super) snapshot: &'a Snapshot,
    /// Newest first.
    pub(super) messages: &'a [Owed],
    pub(super) calls: &'a [CallTotals],
}

/// What is played.
pub(super) struct Play<'a> {
    pub(super) begins: Timestamp,
    pub(super) ends: Timestamp,
    /// What happens on purpose, in order of time.
    pub(super) events: &'a [Event],
}

pub(super) struct Narrator<'a, W> {
    play: Play<'a>,
    screen: Screen<W>,
    moments: Moments,
    names: Names,
    timeline: Timeline,
    /// Up to here the events have been looked at.
    happened: Timestamp,
    states: BTreeMap<Series, AlarmState>,
    failing: BTreeSet<(String, String)>,
    said: BTreeSet<(Timestamp, Key, NoticeKind)>,
    /// Up to here it has been told what was polled, and what had been polled then.
    polled: Timestamp,
    volume: Volume,
}

impl<'a, W: Write> Narrator<'a, W> {
    pub(super) fn new(play: Play<'a>, screen: Screen<W>) -> Self {
        Self {
            moments: Moments::of(play.begins, play.ends),
            names: Names::default(),
            timeline: Timeline::default(),
            happened: play.begins,
            states: BTreeMap::new(),
            failing: BTreeSet::new(),
            said: BTreeSet::new(),
            polled: play.begins,
            volume: Volume::default(),
            screen,
            play,
        }
    }

    pub(super) fn screen(&mut self) -> &mut Screen<W> {
        &mut self.screen
    }

    pub(super) fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    pub(super) fn moments(&self) -> Moments {
        self.moments
    }

    /// The history is being read.
    pub(super) fn learning(&mut self) -> io::Result<()> {
        let time = self.moments.text(self.play.begins);
        self.screen.line(&time, (CYAN, "history"), "", "reading up to 35 days of every model ...")
    }

    /// The history has been read and learned, which took `took`.
    pub(super) fn learned(&mut self, sight: &Sight<'_>, took: Duration) -> io::Result<()> {
        self.know(sight.snapshot);
        self.volume = Volume::of(sight.calls);
        let Volume { datapoints, .. } = self.volume;
        let series = sight.snapshot.series.len();
        let time = self.moments.text(self.play.begins);
        let text = match series {
            0 => "none before this; models are found as they show up".to_owned(),
            _ => format!(
                "{} datapoints of {} read and learned in {:.1} s; usual speeds:",
                thousands(datapoints),
                counted(series, "model"),
                took.as_secs_f64()
            ),
        };
        self.screen.line(&time, (CYAN, "history"), "", &text)?;
        let blank = " ".repeat(time.chars().count());
        let longest = self.names.longest();
        for status in sight.snapshot.series.iter().take(MOST_LISTED) {
            let name = self.names.name(&status.series);
            let usual = status.current().and_then(|slot| slot.baseline);
            let usual =
                usual.map_or_else(|| status.state.to_string(), |usual| format!("{usual:>4.0} tokens/s"));
            let full = match name == status.series.model() {
                true => String::new(),
                false => format!("   {}", status.series.model()),
            };
            self.screen.line(&blank, (DIM, ""), "", &format!("{name:<longest$}  {usual}{full}"))?;
        }
        if let Some(more) = series.checked_sub(MOST_LISTED).filter(|more| *more > 0) {
            self.screen.line(&blank, (DIM, ""), "", &format!("and {more} more"))?;
        }
        for status in &sight.snapshot.series {
            self.states.insert(status.series.clone(), status.state);
        }
        let text = "from here on: latency, first token and output tokens of every model, every 5 minutes";
        self.screen.line(&time, (CYAN, "poll"), "", text)?;
        // What was under way when the history ended.
        let under_way =
            |event: &&Event| event.from.start() < self.play.begins && self.play.begins < event.until.start();
        for event in self.play.events.iter().filter(under_way) {
            let since = self.moments.text(event.from.start());
            let text = format!("{}, since {since}", event.describe());
            self.timeline.add(self.play.begins, entry(Word::Story, self.names.name(&event.series), text));
        }
        self.look(sight)
    }

    /// Tells what is new.
    pub(super) fn look(&mut self, sight: &Sight<'_>) -> io::Result<()> {
        let until = horizon(sight);
        self.gather(sight, until);
        self.tell(Some(until))
    }

    /// Tells all that is left.
    pub(super) fn end(&mut self, sight: &Sight<'_>) -> io::Result<()> {
        self.gather(sight, self.play.ends);
        self.tell(None)
    }

    fn gather(&mut self, sight: &Sight<'_>, until: Timestamp) {
        self.know(sight.snapshot);
        self.happen(until);
        self.fail(sight.snapshot);
        self.change(sight.snapshot);
        self.say(sight.messages);
        self.poll(sight, until);
    }

    fn know(&mut self, snapshot: &Snapshot) {
        if self.names.len() != snapshot.series.len() {
            self.names = Names::of(snapshot.series.iter().map(|status| &status.series));
        }
    }

    /// What happens to the models before `until`.
    fn happen(&mut self, until: Timestamp) {
        let until = until.min(self.play.ends);
        let now = |time: Timestamp| self.happened <= time && time < until;
        for event in self.play.events {
            let (from, over) = (event.from.start(), event.until.start());
            let name = self.names.name(&event.series);
            if now(from) {
                self.timeline.add(from, entry(Word::Story, name, event.describe()));
            }
            if now(over) {
                self.timeline.add(over, entry(Word::Story, name, "back to usual".to_owned()));
            }
        }
        self.happened = self.happened.max(until);
    }

    /// Sources that cannot be read, or can again.
    fn fail(&mut self, snapshot: &Snapshot) {
        for source in &snapshot.sources {
            let place = (source.name.clone(), source.region.clone());
            let subject = format!("{} {}", source.name, source.region);
            match (&source.failure, source.last_success) {
                (Some(failure), _) if self.failing.insert(place.clone()) => {
                    self.timeline.add(failure.since, entry(Word::Source, &subject, failure.message.clone()));
                }
                (None, Some(success)) if self.failing.remove(&place) => {
                    self.timeline.add(success, entry(Word::Source, &subject, "is read again".to_owned()));
                }
                _ => {}
            }
        }
    }

    fn change(&mut self, snapshot: &Snapshot) {
        for status in &snapshot.series {
            let before = self.states.insert(status.series.clone(), status.state);
            if let Some(before) = before.filter(|before| *before != status.state) {
                let text = format!(
                    "{before} -> {}{}",
                    status.state,
                    why(before, status, &snapshot.rule_of(&status.series))
                );
                let name = self.names.name(&status.series);
                self.timeline.add(status.since.end(), entry(Word::State, name, text));
            }
        }
    }

    /// Messages that every receiver has taken.
    fn say(&mut self, messages: &[Owed]) {
        for notice in Notice::all(messages) {
            let id = (notice.created, notice.key.clone(), notice.kind);
            if !notice.is_settled() || !self.said.insert(id) {
                continue;
            }
            let word = match notice.kind {
                NoticeKind::Page => Word::Page,
                NoticeKind::Resolve => Word::Resolve,
                NoticeKind::Ticket(_) => Word::Ticket,
            };
            let message = notice.text().to_owned();
            self.timeline.add(notice.created, Entry { message, ..entry(word, "", notice.recipients()) });
        }
    }

    fn poll(&mut self, sight: &Sight<'_>, until: Timestamp) {
        let length = HOURS_BETWEEN_POLL_LINES * PERIODS_PER_HOUR;
        let last = Period::containing(until);
        let last = Period::from_index(last.index() - last.index().rem_euclid(length)).start();
        if last <= self.polled || last > self.play.ends {
            return;
        }
        let volume = Volume::of(sight.calls);
        let text = format!(
            "{} calls for {} metrics since {}",
            thousands(volume.calls - self.volume.calls),
            thousands(volume.metrics - self.volume.metrics),
            self.moments.text(self.polled)
        );
        self.timeline.add(last, entry(Word::Polled, "", text));
        self.polled = last;
        self.volume = volume;
    }

    fn tell(&mut self, until: Option<Timestamp>) -> io::Result<()> {
        for (time, entry) in self.timeline.take(until) {
            let word @ (style, _) = dress(entry.word);
            self.screen.line(&self.moments.text(time), word, &entry.subject, &entry.text)?;
            if !entry.message.is_empty() {
                self.screen.message(style, &entry.message)?;
            }
        }
        Ok(())
    }
}

/// Before this, nothing new can come: the next period that is judged ends then, what is owed is told when it is delivered,
/// and nothing happens in the future.
fn horizon(sight: &Sight<'_>) -> Timestamp {
    let period = SignedDuration::from_secs(PERIOD_SECONDS);
    let judged = sight.snapshot.series.iter().map(|status| status.judged_through.end()).min();
    let next = judged.map(|judged| judged.saturating_add(period).unwrap_or(judged));
    let owed = sight.messages.iter().filter(|owed| matches!(owed.state, OwedState::Due(_)));
    let owed = owed.map(|owed| owed.message.created).min();
    [next, owed].into_iter().flatten().fold(sight.now, Timestamp::min)
}

fn entry(word: Word, subject: &str, text: String) -> Entry {
    Entry { word, subject: subject.to_owned(), text, message: String::new() }
}

fn dress(word: Word) -> (Style, &'static str) {
    match word {
        Word::Story => (BOLD, "story"),
        Word::Source => (YELLOW, "source"),
        Word::State => (CYAN, "state"),
        Word::Page => (RED, "PAGE"),
        Word::Resolve => (GREEN, "resolve"),
        Word::Ticket => (YELLOW, "ticket"),
        Word::Polled => (DIM, "polled"),
    }
}

/// Why a state changed, in a few words.
fn why(before: AlarmState, status: &SeriesStatus, rule: &Rule) -> String {
    match (before, status.state) {
        (_, AlarmState::InsufficientData) => " (no data, which pages nobody)".to_owned(),
        (_, AlarmState::Alarm) => {
            let (needed, all) = (rule.datapoints_to_alarm, rule.evaluation_periods);
            format!(" ({needed} of {all} periods below {:.2} of the baseline)", rule.page_below)
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
