//! Several reads of one source under way at once.

use tokio::task::JoinSet;

/// Reads that are under way at once, over all places: as many rows are in memory.
const ALL_AT_ONCE: usize = 12;
/// Those of one place. A page of history is answered in a part of a second and the quota of an account in a Region has three to
/// four pages in one, so that more would only wait.
const OF_A_PLACE: usize = 4;

/// How many reads each of so many places may have under way. None waits for what another one has.
pub(crate) fn at_once(places: usize) -> usize {
    (ALL_AT_ONCE / places.max(1)).clamp(1, OF_A_PLACE)
}

/// The next act that ended; `None` when none is under way.
pub(super) async fn ended<T: 'static>(under_way: &mut JoinSet<T>) -> Option<T> {
    // A task that panicked is a fault of this program: it ends here as it would have without tasks.
    let end = under_way.join_next().await?;
    Some(end.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_its_share_and_one_read_at_least() {
        assert_eq!([1, 3, 4, 6, 12, 200].map(at_once), [4, 4, 3, 2, 1, 1]);
    }
}
