//! Short names of series.

use std::collections::BTreeMap;

use domain::Series;

/// The shortest name of each series that is nobody else's.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: BTreeMap<Series, String>,
}

impl Names {
    /// Knows these series.
    pub(super) fn of<'a>(series: impl Iterator<Item = &'a Series> + Clone) -> Self {
        let shortenings: [fn(&Series) -> String; 4] = [
            |series| short(series.model()).to_owned(),
            |series| series.model().to_owned(),
            |series| format!("{}/{}", series.region(), series.model()),
            Series::to_string,
        ];
        let mut names = BTreeMap::new();
        for shorten in shortenings {
            let mut taken: BTreeMap<String, usize> = BTreeMap::new();
            for one in series.clone() {
                *taken.entry(shorten(one)).or_default() += 1;
            }
            for one in series.clone() {
                let name = shorten(one);
                if taken.get(&name) == Some(&1) && !names.contains_key(one) {
                    names.insert(one.clone(), name);
                }
            }
        }
        Self { names }
    }

    /// How many it knows.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a series.
    pub(super) fn name<'a>(&'a self, series: &'a Series) -> &'a str {
        self.names.get(series).map_or_else(|| series.model(), String::as_str)
    }

    /// The longest, in characters.
    pub(super) fn longest(&self) -> usize {
        self.names.values().map(|name| name.chars().count()).max().unwrap_or(0)
    }
}

/// `sonnet-large` of `us.example.sonnet-large-v1:0`: without who made it, and without its version.
fn short(model: &str) -> &str {
    let name = model.rsplit(['.', '/']).next().unwrap_or(model);
    let version = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    match name.rsplit_once("-v") {
        Some((bare, digits)) if !bare.is_empty() && !digits.is_empty() && version(digits) => bare,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(series: &[(&str, &str)]) -> Vec<String> {
        let series: Vec<Series> =
            series.iter().map(|(region, model)| Series::new("", region, model)).collect();
        let names = Names::of(series.iter());
        series.iter().map(|one| names.name(one).to_owned()).collect()
    }

    #[test]
    fn a_name_is_as_short_as_it_can_be_told_apart() {
        let model = "us.example.sonnet-large-v1:0";
        assert_eq!(names(&[("us-east-1", model)]), ["sonnet-large"]);
        let other = "eu.example.sonnet-large-v1:0";
        assert_eq!(names(&[("us-east-1", model), ("us-east-1", other)]), [model, other]);
        let both = names(&[("us-east-1", model), ("eu-west-1", model), ("eu-west-1", "x.y-v2")]);
        assert_eq!(both, [&format!("us-east-1/{model}"), &format!("eu-west-1/{model}"), "y"]);
    }

    #[test]
    fn only_versions_are_left_out() {
        assert_eq!(short("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), "claude-sonnet-4-5-20250929");
        assert_eq!(short("arn:aws:bedrock:us-east-1:111122223333:inference-profile/abc"), "abc");
        assert_eq!(short("example.nova-vision"), "nova-vision");
        assert_eq!(short("example.a-v2+latency-optimized"), "a-v2+latency-optimized");
        assert_eq!(short("-v1"), "-v1");
    }
}
