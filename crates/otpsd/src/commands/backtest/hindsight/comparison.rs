//! What two configurations would have done on the same history.

use super::{Episode, Filed, Hindsight};

/// Two configurations on the same history.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// What the one that it is compared with would have done.
    pub(crate) before: Hindsight,
    /// What the one that is looked at would have done.
    pub(crate) after: Hindsight,
    /// Neither would have told anybody of any page: what was decided is compared.
    pub(crate) by_decision: bool,
    /// Lost pages first, then those that are gained, that moved, and that stay the same; each in order of time.
    pub(crate) pages: Vec<PagePair>,
    /// The same of tickets, of which none is moved.
    pub(crate) tickets: Vec<TicketPair>,
}

/// In which way something differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// It went out before, and would no longer.
    Lost,
    /// It would go out now, and did not before.
    Gained,
    /// It goes out at another time, to others, or is over at another time.
    Moved,
    /// It is as it was.
    Same,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Lost, Self::Gained, Self::Moved, Self::Same];

    /// As output formats write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Gained => "gained",
            Self::Moved => "moved",
            Self::Same => "same",
        }
    }
}

/// A page before and after. At least one of both is there.
#[derive(Debug, Clone)]
pub(crate) struct PagePair {
    pub(crate) kind: Kind,
    /// The incident before, by its place. Of a gained page: one at the same time that is no page, or that already is the other half of
    /// another pair.
    pub(crate) before: Option<usize>,
    /// The incident after, by its place. Of a lost page: one at the same time that nobody would be told of.
    pub(crate) after: Option<usize>,
    /// What makes the difference; `None` where there is none.
    pub(crate) blame: Option<Blame>,
}

/// A ticket before and after, by its place. At least one of both is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TicketPair {
    pub(crate) kind: Kind,
    pub(crate) before: Option<usize>,
    pub(crate) after: Option<usize>,
}

/// Which lines of the configuration make a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blame {
    pub(crate) how: How,
    /// At least one, unless nothing that was looked at is otherwise for the series.
    pub(crate) lines: Vec<Line>,
}

/// How it is known that they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// Nothing else is otherwise for the series.
    Only,
    /// With any of them as before and all else as it is, the page is as before. There may be one.
    PutBack,
    /// With any of them as before a part of what moved is as before: the decision, the end, or who is told.
    Part,
    /// Each of them alone, with all else as before, makes the difference.
    EachAlone,
    /// Only together.
    Together,
}

/// Something that is otherwise for a series.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    /// In words: `` `page-below` 0.8 -> 0.7 ``.
    pub(crate) words: String,
    /// Where that is written: `config/batch.toml:4, [override.batch]`, or `default`.
    pub(crate) at: Option<String>,
    /// Where it was written before.
    pub(crate) was: Option<String>,
}

impl Comparison {
    /// How many pages are lost, gained, moved, or the same.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        self.pages.iter().filter(|pair| pair.kind == kind).count()
    }

    /// How many tickets are.
    pub(crate) fn count_tickets(&self, kind: Kind) -> usize {
        self.tickets.iter().filter(|pair| pair.kind == kind).count()
    }

    /// The incidents of a pair.
    pub(crate) fn episodes(&self, pair: &PagePair) -> (Option<&Episode>, Option<&Episode>) {
        let before = pair.before.and_then(|at| self.before.episodes.get(at));
        (before, pair.after.and_then(|at| self.after.episodes.get(at)))
    }

    /// The tickets of a pair.
    pub(crate) fn filed(&self, pair: &TicketPair) -> (Option<&Filed>, Option<&Filed>) {
        let before = pair.before.and_then(|at| self.before.tickets.get(at));
        (before, pair.after.and_then(|at| self.after.tickets.get(at)))
    }

    /// Whether the page of a pair became a part of that of another one.
    pub(crate) fn is_part(&self, pair: &PagePair) -> bool {
        let is_whole = |other: &PagePair| other.before.is_some() && other.before < pair.before;
        pair.after.is_some() && self.pages.iter().any(|other| other.after == pair.after && is_whole(other))
    }

    /// Whether an incident is a page here.
    pub(crate) fn is_page(&self, episode: &Episode) -> bool {
        self.by_decision || episode.is_told()
    }
}
