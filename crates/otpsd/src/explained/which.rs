//! A series by a part of its name.

use domain::Series;

/// No series, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotOne {
    /// Which of the two, as the control socket writes it.
    pub(crate) no: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// More are not listed.
const MOST_LISTED: usize = 20;

/// The series that is meant: `account/region/model`, its model, or any part of it that no other has. Capitals do not
/// matter.
pub(crate) fn which<'a>(all: impl Iterator<Item = &'a Series>, wanted: &str) -> Result<&'a Series, NotOne> {
    let all: Vec<&Series> = all.collect();
    let wanted = wanted.to_lowercase();
    let matching = |of: &dyn Fn(&Series) -> bool| -> Vec<&'a Series> {
        all.iter().copied().filter(|series| of(series)).collect()
    };
    // Whole names first: one model's name may be a part of another's.
    let ways: [&dyn Fn(&Series) -> bool; 3] = [
        &|series| series.to_string().to_lowercase() == wanted,
        &|series| series.model().to_lowercase() == wanted,
        &|series| series.to_string().to_lowercase().contains(&wanted),
    ];
    let found = ways.into_iter().map(matching).find(|found| !found.is_empty()).unwrap_or_default();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(NotOne {
            no: "unknown_series",
            message: format!("no series has `{wanted}` in its name"),
            hint: Some(if all.is_empty() {
                "no series is known yet".to_owned()
            } else {
                format!("known are:{}", list(&all))
            }),
        }),
        some => Err(NotOne {
            no: "several_series",
            message: format!("`{wanted}` is in the names of {} series", some.len()),
            hint: Some(format!("say more of one of:{}", list(some))),
        }),
    }
}

fn list(series: &[&Series]) -> String {
    let mut text: String = series.iter().take(MOST_LISTED).map(|one| format!("\n  {one}")).collect();
    if series.len() > MOST_LISTED {
        text.push_str(&format!("\n  and {} more", series.len() - MOST_LISTED));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleet() -> Vec<Series> {
        [
            ("us-east-1", "us.example.large-v1:0"),
            ("us-west-2", "us.example.large-v1:0"),
            ("us-east-1", "example.large"),
        ]
        .map(|(region, model)| Series::new("111122223333", region, model))
        .to_vec()
    }

    fn find(wanted: &str) -> Result<String, NotOne> {
        which(fleet().iter(), wanted).map(ToString::to_string)
    }

    #[test]
    fn a_part_that_no_other_has_is_enough() {
        let west = Ok("111122223333/us-west-2/us.example.large-v1:0".to_owned());
        assert_eq!(find("111122223333/us-west-2/us.example.large-v1:0"), west);
        assert_eq!(find("west-2"), west);
        assert_eq!(find("US-WEST-2/us.Example"), west);
        // A part of all of them, and the whole name of one.
        assert_eq!(find("example.large"), Ok("111122223333/us-east-1/example.large".to_owned()));
    }

    #[test]
    fn several_and_none_are_listed() {
        let several = find("us.example.large-v1:0").unwrap_err();
        assert_eq!(several.no, "several_series");
        assert_eq!(several.message, "`us.example.large-v1:0` is in the names of 2 series");
        assert_eq!(
            several.hint.as_deref(),
            Some(
                "say more of one of:\n  111122223333/us-east-1/us.example.large-v1:0\n  \
                 111122223333/us-west-2/us.example.large-v1:0"
            )
        );
        let none = find("haiku").unwrap_err();
        assert_eq!(none.no, "unknown_series");
        assert_eq!(none.message, "no series has `haiku` in its name");
        assert_eq!(none.hint.unwrap().lines().count(), 4);
        assert_eq!(which([].iter(), "x").unwrap_err().hint.as_deref(), Some("no series is known yet"));
    }

    #[test]
    fn long_lists_end() {
        let many: Vec<Series> = (0..50).map(|k| Series::new("-", "r", &format!("m{k}"))).collect();
        let hint = which(many.iter(), "m").unwrap_err().hint.unwrap();
        assert_eq!((hint.lines().count(), hint.lines().last()), (22, Some("  and 30 more")));
    }
}
