//! Words that several outputs share.

use domain::{Period, Rule, Series, UNKNOWN_ACCOUNT};
use evaluator::Untold;
use jiff::Timestamp;

use super::hindsight::{Closest, Hindsight, Sight};

/// `1 page`, `2 pages`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `2026-11-12 14:20`.
pub(super) fn time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M").to_string()
}

/// `12 Nov 14:20`, of a history that is told to be of one year.
pub(super) fn short_time(time: Timestamp) -> String {
    time.strftime("%-d %b %H:%M").to_string()
}

/// `55 min`, `2 h 10 min`, `3 d 4 h`.
pub(super) fn length(periods: i64) -> String {
    let minutes = periods * domain::PERIOD_SECONDS / 60;
    let (days, hours, rest) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let parts: &[(i64, &str)] = match (days, hours) {
        (0, 0) => &[(rest, "min")],
        (0, _) => &[(hours, "h"), (rest, "min")],
        _ => &[(days, "d"), (hours, "h")],
    };
    let shown: Vec<String> = parts
        .iter()
        .enumerate()
        .filter(|(place, (number, _))| *place == 0 || *number != 0)
        .map(|(_, (number, unit))| format!("{number} {unit}"))
        .collect();
    shown.join(" ")
}

/// `us-east-1 example.large-v1:0`, with the account where it is known.
pub(super) fn place(series: &Series) -> String {
    match series.account() {
        UNKNOWN_ACCOUNT => format!("{} {}", series.region(), series.model()),
        account => format!("{account} {} {}", series.region(), series.model()),
    }
}

/// `2 of 5 below 0.80, lowest 0.76`, with what kept it from paging.
pub(super) fn closest(closest: &Closest, rule: &Rule) -> String {
    let Closest { breaching, of, lowest, .. } = closest;
    let line = match lowest {
        Some(_) => format!("{:.2}", rule.page_below),
        None => "the floor".to_owned(),
    };
    let lowest = lowest.map(|lowest| format!(", lowest {lowest:.2}")).unwrap_or_default();
    let but = if closest.is_withheld() {
        ": enough, but all requests together did not show a slow host"
    } else {
        ""
    };
    format!("{breaching} of {of} below {line}{lowest}{but}")
}

/// How far the history carries what was found, a sentence a line: how much was judged, and who would have been told.
pub(super) fn carries(hindsight: &Hindsight) -> Vec<String> {
    let mut lines = Vec::new();
    let (judged, of) = hindsight.judged();
    let from = hindsight.series.iter().filter_map(|seen| match seen.sight {
        Sight::From(period) => Some(period),
        _ => None,
    });
    let from: Vec<Period> = from.collect();
    if let (Some(first), Some(last)) = (from.iter().min(), from.iter().max())
        && of > 0
    {
        let share = floored(judged as f64 / of as f64);
        let when = if first == last {
            format!("from {} on", time(first.start()))
        } else {
            format!("from {} to {} on, each with its own history", time(first.start()), time(last.start()))
        };
        let n = counted(from.len(), "of them");
        let n = if from.len() == hindsight.series.len() {
            "All".to_owned()
        } else {
            n.trim_end_matches('s').to_owned()
        };
        lines.push(format!("{n} could be judged, {when}; {share} % of their periods with requests were."));
    }
    let mut untold: Vec<(&Untold, usize)> = Vec::new();
    for why in hindsight.episodes.iter().filter_map(|episode| episode.untold.as_ref()) {
        match untold.iter_mut().find(|(one, _)| *one == why) {
            Some((_, count)) => *count += 1,
            None => untold.push((why, 1)),
        }
    }
    for (why, count) in untold {
        lines.push(match count == hindsight.episodes.len() {
            true => format!("Nobody would have been told: {why}."),
            false => format!("Of {} nobody would have been told: {why}.", counted(count, "page")),
        });
    }
    lines
}

/// A share in per cent with one digit, never 100 where something is missing.
fn floored(share: f64) -> String {
    let tenths = (share * 1_000.0).floor() / 10.0;
    if share >= 1.0 { "100".to_owned() } else { format!("{tenths:.1}") }
}
