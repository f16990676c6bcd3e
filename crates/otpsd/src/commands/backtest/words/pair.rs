//! What is said of a page before and after.

use super::super::hindsight::{Blame, Comparison, Episode, Hindsight, How, Kind, Line, PagePair};
use super::{lasted, length, short_time, time, told};

/// The headline of a comparison: `1 page lost, 0 gained, 1 moved`.
pub(in super::super) fn headline(comparison: &Comparison) -> String {
    let count = |kind| comparison.count(kind);
    let (lost, gained, moved) = (count(Kind::Lost), count(Kind::Gained), count(Kind::Moved));
    if lost + gained + moved == 0 {
        return match count(Kind::Same) {
            0 => "no page, before or after".to_owned(),
            1 => "the same page".to_owned(),
            same => format!("the same {same} pages"),
        };
    }
    format!("{lost} page{} lost, {gained} gained, {moved} moved", if lost == 1 { "" } else { "s" })
}

/// What became of a page, in a sentence without its end.
pub(in super::super) fn what(comparison: &Comparison, pair: &PagePair) -> String {
    let until = comparison.after.span.until;
    match (pair.kind, comparison.episodes(pair)) {
        (Kind::Lost, (_, Some(after))) => format!("it is decided, and goes to {}", told(after)),
        (Kind::Lost, (Some(before), _)) => above(comparison, before)
            .or_else(|| now(comparison, before))
            .unwrap_or_else(|| "nothing is below the line any more".to_owned()),
        (Kind::Gained, (Some(before), Some(_))) if comparison.is_page(before) => {
            format!("before it was a part of the page decided {}", time(before.opened().end()))
        }
        (Kind::Gained, (Some(before), _)) => format!("it was decided, and went to {}", told(before)),
        (Kind::Gained, (None, Some(after))) => {
            below(comparison, after).unwrap_or_else(|| "nothing was decided before".to_owned())
        }
        (Kind::Moved, (Some(_), Some(after))) if comparison.is_part(pair) => {
            format!("now a part of the page decided {}, which is still open then", time(after.opened().end()))
        }
        (Kind::Moved, (Some(before), Some(after))) => {
            let moves = moves(before, after, until);
            if moves.is_empty() { "it is told at another time".to_owned() } else { moves.join("; ") }
        }
        _ => "as before".to_owned(),
    }
}

/// That a page which is lost is above the new line: the plainest of reasons.
fn above(comparison: &Comparison, before: &Episode) -> Option<String> {
    let line = |of: &Hindsight| of.rule(before.series()).page_below;
    let (old, new) = (line(&comparison.before), line(&comparison.after));
    let lowest = before.figures().lowest.filter(|lowest| new < old && *lowest >= new)?;
    Some(format!("its lowest period, {}, is not below the new line {new:.2}", super::ratio(lowest, old)))
}

/// How close what was a page comes to one now.
fn now(comparison: &Comparison, before: &Episode) -> Option<String> {
    let after = &comparison.after;
    let seen = after.seen(before.series())?;
    let near = seen.closest_within(before.onset(), before.over(after.span.until))?;
    Some(format!("now {}", super::closest(near, &seen.rule)))
}

/// That a page which is gained is above the old line.
fn below(comparison: &Comparison, after: &Episode) -> Option<String> {
    let line = |of: &Hindsight| of.rule(after.series()).page_below;
    let (old, new) = (line(&comparison.before), line(&comparison.after));
    let lowest = after.figures().lowest.filter(|lowest| new > old && *lowest >= old)?;
    Some(format!("its lowest period, {}, was not below the line {old:.2} before", super::ratio(lowest, new)))
}

