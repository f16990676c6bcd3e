//! How far back CloudWatch is read, and the arguments of `record` and `discover`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::{SignedDuration, Timestamp};

/// How long CloudWatch keeps figures of five minutes. Source: Amazon CloudWatch user guide, "Metrics retention".
const KEPT_DAYS: i64 = 63;

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The configuration
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: PathBuf,
    /// The source that is read; all, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// How far back, such as 35d or 12h; CloudWatch keeps figures of five minutes for 63 days
    #[arg(long, value_name = "DURATION", value_parser = since)]
    pub(crate) since: SignedDuration,
    /// Up to this time, such as 2026-10-15T18:20:00Z; up to what has settled, if not given
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<Timestamp>,
    /// The recording: .csv, .csv.gz or .csv.zst. A file of that name is replaced once the new one is whole
    #[arg(long, value_name = "FILE", value_parser = recording)]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct DiscoverArgs {
    /// Look where the sources of this configuration look, and judge by its rules
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["regions", "profile"])]
    pub(crate) config: Option<PathBuf>,
    /// The source that is looked at; all, if not given
    #[arg(long, value_name = "NAME", requires = "config")]
    pub(crate) source: Option<String>,
    /// Without a configuration: look in these Regions, with the credentials of the environment. That of the environment, if not given
    #[arg(long = "region", value_name = "REGION", num_args = 1..)]
    pub(crate) regions: Vec<String>,
    /// A profile of the shared AWS files
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// How far back; of less than two weeks less can be learned
    #[arg(long, value_name = "DURATION", default_value = "14d", value_parser = since)]
    pub(crate) since: SignedDuration,
    /// How to print it
    #[arg(long, value_enum, default_value_t = DiscoverFormat::Text)]
    pub(crate) format: DiscoverFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiscoverFormat {
    /// The beginning of a configuration
    Text,
    /// One JSON object
    Json,
}

/// How far back: whole periods, at least one, at most what CloudWatch keeps.
pub(crate) fn since(text: &str) -> Result<SignedDuration, String> {
    let parsed: jiff::Span = text.parse().map_err(|_| "expected a duration such as 35d or 12h".to_owned())?;
    let parsed = parsed
        .to_duration(jiff::SpanRelativeTo::days_are_24_hours())
        .map_err(|_| "expected minutes, hours, days or weeks, such as 35d or 12h".to_owned())?;
    let range =
        SignedDuration::from_secs(domain::PERIOD_SECONDS)..=SignedDuration::from_hours(24 * KEPT_DAYS);
    if range.contains(&parsed) {
        Ok(parsed)
    } else {
        Err(format!(
            "expected between 5m and {KEPT_DAYS}d: CloudWatch keeps figures of five minutes for {KEPT_DAYS} days"
        ))
    }
}

/// A name that says that it is a recording, and how it is compressed.
fn recording(text: &str) -> Result<PathBuf, String> {
    let name = Path::new(text).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if [".csv", ".csv.gz", ".csv.zst"].iter().any(|ending| name.ends_with(ending)) {
        Ok(text.into())
    } else {
        Err("expected a name that ends in .csv, .csv.gz or .csv.zst".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_back_has_a_unit_and_a_range() {
        assert_eq!(since("35d"), Ok(SignedDuration::from_hours(840)));
        assert_eq!(since("5m"), Ok(SignedDuration::from_mins(5)));
        assert_eq!(since("1w 12h"), Ok(SignedDuration::from_hours(180)));
        for text in ["35", "1m", "64d", "-3d", "1mo", "soon"] {
            assert!(since(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_recording_is_known_by_its_ending() {
        for name in ["a.csv", "a/b.csv.gz", "b.2026.csv.zst"] {
            assert!(recording(name).is_ok(), "{name}");
        }
        for name in ["a", "a.json", "a.gz", "csv.gz/", "a.csv.xz"] {
            assert!(recording(name).is_err(), "{name}");
        }
    }
}
