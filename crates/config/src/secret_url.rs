//! Addresses that may carry a token: written where they carry none, else named like any secret.

use domain::Secret;
use toml::de::DeValue;
use url::Url;

use crate::environment::Environment;
use crate::report::Report;
use crate::secret::{self, Reference, looks_like_a_token};
use crate::table::{Fault, Setting};
use crate::value::wrong_type;
use crate::{Purpose, Severity, address};

const FORMS: &str = "name where the whole address is: { env = \"NAME\" } or { file = \"PATH\" }";
/// Names of parameters that carry what opens a door, or parts of them.
const TELLTALE: [&str; 8] = ["token", "key", "secret", "sig", "auth", "code", "pass", "pwd"];

/// Where something is posted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// It is written in the configuration.
    Written(Secret),
    /// It is where secrets are.
    Named(Reference),
}

/// Reads a URL, or where one is. A written one is in no message, for it may be a token that was put in the wrong place.
pub(crate) fn read(example: &str) -> impl Fn(&DeValue<'_>) -> Result<Address, Fault> {
    move |value| match value {
        DeValue::String(text) => written(text).map(Address::Written),
        DeValue::Table(_) => secret::reference(example)(value).map(Address::Named),
        other => Err(wrong_type("a URL, { env = \"NAME\" } or { file = \"PATH\" }", other)),
    }
}

fn written(text: &str) -> Result<Secret, Fault> {
    let url = address::parsed(text).map_err(|fault| match fault.predicate.as_str() {
        "must not hold a user or a password" => Fault { hint: Some(FORMS.to_owned()), ..fault },
        _ => Fault { hint: Some("such as \"https://hooks.example.com/otpsd\"".to_owned()), ..fault },
    })?;
    if url.fragment().is_some() {
        return Err(Fault::new("must end before any `#`"));
    }
    if carries_a_token(&url) {
        return Err(Fault::new("must not stand in the file with what looks like a token").hint(FORMS));
    }
    Ok(Secret::new(text))
}

fn carries_a_token(url: &Url) -> bool {
    let in_query = url.query_pairs().any(|(name, value)| {
        let name = name.to_lowercase();
        TELLTALE.iter().any(|part| name.contains(part)) || looks_like_a_token(&value)
    });
    in_query || url.path().split('/').any(looks_like_a_token)
}

/// The address itself, where the purpose needs it; empty where it is a secret and the purpose needs none.
pub(crate) fn resolve(
    report: &mut Report<'_>,
    surroundings: (Purpose, &dyn Environment),
    key: &str,
    setting: Setting<Address>,
) -> Option<Secret> {
    match setting.value? {
        Address::Written(url) => Some(url),
        Address::Named(reference) => {
            let what = reference.described();
            let named = Setting { value: Some(reference), at: setting.at };
            let url = secret::resolve(report, surroundings, key, named)?;
            let is_there = !url.expose().is_empty();
            if is_there && address::is_web(url.expose()) {
                return Some(url);
            }
            if is_there {
                let purpose = surroundings.0;
                let severity = if purpose == Purpose::Run { Severity::Error } else { Severity::Warning };
                let message = format!("{what} must hold a URL with http:// or https://");
                report.add(severity, setting.at, message).hint(format!("`{key}` is taken from it"));
            }
            (surroundings.0 != Purpose::Run).then(|| Secret::new(""))
        }
    }
}

/// The same for one that need not be there.
pub(crate) fn resolve_optional(
    report: &mut Report<'_>,
    surroundings: (Purpose, &dyn Environment),
    key: &str,
    setting: Setting<Option<Address>>,
) -> Option<Option<Secret>> {
    match setting.value? {
        None => Some(None),
        Some(address) => {
            let setting = Setting { value: Some(address), at: setting.at };
            resolve(report, surroundings, key, setting).map(Some)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stands_in_the_file_when_it_carries_no_token() {
        for text in [
            "https://hooks.example.com/otpsd",
            "http://127.0.0.1:8080/",
            "https://hooks.example.com/v1/rooms/llm-incidents-2026?format=json&room=17",
        ] {
            assert_eq!(written(text), Ok(Secret::new(text)), "{text}");
        }
        let token = "must not stand in the file with what looks like a token";
        for (text, predicate) in [
            ("https://hooks.example.com/services/T00/B00/a1B2c3D4e5F6g7H8i9J0k1L2", token),
            ("https://hooks.example.com/aB3-dE6_gH9-jK2_mN5-pQ8", token),
            ("https://beats.example.com/0f3a5c7e-9b1d-4f6a-8c0e-1b3d5f7a9c0e", token),
            ("https://hooks.example.com/?access_token=hunter2", token),
            ("https://hooks.example.com/?Code=hunter2", token),
            ("https://hooks.example.com/?x=a1b2c3d4e5f6g7h8i9j0k1", token),
            ("https://me:hunter2@hooks.example.com/", "must not hold a user or a password"),
            ("https://hooks.example.com/#hunter2", "must end before any `#`"),
            ("hooks.example.com/hunter2", "must be a URL with http:// or https://"),
            ("hunter2", "must be a URL with http:// or https://"),
            ("https://hooks.example.com:hunter2/", "is not a URL: invalid port number"),
        ] {
            let fault = written(text).unwrap_err();
            assert_eq!(fault.predicate, predicate, "{text}");
            assert!(!format!("{fault:?}").contains("hunter2"), "{fault:?}");
        }
    }
}
