//! Silences of the running daemon.

use std::io::{self, Write as _};

use anyhow::Result;
use domain::ExitCode;

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
    let answer = match ask::done(config, &request) {
        Ok(answer) => answer,
        Err(code) => return Ok(code),
    };
    let silences = answer.silences.unwrap_or_default();
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
            for line in answer.done.unwrap_or_default() {
                anstream::eprintln!("{line}");
            }
        }
    }
    Ok(ExitCode::Success)
}

fn add(args: &AddArgs) -> Request {
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
        until: args.until.map(|until| until.to_string()).unwrap_or_default(),
        for_seconds: args.length.map(|length| length.as_secs()),
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
