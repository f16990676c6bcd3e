//! Secrets: named by the configuration, and read from the environment or a file.

use std::path::{Path, PathBuf};

use domain::Secret;
use toml::de::{DeTable, DeValue};

use crate::environment::{self, Environment, MAX_FILE_BYTES};
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::table::{Fault, Setting};
use crate::{Purpose, Severity};

const FORMS: &str = "write where it is: { env = \"NAME\" } or { file = \"PATH\" }";

/// Where a secret is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reference {
    /// In an environment variable.
    Variable(String),
    /// In a file.
    File(PathBuf),
}

impl Reference {
    /// What it is, for messages.
    pub(crate) fn described(&self) -> String {
        match self {
            Self::Variable(name) => format!("the environment variable {}", quoted(name)),
            Self::File(path) => format!("the file {}", quoted(&path.display().to_string())),
        }
    }
}

/// Reads `{ env = "NAME" }` or `{ file = "PATH" }`. Nothing else is ever quoted. `example` is a name of a variable.
pub(crate) fn reference(example: &str) -> impl Fn(&DeValue<'_>) -> Result<Reference, Fault> {
    move |value| match value {
        DeValue::Table(table) => named(table, example),
        _ => Err(Fault::new("is a secret, and must not stand in the file").hint(FORMS)),
    }
}

fn named(table: &DeTable<'_>, example: &str) -> Result<Reference, Fault> {
    match one_entry(table) {
        Some(("env", name)) if is_variable_name(name) => Ok(Reference::Variable(name.to_owned())),
        Some(("file", path)) if !path.is_empty() && !looks_like_one(path) => Ok(Reference::File(path.into())),
        Some(("env", _)) => Err(Fault::new("names no environment variable").hint(format!(
            "`env` takes the name of a variable, such as \"{example}\", not the secret itself"
        ))),
        Some(("file", _)) => Err(Fault::new("names no file")
            .hint("`file` takes the path of a file that holds nothing but the secret")),
        _ => Err(Fault::new("must be { env = \"NAME\" } or { file = \"PATH\" }")
            .hint("one of the two, with a string, and nothing else")),
    }
}

fn one_entry<'d>(table: &'d DeTable<'_>) -> Option<(&'d str, &'d str)> {
    let (key, value) = table.iter().next().filter(|_| table.len() == 1)?;
    Some((key.get_ref(), value.get_ref().as_str()?))
}

fn is_variable_name(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !looks_like_one(name)
}

/// Whether a text may be a secret, whatever it is called: a long run of letters and digits, or an address that carries
/// credentials or a token.
pub(crate) fn looks_like_one(text: &str) -> bool {
    // With the password before the host, or, as some tools take it, after an email address.
    let is_login = text.contains('@') && text.contains(':');
    let in_address = |address: &str| {
        address.contains(['?', '#', '@']) || address.split('/').skip(1).any(looks_like_a_token)
    };
    is_long_run(text) || is_login || text.split_once("://").is_some_and(|(_, address)| in_address(address))
}

fn is_long_run(text: &str) -> bool {
    let is_mixed =
        text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_alphabetic());
    text.len() >= 20 && is_mixed && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a part of an address may be a token: a long run, a UUID, or the letters of base64 for addresses.
pub(crate) fn looks_like_a_token(part: &str) -> bool {
    let groups: Vec<_> = part.split('-').collect();
    let is_uuid = groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let has = |kind: fn(&u8) -> bool| part.bytes().any(|byte| kind(&byte));
    let is_base64 = part.len() >= 20
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase);
    is_long_run(part) || is_uuid || is_base64
}

/// Reads the secret itself, where the purpose needs one. What cannot be read is an error for a daemon that is about to
/// start, and a warning for a look at the file, which often happens where no secret is.
///
/// A plan that is not for a daemon has an empty secret.
pub(crate) fn resolve(
    report: &mut Report<'_>,
    (purpose, environment): (Purpose, &dyn Environment),
    key: &str,
    setting: Setting<Reference>,
) -> Option<Secret> {
    let (reference, at) = (setting.value?, setting.at?);
    if purpose == Purpose::Backtest {
        return Some(Secret::new(""));
    }
    let folder = report.folder(at.file);
    match read(&reference, folder, environment) {
        Ok(secret) => Some(secret),
        Err(message) => {
            unresolved(report, purpose, at, message).hint(match purpose {
                Purpose::Run => {
                    format!("`{key}` is read when the daemon starts, from the environment of the daemon")
                }
                Purpose::Check | Purpose::Backtest => "`otpsd run` does not start without it".to_owned(),
            });
            (purpose == Purpose::Check).then(|| Secret::new(""))
        }
    }
}

