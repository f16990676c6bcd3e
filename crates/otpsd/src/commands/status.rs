//! Asks the running daemon how it is doing.

use std::io::{self, Write as _};

use anyhow::Result;
use domain::{Cause, ExitCode};

use crate::app::control::{HistoryLine, SeriesLine, Status};
use crate::cli::{StatusArgs, StatusFormat};
use crate::commands::ask;

pub(crate) fn run(args: &StatusArgs) -> Result<ExitCode> {
    let status = match ask::status(&args.config) {
        Ok(status) => status,
        Err(code) => return Ok(code),
    };
    let mut out = io::stdout().lock();
    match args.format {
        StatusFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(&status)?)?,
        StatusFormat::Table => write!(out, "{}", table(&status))?,
    }
    let well = status
        .sources
        .iter()
        .all(|source| source.failure.is_none() && source.limited.is_none() && source.last_success.is_some());
    // Names that nobody calls look like peace.
    let heard = |one: &SeriesLine| {
        one.last_data.is_some() && !one.tickets.iter().any(|cause| cause == Cause::NoData.as_str())
    };
    let well = well && !status.series.is_empty() && status.series.iter().all(heard);
    Ok(if well { ExitCode::Success } else { ExitCode::No })
}

fn table(status: &Status) -> String {
    let mut text = format!("otpsd {}, since {}, now {}\n\n", status.version, status.started, status.now);
    for source in &status.sources {
        let last = source.last_success.as_deref().unwrap_or("never");
        text.push_str(&format!("source {} {}: last read {last}\n", source.name, source.region));
        if let Some(HistoryLine { read, of }) = source.history {
            text.push_str(&format!("  reading history: {read} of {of} series\n"));
        }
        for failure in source.failure.iter().chain(&source.limited) {
            text.push_str(&format!("  {} since {}: {}\n", failure.kind, failure.since, failure.message));
            if let Some(hint) = &failure.hint {
                text.push_str(&format!("  hint: {hint}\n"));
            }
        }
    }
    let mut rows = comfy_table::Table::new();
    rows.load_style(comfy_table::presets::NOTHING);
    rows.set_header(["STATE", "OTPS", "BASELINE", "THRESHOLD", "JUDGED THROUGH", "LAST DATA", "SERIES"]);
    let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    for one in &status.series {
        rows.add_row([
            one.state.clone(),
            figure(one.otps),
            figure(one.baseline),
            figure(one.threshold),
            one.judged_through.clone(),
            one.last_data.clone().unwrap_or_else(|| "never".to_owned()),
            one.series.clone(),
        ]);
    }
    if !status.series.is_empty() {
        text.push_str(&format!("\n{rows}\n"));
    }
    text.push_str(&format!("\noutbox: {} owed, {} refused\n", status.outbox.owed, status.outbox.refused));
    if let Some(since) = &status.outbox.oldest_page {
        text.push_str(&format!("a page has been owed since {since}\n"));
    }
    if status.outbox.in_hand > 0 {
        text.push_str(&format!(
            "{} pages could not be written down, and are sent from memory\n",
            status.outbox.in_hand
        ));
    }
    text
}
