//! The arguments of `bench`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Which fleets are made: seeds such as 1..8, or 2,5,7; the same seed gives the same requests
    #[arg(long, value_name = "SEEDS", default_value = "1..8", conflicts_with = "recordings")]
    pub(crate) seeds: Seeds,
    /// How many models a fleet has, 24 if not given; with a RECORDING, its file of models
    #[arg(long, value_name = "N|FILE")]
    pub(crate) models: Vec<Models>,
    /// How long a fleet is watched; the first 14 days are for learning
    #[arg(long, value_name = "DAYS", default_value_t = 35, conflicts_with = "recordings",
        value_parser = clap::value_parser!(i64).range(15..=365))]
    pub(crate) days: i64,
    /// Nothing happens to the fleets: whatever pages is a false page
    #[arg(long, conflicts_with = "recordings")]
    pub(crate) calm: bool,
    /// The configuration whose rules are measured; the defaults if not given
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) config: Option<PathBuf>,
    /// Name each thing that was wrong
    #[arg(long)]
    pub(crate) list: bool,
    /// How to print the figures
    #[arg(long, value_enum, default_value_t = BenchFormat::Table)]
    pub(crate) format: BenchFormat,
    /// What happened in a RECORDING, and what is owed for it
    #[arg(long, value_name = "FILE", requires = "recordings")]
    pub(crate) labels: Vec<PathBuf>,
    /// Recordings to measure on instead, each with its --labels and --models
    #[arg(value_name = "RECORDING", requires_all = ["labels", "models"])]
    pub(crate) recordings: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFormat {
    /// For people
    Table,
    /// One JSON object
    Json,
}

/// Seeds of fleets, each once, in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seeds(pub(crate) Vec<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        /// Each takes seconds.
        const MOST: u64 = 10_000;
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{text}` is no seed"));
        let mut seeds = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once("..") {
                Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
                None => (number(part)?, number(part)?),
            };
            if last < first || last - first >= MOST {
                return Err(format!(
                    "`{part}` is no range of seeds: the first one comes first, at most {MOST}"
                ));
            }
            seeds.extend((first..=last).filter(|seed| !seeds.contains(seed)).collect::<Vec<_>>());
        }
        Ok(Self(seeds))
    }
}

/// A number of models, or a file that says what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Models {
    Count(usize),
    File(PathBuf),
}

impl FromStr for Models {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(count @ 1..=1_000) => Ok(Self::Count(count)),
            Ok(_) => Err("a fleet has 1 to 1000 models".to_owned()),
            Err(_) => Ok(Self::File(text.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_or_a_list() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0);
        assert_eq!(seeds("1..3"), Ok(vec![1, 2, 3]));
        assert_eq!(seeds("7"), Ok(vec![7]));
        assert_eq!(seeds("5, 2..4,3"), Ok(vec![5, 2, 3, 4]));
        for text in ["", "1..", "3..1", "a", "-1", "1..9999999999"] {
            assert!(seeds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn models_are_a_number_or_a_file() {
        assert_eq!("24".parse(), Ok(Models::Count(24)));
        assert_eq!("fleet.models.csv".parse(), Ok(Models::File("fleet.models.csv".into())));
        assert!("0".parse::<Models>().is_err());
    }
}
