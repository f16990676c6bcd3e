//! The beginning of a configuration: what was found as comments, and the sources that have it.

use std::fmt::Write as _;

use domain::{CloudWatchPlan, MissingReason, PERIODS_PER_DAY, Period, SourcePlan};

use super::Discovered;
use super::found::Found;
use super::sight::{Periods, Sight, named};
use crate::figures::thousands;
use crate::history::RegionOutcome;

pub(super) fn toml(discovered: &Discovered) -> String {
    let mut text = format!(
        "# What CloudWatch has of Amazon Bedrock, by `otpsd discover` at {:.0}: the last {}.\n",
        discovered.at,
        days(discovered.days),
    );
    text += "# Requests of a day are those of the last week; streaming is the share of them that streams.\n";
    for region in &discovered.outcome.regions {
        text += &about(discovered, region);
    }
    if discovered.is_first {
        text += "\n# Judges and records, and tells nobody. Take it out once there are channels and a [[route.page]].\n";
        text += "[alarm]\nmode = \"observe\"\n";
    }
    for SourcePlan::CloudWatch(plan) in &discovered.plan.sources {
        let mut regions = discovered.outcome.regions.iter().filter(|region| region.source == plan.name);
        if regions.clone().any(|region| region.error.is_none()) {
            text += &table(discovered, plan);
        } else if regions.next().is_some() {
            let _ =
                writeln!(text, "\n# Source {} could not be read, so that nothing is known of it.", plan.name);
        }
    }
    text
}

/// Everybody in one Region.
fn about(discovered: &Discovered, region: &RegionOutcome) -> String {
    let RegionOutcome { source, region: name, account, .. } = region;
    let account = account.as_deref().unwrap_or("an unknown account");
    let mut text = format!("#\n# Source {source}, {account} in {name}");
    if let Some(error) = &region.error {
        let _ =
            writeln!(text, ": not known, or not all of it ({})", error.failure.as_str().replace('_', " "));
    } else {
        text.push('\n');
    }
    let found: Vec<&Found> = of(discovered, region).collect();
    let silent = region.whole.len() - found.len();
    if !found.is_empty() {
        let rows: Vec<[String; 4]> = found.iter().map(|one| row(one)).collect();
        let head = ["a day", "streaming", "model", "judged"].map(str::to_owned);
        let width = |column: usize| {
            rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or_default()
        };
        let [requests, streaming, model] = [0, 1, 2].map(width);
        for [a, b, c, d] in [&head].into_iter().chain(&rows) {
            let _ = writeln!(text, "#   {a:>requests$}  {b:>streaming$}  {c:<model$}  {d}");
        }
    }
    if silent > 0 {
        let models = if silent == 1 { "1 model".to_owned() } else { format!("{silent} models") };
        let _ = writeln!(text, "#   and {models} without a request in {}", days(discovered.days));
    }
    text
}

fn of<'d>(discovered: &'d Discovered, region: &'d RegionOutcome) -> impl Iterator<Item = &'d Found> {
    discovered.found.iter().filter(|one| one.source == region.source && one.series.region() == region.region)
}

fn row(one: &Found) -> [String; 4] {
    let judged = judged(&one.sight);
    let judged =
        if one.is_left_out { format!("left out by the configuration; else: {judged}") } else { judged };
    let streaming = if one.requests_a_day > 0.0 { percent(one.streaming_share) } else { "-".to_owned() };
    [number(one.requests_a_day), streaming, shown(one.series.model()), judged]
}

/// Whether it can be judged, in words.
pub(super) fn judged(sight: &Sight) -> String {
    match sight {
        Sight::Judged { estimator, otps, periods } => {
            let otps = otps.map_or_else(String::new, |otps| format!(", usually {otps:.1} tok/s"));
            let Periods { judged, with_requests } = periods;
            let share = percent(f64::from(*judged) / f64::from((*with_requests).max(1)));
            format!("yes, by {}{otps}; {share} of the periods with requests", named(*estimator))
        }
        Sight::Learning { progress, learning, from } => {
            let has = format!(
                "{:.1} days of {} and {} datapoints of {} are there",
                progress.periods as f64 / PERIODS_PER_DAY as f64,
                learning.min_days,
                progress.datapoints,
                learning.min_datapoints
            );
            match from {
                Some(from) => format!("from about {} on; {has}", hour(*from)),
                None => format!("no: too little traffic to learn from; {has}"),
            }
        }
        Sight::Unjudged { reason: MissingReason::TooFewSamples, samples_needed, minutes, .. } => {
            let needed = samples_needed.map_or_else(|| "more".to_owned(), |samples| format!("{samples:.0}"));
            format!("no: too few requests; a datapoint needs {needed} in {minutes} minutes")
        }
        Sight::Unjudged { reason, .. } => format!("no: {}", reason.as_str().replace('_', " ")),
        Sight::NotStreaming => {
            "no: nothing streams, and only what streams has a time to first token".to_owned()
        }
        Sight::Idle { last } => format!("not now: no request since {}", hour(*last)),
    }
}

