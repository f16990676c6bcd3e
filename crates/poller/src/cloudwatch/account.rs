//! Whose metrics they are.

use std::sync::{Arc, OnceLock};

use aws_config::SdkConfig;
use domain::{Failure, SourceError};

use super::failure::Place;

/// The account of a source: given, or asked for once.
#[derive(Debug)]
pub(super) struct Account {
    given: Option<String>,
    /// What any Region has learned; shared by all Regions of the source.
    known: Arc<OnceLock<String>>,
    sts: aws_sdk_sts::Client,
}

impl Account {
    pub(super) fn new(given: Option<String>, known: Arc<OnceLock<String>>, config: &SdkConfig) -> Self {
        Self { given, known, sts: aws_sdk_sts::Client::new(config) }
    }

    /// The twelve digits. Regions ask for themselves and do not wait for each other's answer.
    pub(super) async fn id(&self, place: Place<'_>) -> Result<String, SourceError> {
        if let Some(id) = self.given.as_ref().or_else(|| self.known.get()) {
            return Ok(id.clone());
        }
        let (id, _) = self.caller(place).await?;
        Ok(self.known.get_or_init(|| id).clone())
    }

    /// The account and the ARN of whoever signs, as STS knows them.
    pub(super) async fn caller(&self, place: Place<'_>) -> Result<(String, String), SourceError> {
        let identity = self.sts.get_caller_identity().send().await.map_err(|error| {
            let error = place.failed(&error);
            match error.failure {
                // The way to STS may not be the way to CloudWatch: a network without one needs no other permission for this.
                Failure::Network | Failure::Timeout => SourceError {
                    hint: Some(
                        "give the source its `account-id`, and STS is not asked; or look at the route to STS"
                            .to_owned(),
                    ),
                    ..error
                },
                _ => error,
            }
        })?;
        let id = identity.account().filter(|id| !id.is_empty()).ok_or_else(|| {
            place.error(
                Failure::Malformed,
                "the answer names no account",
                "give the source its `account-id`, or look at what answers at its `endpoint-url`",
            )
        })?;
        Ok((id.to_owned(), identity.arn().unwrap_or_default().to_owned()))
    }
}
