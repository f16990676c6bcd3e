//! What a configuration comes to before it runs: who is watched, by which rule, who is told, and what that costs; and what of it is
//! otherwise than with another one.
//!
//! # Layout
//!
//! - `fleet`: which series there are.
//! - `watching`: which source watches which of them.
//! - `rules`, `telling`, `cost`: what they are judged by, who is told, and what CloudWatch takes for it.
//! - `warning`: what is valid and probably not meant.
//! - `picture`: all of that for one configuration.
//! - `changes`: what is otherwise than with another one.
//! - `text`, `json`, `markdown`, `words`: how that is said.

mod changes;
mod cost;
mod fleet;
mod json;
mod markdown;
mod picture;
mod rules;
mod telling;
mod text;
mod warning;
mod watching;
mod words;

use std::io::{self, Write as _};

use anyhow::Result;
use config::Purpose;
use domain::ExitCode;

pub(super) use self::changes::Changes;
pub(super) use self::fleet::Fleet;
pub(super) use self::markdown::numbered;
pub(super) use self::picture::Picture;
pub(super) use self::rules::{alike, whence};
pub(super) use self::telling::{Kind, Told};
pub(super) use self::text::keys;
pub(super) use self::watching::{Watching, Why};
pub(super) use self::words::{dollars, more_dollars};
use super::against::{self, Former};
use super::configuration;
use crate::cli::{PlanArgs, PlanFormat};

/// All that is said.
struct Planned<'p> {
    /// The configuration, as its path was given.
    config: String,
    former: Option<&'p Former>,
    fleet: &'p Fleet,
    new: &'p Picture<'p>,
    old: Option<&'p Picture<'p>>,
    changes: Option<Changes>,
}

impl Planned<'_> {
    /// What it is compared with.
    fn against(&self) -> String {
        self.former.map(ToString::to_string).unwrap_or_default()
    }
}

pub(crate) fn run(args: &PlanArgs) -> Result<ExitCode> {
    let (plan, origins) = match configuration::read_quietly_with_origins(&args.config) {
        Ok(read) => read,
        Err(code) => return Ok(code),
    };
    let former = match args.against.as_deref().map(|old| against::read(old, Purpose::Check)).transpose() {
        Ok(former) => former,
        Err(code) => return Ok(code),
    };
    let plans: Vec<_> =
        [Some(&plan), former.as_ref().map(|former| &former.plan)].into_iter().flatten().collect();
    let fleet = match Fleet::read(args, &plans) {
        Ok(fleet) => fleet,
        Err(code) => return Ok(code),
    };
    let new = Picture::of(&plan, &origins, &fleet);
    let old = former.as_ref().map(|former| Picture::of(&former.plan, &former.origins, &fleet));
    let changes = old.as_ref().map(|old| Changes::between(old, &new, fleet.is_known()));
    let planned = Planned {
        config: args.config.display().to_string(),
        former: former.as_ref(),
        fleet: &fleet,
        new: &new,
        old: old.as_ref(),
        changes,
    };
    let text = match args.format {
        PlanFormat::Text => text::text(&planned),
        PlanFormat::Json => json::json(&planned)?,
        PlanFormat::Markdown => markdown::markdown(&planned),
    };
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::Success),
    }
}
