//! Where the history comes from: recordings, or CloudWatch.

use std::path::PathBuf;

use anyhow::Result;
use domain::{ExitCode, Plan};
use jiff::SignedDuration;
use poller::Recording;

use crate::cli::BacktestArgs;
use crate::commands::failed;
use crate::history::{self, Wanted};

/// The history, and what it is called.
pub(super) struct Past {
    pub(super) recording: Recording,
    /// The names of its files without their folders, or that it is what CloudWatch has.
    pub(super) names: Vec<String>,
    /// What of it could not be read, in words.
    pub(super) lacking: Option<String>,
}

impl Past {
    /// Reads what the arguments name. From CloudWatch it reads what the sources of all `plans` reach, each once: a series that is not watched
    /// any more must be seen to be missed.
    pub(super) fn read(args: &BacktestArgs, plans: &[&Plan]) -> Result<std::result::Result<Self, ExitCode>> {
        let Some(since) = args.since else { return Ok(Self::recorded(&args.recordings)) };
        let wanted = match Self::wanted(args, since, plans) {
            Ok(wanted) => wanted,
            Err(code) => return Ok(Err(code)),
        };
        let read = history::recording(&wanted)?;
        Ok(read.map(|(recording, outcome)| {
            let left_out: usize = outcome.regions.iter().map(|region| region.left_out.len()).sum();
            let unread =
                outcome.regions.iter().filter(|region| region.whole.is_empty() && region.error.is_some());
            let unread: Vec<String> =
                unread.map(|region| format!("source {} in {}", region.source, region.region)).collect();
            let lacking = match (left_out, unread.is_empty()) {
                (0, true) => None,
                (some, true) => Some(format!("{some} series were not read whole and are left out")),
                (_, false) => Some(format!("nothing was read of {}", unread.join(", "))),
            };
            let whose = args.source.as_ref().map(|name| format!(" of source {name}")).unwrap_or_default();
            Self { recording, names: vec![format!("CloudWatch{whose}")], lacking }
        }))
    }

    fn recorded(files: &[PathBuf]) -> std::result::Result<Self, ExitCode> {
        let recording = Recording::read(files).map_err(|error| failed(&error, error.hint.as_deref()))?;
        let name = |file: &PathBuf| {
            file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into())
        };
        Ok(Self { recording, names: files.iter().map(name).collect(), lacking: None })
    }

    fn wanted(
        args: &BacktestArgs,
        since: SignedDuration,
        plans: &[&Plan],
    ) -> std::result::Result<Wanted, ExitCode> {
        let name = args.source.as_deref();
        // Whichever has the source; that none has it is told of the first.
        let has =
            |plan: &&&Plan| plan.sources.iter().any(|source| name.is_none_or(|name| source.name() == name));
        let those: Vec<&&Plan> = plans.iter().filter(has).collect();
        let mut wanted: Option<Wanted> = None;
        for plan in if those.is_empty() { plans.iter().take(1).collect() } else { those } {
            let own = Wanted::of(plan, name, since, args.until)?;
            match &mut wanted {
                None => wanted = Some(own),
                Some(wanted) => {
                    // Two that read the same would only ask twice who is there.
                    let seen = |one: &domain::CloudWatchPlan| {
                        let same =
                            |other: &domain::CloudWatchPlan| format!("{one:?}") == format!("{other:?}");
                        wanted.sources.iter().any(same)
                    };
                    let more: Vec<_> = own.sources.into_iter().filter(|one| !seen(one)).collect();
                    wanted.sources.extend(more);
                }
            }
        }
        wanted.ok_or(ExitCode::CannotRun)
    }
}
