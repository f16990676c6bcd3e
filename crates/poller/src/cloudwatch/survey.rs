//! Everybody who has traffic, watched or not.

use domain::{Metric, Series, SourceError};

use super::CloudWatch;
use super::discover::series_with;

impl CloudWatch {
    /// All models that have an `InvocationLatency` of their own, sorted: also those that do not stream, and those that
    /// `include` and `ignore` leave out.
    ///
    /// # Errors
    ///
    /// When the account or the models cannot be asked for.
    pub async fn survey(&self) -> Result<Vec<Series>, SourceError> {
        let account = self.own_account().await?;
        let found = series_with(self, &account, Metric::InvocationLatency.name()).await?;
        Ok(found.into_iter().collect())
    }
}
