//! What otpsd knows, in the words of AWS: the policy that it needs, and native alarms and a dashboard with what it learned.
//!
//! # Layout
//!
//! - `permissions`: what a configuration must be allowed.
//! - `trust`: who may assume the role of a source.
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
mod trust;

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use anyhow::Result;
use domain::{ExitCode, Plan};

use self::permissions::Whose;
use self::trust::Trust;
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
    let source = args.source.as_deref().map(|name| source_of(&plan, name)).transpose()?;
    let role = source.and_then(|source| source.role.as_ref());
    let whose = match (source, role) {
        (None, _) => Whose::Runner,
        (Some(_), Some(role)) => Whose::Role(&role.arn),
        (Some(source), None) => Whose::Profile(source.profile.as_deref()),
    };
    let trust = role.map(|role| Trust { role, principal: args.principal.as_deref() });
    if let (Some(source), None, true) = (source, trust, args.trust || args.principal.is_some()) {
        let what = format!("source `{}` assumes no role, so that nobody need be let into one", source.name);
        complain(&what, Some("leave out --trust and --principal, or give the source its `role-arn`"));
        return Err(ExitCode::CannotRun);
    }
    let statements = permissions::needed(&plan, whose, args.check_live);
    if statements.is_empty() {
        complain(
            "this configuration calls nothing of AWS, so it needs no policy",
            Some(
                "a policy is needed for [source.cloudwatch.NAME], for channels of the kinds sns and opsitem, and for [heartbeat.cloudwatch]",
            ),
        );
        return Err(ExitCode::CannotRun);
    }
    if source.is_none() {
        note_roles(&plan);
    }
    Ok(match (args.format, trust) {
        (PolicyFormat::Json, Some(trust)) if args.trust => trust.json(),
        (PolicyFormat::Json, _) => policy::json(&statements),
        (PolicyFormat::Terraform, Some(trust)) => terraform::role(&statements, trust),
        (PolicyFormat::Terraform, None) => terraform::hcl(&statements),
    })
}

/// Says how to print what the roles of sources need, each in its own account.
fn note_roles(plan: &Plan) {
    let mut told = BTreeSet::new();
    for domain::SourcePlan::CloudWatch(source) in &plan.sources {
        if let Some(role) = source.role.as_ref().filter(|role| told.insert(role.arn.as_str())) {
            anstream::eprintln!(
                "note: {} has a policy of its own: --source {}, and with --trust --principal ARN who may assume it",
                role.arn,
                source.name
            );
        }
    }
}

/// The source of that name, whose profile and role say with whose credentials it is read.
fn source_of<'a>(plan: &'a Plan, name: &str) -> Result<&'a domain::CloudWatchPlan, ExitCode> {
    match plan.source(name) {
        Some(domain::SourcePlan::CloudWatch(source)) => Ok(source),
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
