//! The endpoint that a container asks for its credentials, as those of ECS and of EKS Pod Identity do: what
//! `AWS_CONTAINER_CREDENTIALS_FULL_URI` leads to.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::caller::Keys;

/// How long credentials live unless a test says otherwise: as ECS hands them out.
const LIFE: SignedDuration = SignedDuration::from_hours(6);

/// New credentials of the role of the task, which is of the account that callers have who say no other.
pub(crate) fn credentials(keys: &Keys, life: Option<SignedDuration>, real_now: Timestamp) -> Value {
    let role = format!("arn:aws:iam::{}:role/loopback-task", keys.home());
    let session = format!("arn:aws:sts::{}:assumed-role/loopback-task/loopback", keys.home());
    let expires = real_now.saturating_add(life.unwrap_or(LIFE)).unwrap_or(Timestamp::MAX);
    let issued = keys.issue(keys.home(), &session, expires);
    json!({
        "RoleArn": role,
        "AccessKeyId": issued.access_key,
        "SecretAccessKey": issued.secret_key,
        "Token": issued.session_token,
        "Expiration": format!("{expires:.0}"),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn credentials_say_when_they_expire() {
        let keys = Keys::new(BTreeMap::new(), "111122223333".to_owned());
        let now = "2026-10-15T12:00:00.9Z".parse().unwrap();
        let given = credentials(&keys, Some(SignedDuration::from_secs(120)), now);
        assert_eq!(given["Expiration"], "2026-10-15T12:02:00Z");
        assert_eq!(given["AccessKeyId"], "ASIALOOPBACK00000001");
        assert_eq!(credentials(&keys, None, now)["Expiration"], "2026-10-15T18:00:00Z");
    }
}
