//! Words that several outputs share.

pub(super) mod both;
pub(super) mod pair;

use domain::{Estimator, Period, Rule, Series, Span, UNKNOWN_ACCOUNT};
use evaluator::Untold;
use jiff::Timestamp;

use super::Backtest;
use super::gaps::Gap;
use super::hindsight::{Closest, Episode, Hindsight, Sight};
use crate::figures::counted;

/// `2026-11-12 14:20`.
pub(super) fn time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M").to_string()
}

/// `12 Nov 14:20`, of a history that is told to be of one year.
pub(super) fn short_time(time: Timestamp) -> String {
    time.strftime("%-d %b %H:%M").to_string()
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:=@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The same after another time: `14:35` on the same day.
pub(super) fn short_time_after(time: Timestamp, before: Timestamp) -> String {
    let day = |time: Timestamp| time.strftime("%Y-%m-%d").to_string();
    if day(time) == day(before) { time.strftime("%H:%M").to_string() } else { short_time(time) }
}

/// `1 Nov to 30 Nov 2026`, the days that a history touches, in UTC.
pub(super) fn days(span: Span) -> String {
    let (from, last) = (span.from.start(), (span.until - 1).start());
    let shown = |time: Timestamp, format: &str| time.strftime(format).to_string();
    let end = shown(last, "%-d %b %Y");
    match () {
        () if span.from >= span.until => "nothing".to_owned(),
        () if shown(from, "%-d %b %Y") == end => end,
        () if shown(from, "%Y") == shown(last, "%Y") => format!("{} to {end}", shown(from, "%-d %b")),
        () => format!("{} to {end}", shown(from, "%-d %b %Y")),
    }
}

/// `30 days`, `3.5 days`.
pub(super) fn in_days(days: f64) -> String {
    let whole = days.round();
    if (days - whole).abs() < 0.05 { counted(whole as usize, "day") } else { format!("{days:.1} days") }
}

/// `6 pages and 4 tickets in 30 days`
pub(super) fn totals(hindsight: &Hindsight) -> String {
    format!(
        "{} and {} in {}",
        counted(hindsight.paging().count(), "page"),
        counted(hindsight.tickets.len(), "ticket"),
        in_days(hindsight.days())
    )
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

/// `us-east-1`, with the account where it is known.
pub(super) fn whereabouts(series: &Series) -> String {
    match series.account() {
        UNKNOWN_ACCOUNT => series.region().to_owned(),
        account => format!("{account} {}", series.region()),
    }
}

/// `us-east-1 example.large-v1:0`, with the account where it is known.
pub(super) fn place(series: &Series) -> String {
    format!("{} {}", whereabouts(series), series.model())
}

/// A share of the baseline; one below the line is not rounded up to it.
pub(super) fn ratio(ratio: f64, line: f64) -> String {
    let shown = format!("{ratio:.2}");
    let reads_as_line = ratio < line && shown.parse().is_ok_and(|shown: f64| shown >= line);
    if reads_as_line { format!("{ratio:.3}") } else { shown }
}

/// `86.4 of 117 tok/s = 0.74 in 11 periods`: the middle of those that breached.
pub(super) fn evidence(episode: &Episode, rule: &Rule) -> String {
    let figures = episode.figures();
    let speed = |value: f64| if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") };
    let value = speed(figures.value);
    let against = match (figures.baseline, figures.ratio) {
        (Some(baseline), Some(share)) => {
            format!("{value} of {} tok/s = {}", speed(baseline), ratio(share, rule.page_below))
        }
        _ => format!("{value} tok/s"),
    };
    format!("{against} in {}", counted(figures.breaching, "period"))
}

/// `judged by p50, noise ±5 %, 310 requests a period`.
pub(super) fn grounds(episode: &Episode) -> String {
    let figures = episode.figures();
    let estimator = match figures.estimator {
        Estimator::P50 => "by p50",
        Estimator::TokenWeighted => "token-weighted",
    };
    let noise = figures.noise.map(|noise| format!(", noise ±{}", noise_share(noise))).unwrap_or_default();
    format!("judged {estimator}{noise}, {:.0} requests a period", figures.requests)
}

/// `5 %`, `0.4 %`
fn noise_share(noise: f64) -> String {
    let percent = noise * 100.0;
    if percent < 1.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// `55 min`, or that it stands.
pub(super) fn lasted(episode: &Episode, until: Period) -> String {
    let length = length(episode.lasted(until));
    if episode.resolve.is_some() { length } else { format!("{length}, and stands at the end") }
}

/// Who would have been told, or why nobody.
pub(super) fn told(episode: &Episode) -> String {
    let channels: Vec<&str> = episode.tellings.iter().map(|one| one.channel.as_str()).collect();
    match &episode.untold {
        _ if !channels.is_empty() => channels.join(", "),
        Some(why) => format!("nobody: {why}"),
        None => "nobody".to_owned(),
    }
}

/// `2 of 5 below 0.80, lowest 0.76`, with what kept it from paging.
pub(super) fn closest(closest: &Closest, rule: &Rule) -> String {
    let Closest { breaching, of, lowest, .. } = closest;
    let line = match lowest {
        Some(_) => format!("{:.2}", rule.page_below),
        None => "the floor".to_owned(),
    };
    let lowest =
        lowest.map(|lowest| format!(", lowest {}", ratio(lowest, rule.page_below))).unwrap_or_default();
    let but = if closest.is_withheld() {
        ": enough, but all requests together did not show a slow host"
    } else {
        ""
    };
    format!("{breaching} of {of} below {line}{lowest}{but}")
}

/// How far the history carries what was found, a sentence each: what was judged since when, who was told, and what was not seen.
pub(super) fn carries(backtest: &Backtest<'_>) -> Vec<String> {
    let hindsight = backtest.hindsight();
    let mut lines: Vec<String> = judged(hindsight).into_iter().chain(untold(hindsight)).collect();
    lines.extend(gaps(&backtest.gaps).map(|gaps| format!("Not seen: {gaps}")));
    lines.extend(backtest.past.lacking.as_ref().map(|lacking| format!("Not whole: {lacking}.")));
    lines
}

/// How much of the history was judged, and since when; `None` where none was.
fn judged(hindsight: &Hindsight) -> Option<String> {
    let (judged, of) = hindsight.judged();
    let from = hindsight.series.iter().filter_map(|seen| match seen.sight {
        Sight::From(period) => Some(period),
        _ => None,
    });
    let from: Vec<Period> = from.collect();
    let (first, last) = (from.iter().min()?, from.iter().max()?);
    let when = if first == last {
        format!("from {} on", time(first.start()))
    } else {
        format!("from {} to {} on, each with its own history", time(first.start()), time(last.start()))
    };
    let those = if from.len() == hindsight.series.len() {
        "All".to_owned()
    } else {
        format!("{} of them", from.len())
    };
    let share = share(judged, of);
    Some(format!("{those} could be judged, {when}; {share} of their periods with requests were."))
}

/// `98.9 %`, never 100 where something is missing.
pub(super) fn share(part: u64, of: u64) -> String {
    if part == of {
        "100 %".to_owned()
    } else {
        format!("{:.1} %", (part as f64 / of as f64 * 1_000.0).floor() / 10.0)
    }
}

/// Where nothing was seen: `us-east-1 has nothing for 4 h from 19 Nov 02:00 on`; of many, the longest.
fn gaps(gaps: &[Gap]) -> Option<String> {
    const NAMED: usize = 3;
    let mut longest: Vec<&Gap> = gaps.iter().collect();
    longest.sort_by_key(|gap| (gap.from - gap.until, gap.from));
    let one = |gap: &&Gap| {
        let (place, from) = (whereabouts(&gap.series), short_time(gap.from.start()));
        format!("{place} has nothing for {} from {from} on", length(gap.until - gap.from))
    };
    let named: Vec<String> = longest.iter().take(NAMED).map(one).collect();
    let more = match longest.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {}", counted(more, "more gap")),
    };
    (!named.is_empty()).then(|| format!("{}{more}.", named.join("; ")))
}

/// Of how many incidents nobody would have been told, and why, a sentence a line.
fn untold(hindsight: &Hindsight) -> Vec<String> {
    let mut reasons: Vec<(&Untold, usize)> = Vec::new();
    for why in hindsight.episodes.iter().filter_map(|episode| episode.untold.as_ref()) {
        match reasons.iter_mut().find(|(one, _)| *one == why) {
            Some((_, count)) => *count += 1,
            None => reasons.push((why, 1)),
        }
    }
    let all = hindsight.episodes.len();
    let line = |(why, count): (&Untold, usize)| match count == all {
        true => format!("Nobody would have been told: {why}."),
        false => format!("Of {} nobody would have been told: {why}.", counted(count, "page")),
    };
    reasons.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_units_at_most() {
        assert_eq!(
            [1, 11, 12, 26, 12 * 24 + 12 * 4 + 3].map(length),
            ["5 min", "55 min", "1 h", "2 h 10 min", "1 d 4 h"]
        );
    }

    #[test]
    fn a_history_is_named_by_the_days_that_it_touches() {
        let days_of = |from: &str, until: &str| {
            let at = |text: &str| Period::containing(text.parse().unwrap());
            days(Span { from: at(from), until: at(until) })
        };
        assert_eq!(days_of("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"), "1 Nov to 30 Nov 2026");
        assert_eq!(days_of("2026-12-20T00:00:00Z", "2027-01-03T00:05:00Z"), "20 Dec 2026 to 3 Jan 2027");
        assert_eq!(days_of("2026-11-01T00:00:00Z", "2026-11-01T12:00:00Z"), "1 Nov 2026");
        assert_eq!(days_of("2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z"), "nothing");
    }

    #[test]
    fn what_is_below_the_line_is_not_rounded_up_to_it() {
        assert_eq!((ratio(0.797, 0.8), ratio(0.7951, 0.8)), ("0.797".to_owned(), "0.795".to_owned()));
        assert_eq!((ratio(0.74, 0.8), ratio(0.84, 0.8)), ("0.74".to_owned(), "0.84".to_owned()));
        assert_eq!((share(989, 1_000), share(9_999, 10_000)), ("98.9 %".to_owned(), "99.9 %".to_owned()));
        assert_eq!((share(7, 7), share(0, 0)), ("100 %".to_owned(), "100 %".to_owned()));
    }
}
