//! Whether a request was signed with the secret that both sides know: `t=SECONDS,v1=HEX`, where `v1` is HMAC-SHA256 over
//! `SECONDS.BODY`.

use std::fmt;

use axum::http::HeaderMap;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// What a webhook expects requests to be signed with.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookSecret {
    secret: String,
    #[serde(default = "usual_header")]
    header: String,
}

fn usual_header() -> String {
    "otpsd-signature".to_owned()
}

/// How a request was signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookSignature {
    /// Nobody asked.
    NotExpected,
    /// Not at all.
    Missing,
    /// With another secret, for another time or over another body.
    Wrong,
    /// As it should be. Its time may be any: see [`WebhookRequest::at`](super::WebhookRequest::at).
    Matched,
}

impl WebhookSecret {
    /// A secret, with signatures in the header `Otpsd-Signature`.
    #[must_use]
    pub fn new(secret: &str) -> Self {
        Self { secret: secret.to_owned(), header: usual_header() }
    }

    /// The same secret, with signatures in another header.
    #[must_use]
    pub fn header(self, header: &str) -> Self {
        Self { header: header.to_owned(), ..self }
    }

    pub(crate) fn verify(&self, headers: &HeaderMap, body: &[u8]) -> WebhookSignature {
        let Some(given) = headers.get(&self.header).and_then(|value| value.to_str().ok()) else {
            return WebhookSignature::Missing;
        };
        let parts = || given.split(',').filter_map(|part| part.trim().split_once('='));
        let time = parts().find(|(name, _)| *name == "t").map_or("", |(_, time)| time);
        // There may be several, while a secret is being changed.
        let right = parts().filter(|(name, _)| *name == "v1").any(|(_, hex)| self.signs(time, body, hex));
        if right { WebhookSignature::Matched } else { WebhookSignature::Wrong }
    }

    fn signs(&self, time: &str, body: &[u8], hex: &str) -> bool {
        // A key may have any length, so this never fails.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes()) else { return false };
        for part in [time.as_bytes(), b".", body] {
            mac.update(part);
        }
        bytes(hex).is_some_and(|given| mac.verify_slice(&given).is_ok())
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
        return None;
    }
    (0..hex.len()).step_by(2).map(|place| u8::from_str_radix(&hex[place..place + 2], 16).ok()).collect()
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookSecret").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // printf '1792065600.{"a":1}' | openssl dgst -sha256 -hmac whsec-example
    const HEX: &str = "80e33014090c60ba5edd7aa2534bed37fd7cfed8421c3b32d32e6258d66b0adc";

    fn verify(secret: &str, signature: &str, body: &[u8]) -> WebhookSignature {
        let headers =
            HeaderMap::from_iter([("otpsd-signature".parse().unwrap(), signature.parse().unwrap())]);
        WebhookSecret::new(secret).verify(&headers, body)
    }

    #[test]
    fn a_signature_is_of_one_secret_time_and_body() {
        let body = b"{\"a\":1}";
        let good = format!("t=1792065600,v1={HEX}");
        for form in [
            good.clone(),
            format!("v1=00ff, v1={}, t=1792065600", HEX.to_uppercase()),
            format!("t=1792065600,v0=00,v1={HEX},v1=00"),
        ] {
            assert_eq!(verify("whsec-example", &form, body), WebhookSignature::Matched, "{form}");
        }
        for form in [
            String::new(),
            "t=1792065600".to_owned(),
            "t=1792065600,v1=".to_owned(),
            "t=1792065600,v1=zz".to_owned(),
            format!("v1={HEX}"),
            format!("t=1792065601,v1={HEX}"),
            format!("t=1792065600,v1={}", &HEX[..62]),
            format!("t=1792065600,v0={HEX}"),
        ] {
            assert_eq!(verify("whsec-example", &form, body), WebhookSignature::Wrong, "{form}");
        }
        assert_eq!(verify("whsec-other", &good, body), WebhookSignature::Wrong);
        assert_eq!(verify("whsec-example", &good, b"{\"a\":1} "), WebhookSignature::Wrong);
        let other = WebhookSecret::new("whsec-example").header("x-signature");
        assert_eq!(other.verify(&HeaderMap::new(), body), WebhookSignature::Missing);
    }

    #[test]
    fn a_secret_is_never_shown() {
        assert_eq!(format!("{:?}", WebhookSecret::new("whsec-example")), "WebhookSecret { .. }");
    }
}
