//! Tokens for the next page: opaque to the client, and good only for the request they were given for.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Where the next page goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageToken<const PARTS: usize> {
    request: u64,
    parts: [i64; PARTS],
}

impl<const PARTS: usize> PageToken<PARTS> {
    pub(crate) fn new(request: &impl Hash, parts: [i64; PARTS]) -> Self {
        Self { request: fingerprint(request), parts }
    }

    /// Its parts, if it was given for `request`.
    pub(crate) fn read(text: &str, request: &impl Hash) -> Option<[i64; PARTS]> {
        // Bytes beyond ASCII would make the slices below fall within a character.
        if !text.is_ascii() || text.len() != 16 * (PARTS + 1) {
            return None;
        }
        let number = |part: usize| u64::from_str_radix(&text[16 * part..16 * (part + 1)], 16).ok();
        if number(0)? != fingerprint(request) {
            return None;
        }
        let mut parts = [0; PARTS];
        for (index, part) in parts.iter_mut().enumerate() {
            *part = number(index + 1)?.cast_signed();
        }
        Some(parts)
    }

    pub(crate) fn text(&self) -> String {
        let parts: String = self.parts.iter().map(|part| format!("{:016x}", part.cast_unsigned())).collect();
        format!("{:016x}{parts}", self.request)
    }
}

fn fingerprint(request: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    request.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_its_request_only() {
        let text = PageToken::new(&"request", [-1, 7]).text();
        assert_eq!(PageToken::<2>::read(&text, &"request"), Some([-1, 7]));
        assert_eq!(PageToken::<2>::read(&text, &"another"), None);
        assert_eq!(PageToken::<1>::read(&text, &"request"), None);
        for wrong in ["", "x", "next", &"é".repeat(24), &"g".repeat(48)] {
            assert_eq!(PageToken::<2>::read(wrong, &"request"), None);
        }
    }
}
