//! What is asked of a source in one Region: who asks, which models there are, and one period of one of them.

use domain::{CloudWatchPlan, Failure, MetricSet, Period, ReadRequest, Series, Source as _, SourceError};
use jiff::Timestamp;
use notifier::probe::{Answered, Unanswered};
use poller::CloudWatch;

/// A model that nobody has: what may not be read of it may not be read of others.
const NO_MODEL: &str = "otpsd-looks";

/// One Region of a source.
pub(super) struct Place {
    plan: CloudWatchPlan,
    source: CloudWatch,
}

/// Every Region of a source.
pub(super) async fn places(plan: &CloudWatchPlan) -> Vec<Place> {
    let opened = CloudWatch::open_all(plan).await;
    opened.into_iter().map(|source| Place { plan: plan.clone(), source }).collect()
}

impl Place {
    pub(super) fn what(&self) -> String {
        format!("source {} in {}", self.plan.name, self.source.region())
    }

    pub(super) fn table(&self) -> String {
        format!("source.cloudwatch.{}", self.plan.name)
    }

    pub(super) async fn ask(self) -> Result<Answered, Unanswered> {
        self.has_external_id()?;
        let who = self.who().await?;
        let account = self.source.account().await.map_err(failed)?;
        let found = self.source.discover().await.map_err(failed)?;
        let one = found.first().cloned();
        let one = one.unwrap_or_else(|| Series::new(&account, self.source.region(), NO_MODEL));
        let period = Period::last_ended(Timestamp::now()) - 1;
        let request =
            ReadRequest { series: vec![one], from: period, until: period + 1, metrics: MetricSet::Decode };
        let answer = self.source.read(&request).await.map_err(failed)?;
        if let Some(error) = answer.error {
            return Err(failed(error));
        }
        if !answer.incomplete.is_empty() {
            return Err(Unanswered {
                message: "GetMetricData does not answer whole".to_owned(),
                hint: Some(
                    "try again; if it stays, look at the AWS Health Dashboard of the Region".to_owned(),
                ),
            });
        }
        let models = match found.len() {
            0 => "no model that streams".to_owned(),
            1 => "1 model that streams".to_owned(),
            some => format!("{some} models that stream"),
        };
        Ok(Answered { said: format!("{models}, in account {account}{who}"), not_checked: None })
    }

    /// Who asks, where STS says so. A network without a way to STS does not need one if the account is given.
    async fn who(&self) -> Result<String, Unanswered> {
        let given = self.plan.account_id.as_deref();
        match self.source.caller().await {
            Ok((account, arn)) => match given.filter(|given| *given != account) {
                Some(given) if !self.plan.linked_accounts => Err(Unanswered {
                    message: format!("`account-id` is {given}, and the credentials are of {account}: {arn}"),
                    hint: Some(
                        "correct `account-id`, or look at `profile` and `role-arn`: series would be shown under an account that \
                         they are not of"
                            .to_owned(),
                    ),
                }),
                _ if arn.is_empty() => Ok(String::new()),
                _ => Ok(format!(", as {arn}")),
            },
            Err(error) if given.is_some() && is_of_network(&error) => Ok(", as given".to_owned()),
            Err(error) => Err(failed(error)),
        }
    }

    /// A look at a configuration puts an empty secret in the place of one that is not there.
    fn has_external_id(&self) -> Result<(), Unanswered> {
        let external_id = self.plan.role.as_ref().and_then(|role| role.external_id.as_ref());
        if external_id.is_some_and(|id| id.expose().is_empty()) {
            return Err(Unanswered {
                message: "its `external-id` is not there, and its role asks for it".to_owned(),
                hint: Some("set the variable or the file that it names".to_owned()),
            });
        }
        Ok(())
    }
}

fn is_of_network(error: &SourceError) -> bool {
    matches!(error.failure, Failure::Network | Failure::Timeout)
}

fn failed(error: SourceError) -> Unanswered {
    Unanswered { message: error.message, hint: error.hint }
}
