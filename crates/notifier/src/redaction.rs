//! Keeping secrets out of what is reported, also when the other side echoes them, whole or in part.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use domain::Secret;
use reqwest::Url;

/// So many characters in a row of a secret give it away.
const TELLING: usize = 8;
/// A part of an address that is shorter holds no secret, and hiding it would hide half of every reason.
const SHORTEST_PART: usize = 4;
/// What stands in its place.
const MASK: &str = "[secret]";

/// What must not be seen.
#[derive(Clone, Default)]
pub(crate) struct Redaction {
    /// The characters of each secret, in small letters.
    secrets: Vec<Vec<char>>,
}

impl Redaction {
    /// Hides a text.
    pub(crate) fn new(secret: &Secret) -> Self {
        Self::default().and([secret])
    }

    /// Hides whatever of an address comes before or after its host.
    pub(crate) fn of_url(url: &Url) -> Self {
        let path = Some(url.path()).filter(|path| path.len() >= SHORTEST_PART);
        let query = url.query().filter(|query| query.len() >= SHORTEST_PART);
        let user = Some(url.username()).filter(|user| user.len() >= SHORTEST_PART);
        let parts = [path, query, url.fragment(), user, url.password()];
        let mut secrets: Vec<_> = parts.into_iter().flatten().map(characters).collect();
        if let Some(password) = url.password() {
            secrets.push(characters(&basic(url.username(), password)));
        }
        Self { secrets }
    }

    /// Hides more.
    pub(crate) fn and<'a>(mut self, secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        self.secrets.extend(secrets.into_iter().map(|secret| characters(secret.expose())));
        self
    }

    /// The text with every telling part of every secret masked, in either case of its letters.
    pub(crate) fn of(&self, text: &str) -> String {
        let folded = characters(text);
        let mut hidden = vec![false; folded.len()];
        for secret in &self.secrets {
            let window = secret.len().min(TELLING);
            if window == 0 {
                continue;
            }
            for (at, part) in folded.windows(window).enumerate() {
                if secret.windows(window).any(|telling| telling == part) {
                    hidden[at..at + window].fill(true);
                }
            }
        }
        let mut out = String::with_capacity(text.len());
        for (index, c) in text.chars().enumerate() {
            match (hidden[index], index > 0 && hidden[index - 1]) {
                (false, _) => out.push(c),
                (true, false) => out.push_str(MASK),
                (true, true) => {}
            }
        }
        out
    }
}

impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// What follows `Basic` in an Authorization header.
pub(crate) fn basic(user: &str, password: &str) -> String {
    BASE64_STANDARD.encode(format!("{user}:{password}"))
}

/// One for each character of the text, so that positions agree.
fn characters(text: &str) -> Vec<char> {
    text.chars().map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> Secret {
        Secret::new("R0123456789abcdefghijklmnopqrstu")
    }

    #[test]
    fn a_secret_is_masked_whole_in_part_and_in_capitals() {
        let redaction = Redaction::new(&key());
        let of = |text: &str| redaction.of(text);
        assert_eq!(of("'R0123456789abcdefghijklmnopqrstu' is invalid"), "'[secret]' is invalid");
        assert_eq!(of("key R01234567… is invalid"), "key [secret]… is invalid");
        assert_eq!(of("KEY R0123456789ABCDEFGHIJKLMNOPQRSTU!"), "KEY [secret]!");
        assert_eq!(of("…mnopqrstu, mnopqrst"), "…[secret], [secret]");
        assert_eq!(of("routing_key is invalid: é 012345"), "routing_key is invalid: é 012345");
        assert_eq!(format!("{redaction:?}"), "[secret]");
    }

    #[test]
    fn short_and_empty_secrets_do_no_harm() {
        let of = |text: &str, secret: &str| Redaction::new(&Secret::new(secret)).of(text);
        assert_eq!(of("a test text", "test"), "a [secret] text");
        assert_eq!(of("a test text", ""), "a test text");
    }

    #[test]
    fn of_an_address_only_scheme_and_host_are_seen() {
        let url = "https://user:word@hooks.example.com/services/T0123?token=abcdefghijkl".parse().unwrap();
        let redaction = Redaction::of_url(&url).and([&Secret::new("sign-with-this")]);
        assert_eq!(
            redaction.of(
                "POST https://user:word@hooks.example.com/services/T0123?token=abcdefghijkl sign-with-this"
            ),
            "POST https://[secret]:[secret]@hooks.example.com[secret]?[secret] [secret]"
        );
        assert_eq!(
            redaction.of("no service at https://hooks.example.com/"),
            "no service at https://hooks.example.com/"
        );
        let bare = Redaction::of_url(&"http://127.0.0.1:9/".parse().unwrap());
        assert_eq!(bare.of("a/b"), "a/b");
    }

    proptest! {
        #[test]
        fn no_telling_part_survives(before in "\\PC{0,20}", from in 0_usize..24, after in "\\PC{0,20}") {
            let secret = key();
            let part = &secret.expose()[from..from + 8];
            let shown = Redaction::new(&secret).of(&format!("{before}{part}{after}"));
            prop_assert!(!shown.contains(part), "{}", shown);
        }
    }
}
