//! What a silence or a maintenance window is about, in words.

use domain::Matcher;

/// A matcher in words, `model *haiku*, Region us-east-1 or us-west-2`, or `everything`.
#[must_use]
pub fn in_words(matcher: &Matcher) -> String {
    let one_of = |what: &str, values: &[String]| {
        (!values.is_empty()).then(|| format!("{what} {}", values.join(" or ")))
    };
    let mut parts: Vec<String> = [
        one_of("model", &matcher.models),
        one_of("account", &matcher.accounts),
        one_of("Region", &matcher.regions),
        one_of("cause", &matcher.causes),
    ]
    .into_iter()
    .flatten()
    .collect();
    parts.extend(matcher.labels.iter().map(|(key, value)| format!("label {key} = {value}")));
    if parts.is_empty() { "everything".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Labels;

    #[test]
    fn every_part_that_is_given_is_said() {
        assert_eq!(in_words(&Matcher::default()), "everything");
        let owned = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
        let matcher = Matcher {
            models: owned(&["*haiku*"]),
            accounts: owned(&["111122223333"]),
            regions: owned(&["us-east-1", "us-west-2"]),
            causes: owned(&["queueing"]),
            labels: Labels::from([("tier".to_owned(), "2".to_owned())]),
        };
        assert_eq!(
            in_words(&matcher),
            "model *haiku*, account 111122223333, Region us-east-1 or us-west-2, cause queueing, label tier = 2"
        );
    }
}
