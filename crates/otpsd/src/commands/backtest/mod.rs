//! What a configuration would have done on history, and what it would do otherwise than another one.
//!
//! # Layout
//!
//! - `past`: where the history comes from; `gaps`: what of it was not seen.
//! - `hindsight`: what a backtest finds, as a value.
//! - `replaying`, `watching`, `telling`: how it is found: engines are driven, looked at, and asked whom they would have woken.
//! - `watched`: which series of the history a configuration is about.
//! - `two`, `comparing`, `blame`: two configurations: which pages are the same, and which line makes the others differ.
//! - `table`, `jsonl`, `markdown`, `html`: how it is said; `words`: what several of these say alike.
//! - `progress`: how far it is.

mod blame;
mod comparing;
mod gaps;
mod hindsight;
mod html;
mod jsonl;
mod markdown;
mod past;
mod progress;
mod replaying;
mod table;
mod telling;
mod two;
mod watched;
mod watching;
mod words;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use config::{Origins, Purpose};
use domain::{ExitCode, Period, Plan, Span};

use self::gaps::Gap;
use self::hindsight::{Comparison, Hindsight, Kind};
use self::past::Past;
use self::progress::Progress;
use self::replaying::{Detail, replay, steps_of};
use self::two::{Side, Two};
use self::watched::Watched;
use super::against::{self, Former};
use crate::cli::{BacktestArgs, BacktestFormat};
use crate::commands::plan::{Changes, Fleet, Picture};
use crate::commands::{configuration, failed};

/// All that is said.
struct Backtest<'b> {
    args: &'b BacktestArgs,
    plan: &'b Plan,
    origins: &'b Origins,
    past: &'b Past,
    gaps: Vec<Gap>,
    found: Found<'b>,
}

/// What one configuration would have done, or two.
enum Found<'b> {
    One(Hindsight),
    Two { former: &'b Former, comparison: Box<Comparison>, changes: Changes },
}

impl Backtest<'_> {
    /// What the configuration that is looked at would have done.
    fn hindsight(&self) -> &Hindsight {
        match &self.found {
            Found::One(hindsight) => hindsight,
            Found::Two { comparison, .. } => &comparison.after,
        }
    }

    /// Whether the answer is no: something pages, or does not page as before.
    fn is_no(&self) -> bool {
        match &self.found {
            Found::One(hindsight) => hindsight.paging().next().is_some(),
            Found::Two { comparison, .. } => {
                comparison.count(Kind::Lost) + comparison.count(Kind::Gained) > 0
            }
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self.args.format {
            BacktestFormat::Table => table::write(out, self),
            BacktestFormat::Jsonl => jsonl::write(out, self),
            BacktestFormat::Html => html::write(out, self),
            BacktestFormat::Markdown => out.write_all(markdown::markdown(self).as_bytes()),
        }
    }
}

pub(crate) fn run(args: &BacktestArgs) -> Result<ExitCode> {
    // To be read, a source may need secrets; a recording needs none.
    let purpose = if args.since.is_some() { Purpose::Check } else { Purpose::Backtest };
    let read = match purpose {
        Purpose::Backtest => configuration::read_with_origins(&args.config, purpose),
        _ => configuration::read_quietly_with_origins(&args.config),
    };
    let (plan, origins) = match read {
        Ok(read) => read,
        Err(code) => return Ok(code),
    };
    let former = match args.against.as_deref().map(|old| against::read(old, purpose)).transpose() {
        Ok(former) => former,
        Err(code) => return Ok(code),
    };
    let plans: Vec<&Plan> = std::iter::once(&plan).chain(former.as_ref().map(|one| &one.plan)).collect();
    let past = match Past::read(args, &plans)? {
        Ok(past) => past,
        Err(code) => return Ok(code),
    };
    let fleet = Fleet::of_recording(&past.recording, past.names.clone());
    let progress = Progress::new();
    let found = match &former {
        None => Found::One(one(&plan, &past, &fleet, detail(args), &progress)),
        Some(former) => two((&plan, &origins), former, &past, &fleet, detail(args), &progress),
    };
    progress.end();
    let gaps = gaps::gaps(&past.recording);
    let backtest = Backtest { args, plan: &plan, origins: &origins, past: &past, gaps, found };
    let code = if args.fail_on_page && backtest.is_no() { ExitCode::No } else { ExitCode::Success };
    let written = match &args.out {
        None => print(&backtest),
        Some(path) => return Ok(save(&backtest, path).map_or_else(|failed| failed, |()| code)),
    };
    match written {
        // Whoever reads no further has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(code),
    }
}

fn print(backtest: &Backtest<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    backtest.write(&mut out)?;
    out.flush()
}

/// Into a file, which is there whole or as it was before.
fn save(backtest: &Backtest<'_>, path: &Path) -> std::result::Result<(), ExitCode> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let written = tempfile::Builder::new().prefix(".otpsd-backtest-").tempfile_in(folder).and_then(|file| {
        let mut out = BufWriter::new(file);
        backtest.write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        readable(file.as_file())?;
        file.persist(path).map_err(|error| error.error)
    });
    written.map(|_| ()).map_err(|error| {
        let what = format!("{} cannot be written: {error}", path.display());
        failed(&what, Some("look at the folder, its rights and the space that is left"))
    })
}

/// A temporary file is for its owner alone; a report is for whoever may look into the folder.
fn readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// What is looked for.
fn detail(args: &BacktestArgs) -> Detail {
    if args.format == BacktestFormat::Html { Detail::Charts } else { Detail::Said }
}

fn span(past: &Past) -> Span {
    let nothing = Period::from_index(0);
    past.recording.span().unwrap_or(Span { from: nothing, until: nothing })
}

fn one(plan: &Plan, past: &Past, fleet: &Fleet, detail: Detail, progress: &Progress) -> Hindsight {
    let watched = Watched::of(plan, fleet);
    note_what_is_left_out(&watched, past);
    progress.expect(steps_of(&past.recording, span(past)));
    replay(plan, &past.recording, &watched, span(past), detail, progress)
}

fn two<'b>(
    (plan, origins): (&Plan, &Origins),
    former: &'b Former,
    past: &Past,
    fleet: &Fleet,
    detail: Detail,
    progress: &Progress,
) -> Found<'b> {
    let (old, new) = Watched::of_both(&former.plan, plan, fleet);
    note_what_is_left_out(&new, past);
    let two = Two {
        old: Side { plan: &former.plan, origins: &former.origins, watched: old },
        new: Side { plan, origins, watched: new },
        series: past.recording.series(),
        span: span(past),
    };
    progress.expect(2 * steps_of(&past.recording, two.span));
    let run = |side: &Side<'_>| replay(side.plan, &past.recording, &side.watched, two.span, detail, progress);
    let mut comparison = comparing::compare(run(&two.old), run(&two.new));
    blame::blame(&two, &past.recording, &mut comparison, progress);
    let pictures = [&two.old, &two.new].map(|side| Picture::of(side.plan, side.origins, fleet));
    let changes = Changes::between(&pictures[0], &pictures[1], true);
    Found::Two { former, comparison: Box::new(comparison), changes }
}

/// Says which part of the history is not judged, and why.
fn note_what_is_left_out(watched: &Watched, past: &Past) {
    let (all, left_out) = (past.recording.series().len(), watched.left_out());
    if watched.elsewhere {
        anstream::eprintln!(
            "note: no source of the configuration reads any of the {all} series of the recording; all of them are judged"
        );
    } else if left_out > 0 {
        anstream::eprintln!(
            "note: {left_out} of the {all} series of the recording are not judged: no source of the configuration watches them"
        );
    }
}
