//! The arguments of `export`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum ExportCommand {
    /// The least that this configuration must be allowed in AWS
    IamPolicy(IamPolicyArgs),
    /// The nearest native alarm of each series, with the learned threshold, as a CloudFormation template
    CloudwatchAlarms(LearnedArgs),
    /// The body of a CloudWatch dashboard: of each series OTPS with its threshold, latency, first token, tokens and throttles
    CloudwatchDashboard(LearnedArgs),
}

#[derive(Debug, Args)]
pub(crate) struct IamPolicyArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Only what is called with the credentials of this source, which are those of its role if it has one; if not given, all that is
    /// called by whoever runs otpsd
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Who may assume the role of the source, instead of what it may do
    #[arg(long, requires_all = ["source", "principal"], conflicts_with = "check_live")]
    pub(crate) trust: bool,
    /// Whoever runs otpsd, as a trust policy names it: the ARN of a role or user, or an account
    #[arg(long, value_name = "ARN", requires = "source", value_parser = principal)]
    pub(crate) principal: Option<String>,
    /// Also what `check --live` asks for, and the daemon does not
    #[arg(long)]
    pub(crate) check_live: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = PolicyFormat::Json)]
    pub(crate) format: PolicyFormat,
}

/// What IAM takes as a principal that is not a service.
fn principal(text: &str) -> Result<String, String> {
    let is_account = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.splitn(6, ':').collect();
    match parts.as_slice() {
        [account] if is_account(account) => Ok(text.to_owned()),
        ["arn", _, "iam", "", account, who]
            if is_account(account)
                && (*who == "root" || who.starts_with("role/") || who.starts_with("user/")) =>
        {
            Ok(text.to_owned())
        }
        ["arn", _, "sts", ..] => {
            Err("expected the ARN of the role itself, not of a session of it".to_owned())
        }
        _ => Err("expected an ARN such as arn:aws:iam::111122223333:role/otpsd, or an account".to_owned()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyFormat {
    /// A policy document
    Json,
    /// A data source and a resource of Terraform
    Terraform,
}

#[derive(Debug, Args)]
pub(crate) struct LearnedArgs {
    /// The configuration, whose rules judge the recordings
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// Recordings to learn from: .csv, .csv.gz, .csv.zst, or the JSON of `aws cloudwatch get-metric-data`
    #[arg(value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_is_a_role_a_user_or_an_account() {
        for text in [
            "arn:aws:iam::111122223333:role/ops/otpsd",
            "arn:aws-cn:iam::111122223333:user/otpsd",
            "arn:aws:iam::111122223333:root",
            "111122223333",
        ] {
            assert_eq!(principal(text), Ok(text.to_owned()));
        }
        for text in ["*", "otpsd", "arn:aws:sts::111122223333:assumed-role/otpsd/i-1", "1111"] {
            assert!(principal(text).is_err(), "{text}");
        }
    }
}
