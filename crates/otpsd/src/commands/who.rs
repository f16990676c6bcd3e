//! Who runs a command.

/// The name of the user, as far as the environment tells it: whoever called `sudo` first.
pub(crate) fn who(given: Option<&str>) -> String {
    let mut named = ["SUDO_USER", "USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    given
        .map(str::to_owned)
        .or_else(|| named.find(|name| !name.trim().is_empty()))
        .unwrap_or_else(|| "unknown".to_owned())
}
