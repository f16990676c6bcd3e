//! STS: `GetCallerIdentity` and `AssumeRole`.

use jiff::{SignedDuration, Timestamp};

use super::aws_error::{AwsError, Service};
use super::caller::{Caller, Keys};
use super::form::{Form, element_xml};

/// How long temporary credentials live, in seconds: at least, if not said, at most.
const LIFE: (i64, i64, i64) = (900, 3_600, 43_200);

/// Carries out an action, and gives the XML within its result.
///
/// `real_now` is the time of the machine, which the expiry of credentials goes by: clients compare it with their own
/// clock.
pub(crate) fn answer(
    action: &str,
    form: &Form,
    caller: &Caller,
    keys: &Keys,
    real_now: Timestamp,
) -> Result<String, AwsError> {
    match action {
        "GetCallerIdentity" => Ok([
            element_xml("Arn", &caller.arn),
            element_xml("UserId", "AIDALOOPBACK00000001"),
            element_xml("Account", &caller.home),
        ]
        .concat()),
        "AssumeRole" => assume_role(form, keys, real_now),
        other => Err(AwsError::unknown_operation(Service::Sts, other)),
    }
}

fn assume_role(form: &Form, keys: &Keys, real_now: Timestamp) -> Result<String, AwsError> {
    let role_arn = required(form, "RoleArn", "roleArn")?;
    let session = required(form, "RoleSessionName", "roleSessionName")?;
    let invalid = || AwsError::validation(format!("{role_arn} is invalid"));
    let (account, role) = match role_arn.split(':').collect::<Vec<_>>().as_slice() {
        ["arn", _partition, "iam", "", account, role] if account.len() == 12 => {
            (*account, role.strip_prefix("role/").ok_or_else(invalid)?)
        }
        _ => return Err(invalid()),
    };
    let (least, usual, most) = LIFE;
    let life = match form.get("DurationSeconds") {
        None => usual,
        Some(text) => text.parse().ok().filter(|life| (least..=most).contains(life)).ok_or_else(|| {
            AwsError::validation(format!(
                "1 validation error detected: Value '{text}' at 'durationSeconds' failed to satisfy constraint: Member must \
                 have value between {least} and {most}"
            ))
        })?,
    };
    // The session is of the role's name alone, without its path.
    let name = role.rsplit('/').next().unwrap_or(role);
    let arn = format!("arn:aws:sts::{account}:assumed-role/{name}/{session}");
    let issued = keys.issue(account, &arn);
    let expiration = real_now.checked_add(SignedDuration::from_secs(life)).unwrap_or(Timestamp::MAX);
    let expiration = Timestamp::from_second(expiration.as_second()).unwrap_or(Timestamp::MAX);
    let credentials = [
        element_xml("AccessKeyId", &issued.access_key),
        element_xml("SecretAccessKey", &issued.secret_key),
        element_xml("SessionToken", &issued.session_token),
        element_xml("Expiration", &expiration.to_string()),
    ]
    .concat();
    let user = [
        element_xml("AssumedRoleId", &format!("AROALOOPBACK00000001:{session}")),
        element_xml("Arn", &issued.arn),
    ]
    .concat();
    Ok(format!("<Credentials>{credentials}</Credentials><AssumedRoleUser>{user}</AssumedRoleUser>"))
}

fn required<'a>(form: &'a Form, field: &str, parameter: &str) -> Result<&'a str, AwsError> {
    form.get(field).filter(|text| !text.is_empty()).ok_or_else(|| {
        AwsError::validation(format!(
            "1 validation error detected: Value null at '{parameter}' failed to satisfy constraint: Member must not be null"
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn assume(fields: &[(&str, &str)]) -> Result<String, AwsError> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let keys = Keys::new(BTreeMap::new(), "111122223333".to_owned());
        let now = "2026-10-15T12:00:00.5Z".parse().unwrap();
        assume_role(&Form::read(body.as_bytes()), &keys, now)
    }

    const ROLE: (&str, &str) = ("RoleArn", "arn:aws:iam::444455556666:role/ops/metrics-reader");
    const SESSION: (&str, &str) = ("RoleSessionName", "otpsd");

    #[test]
    fn a_role_is_assumed_in_its_own_account() {
        let xml = assume(&[ROLE, SESSION]).unwrap();
        assert!(
            xml.contains("<Arn>arn:aws:sts::444455556666:assumed-role/metrics-reader/otpsd</Arn>"),
            "{xml}"
        );
        assert!(xml.contains("<Expiration>2026-10-15T13:00:00Z</Expiration>"), "{xml}");
        let xml = assume(&[ROLE, SESSION, ("DurationSeconds", "900")]).unwrap();
        assert!(xml.contains("<Expiration>2026-10-15T12:15:00Z</Expiration>"), "{xml}");
    }

    #[test]
    fn parameters_are_checked() {
        assert!(assume(&[SESSION]).unwrap_err().message.contains("'roleArn'"));
        assert!(assume(&[ROLE]).unwrap_err().message.contains("'roleSessionName'"));
        assert_eq!(assume(&[("RoleArn", "reader"), SESSION]).unwrap_err().message, "reader is invalid");
        let short = assume(&[ROLE, SESSION, ("DurationSeconds", "899")]).unwrap_err().message;
        assert!(short.contains("between 900 and 43200"), "{short}");
    }
}
