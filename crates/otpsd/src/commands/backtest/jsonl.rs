//! For scripts: one object a line, as docs/reference/recording.md and docs/reference/backtest.md describe them.

use std::io::{self, Write};

use domain::PAGE_CAUSE;
use serde::Serialize;

use super::hindsight::{Comparison, Episode, How, Kind, Line, PagePair};
use super::words::pair;
use super::{Backtest, Found};

pub(super) fn write(out: &mut impl Write, backtest: &Backtest<'_>) -> io::Result<()> {
    match &backtest.found {
        Found::One(hindsight) => {
            let events = hindsight.said.iter().filter_map(|said| said.event(backtest.plan));
            lines(out, events)
        }
        Found::Two { comparison, .. } => {
            lines(out, comparison.pages.iter().filter_map(|one| page(comparison, one)))
        }
    }
}

fn lines<T: Serialize>(out: &mut impl Write, all: impl Iterator<Item = T>) -> io::Result<()> {
    for one in all {
        serde_json::to_writer(&mut *out, &one)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A page before and after.
#[derive(Debug, Serialize)]
struct PageLine {
    event: String,
    /// When it is decided; of a lost one, when it was.
    time: String,
    account: String,
    region: String,
    model: String,
    cause: &'static str,
    key: String,
    summary: String,
    before: Option<Half>,
    after: Option<Half>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

/// A page by one of the two configurations.
#[derive(Debug, Serialize)]
struct Half {
    key: String,
    onset: String,
    opened: String,
    resolved: Option<String>,
    channels: Vec<String>,
    untold: Option<String>,
    value: f64,
    baseline: Option<f64>,
    ratio: Option<f64>,
    lowest_ratio: Option<f64>,
    breaching: usize,
    requests: f64,
}

/// What makes the difference.
#[derive(Debug, Serialize)]
struct Why {
    how: &'static str,
    lines: Vec<WhyLine>,
    text: String,
}

#[derive(Debug, Serialize)]
struct WhyLine {
    what: String,
    at: Option<String>,
    was: Option<String>,
}

fn page(comparison: &Comparison, one: &PagePair) -> Option<PageLine> {
    let (before, after) = comparison.episodes(one);
    let (of, shown) = match one.kind {
        Kind::Lost => (&comparison.before, before?),
        _ => (&comparison.after, after?),
    };
    let incident = shown.page.incident();
    let why = one.blame.as_ref().map(|blame| Why {
        how: match blame.how {
            How::Only => "only",
            How::PutBack => "put_back",
            How::Part => "part",
            How::EachAlone => "each_alone",
            How::Together => "together",
        },
        lines: blame.lines.iter().map(WhyLine::of).collect(),
        text: pair::what(comparison, one),
    });
    Some(PageLine {
        event: format!("page_{}", one.kind.as_str()),
        time: shown.opened().end().to_string(),
        account: incident.series.account().to_owned(),
        region: incident.series.region().to_owned(),
        model: incident.series.model().to_owned(),
        cause: PAGE_CAUSE,
        key: incident.key.to_string(),
        summary: notifier::text::page::of_series(&shown.page, &of.rule(shown.series())),
        before: before.map(Half::of),
        after: after.map(Half::of),
        why,
    })
}

impl Half {
    fn of(episode: &Episode) -> Self {
        let figures = episode.figures();
        // Nobody reads sixteen digits.
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        Self {
            key: episode.page.incident().key.to_string(),
            onset: episode.onset().to_string(),
            opened: episode.opened().to_string(),
            resolved: episode.resolve.as_ref().map(|resolve| resolve.resolved.to_string()),
            channels: episode.tellings.iter().map(|one| one.channel.clone()).collect(),
            untold: episode.untold.as_ref().map(ToString::to_string),
            value: rounded(figures.value),
            baseline: figures.baseline.map(rounded),
            ratio: figures.ratio.map(rounded),
            lowest_ratio: figures.lowest.map(rounded),
            breaching: figures.breaching,
            requests: rounded(figures.requests),
        }
    }
}

impl WhyLine {
    fn of(line: &Line) -> Self {
        Self { what: line.words.clone(), at: line.at.clone(), was: line.was.clone() }
    }
}
