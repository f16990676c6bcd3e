//! Where it is looked: in the sources of a configuration, or in Regions with the credentials of the environment.

use aws_config::BehaviorVersion;
use config::{File, ProcessEnvironment, Purpose};
use domain::{ExitCode, Plan};

use crate::cli::DiscoverArgs;
use crate::commands::{configuration, failed, runtime};

/// The name of the source that a configuration would have.
const NAME: &str = "main";

/// The configuration, or one that has nothing but a source in the given Regions.
pub(super) fn plan(args: &DiscoverArgs) -> Result<Plan, ExitCode> {
    if let Some(config) = &args.config {
        return configuration::read_quietly(config);
    }
    let regions = if args.regions.is_empty() { vec![own_region()?] } else { args.regions.clone() };
    let mut text = format!("[source.cloudwatch.{NAME}]\nregions = {regions:?}\n");
    if let Some(profile) = &args.profile {
        text += &format!("profile = {profile:?}\n");
    }
    let file = File { path: "the command line".into(), text };
    let read = config::read(&[file], Purpose::Backtest, &ProcessEnvironment);
    read.plan.ok_or_else(|| {
        let said = read.problems.first().map_or_else(String::new, |problem| problem.message.clone());
        failed(&said, Some("a Region is written as in --region us-east-1"))
    })
}

/// The Region of the environment, or of the profile there.
fn own_region() -> Result<String, ExitCode> {
    let runtime = runtime().map_err(|error| failed(&error, None))?;
    let loaded = runtime.block_on(aws_config::defaults(BehaviorVersion::latest()).load());
    loaded.region().map(ToString::to_string).ok_or_else(|| {
        failed(
            &"no Region is given, and none is in the environment",
            Some("name one or several, as in --region us-east-1, or a configuration with --config"),
        )
    })
}
