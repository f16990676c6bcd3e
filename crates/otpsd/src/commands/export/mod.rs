//! What otpsd knows, in the words of AWS: the policy that it needs, and native alarms and a dashboard with what it learned.
//!
//! # Layout
//!
//! - `permissions`: what a configuration must be allowed.
//! - `policy`, `terraform`: that as a policy document, and for Terraform.
//! - `learned`: what is usual at the end of a recording.
//! - `alarms`: the alarms of a template of CloudFormation.
//! - `template`: the template around them.
//! - `dashboard`: the body of a dashboard.

mod alarms;
mod dashboard;
mod learned;
mod permissions;
mod policy;
mod template;
mod terraform;

use std::io::{self, Write as _};

use anyhow::Result;
use domain::{ExitCode, Plan};

use crate::cli::{ExportCommand, IamPolicyArgs, PolicyFormat};
use crate::commands::{complain, configuration};

pub(crate) fn run(command: &ExportCommand) -> Result<ExitCode> {
    let text = match command {
        ExportCommand::IamPolicy(args) => iam_policy(args),
        ExportCommand::CloudwatchAlarms(args) => learned::read(args).and_then(|all| template::yaml(&all)),
        ExportCommand::CloudwatchDashboard(args) => learned::read(args).and_then(|all| dashboard::json(&all)),
    };
    match text {
        Ok(text) => print(&text),
        Err(code) => Ok(code),
    }
}

fn print(text: &str) -> Result<ExitCode> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::Success),
    }
}

fn iam_policy(args: &IamPolicyArgs) -> Result<String, ExitCode> {
    let plan = configuration::read(&args.config, config::Purpose::Check)?;
    let statements = match &args.source {
        None => permissions::needed(&plan, |_| true),
        Some(name) => {
            let profile = profile_of(&plan, name)?;
            permissions::needed(&plan, |other| other == profile)
        }
    };
    if statements.is_empty() {
        complain(
            "this configuration calls nothing of AWS, so it needs no policy",
            Some(
                "a policy is needed for [source.cloudwatch.NAME], for channels of the kinds sns and opsitem, and for [heartbeat.cloudwatch]",
            ),
        );
        return Err(ExitCode::CannotRun);
    }
    Ok(match args.format {
        PolicyFormat::Json => policy::json(&statements),
        PolicyFormat::Terraform => terraform::hcl(&statements),
    })
}

/// The profile of a source, which says whose credentials it is read with; `None` for those that the process has.
fn profile_of<'a>(plan: &'a Plan, name: &str) -> Result<Option<&'a str>, ExitCode> {
    let source = plan.sources.iter().find(|source| source.name() == name);
    match source {
        Some(domain::SourcePlan::CloudWatch(source)) => Ok(source.profile.as_deref()),
        None => {
            let names: Vec<_> = plan.sources.iter().map(domain::SourcePlan::name).collect();
            let hint = match names.as_slice() {
                [] => "it has none".to_owned(),
                names => format!("it has {}", names.join(", ")),
            };
            complain(&format!("the configuration has no source {name:?}"), Some(&hint));
            Err(ExitCode::CannotRun)
        }
    }
}
