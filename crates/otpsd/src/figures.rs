//! Numbers as people read them.

use indicatif::HumanCount;

/// `1,058,486`.
pub(crate) fn thousands(number: u64) -> String {
    HumanCount(number).to_string()
}

/// `1 page`, `2 pages`; of series there is one plural.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 || what.ends_with('s') { "" } else { "s" };
    format!("{} {what}{plural}", thousands(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_commas() {
        assert_eq!(
            [0, 12, 999, 1_000, 100_800, 1_058_486, 12_345_678].map(thousands),
            ["0", "12", "999", "1,000", "100,800", "1,058,486", "12,345,678"]
        );
    }

    #[test]
    fn what_is_counted_has_its_plural() {
        assert_eq!(counted(1, "page"), "1 page");
        assert_eq!((counted(2, "page"), counted(2, "series")), ("2 pages".into(), "2 series".into()));
    }
}