/// The source as a table.
fn table(discovered: &Discovered, plan: &CloudWatchPlan) -> String {
    let read = |region: &&String| {
        let mut of_source = discovered.outcome.regions.iter().filter(|one| one.source == plan.name);
        of_source.any(|one| one.region == **region && one.error.is_none())
    };
    let regions: Vec<String> = plan.regions.iter().filter(read).map(|region| quoted(region)).collect();
    let mut text = format!("\n[source.cloudwatch.{}]\nregions = [{}]\n", key(&plan.name), regions.join(", "));
    let mut set = |key: &str, value: Option<&str>| {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
    };
    set("profile", plan.profile.as_deref());
    set("role-arn", plan.role.as_ref().map(|role| role.arn.as_str()));
    set("endpoint-url", plan.endpoint_url.as_deref());
    if plan.role.as_ref().is_some_and(|role| role.external_id.is_some()) {
        text += "# and `external-id`, as the configuration names it\n";
    }
    let watched: Vec<&Found> = discovered
        .found
        .iter()
        .filter(|one| one.source == plan.name && !one.is_left_out && one.sight != Sight::NotStreaming)
        .collect();
    if watched.is_empty() {
        return text;
    }
    text += "# All models that stream are watched, also those that come later. These alone would be, with:\n#include = [\n";
    let mut models: Vec<&str> = watched.iter().map(|one| one.series.model()).collect();
    models.sort_unstable();
    models.dedup();
    for model in models {
        let _ = writeln!(text, "#    {},", quoted(model));
    }
    text += "#]\n";
    text
}

/// A model as CloudWatch has it, on one line of a comment.
fn shown(model: &str) -> String {
    model.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

/// A bare key where it can be one.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A basic string of TOML: what JSON escapes, TOML escapes alike.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is always JSON").replace('\u{7f}', "\\u007f")
}

fn days(days: i64) -> String {
    if days == 1 { "day".to_owned() } else { format!("{days} days") }
}

/// To the hour: more would be pretended.
fn hour(period: Period) -> String {
    let text = period.start().to_string();
    format!("{}h", text.split(':').next().unwrap_or(&text)).replace('T', " ")
}

/// Whole requests with their thousands apart; less than ten with a decimal.
fn number(value: f64) -> String {
    if value > 0.0 && value < 9.95 {
        return format!("{value:.1}");
    }
    thousands(value.round_ties_even() as u64)
}

/// Only none is 0 %, and only all is 100 %.
fn percent(share: f64) -> String {
    let percent = match share {
        share if share <= 0.0 => 0.0,
        share if share >= 1.0 => 100.0,
        share => (share * 100.0).round().clamp(1.0, 99.0),
    };
    format!("{percent:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_say_no_more_than_is_known() {
        assert_eq!([0.0, 0.0004, 0.5, 0.999, 1.0].map(percent), ["0 %", "1 %", "50 %", "99 %", "100 %"]);
        assert_eq!([0.0, 0.3, 9.94, 12.0, 1_234_567.8].map(number), ["0", "0.3", "9.9", "12", "1,234,568"]);
        assert_eq!(
            hour(Period::starting("2026-10-15T18:20:00Z".parse().unwrap()).unwrap()),
            "2026-10-15 18h"
        );
    }

    #[test]
    fn names_are_keys_and_strings_of_toml() {
        assert_eq!(key("main"), "main");
        assert_eq!(key("two words"), "\"two words\"");
        assert_eq!(quoted("a\"b\\c\n"), r#""a\"b\\c\n""#);
    }
}
