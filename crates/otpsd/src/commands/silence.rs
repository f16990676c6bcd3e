//! Silences of the running daemon.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;
use domain::ExitCode;
use jiff::Timestamp;

use crate::app::control::{Request, SilenceLine};
use crate::cli::{AddArgs, ExpireArgs, ListArgs, SilenceCommand, StatusFormat};
use crate::commands::ask;
use crate::commands::who::who;

pub(crate) fn run(command: &SilenceCommand) -> Result<ExitCode> {
    let (config, request, format) = match command {
        SilenceCommand::Add(args) => (&args.config, add(args), None),
        SilenceCommand::List(ListArgs { config, format }) => {
            (config, Request::new("silence_list"), Some(*format))
        }
        SilenceCommand::Expire(ExpireArgs { id, config, author }) => {
            let (id, who) = (Some(id.clone()), Some(who(author.as_deref())));
            (config, Request { id, who, ..Request::new("silence_expire") }, None)
        }
    };
    let silences = match asked(config, &request) {
        Ok(silences) => silences,
        Err(code) => return Ok(code),
    };
    let mut out = io::stdout().lock();
    match format {
        Some(StatusFormat::Json) => writeln!(out, "{}", serde_json::to_string_pretty(&silences)?)?,
        Some(StatusFormat::Table) => write!(out, "{}", table(&silences))?,
        None => {
            for silence in &silences {
                let SilenceLine { id, until, .. } = silence;
                let verb = if request.command == "silence_expire" { "ended" } else { "silent until" };
                writeln!(out, "{id}  {verb} {until}: {}", silence.about())?;
            }
        }
    }
    Ok(ExitCode::Success)
}

fn asked(config: &Path, request: &Request) -> Result<Vec<SilenceLine>, ExitCode> {
    Ok(ask::done(config, request)?.silences.unwrap_or_default())
}

fn add(args: &AddArgs) -> Request {
    let from = args.from.unwrap_or_else(Timestamp::now);
    let ends = args.length.map(|length| from.saturating_add(length).unwrap_or(Timestamp::MAX));
    let until = args.until.or(ends).unwrap_or(from);
    let silence = SilenceLine {
        id: String::new(),
        models: args.model.clone(),
        accounts: args.account.clone(),
        regions: args.region.clone(),
        causes: args.cause.clone(),
        labels: args.label.iter().cloned().collect(),
        author: who(args.author.as_deref()),
        comment: args.comment.clone(),
        from: args.from.map(|from| from.to_string()),
        until: until.to_string(),
    };
    Request { silence: Some(silence), ..Request::new("silence_add") }
}

fn table(silences: &[SilenceLine]) -> String {
    if silences.is_empty() {
        return "nothing is silent\n".to_owned();
    }
    let mut rows = comfy_table::Table::new();
    rows.load_style(comfy_table::presets::NOTHING);
    rows.set_header(["ID", "UNTIL", "WHO", "ABOUT", "WHY"]);
    for silence in silences {
        rows.add_row([
            silence.id.clone(),
            silence.until.clone(),
            silence.author.clone(),
            silence.about(),
            silence.comment.clone(),
        ]);
    }
    format!("{rows}\n")
}
