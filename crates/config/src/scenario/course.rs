//! `[[test.series]]`

use domain::Series;
use toml::de::DeValue;

use super::notation::{Bounds, parse};
use super::{Course, Values, open, schema};
use crate::report::{At, Report};
use crate::table::{Fault, Node, Table};
use crate::value::{number, text, word};

const OTPS: Bounds = Bounds { range: "above 0 tokens per second", fits: |value| value > 0.0 && value <= 1e6 };
const ABOVE_ZERO: Bounds = Bounds { range: "above 0", fits: |value| value > 0.0 && value <= 1e9 };
const COUNT: Bounds = Bounds { range: "0 or more", fits: |value| (0.0..=1e9).contains(&value) };
const SHARE: Bounds = Bounds { range: "a share from 0 to 1", fits: |value| (0.0..=1.0).contains(&value) };
const TIMES: Bounds = Bounds { range: "1 or more", fits: |value| (1.0..=1e6).contains(&value) };

impl Course {
    /// How many periods it is written for.
    pub(super) fn len(&self) -> u32 {
        self.otps.len()
    }
}

pub(super) fn read(report: &mut Report<'_>, node: Node<'_>) -> Option<Course> {
    let mut table = open::table(report, &schema::SERIES, node);
    if !table.is_table() {
        return None;
    }
    let account = table.setting("account", "111122223333".to_owned(), text(name));
    let region = table.setting("region", "us-east-1".to_owned(), text(name));
    let model = table.setting("model", "example.model-v1:0".to_owned(), text(word));
    if table.get("otps").is_none() {
        table.lacks("otps", "\"100x11 60x5 100x11\"");
    }
    let otps = values(&mut table, "otps", OTPS, None);
    let longest = otps.as_ref().map(Values::len);
    let mut figure = |key: &str, bounds, default| {
        let values = values(&mut table, key, bounds, Some(default))?;
        fits(&mut table, key, &values, longest).then_some(values)
    };
    let ttft_ms = figure("ttft-ms", COUNT, 500.0);
    let output_tokens = figure("output-tokens", ABOVE_ZERO, 400.0);
    let input_tokens = figure("input-tokens", COUNT, 2_000.0);
    let requests = figure("requests", COUNT, 200.0);
    let streaming_share = figure("streaming-share", SHARE, 1.0);
    let cache_read_share = figure("cache-read-share", SHARE, 0.0);
    let slow_share = figure("slow-share", SHARE, 0.0);
    let slow_times = figure("slow-times", TIMES, 4.0);
    let has_cache = table.get("cache-read-share").is_some();
    Some(Course {
        series: Series::new(&account.value?, &region.value?, &model.value?),
        otps: otps?,
        ttft_ms: ttft_ms?,
        output_tokens: output_tokens?,
        input_tokens: input_tokens?,
        requests: requests?,
        streaming_share: streaming_share?,
        cache_read_share: if has_cache { Some(cache_read_share?) } else { None },
        slow_share: slow_share?,
        slow_times: slow_times?,
    })
}

/// A part of a series' name that cannot have a slash.
fn name(text: &str) -> Result<String, Fault> {
    if text.contains('/') { Err(Fault::new("must have no `/`")) } else { word(text) }
}

/// A figure: one number, or values in the notation; `default` when it is not there.
fn values(table: &mut Table<'_, '_, '_>, key: &str, bounds: Bounds, default: Option<f64>) -> Option<Values> {
    let Some(node) = table.get(key) else { return default.map(Values::constant) };
    let (at, fault) = match node.value {
        DeValue::String(text) => match parse(text, bounds) {
            Ok(values) => return Some(values),
            Err((range, fault)) => (part(table.report, node.at, text, range), fault),
        },
        DeValue::Integer(_) | DeValue::Float(_) => match number(node.value) {
            Ok((value, _)) if (bounds.fits)(value) => return Some(Values::constant(value)),
            Ok((_, text)) => (node.at, Fault::new(format!("must be {}, not {text}", bounds.range))),
            Err(fault) => (node.at, fault),
        },
        other => {
            (node.at, crate::value::wrong_type("a number or a string", other).hint("write `\"100x11 60x5\"`"))
        }
    };
    table.fault(key, at, fault);
    None
}

/// Where a part of a string stands in the file; the whole string, if that is not known because of escapes.
fn part(report: &Report<'_>, at: At, text: &str, range: std::ops::Range<usize>) -> At {
    let written = report.text(at.file).get(at.start..at.end).and_then(|raw| raw.find(text));
    match written {
        Some(begin) if !text.is_empty() => {
            At { start: at.start + begin + range.start, end: at.start + begin + range.end, ..at }
        }
        _ => at,
    }
}

/// Whether a figure has no more values than there are of `otps`, which says how long the series is.
fn fits(table: &mut Table<'_, '_, '_>, key: &str, values: &Values, longest: Option<u32>) -> bool {
    let (Some(node), Some(longest)) = (table.get(key), longest) else { return true };
    if values.len() <= longest {
        return true;
    }
    let fault = Fault::new(format!("has {} values, but `otps` has {longest}", values.len()));
    table.fault(
        key,
        node.at,
        fault.hint("`otps` says how long a series is; the last value of a figure goes on"),
    );
    false
}
