//! Who is watched.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The account of a series whose recording has none.
pub const UNKNOWN_ACCOUNT: &str = "-";

/// What CloudWatch adds to the `ModelId` of requests that were served latency-optimized.
///
/// Source: Amazon Bedrock user guide, "Optimize model inference for latency".
const LATENCY_OPTIMIZED: &str = "+latency-optimized";

/// What is watched: one model in one Region of one account, written `account/region/model`.
///
/// The model is whatever CloudWatch has as `ModelId`: a model, an inference profile, an ARN (which may itself
/// contain `/`), `…+latency-optimized`. It is shown, never parsed. The name of a source is no part of it, so that
/// a renamed source keeps its history and its keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Series {
    account: Arc<str>,
    region: Arc<str>,
    model: Arc<str>,
}

impl Series {
    /// A series from its parts. An empty account becomes [`UNKNOWN_ACCOUNT`].
    #[must_use]
    pub fn new(account: &str, region: &str, model: &str) -> Self {
        let account = if account.is_empty() { UNKNOWN_ACCOUNT } else { account };
        Self { account: account.into(), region: region.into(), model: model.into() }
    }

    /// The twelve digits of the AWS account, or [`UNKNOWN_ACCOUNT`].
    #[must_use]
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The Region, as CloudWatch names it: `us-east-1`.
    #[must_use]
    pub fn region(&self) -> &str {
        &self.region
    }

    /// The value of CloudWatch's `ModelId` dimension.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The series of those requests to the same model that were served latency-optimized. It is watched like any other; by its name it
    /// is found from this one, and nothing else is made of the name.
    #[must_use]
    pub fn latency_optimized(&self) -> Self {
        self.sibling(&format!("{}{LATENCY_OPTIMIZED}", self.model))
    }

    /// The series of another model in the same Region of the same account.
    #[must_use]
    pub fn sibling(&self, model: &str) -> Self {
        Self { account: self.account.clone(), region: self.region.clone(), model: model.into() }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.account, self.region, self.model)
    }
}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not `account/region/model`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSeriesError(String);

impl fmt::Display for ParseSeriesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a series: account/region/model was expected", self.0)
    }
}

impl std::error::Error for ParseSeriesError {}

impl FromStr for Series {
    type Err = ParseSeriesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.splitn(3, '/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(account), Some(region), Some(model))
                if !account.is_empty() && !region.is_empty() && !model.is_empty() =>
            {
                Ok(Self::new(account, region, model))
            }
            _ => Err(ParseSeriesError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_may_contain_slashes() {
        let arn = "111122223333/eu-west-1/arn:aws:bedrock:eu-west-1:111122223333:inference-profile/abc";
        let series: Series = arn.parse().unwrap();
        assert_eq!(series.model(), "arn:aws:bedrock:eu-west-1:111122223333:inference-profile/abc");
        assert_eq!(series.to_string(), arn);
    }

    #[test]
    fn an_unknown_account_is_a_dash() {
        assert_eq!(Series::new("", "us-east-1", "m").to_string(), "-/us-east-1/m");
    }

    #[test]
    fn the_twin_is_in_the_same_place() {
        let series: Series = "111122223333/us-east-2/us.amazon.nova-pro-v1:0".parse().unwrap();
        let twin = "111122223333/us-east-2/us.amazon.nova-pro-v1:0+latency-optimized";
        assert_eq!(series.latency_optimized().to_string(), twin);
    }

    #[test]
    fn parts_must_be_there() {
        for text in ["", "a", "a/b", "a//c", "/b/c", "a/b/"] {
            assert!(text.parse::<Series>().is_err(), "{text}");
        }
    }
}
