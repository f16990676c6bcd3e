//! Who runs a command.

/// The name of the user, as far as the environment tells it: whoever called `sudo` first.
pub(crate) fn who(given: Option<&str>) -> String {
    let named = ["SUDO_USER", "USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    given
        .map(str::to_owned)
        .or_else(|| named.filter(|name| !name.trim().is_empty()).next())
        .unwrap_or_else(|| "unknown".to_owned())
}
