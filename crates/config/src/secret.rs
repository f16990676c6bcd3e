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

/// Reads `{ env = "NAME" }` or `{ file = "PATH" }`. Nothing else is ever quoted.
pub(crate) fn reference(value: &DeValue<'_>) -> Result<Reference, Fault> {
    let DeValue::Table(table) = value else {
        return Err(Fault::new("is a secret, and must not stand in the file").hint(FORMS));
    };
    match one_entry(table) {
        Some(("env", name)) if is_variable_name(name) => Ok(Reference::Variable(name.to_owned())),
        Some(("file", path)) if !path.is_empty() && !looks_like_one(path) => Ok(Reference::File(path.into())),
        Some(("env", _)) => Err(Fault::new("names no environment variable")
            .hint("`env` takes the name of a variable, such as \"PD_ROUTING_KEY\", not the secret itself")),
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
/// credentials.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let is_run = text.len() >= 20 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_mixed =
        text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_login = text.split_once('@').is_some_and(|(before, _)| before.contains(':'));
    (is_run && is_mixed) || is_login || (text.contains("://") && text.contains(['?', '#', '@']))
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
            let what = format!("the environment variable {}", quoted(name));
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
        reference(value.get_ref()).map_err(|fault| fault.predicate)
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
        for text in
            ["R0ABCDEF0123456789ABCDEF01234567", "https://me:pw@example.com", "https://example.com/?token=x"]
        {
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
        ] {
            assert!(!looks_like_one(text), "{text}");
        }
    }
}