/// In which ways a page moved.
fn moves(before: &Episode, after: &Episode, until: domain::Period) -> Vec<String> {
    let mut moves = Vec::new();
    let (was, is) = (before.opened(), after.opened());
    if was != is {
        let sooner = if is < was { "sooner" } else { "later" };
        moves.push(format!("decided {} {sooner}", length((is - was).abs())));
    }
    let channels = |one: &Episode| one.tellings.iter().map(|one| one.channel.clone()).collect::<Vec<_>>();
    if channels(before) != channels(after) {
        moves.push(format!("goes to {} instead of {}", told(after), told(before)));
    } else if was == is && before.told() != after.told() {
        let first = |one: &Episode| one.tellings.iter().map(|one| one.at).min();
        if let (Some(was), Some(is)) = (first(before), first(after)) {
            moves.push(format!("told {} instead of {}", short_time(is), short_time(was)));
        }
    }
    let ends = |one: &Episode| one.resolve.as_ref().map(|resolve| resolve.resolved);
    match (ends(before), ends(after)) {
        (was, is) if was == is => {}
        (Some(was), Some(is)) => {
            let sooner = if is < was { "sooner" } else { "later" };
            moves.push(format!("over {} {sooner}", length((is - was).abs())));
        }
        _ => moves.push(format!("lasted {}, before {}", lasted(after, until), lasted(before, until))),
    }
    moves
}

/// A reason that more pages than these share is told once for all of them.
const REPEATED: usize = 3;

/// Reasons that many pages share, so that each is told once.
pub(in super::super) struct Reasons<'c> {
    shared: Vec<&'c Blame>,
}

impl<'c> Reasons<'c> {
    pub(in super::super) fn of(comparison: &'c Comparison) -> Self {
        let mut seen: Vec<(&Blame, usize)> = Vec::new();
        for blame in comparison.pages.iter().filter_map(|one| one.blame.as_ref()) {
            match seen.iter_mut().find(|(same, _)| *same == blame) {
                Some((_, count)) => *count += 1,
                None => seen.push((blame, 1)),
            }
        }
        Self {
            shared: seen.into_iter().filter(|(_, count)| *count > REPEATED).map(|(blame, _)| blame).collect(),
        }
    }

    /// What is said at a page: its reason, or the number of one that is shared.
    pub(in super::super) fn at(&self, one: &PagePair, code: fn(&str) -> String) -> Vec<String> {
        let Some(reason) = &one.blame else { return Vec::new() };
        match self.shared.iter().position(|same| *same == reason) {
            Some(place) => vec![format!("reason {}", place + 1)],
            None => blame(reason, code),
        }
    }

    /// Those that are shared, each with its number: the lines of one.
    pub(in super::super) fn shared(&self, code: fn(&str) -> String) -> Vec<Vec<String>> {
        let one = |(place, reason): (usize, &&Blame)| {
            let mut lines = blame(reason, code);
            if let Some(first) = lines.first_mut() {
                *first = format!("reason {}: {first}", place + 1);
            }
            lines
        };
        self.shared.iter().enumerate().map(one).collect()
    }
}

/// Which line does it, a sentence a line. `code` writes what is of a configuration.
pub(in super::super) fn blame(blame: &Blame, code: fn(&str) -> String) -> Vec<String> {
    let lines: Vec<String> = blame.lines.iter().map(|one| line(one, code)).collect();
    let several = |first: &str| {
        std::iter::once(first.to_owned()).chain(lines.iter().map(|line| format!("- {line}"))).collect()
    };
    match (blame.how, lines.as_slice()) {
        (_, []) => vec!["nothing of the series itself is otherwise: others of its group are".to_owned()],
        (How::Only, [line]) => vec![format!("by {line}: nothing else is otherwise there")],
        (How::PutBack, [line]) => {
            vec![format!("by {line}: with this alone as before, the page is as before")]
        }
        (How::EachAlone, [line]) => vec![format!("by {line}: this alone does it; so do the others together")],
        (How::Only | How::PutBack, _) => {
            several("it takes all of these; with any one of them as before, the page is as before:")
        }
        (How::Part, _) => several("each of these does a part of it:"),
        (How::EachAlone, _) => several("each of these alone does it:"),
        (How::Together, _) => several("no single line does it; these together do:"),
    }
}

/// `` `page-below` 0.8 → 0.7 (config/batch.toml:4; was default) ``.
fn line(line: &Line, code: fn(&str) -> String) -> String {
    let at = line.at.as_deref().map(code);
    let was = line.was.as_deref().map(|was| if was == "default" { was.to_owned() } else { code(was) });
    let whence = match (at, was) {
        (Some(at), Some(was)) => format!(" at {at} (was {was})"),
        (Some(at), None) => format!(" at {at}"),
        (None, Some(was)) => format!(" (was at {was})"),
        (None, None) => String::new(),
    };
    format!("{}{whence}", line.words)
}
