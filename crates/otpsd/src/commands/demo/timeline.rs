//! Lines that wait until nothing can come before them any more.

use std::collections::BTreeMap;

use jiff::Timestamp;

/// What a line is about. At one moment, the world comes first, then what the daemon made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    Story,
    Source,
    State,
    Page,
    Resolve,
    Ticket,
    Polled,
}

/// A line, and the text of a message below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) word: Word,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) message: String,
}

/// Lines that wait, in the order in which they will be told.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    waiting: BTreeMap<(Timestamp, Word, u64), Entry>,
    added: u64,
}

impl Timeline {
    pub(super) fn add(&mut self, time: Timestamp, entry: Entry) {
        self.waiting.insert((time, entry.word, self.added), entry);
        self.added += 1;
    }

    /// What is before `until`, in order; all of it if there is no such time.
    pub(super) fn take(&mut self, until: Option<Timestamp>) -> Vec<(Timestamp, Entry)> {
        let later = match until {
            Some(until) => self.waiting.split_off(&(until, Word::Story, 0)),
            None => BTreeMap::new(),
        };
        let told = std::mem::replace(&mut self.waiting, later);
        told.into_iter().map(|((time, ..), entry)| (time, entry)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::notice::tests::time;
    use super::*;

    #[test]
    fn lines_are_told_in_order_and_not_before_their_time() {
        let mut timeline = Timeline::default();
        for (minute, word) in
            [(17, Word::Page), (15, Word::State), (15, Word::Story), (20, Word::Story), (15, Word::State)]
        {
            let entry = Entry { word, subject: String::new(), text: String::new(), message: String::new() };
            timeline.add(time(&format!("2026-11-02T02:{minute}:00Z")), entry);
        }
        let words = |told: Vec<(Timestamp, Entry)>| told.into_iter().map(|it| it.1.word).collect::<Vec<_>>();
        let until = Some(time("2026-11-02T02:17:00Z"));
        assert_eq!(words(timeline.take(until)), [Word::Story, Word::State, Word::State]);
        assert_eq!(words(timeline.take(until)), []);
        assert_eq!(words(timeline.take(None)), [Word::Page, Word::Story]);
    }
}
