//! Who runs a command.

use std::os::unix::fs::MetadataExt as _;

/// The name of the user: whoever called `sudo` first, as far as the environment tells it, or else the one that the process runs as.
pub(crate) fn who(given: Option<&str>) -> String {
    let mut named = ["SUDO_USER", "USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    given
        .map(str::to_owned)
        .or_else(|| named.find(|name| !name.trim().is_empty()))
        .or_else(running_as)
        .unwrap_or_else(|| "unknown".to_owned())
}

/// A container has no such variables.
fn running_as() -> Option<String> {
    let uid = std::fs::metadata("/proc/self").ok()?.uid();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    Some(name_of(uid, &users).unwrap_or_else(|| format!("uid {uid}")))
}

/// The name of a user in the words of passwd(5).
fn name_of(uid: u32, users: &str) -> Option<String> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_a_name() {
        let users = "root:x:0:0:root:/root:/bin/sh\nbroken\notpsd:x:990:990::/:/sbin/nologin\n";
        assert_eq!(name_of(0, users).as_deref(), Some("root"));
        assert_eq!(name_of(990, users).as_deref(), Some("otpsd"));
        assert_eq!(name_of(7, users), None);
        assert_eq!(who(Some("ada")), "ada");
    }
}
