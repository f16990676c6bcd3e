//! STS: `GetCallerIdentity`, `AssumeRole` and `AssumeRoleWithWebIdentity`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use super::aws_error::{AwsError, Service};
use super::caller::{Caller, Keys};
use super::form::{Form, element_xml};

/// How long temporary credentials live, in seconds: at least, if not said, at most.
const LIFE: (i64, i64, i64) = (900, 3_600, 43_200);

/// Who may assume what, and for how long.
#[derive(Debug, Default)]
pub(crate) struct Sts {
    /// The roles there are, with the external id that each asks for. Empty: all there can be, which ask for none.
    pub(crate) roles: BTreeMap<String, Option<String>>,
    /// The web identity tokens that are good. Empty: all.
    pub(crate) tokens: Mutex<Vec<String>>,
    /// How long credentials live whatever was asked for.
    pub(crate) life: Option<SignedDuration>,
}

impl Sts {
    /// Carries out an action, and gives the XML within its result.
    ///
    /// `real_now` is the time of the machine, which the expiry of credentials goes by: clients compare it with their own
    /// clock. `caller` is nobody where an action needs no signature.
    pub(crate) fn answer(
        &self,
        action: &str,
        form: &Form,
        caller: Option<&Caller>,
        keys: &Keys,
        real_now: Timestamp,
    ) -> Result<String, AwsError> {
        match (action, caller) {
            ("AssumeRoleWithWebIdentity", _) => self.with_web_identity(form, keys, real_now),
            (_, None) => Err(AwsError::missing_token()),
            ("GetCallerIdentity", Some(caller)) => Ok([
                element_xml("Arn", &caller.arn),
                element_xml("UserId", "AIDALOOPBACK00000001"),
                element_xml("Account", &caller.home),
            ]
            .concat()),
            ("AssumeRole", Some(caller)) => self.assume_role(form, caller, keys, real_now),
            (other, _) => Err(AwsError::unknown_operation(Service::Sts, other)),
        }
    }

    /// A role is assumed by whoever names its external id. One that does not exist is denied like any other.
    fn assume_role(
        &self,
        form: &Form,
        caller: &Caller,
        keys: &Keys,
        real_now: Timestamp,
    ) -> Result<String, AwsError> {
        let session = Session::of(form)?;
        let wanted = self.roles.get(session.role_arn);
        let is_trusted = match wanted {
            None => self.roles.is_empty(),
            Some(None) => true,
            Some(Some(external_id)) => form.get("ExternalId") == Some(external_id),
        };
        if !is_trusted {
            let arn = Some(session.role_arn);
            return Err(AwsError::denied(Service::Sts, "AssumeRole", &caller.arn, arn));
        }
        self.issued(&session, form, keys, real_now)
    }

    fn with_web_identity(&self, form: &Form, keys: &Keys, real_now: Timestamp) -> Result<String, AwsError> {
        let session = Session::of(form)?;
        let token = required(form, "WebIdentityToken", "webIdentityToken")?;
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if !tokens.is_empty() && !tokens.iter().any(|good| good == token) {
            return Err(AwsError::web_identity_expired());
        }
        drop(tokens);
        self.issued(&session, form, keys, real_now)
    }

    fn issued(
        &self,
        session: &Session<'_>,
        form: &Form,
        keys: &Keys,
        real_now: Timestamp,
    ) -> Result<String, AwsError> {
        let life = self.life.map_or_else(|| life(form), Ok)?;
        let Session { account, name, session, .. } = session;
        let arn = format!("arn:aws:sts::{account}:assumed-role/{name}/{session}");
        let expires = real_now.saturating_add(life).unwrap_or(Timestamp::MAX);
        let expires = Timestamp::from_second(expires.as_second()).unwrap_or(Timestamp::MAX);
        let issued = keys.issue(account, &arn, expires);
        let credentials = [
            element_xml("AccessKeyId", &issued.access_key),
            element_xml("SecretAccessKey", &issued.secret_key),
            element_xml("SessionToken", &issued.session_token),
            element_xml("Expiration", &expires.to_string()),
        ]
        .concat();
        let user = [
            element_xml("AssumedRoleId", &format!("AROALOOPBACK00000001:{session}")),
            element_xml("Arn", &issued.arn),
        ]
        .concat();
        Ok(format!("<Credentials>{credentials}</Credentials><AssumedRoleUser>{user}</AssumedRoleUser>"))
    }
}

