//! How a report was made, so that it can be made again.

use std::env;

use web::report::Made;

use super::super::Backtest;
use super::super::words::quoted;
use crate::VERSION;

/// How this one is made.
pub(super) fn made(backtest: &Backtest<'_>) -> Made {
    Made {
        version: VERSION.to_owned(),
        command: command(env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())),
        configuration: backtest.args.config.display().to_string(),
        history: backtest.past.names.clone(),
    }
}

/// The command line as a shell takes it.
fn command(words: impl Iterator<Item = String>) -> String {
    let quoted = words.map(|word| quoted(&word));
    std::iter::once("otpsd".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["backtest", "--config", "our alarms", "a.csv.gz", "it's", ""].map(ToOwned::to_owned);
        assert_eq!(command(words.into_iter()), r"otpsd backtest --config 'our alarms' a.csv.gz 'it'\''s' ''");
    }
}
