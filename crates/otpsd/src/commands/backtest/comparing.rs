//! Pages before and after: which of them are the same.

use domain::{Period, Series};

use super::hindsight::{Comparison, Episode, Filed, Hindsight, Kind, PagePair, TicketPair};

/// Puts together what belongs together. Nothing is blamed yet.
pub(super) fn compare(before: Hindsight, after: Hindsight) -> Comparison {
    // Who only looks at decisions has told nobody before, and tells nobody now.
    let by_decision = !before.tells && !after.tells;
    let mut comparison = Comparison { before, after, by_decision, pages: Vec::new(), tickets: Vec::new() };
    comparison.pages = pages(&comparison);
    comparison.tickets = tickets(&comparison.before, &comparison.after);
    comparison
}

/// Incidents of one series that overlap are the same one, each paired once, in order of time.
fn pages(comparison: &Comparison) -> Vec<PagePair> {
    let Comparison { before, after, .. } = comparison;
    let paired = paired(
        &before.episodes.iter().map(|one| spell(one, before)).collect::<Vec<_>>(),
        &after.episodes.iter().map(|one| spell(one, after)).collect::<Vec<_>>(),
    );
    let pair = |(was, is): (Option<usize>, Option<usize>)| {
        let of =
            |place: Option<usize>, hindsight: &'_ Hindsight| place.map(|at| hindsight.episodes[at].clone());
        let (old, new) = (of(was, before), of(is, after));
        let is_page = |one: &Option<Episode>| one.as_ref().is_some_and(|one| comparison.is_page(one));
        let kind = match (is_page(&old), is_page(&new)) {
            (false, false) => return None,
            (true, false) => Kind::Lost,
            (false, true) => Kind::Gained,
            (true, true) => old.zip(new).map_or(Kind::Same, |(old, new)| moved(&old, &new)),
        };
        Some(PagePair { kind, before: was, after: is, blame: None })
    };
    let mut pairs: Vec<PagePair> = paired.into_iter().filter_map(pair).collect();
    for pair in &mut pairs {
        beside(pair, comparison);
    }
    let time = |pair: &PagePair| {
        let one =
            pair.before.map(|at| &before.episodes[at]).or_else(|| pair.after.map(|at| &after.episodes[at]));
        one.map(|one| (one.opened(), one.series().clone()))
    };
    pairs.sort_by_key(|pair| (pair.kind, time(pair)));
    pairs
}

/// One that has no other half of its own may be a part of another pair: two incidents that became one, or one that became two.
fn beside(pair: &mut PagePair, comparison: &Comparison) {
    let Comparison { before, after, .. } = comparison;
    let overlapping = |one: &Episode, of: &Hindsight, others: &Hindsight| {
        let own = spell(one, of);
        others.episodes.iter().position(|other| own.overlaps(&spell(other, others)))
    };
    match (pair.before, pair.after) {
        (Some(at), None) => {
            pair.after = overlapping(&before.episodes[at], before, after);
            // The page that is open already stands for it, too.
            if pair.after.is_some_and(|at| comparison.is_page(&after.episodes[at])) {
                pair.kind = Kind::Moved;
            }
        }
        (None, Some(at)) => pair.before = overlapping(&after.episodes[at], after, before),
        _ => {}
    }
}

/// Whether one and the same page is as it was: decided at the same time, told the same channels, and over at the same time.
fn moved(old: &Episode, new: &Episode) -> Kind {
    let ends = |one: &Episode| one.resolve.as_ref().map(|resolve| resolve.resolved);
    let is_same = (old.opened(), ends(old)) == (new.opened(), ends(new)) && old.told() == new.told();
    if is_same { Kind::Same } else { Kind::Moved }
}

fn tickets(before: &Hindsight, after: &Hindsight) -> Vec<TicketPair> {
    let before: Vec<Spell<'_>> = before.tickets.iter().map(|one| of_ticket(one, before)).collect();
    let after: Vec<Spell<'_>> = after.tickets.iter().map(|one| of_ticket(one, after)).collect();
    let mut pairs: Vec<TicketPair> = paired(&before, &after)
        .into_iter()
        .map(|(before, after)| {
            let kind = match (before, after) {
                (Some(_), None) => Kind::Lost,
                (None, Some(_)) => Kind::Gained,
                _ => Kind::Same,
            };
            TicketPair { kind, before, after }
        })
        .collect();
    pairs.sort_by_key(|pair| pair.kind);
    pairs
}

/// From when to when something of a series stood.
struct Spell<'s> {
    series: &'s Series,
    /// What tells two of one time apart: the cause of a ticket.
    what: &'static str,
    from: Period,
    /// The first period after it.
    until: Period,
}

impl Spell<'_> {
    fn overlaps(&self, other: &Spell<'_>) -> bool {
        (self.series, self.what) == (other.series, other.what)
            && self.from < other.until
            && other.from < self.until
    }
}

fn spell<'e>(episode: &'e Episode, of: &Hindsight) -> Spell<'e> {
    let (series, until) = (episode.series(), episode.over(of.span.until));
    Spell { series, what: "", from: episode.onset(), until }
}

fn of_ticket<'t>(filed: &'t Filed, of: &Hindsight) -> Spell<'t> {
    let (opened, closed) = (&filed.opened, filed.closed.as_ref());
    let until = closed.map_or(of.span.until, |ticket| ticket.decided + 1);
    Spell { series: &opened.series, what: opened.cause.as_str(), from: opened.decided, until }
}

/// The places of those that overlap, each once, and of those that overlap none.
fn paired(before: &[Spell<'_>], after: &[Spell<'_>]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut taken = vec![false; after.len()];
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (was, one) in before.iter().enumerate() {
        let is = (0..after.len()).find(|is| !taken[*is] && one.overlaps(&after[*is]));
        if let Some(is) = is {
            taken[is] = true;
        }
        pairs.push((Some(was), is));
    }
    pairs.extend((0..after.len()).filter(|is| !taken[*is]).map(|is| (None, Some(is))));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spells<'s>(series: &'s Series, spans: &[(i64, i64)]) -> Vec<Spell<'s>> {
        let at = Period::from_index;
        spans
            .iter()
            .map(|(from, until)| Spell { series, what: "", from: at(*from), until: at(*until) })
            .collect()
    }

    #[test]
    fn what_overlaps_is_a_pair_and_each_is_in_one() {
        let series = Series::new("-", "us-east-1", "m");
        let before = spells(&series, &[(0, 10), (20, 30), (40, 50), (60, 70)]);
        // The first is two now, the second is later, the third is gone, and the end of the fourth is the begin of another.
        let after = spells(&series, &[(1, 4), (6, 9), (29, 35), (70, 80)]);
        assert_eq!(
            paired(&before, &after),
            [
                (Some(0), Some(0)),
                (Some(1), Some(2)),
                (Some(2), None),
                (Some(3), None),
                (None, Some(1)),
                (None, Some(3)),
            ]
        );
    }

    #[test]
    fn others_are_no_pair() {
        let (one, other) = (Series::new("-", "us-east-1", "m"), Series::new("-", "us-east-2", "m"));
        assert_eq!(
            paired(&spells(&one, &[(0, 10)]), &spells(&other, &[(0, 10)])),
            [(Some(0), None), (None, Some(0))]
        );
    }
}
