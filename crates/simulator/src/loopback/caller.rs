//! Who calls: the credential scope of the signature, and whose access key it is.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use jiff::Timestamp;

use super::aws_error::{AwsError, Service};

/// Who signed, for which Region. The signature itself is not verified: the loopback has no secret keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) access_key: String,
    pub(crate) region: String,
    service: String,
}

impl Scope {
    /// From `Authorization: AWS4-HMAC-SHA256 Credential=KEY/DATE/REGION/SERVICE/aws4_request, …`.
    pub(crate) fn read(headers: &HeaderMap) -> Result<Self, AwsError> {
        let header = headers.get(AUTHORIZATION).ok_or_else(AwsError::missing_token)?;
        let header = header.to_str().map_err(|_| AwsError::incomplete_signature(""))?;
        let parts: Option<Vec<&str>> = header
            .strip_prefix("AWS4-HMAC-SHA256")
            .and_then(|fields| fields.split(',').find_map(|field| field.trim().strip_prefix("Credential=")))
            .map(|credential| credential.split('/').collect());
        match parts.as_deref() {
            Some([access_key, _date, region, service, "aws4_request"]) => Ok(Self {
                access_key: (*access_key).to_owned(),
                region: (*region).to_owned(),
                service: (*service).to_owned(),
            }),
            _ => Err(AwsError::incomplete_signature(header)),
        }
    }

    /// Refuses a signature that was made for another service.
    pub(crate) fn check(&self, service: Service) -> Result<(), AwsError> {
        if self.service == service.scope() { Ok(()) } else { Err(AwsError::wrong_scope(service)) }
    }
}

/// Whose access key it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) access_key: String,
    pub(crate) region: String,
    /// The account whose data the key may see; `None` when it may see all.
    pub(crate) account: Option<String>,
    /// The account that `GetCallerIdentity` names.
    pub(crate) home: String,
    /// The ARN of the user or the assumed role.
    pub(crate) arn: String,
}

/// All access keys there are.
#[derive(Debug)]
pub(crate) struct Keys {
    /// From access key to account. When it is empty, every key is good and sees every account.
    accounts: BTreeMap<String, String>,
    /// The account of a key that is not in `accounts`.
    home: String,
    issued: Mutex<Vec<Issued>>,
}

/// Temporary credentials that `AssumeRole` gave out.
#[derive(Debug, Clone)]
pub(crate) struct Issued {
    pub(crate) access_key: String,
    pub(crate) secret_key: String,
    pub(crate) session_token: String,
    pub(crate) account: String,
    pub(crate) arn: String,
    /// By the clock of the machine.
    pub(crate) expires: Timestamp,
}

impl Keys {
    pub(crate) fn new(accounts: BTreeMap<String, String>, home: String) -> Self {
        Self { accounts, home, issued: Mutex::new(Vec::new()) }
    }

    /// Whose key it is. A temporary key needs the session token that came with it, and is good until it expires.
    pub(crate) fn caller(
        &self,
        scope: &Scope,
        headers: &HeaderMap,
        real_now: Timestamp,
    ) -> Result<Caller, AwsError> {
        let Scope { access_key, region, .. } = scope.clone();
        let token = headers.get("x-amz-security-token").and_then(|token| token.to_str().ok());
        if let Some(issued) = self.lock().iter().find(|issued| issued.access_key == access_key) {
            if token != Some(&issued.session_token) {
                return Err(AwsError::unknown_key());
            }
            if issued.expires <= real_now {
                return Err(AwsError::expired_token());
            }
            let account = issued.account.clone();
            return Ok(Caller {
                access_key,
                region,
                account: Some(account.clone()),
                home: account,
                arn: issued.arn.clone(),
            });
        }
        let account = self.accounts.get(&access_key).cloned();
        if account.is_none() && !self.accounts.is_empty() {
            return Err(AwsError::unknown_key());
        }
        let home = account.clone().unwrap_or_else(|| self.home.clone());
        let arn = format!("arn:aws:iam::{home}:user/loopback");
        Ok(Caller { access_key, region, account, home, arn })
    }

