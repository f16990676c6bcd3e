//! What every answer carries, so that a page can load nothing, run nothing and be framed by nobody but itself.

use axum::extract::Request;
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The one stylesheet, inside every page.
pub(crate) const STYLE: &str = include_str!("../templates/style.css");
/// The one script, inside every page: it renews the page without losing the reader's place.
pub(crate) const SCRIPT: &str = include_str!("../templates/renew.js");
/// Plain text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The headers of every answer. The policy names the embedded stylesheet and script by their hashes, so that markup
/// that came from outside could run nothing even if it were not escaped.
#[derive(Debug, Clone)]
pub(crate) struct Headers(Vec<(HeaderName, HeaderValue)>);

impl Headers {
    /// Worked out once for a router.
    pub(crate) fn new() -> Self {
        let policy = format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; connect-src 'self'; img-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            hash(STYLE),
            hash(SCRIPT)
        );
        let mut headers = vec![
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
        ];
        // The policy is made of ASCII alone, so it always is a header value.
        headers.extend(HeaderValue::try_from(policy).map(|policy| (CONTENT_SECURITY_POLICY, policy)));
        Self(headers)
    }

    /// Answers whatever is not for reading with 405, and sets the headers on every answer.
    pub(crate) async fn wrap(self, request: Request, next: Next) -> Response {
        let mut response = match *request.method() {
            Method::GET | Method::HEAD => next.run(request).await,
            _ => {
                let headers = [(ALLOW, "GET, HEAD"), (CONTENT_TYPE, TEXT)];
                (StatusCode::METHOD_NOT_ALLOWED, headers, "this listener is for reading only\n")
                    .into_response()
            }
        };
        response.headers_mut().extend(self.0);
        response
    }
}

/// A source expression of a content security policy.
pub(crate) fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_that_of_the_standard() {
        // The example of the Content Security Policy specification, level 2, section 7.17.5.
        assert_eq!(hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }
}
