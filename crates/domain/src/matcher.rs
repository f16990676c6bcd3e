//! What routes, silences and maintenance windows are about.

use std::collections::BTreeMap;

use crate::{Glob, Series};

/// Labels of a series: what its owners call it, by key.
pub type Labels = BTreeMap<String, String>;

/// Which of the things that can be told of are meant. Every part that is given must match; a part that is empty matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matcher {
    /// Globs of models.
    pub models: Vec<String>,
    /// Globs of accounts.
    pub accounts: Vec<String>,
    /// Globs of Regions.
    pub regions: Vec<String>,
    /// Causes, as `otps_drop` for pages and [`crate::Cause::as_str`] for tickets write them.
    pub causes: Vec<String>,
    /// Globs of the values of labels. A label that a series does not have does not match.
    pub labels: Labels,
}

/// What is told of.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The series; `None` for what is about a whole source.
    pub series: Option<&'a Series>,
    /// The Regions: that of the series, or those of the source.
    pub regions: &'a [&'a str],
    /// Why, as [`Matcher::causes`] writes it.
    pub cause: &'a str,
    /// The labels of the series.
    pub labels: &'a Labels,
}

/// The cause of every page.
pub const PAGE_CAUSE: &str = "otps_drop";

impl Matcher {
    /// Whether everything is meant.
    #[must_use]
    pub fn takes_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether `about` is meant. What is about a source has neither a model nor an account, so that a matcher that asks for one does
    /// not take it.
    #[must_use]
    pub fn takes(&self, about: &About<'_>) -> bool {
        let series = |globs: &[String], part: fn(&Series) -> &str| {
            globs.is_empty() || about.series.is_some_and(|series| any(globs, part(series)))
        };
        let label = |(key, glob): (&String, &String)| {
            about.labels.get(key).is_some_and(|value| Glob::new(glob).matches(value))
        };
        series(&self.models, Series::model)
            && series(&self.accounts, Series::account)
            && (self.regions.is_empty() || about.regions.iter().any(|region| any(&self.regions, region)))
            && (self.causes.is_empty() || self.causes.iter().any(|cause| cause == about.cause))
            && self.labels.iter().all(label)
    }
}

/// Whether one of the globs matches.
pub(crate) fn any(globs: &[String], text: &str) -> bool {
    globs.iter().any(|glob| Glob::new(glob).matches(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(matcher: &Matcher, region: &str, model: &str) -> bool {
        let series = Series::new("111122223333", region, model);
        let labels = Labels::from([("tier".to_owned(), "2".to_owned())]);
        let regions = [region];
        matcher.takes(&About { series: Some(&series), regions: &regions, cause: PAGE_CAUSE, labels: &labels })
    }

    #[test]
    fn every_part_must_match() {
        let all = Matcher::default();
        assert!(takes(&all, "us-east-1", "anything"));
        let haiku = Matcher { models: vec!["*haiku*".to_owned()], ..all.clone() };
        assert!(takes(&haiku, "us-east-1", "us.anthropic.claude-haiku-4-5"));
        assert!(!takes(&haiku, "us-east-1", "us.anthropic.claude-sonnet-4-5"));
        let in_europe = Matcher { regions: vec!["eu-*".to_owned()], ..haiku.clone() };
        assert!(!takes(&in_europe, "us-east-1", "us.anthropic.claude-haiku-4-5"));
        assert!(takes(&in_europe, "eu-west-1", "us.anthropic.claude-haiku-4-5"));
        let label = |key: &str, glob: &str| Matcher {
            labels: Labels::from([(key.to_owned(), glob.to_owned())]),
            ..all.clone()
        };
        assert!(takes(&label("tier", "2"), "us-east-1", "m"));
        assert!(!takes(&label("tier", "1"), "us-east-1", "m"));
        assert!(!takes(&label("owner", "*"), "us-east-1", "m"), "it has no such label");
        let queueing = Matcher { causes: vec!["queueing".to_owned()], ..all };
        assert!(!takes(&queueing, "us-east-1", "m"));
    }

    #[test]
    fn a_source_has_regions_and_no_model() {
        let labels = Labels::default();
        let regions = ["us-east-1", "eu-west-1"];
        let about = About { series: None, regions: &regions, cause: "source_failing", labels: &labels };
        assert!(Matcher::default().takes(&about));
        assert!(Matcher { regions: vec!["eu-*".to_owned()], ..Matcher::default() }.takes(&about));
        assert!(!Matcher { models: vec!["*".to_owned()], ..Matcher::default() }.takes(&about));
    }
}
