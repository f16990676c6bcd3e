//! What commands ask that no poll does: everybody who has traffic, watched or not, and who it is that asks.

use domain::{Metric, Series, SourceError};

use super::CloudWatch;
use super::discover::series_with;
use super::failure::Operation;

impl CloudWatch {
    /// The account and the ARN of whoever signs, asked of STS, also where the plan names the account.
    ///
    /// # Errors
    ///
    /// When there are no credentials, or STS does not answer.
    pub async fn caller(&self) -> Result<(String, String), SourceError> {
        self.account.caller(self.place(Operation::GetCallerIdentity)).await
    }

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
