//! Keeping the routing key out of what is reported, also when the other side echoes it, whole or in part.

use domain::Secret;

/// So many characters in a row of the key give it away.
const TELLING: usize = 8;
/// What stands in its place.
const MASK: &str = "[secret]";

/// The text with every part of the key masked, in either case of its letters.
pub(super) fn redacted(text: &str, key: &Secret) -> String {
    let key = characters(key.expose());
    let window = key.len().min(TELLING);
    if window == 0 {
        return text.to_owned();
    }
    let folded = characters(text);
    let mut hidden = vec![false; folded.len()];
    for (at, part) in folded.windows(window).enumerate() {
        if key.windows(window).any(|telling| telling == part) {
            hidden[at..at + window].fill(true);
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
    fn the_key_is_masked_whole_in_part_and_in_capitals() {
        let of = |text: &str| redacted(text, &key());
        assert_eq!(of("'R0123456789abcdefghijklmnopqrstu' is invalid"), "'[secret]' is invalid");
        assert_eq!(of("key R01234567… is invalid"), "key [secret]… is invalid");
        assert_eq!(of("KEY R0123456789ABCDEFGHIJKLMNOPQRSTU!"), "KEY [secret]!");
        assert_eq!(of("…mnopqrstu, mnopqrst"), "…[secret], [secret]");
        assert_eq!(of("routing_key is invalid: é 012345"), "routing_key is invalid: é 012345");
    }

    #[test]
    fn short_and_empty_keys_do_no_harm() {
        assert_eq!(redacted("a test text", &Secret::new("test")), "a [secret] text");
        assert_eq!(redacted("a test text", &Secret::new("")), "a test text");
    }

    proptest! {
        #[test]
        fn no_telling_part_survives(before in "\\PC{0,20}", from in 0_usize..24, after in "\\PC{0,20}") {
            let secret = key();
            let part = &secret.expose()[from..from + 8];
            let shown = redacted(&format!("{before}{part}{after}"), &secret);
            prop_assert!(!shown.contains(part), "{}", shown);
        }
    }
}
