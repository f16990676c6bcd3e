//! What proves that a body is the daemon's, and of now: `Otpsd-Signature: t=1796278622,v1=<64 hexadecimal digits>`.
//!
//! `t` is the time of the attempt in seconds since 1970, and `v1` is HMAC-SHA256, under the secret of the channel, of `t`, a full stop
//! and the body. A receiver works it out again from the bytes it got, and refuses a `t` that is old.

use domain::Secret;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::Sha256;

/// The value of the header.
pub(super) fn signature(secret: &Secret, now: Timestamp, body: &str) -> String {
    let time = now.as_second();
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).expect("HMAC takes keys of any length");
    mac.update(format!("{time}.").as_bytes());
    mac.update(body.as_bytes());
    let digits: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={time},v1={digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_a_contract() {
        // printf '1796278622.{"a":"é"}' | openssl dgst -sha256 -hmac 'a secret of many characters'
        let now = Timestamp::from_second(1_796_278_622).unwrap();
        let secret = Secret::new("a secret of many characters");
        assert_eq!(
            signature(&secret, now, "{\"a\":\"é\"}"),
            "t=1796278622,v1=1294536ca7dba61e61325476204794c82088f36b60e0684e47b30900897a1797"
        );
    }
}