    /// The account of a key that is in no list.
    pub(crate) fn home(&self) -> &str {
        &self.home
    }

    /// New temporary credentials for a role of `account`.
    pub(crate) fn issue(&self, account: &str, arn: &str, expires: Timestamp) -> Issued {
        let mut keys = self.lock();
        let number = keys.len() + 1;
        let issued = Issued {
            access_key: format!("ASIALOOPBACK{number:08}"),
            secret_key: format!("loopback-secret-{number:024}"),
            session_token: format!("loopback-session-{number:032}"),
            account: account.to_owned(),
            arn: arn.to_owned(),
            expires,
        };
        keys.push(issued.clone());
        issued
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Issued>> {
        self.issued.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(authorization: &str, token: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, authorization.parse().unwrap());
        if let Some(token) = token {
            headers.insert("x-amz-security-token", token.parse().unwrap());
        }
        headers
    }

    fn signed(key: &str) -> String {
        format!(
            "AWS4-HMAC-SHA256 Credential={key}/20261015/eu-west-1/monitoring/aws4_request, \
             SignedHeaders=host;x-amz-date, Signature=0"
        )
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_792_065_600 + second).unwrap()
    }

    #[test]
    fn the_scope_is_read_from_the_signature() {
        let scope = Scope::read(&headers(&signed("AKIDEXAMPLE"), None)).unwrap();
        assert_eq!((scope.access_key.as_str(), scope.region.as_str()), ("AKIDEXAMPLE", "eu-west-1"));
        assert_eq!(scope.check(Service::CloudWatch), Ok(()));
        assert_eq!(scope.check(Service::Sns).unwrap_err().code, "SignatureDoesNotMatch");
        assert_eq!(Scope::read(&HeaderMap::new()).unwrap_err().code, "MissingAuthenticationToken");
        assert_eq!(Scope::read(&headers("Bearer x", None)).unwrap_err().code, "IncompleteSignature");
        let short = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261015/eu-west-1, Signature=0";
        assert_eq!(Scope::read(&headers(short, None)).unwrap_err().code, "IncompleteSignature");
    }

    #[test]
    fn a_key_belongs_to_one_account() {
        let keys =
            Keys::new(BTreeMap::from([("AKIA".to_owned(), "111122223333".to_owned())]), "-".to_owned());
        let call = |key: &str, token: Option<&str>| {
            let headers = headers(&signed(key), token);
            keys.caller(&Scope::read(&headers).unwrap(), &headers, at(0))
        };
        assert_eq!(call("AKIA", None).unwrap().account.as_deref(), Some("111122223333"));
        assert_eq!(call("AKIB", None).unwrap_err().shape, "UnrecognizedClientException");

        let arn = "arn:aws:sts::444455556666:assumed-role/reader/otpsd";
        let issued = keys.issue("444455556666", arn, at(1));
        assert_eq!(call(&issued.access_key, None).unwrap_err().shape, "UnrecognizedClientException");
        let caller = call(&issued.access_key, Some(&issued.session_token)).unwrap();
        assert_eq!(caller.account.as_deref(), Some("444455556666"));
        assert_eq!(caller.arn, arn);
        let old = keys.issue("444455556666", arn, at(0));
        let refusal = call(&old.access_key, Some(&old.session_token)).unwrap_err();
        assert_eq!(refusal.shape, "ExpiredTokenException");
    }

    #[test]
    fn without_accounts_any_key_sees_all() {
        let keys = Keys::new(BTreeMap::new(), "111122223333".to_owned());
        let headers = headers(&signed("any"), None);
        let caller = keys.caller(&Scope::read(&headers).unwrap(), &headers, at(0)).unwrap();
        assert_eq!((caller.account, caller.home.as_str()), (None, "111122223333"));
    }
}
