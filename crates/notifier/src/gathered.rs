//! The incidents of a page in the order in which a reader wants them, and what they have in common.

use std::collections::BTreeSet;

use domain::{GroupPage, Page, PageState, Period, Series, Slot};

use crate::deciding::newest_breach;
use crate::figures::known;

/// The pages of a group, the one with most traffic first: that is where most users wait.
pub(crate) fn by_traffic(page: &GroupPage) -> Vec<&Page> {
    let mut pages: Vec<&Page> = page.pages.iter().collect();
    pages.sort_by(|a, b| {
        requests(b).total_cmp(&requests(a)).then_with(|| a.drop().series().cmp(b.drop().series()))
    });
    pages
}

/// Requests in a period, as far as they are known.
pub(crate) fn requests(page: &Page) -> f64 {
    let in_window = |slot: &Slot| known(slot.samples / f64::from(slot.window.max(1)));
    known(page.evidence().now.samples)
        .or_else(|| newest_breach(page.evidence()).and_then(in_window))
        .unwrap_or(0.0)
}

/// The ratio of the newest breaching period.
pub(crate) fn ratio_of(page: &Page) -> Option<f64> {
    newest_breach(page.evidence()).and_then(Slot::ratio).and_then(known)
}

/// The middle one; of an even number, the lower of the two in the middle, which somebody measured.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

/// How many different ones there are.
pub(crate) fn distinct<'a>(
    series: impl IntoIterator<Item = &'a Series>,
    part: impl Fn(&'a Series) -> &'a str,
) -> usize {
    series.into_iter().map(part).collect::<BTreeSet<_>>().len()
}

/// Whether the page began with several incidents. What is named after the group then, is so until the end, whoever joins or leaves.
pub(crate) fn began_with_several(state: &PageState) -> bool {
    state.members.iter().filter(|member| member.joined <= state.told).nth(1).is_some()
}

/// The first breaching period of any of its incidents.
pub(crate) fn onset(state: &PageState) -> Period {
    state.members.iter().map(|member| member.onset).min().unwrap_or(state.opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn most_traffic_comes_first() {
        let page = sample::paged_group();
        let shown: Vec<f64> = by_traffic(&page).into_iter().map(requests).collect();
        assert_eq!(shown, [2_900.0, 2_410.0, 1_210.0, 860.0]);
        assert_ne!(page.pages[0].drop().series(), by_traffic(&page)[0].drop().series());
    }

    #[test]
    fn the_middle_is_a_value_that_was_measured() {
        assert_eq!(median(vec![0.7, 0.5, 0.6]), Some(0.6));
        assert_eq!(median(vec![0.7, 0.5, 0.6, 0.4]), Some(0.5));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn one_that_joins_later_does_not_rename_the_page() {
        let mut state = sample::paged().state;
        assert!(!began_with_several(&state));
        let mut late = state.members[0].clone();
        late.joined = "2026-12-03T06:22:02Z".parse().unwrap();
        state.members.push(late);
        assert!(!began_with_several(&state));
        assert!(began_with_several(&sample::paged_group().state));
    }
}