/// What is asked for.
struct Session<'a> {
    role_arn: &'a str,
    account: &'a str,
    /// Of the role, without its path: the session is of that alone.
    name: &'a str,
    session: &'a str,
}

impl<'a> Session<'a> {
    fn of(form: &'a Form) -> Result<Self, AwsError> {
        let role_arn = required(form, "RoleArn", "roleArn")?;
        let session = required(form, "RoleSessionName", "roleSessionName")?;
        let invalid = || AwsError::validation(format!("{role_arn} is invalid"));
        match role_arn.split(':').collect::<Vec<_>>().as_slice() {
            ["arn", _partition, "iam", "", account, role] if account.len() == 12 => {
                let role = role.strip_prefix("role/").ok_or_else(invalid)?;
                Ok(Self { role_arn, account, name: role.rsplit('/').next().unwrap_or(role), session })
            }
            _ => Err(invalid()),
        }
    }
}

fn life(form: &Form) -> Result<SignedDuration, AwsError> {
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
    Ok(SignedDuration::from_secs(life))
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
    use super::*;

    fn ask(sts: &Sts, action: &str, fields: &[(&str, &str)]) -> Result<String, AwsError> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let keys = Keys::new(BTreeMap::new(), "111122223333".to_owned());
        let now = "2026-10-15T12:00:00.5Z".parse().unwrap();
        let caller = Caller {
            access_key: "AKIA".to_owned(),
            region: "us-east-1".to_owned(),
            account: None,
            home: "111122223333".to_owned(),
            arn: "arn:aws:iam::111122223333:user/loopback".to_owned(),
        };
        sts.answer(action, &Form::read(body.as_bytes()), Some(&caller), &keys, now)
    }

    fn assume(fields: &[(&str, &str)]) -> Result<String, AwsError> {
        ask(&Sts::default(), "AssumeRole", fields)
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
        let short = Sts { life: Some(SignedDuration::from_secs(30)), ..Sts::default() };
        let xml = ask(&short, "AssumeRole", &[ROLE, SESSION]).unwrap();
        assert!(xml.contains("<Expiration>2026-10-15T12:00:30Z</Expiration>"), "{xml}");
    }

    #[test]
    fn parameters_are_checked() {
        assert!(assume(&[SESSION]).unwrap_err().message.contains("'roleArn'"));
        assert!(assume(&[ROLE]).unwrap_err().message.contains("'roleSessionName'"));
        assert_eq!(assume(&[("RoleArn", "reader"), SESSION]).unwrap_err().message, "reader is invalid");
        let short = assume(&[ROLE, SESSION, ("DurationSeconds", "899")]).unwrap_err().message;
        assert!(short.contains("between 900 and 43200"), "{short}");
    }

    #[test]
    fn a_role_that_asks_for_an_external_id_is_assumed_with_that_one_alone() {
        let asks = Some("of-otpsd".to_owned());
        let sts = Sts { roles: BTreeMap::from([(ROLE.1.to_owned(), asks)]), ..Sts::default() };
        let with = |id: &str| ask(&sts, "AssumeRole", &[ROLE, SESSION, ("ExternalId", id)]);
        assert!(with("of-otpsd").is_ok());
        assert_eq!(with("guessed").unwrap_err().code, "AccessDenied");
        assert_eq!(ask(&sts, "AssumeRole", &[ROLE, SESSION]).unwrap_err().code, "AccessDenied");
        let unknown = ("RoleArn", "arn:aws:iam::444455556666:role/other");
        let refusal = ask(&sts, "AssumeRole", &[unknown, SESSION]).unwrap_err();
        assert_eq!(refusal.code, "AccessDenied", "that there is none is nobody's to know");
    }

    #[test]
    fn a_web_identity_needs_a_token_that_is_good() {
        let sts = Sts { tokens: vec!["new".to_owned()].into(), ..Sts::default() };
        let with =
            |token| ask(&sts, "AssumeRoleWithWebIdentity", &[ROLE, SESSION, ("WebIdentityToken", token)]);
        assert!(with("new").is_ok());
        assert_eq!(with("old").unwrap_err().code, "ExpiredTokenException");
    }
}
