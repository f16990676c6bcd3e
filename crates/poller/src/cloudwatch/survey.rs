//! Everybody who has traffic, watched or not.

use domain::{Metric, Series, SourceError};

use super::CloudWatch;
use super::discover::models_with;
use super::failure::Operation;

impl CloudWatch {
    /// All models that have an `InvocationLatency` of their own, sorted: also those that do not stream, and those that
    /// `include` and `ignore` leave out.
    ///
    /// # Errors
    ///
    /// When the account or the models cannot be asked for.
    pub async fn survey(&self) -> Result<Vec<Series>, SourceError> {
        let account = self.account.id(self.place(Operation::GetCallerIdentity)).await?;
        let models = models_with(self, Metric::InvocationLatency.name()).await?;
        Ok(models.into_iter().map(|model| Series::new(&account, &self.region, &model)).collect())
    }
}
