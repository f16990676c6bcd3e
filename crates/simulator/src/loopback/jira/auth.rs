//! Who calls: an e-mail address with its API token, or a bearer token.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Whether the credentials are good. Without a token that has to be the one, any will do, as long as it is there.
pub(super) fn is_good(headers: &HeaderMap, token: Option<&str>) -> bool {
    let given = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok()).and_then(read);
    given.is_some_and(|given| !given.is_empty() && token.is_none_or(|token| token == given))
}

/// The token of a header.
fn read(header: &str) -> Option<String> {
    let (scheme, credentials) = header.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(credentials.to_owned());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(credentials).ok()?).ok()?;
    let (email, token) = decoded.split_once(':')?;
    email.contains('@').then(|| token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(header: &str, token: Option<&str>) -> bool {
        is_good(&HeaderMap::from_iter([(AUTHORIZATION, header.parse().unwrap())]), token)
    }

    #[test]
    fn credentials_are_an_address_with_a_token_or_a_bearer() {
        // otpsd@example.com:token-1
        let basic = "Basic b3Rwc2RAZXhhbXBsZS5jb206dG9rZW4tMQ==";
        assert!(good(basic, None));
        assert!(good(basic, Some("token-1")));
        assert!(!good(basic, Some("token-2")));
        assert!(good("Bearer token-1", Some("token-1")));
        assert!(!good("Bearer token-2", Some("token-1")));
        assert!(!is_good(&HeaderMap::new(), None));
        // otpsd:token-1 is no address; otpsd@example.com: has no token.
        for none in
            ["Basic b3Rwc2Q6dG9rZW4tMQ==", "Basic b3Rwc2RAZXhhbXBsZS5jb206", "Basic %", "Digest x", "Bearer "]
        {
            assert!(!good(none, None), "{none}");
        }
    }
}
