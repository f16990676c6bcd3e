//! How a report was made, so that it can be made again.

use std::env;

use web::report::Made;

use crate::VERSION;
use crate::cli::BacktestArgs;

/// How this one is made.
pub(super) fn made(args: &BacktestArgs) -> Made {
    Made {
        version: VERSION.to_owned(),
        command: command(env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())),
        configuration: args.config.display().to_string(),
        history: args.recordings.iter().map(|path| path.display().to_string()).collect(),
    }
}

/// The command line as a shell takes it.
fn command(words: impl Iterator<Item = String>) -> String {
    let quoted = words.map(|word| quoted(&word));
    std::iter::once("otpsd".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:=@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
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