fn unresolved<'r>(
    report: &'r mut Report<'_>,
    purpose: Purpose,
    at: At,
    message: String,
) -> &'r mut crate::report::Draft {
    let severity = if purpose == Purpose::Run { Severity::Error } else { Severity::Warning };
    report.add(severity, Some(at), message)
}

fn read(reference: &Reference, folder: &Path, environment: &dyn Environment) -> Result<Secret, String> {
    let (what, text) = match reference {
        Reference::Variable(name) => {
            let what = reference.described();
            let value = environment.variable(name).ok_or_else(|| format!("{what} is not set"))?;
            (what, value.into_string().ok())
        }
        Reference::File(path) => {
            let path = folder.join(path);
            let what = format!("the file {}", quoted(&path.display().to_string()));
            let bytes = environment
                .file(&path)
                .map_err(|error| format!("cannot read {what}: {}", environment::reason(&error)))?;
            let is_short = (bytes.len() as u64) <= MAX_FILE_BYTES;
            (what, String::from_utf8(bytes).ok().filter(|_| is_short))
        }
    };
    let text = text.ok_or_else(|| format!("{what} does not hold a text"))?;
    match text.trim() {
        "" => Err(format!("{what} is empty")),
        secret if secret.contains(char::is_whitespace) => Err(format!("{what} holds more than one word")),
        secret => Ok(Secret::new(secret)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &str) -> Result<Reference, String> {
        let value = DeValue::parse(value).unwrap();
        reference("PD_KEY")(value.get_ref()).map_err(|fault| fault.predicate)
    }

    #[test]
    fn a_secret_is_named_never_written() {
        assert_eq!(of(r#"{ env = "PD_KEY" }"#), Ok(Reference::Variable("PD_KEY".into())));
        assert_eq!(of(r#"{ file = "/run/secrets/pd" }"#), Ok(Reference::File("/run/secrets/pd".into())));
        for (value, predicate) in [
            (r#""hunter2""#, "is a secret, and must not stand in the file"),
            ("17", "is a secret, and must not stand in the file"),
            ("[]", "is a secret, and must not stand in the file"),
            ("{}", "must be { env = \"NAME\" } or { file = \"PATH\" }"),
            (r#"{ env = 3 }"#, "must be { env = \"NAME\" } or { file = \"PATH\" }"),
            (r#"{ value = "hunter2" }"#, "must be { env = \"NAME\" } or { file = \"PATH\" }"),
            (r#"{ env = "A", file = "b" }"#, "must be { env = \"NAME\" } or { file = \"PATH\" }"),
            (r#"{ env = "PD KEY" }"#, "names no environment variable"),
            (r#"{ env = "" }"#, "names no environment variable"),
            (r#"{ env = "0f3a5c7e9b1d2f4a6c8e0b1d3f5a7c9e" }"#, "names no environment variable"),
            (r#"{ env = "R0ABCDEF0123456789ABCDEF01234567" }"#, "names no environment variable"),
            (r#"{ file = "" }"#, "names no file"),
            (r#"{ file = "R0ABCDEF0123456789ABCDEF01234567" }"#, "names no file"),
        ] {
            assert_eq!(of(value), Err(predicate.to_owned()), "{value}");
        }
    }

    #[test]
    fn long_runs_and_addresses_with_credentials_look_like_secrets() {
        for text in [
            "R0ABCDEF0123456789ABCDEF01234567",
            "https://me:pw@example.com",
            "me@example.com:pw",
            "https://example.com/?token=x",
            "https://hooks.example.com/services/T00/B00/a1B2c3D4e5F6g7H8i9J0k1L2",
            "https://hooks.example.com/api/aB3-dE6_gH9-jK2_mN5-pQ8",
            "https://beats.example.com/0f3a5c7e-9b1d-4f6a-8c0e-1b3d5f7a9c0e/start",
        ] {
            assert!(looks_like_one(text), "{text}");
        }
        for text in [
            "us-east-1",
            "111122223333",
            "arn:aws:sns:us-east-1:111122223333:llm-pages",
            "us.anthropic.claude-haiku-4-5-20251001-v1:0",
            "https://events.pagerduty.com/v2/enqueue",
            "PAGERDUTY_ROUTING_KEY_2",
            "pagerduty.oncall",
            "https://wiki.example.com/runbooks/bedrock-otps-2026-12-01",
            "0f3a5c7e-9b1d-4f6a-8c0e-1b3d5f7a9c0e",
        ] {
            assert!(!looks_like_one(text), "{text}");
        }
    }
}
