//! Names of AWS: Regions, accounts, topics, roles.

use std::ops::RangeInclusive;

use crate::quote::quoted;
use crate::table::Fault;

/// Parts of AWS that have accounts of their own, with what the names of their Regions begin with. All others are in `aws`.
const PARTITIONS_BY_REGION: [(&str, &str); 7] = [
    ("us-gov-", "aws-us-gov"),
    ("cn-", "aws-cn"),
    ("eusc-", "aws-eusc"),
    ("us-isob-", "aws-iso-b"),
    ("us-isof-", "aws-iso-f"),
    ("us-iso-", "aws-iso"),
    ("eu-isoe-", "aws-iso-e"),
];
/// As ARNs write them.
pub(crate) const PARTITIONS: [&str; 8] =
    ["aws", "aws-us-gov", "aws-cn", "aws-eusc", "aws-iso", "aws-iso-b", "aws-iso-e", "aws-iso-f"];
const PARTITION: &str = "its second part is aws, or another partition such as aws-us-gov";

/// The partition that a Region is in.
pub(crate) fn partition_of(region: &str) -> &'static str {
    PARTITIONS_BY_REGION
        .iter()
        .find_map(|(begin, partition)| region.starts_with(begin).then_some(*partition))
        .unwrap_or("aws")
}

/// One of several Regions, such as `us-east-1`.
pub(crate) fn region(text: &str) -> Result<String, Fault> {
    a_region("must name AWS Regions", text)
}

/// The only Region.
pub(crate) fn the_region(text: &str) -> Result<String, Fault> {
    a_region("must be an AWS Region", text)
}

fn a_region(what: &str, text: &str) -> Result<String, Fault> {
    if is_region(text) {
        return Ok(text.to_owned());
    }
    let fault = Fault::new(format!("{what}, such as \"us-east-1\", not {}", quoted(text)));
    let likely = text.trim().to_lowercase().replace(['_', ' '], "-");
    let without_zone = likely.trim_end_matches(|c: char| c.is_ascii_lowercase());
    Err(if is_region(&likely) {
        fault.hint(format!("did you mean \"{likely}\"?"))
    } else if is_region(without_zone) {
        fault.hint(format!("an availability zone is a part of a Region: did you mean \"{without_zone}\"?"))
    } else {
        fault
    })
}

/// Lower-case words, then a number: `us-gov-west-1`. Which Regions there are is not this program's to know.
fn is_region(text: &str) -> bool {
    let Some((words, number)) = text.rsplit_once('-') else { return false };
    let is_word = |word: &str| word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && words.contains('-') && words.split('-').all(is_word)
}

/// The twelve digits of an account.
pub(crate) fn account_id(text: &str) -> Result<String, Fault> {
    if is_account_id(text) {
        return Ok(text.to_owned());
    }
    let fault = Fault::new(format!("must be the 12 digits of an AWS account, not {}", quoted(text)));
    let digits: String = text.chars().filter(|c| !matches!(c, '-' | ' ')).collect();
    Err(if is_account_id(&digits) { fault.hint(format!("did you mean \"{digits}\"?")) } else { fault })
}

fn is_account_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The ARN of an SNS topic: `arn:aws:sns:REGION:ACCOUNT:NAME`. Its fourth part is the Region that is called, and the name of a
/// FIFO topic ends in `.fifo`.
pub(crate) fn topic_arn(text: &str) -> Result<String, Fault> {
    const FORM: &str = "a topic is written arn:aws:sns:REGION:ACCOUNT:NAME";
    let fault = |hint: &str| {
        Err(Fault::new(format!("must be the ARN of an SNS topic, not {}", quoted(text)))
            .hint(hint.to_owned()))
    };
    let parts: Vec<_> = text.split(':').collect();
    match parts[..] {
        ["arn", partition, "sns", region, account, name] => {
            let plain = name.strip_suffix(".fifo").unwrap_or(name);
            let is_name = !plain.is_empty() && name.len() <= 256;
            if !PARTITIONS.contains(&partition) {
                fault(PARTITION)
            } else if !is_region(region) {
                fault("its fourth part is the Region, such as us-east-1")
            } else if !is_account_id(account) {
                fault("its fifth part is the 12 digits of the account")
            } else if !is_name
                || !plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            {
                fault("a topic's name has up to 256 letters, digits, - and _")
            } else {
                Ok(text.to_owned())
            }
        }
        ["arn", _, "sns", _, _, _, _] => {
            fault("this is a subscription: leave out its last part to have the topic")
        }
        ["arn", _, service, ..] if service != "sns" => fault("this is an ARN of another service"),
        _ => fault(FORM),
    }
}

/// A role, by its ARN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoleArn {
    /// All of it.
    pub(crate) arn: String,
    /// Whose role it is.
    pub(crate) account: String,
    /// `aws`, or another part of AWS that has accounts of its own.
    pub(crate) partition: String,
}

/// The ARN of an IAM role: `arn:aws:iam::ACCOUNT:role/NAME`, perhaps with a path before its name.
pub(crate) fn role_arn(text: &str) -> Result<RoleArn, Fault> {
    let fault = |hint: &str| {
        Err(Fault::new(format!("must be the ARN of an IAM role, not {}", quoted(text))).hint(hint.to_owned()))
    };
    let parts: Vec<_> = text.splitn(6, ':').collect();
    match parts[..] {
        ["arn", partition, "iam", region, account, resource] => {
            let path = resource.strip_prefix("role/");
            let (path, name) = path.map_or(("", ""), |path| path.rsplit_once('/').unwrap_or(("", path)));
            if !PARTITIONS.contains(&partition) {
                fault(PARTITION)
            } else if !region.is_empty() {
                fault("IAM has no Regions: its fourth part is empty")
            } else if !is_account_id(account) {
                fault("its fifth part is the 12 digits of the account")
            } else if !resource.starts_with("role/") {
                fault("its last part is role/NAME: nothing else can be assumed")
            } else if !is_of(name, 1..=64, "+=,.@-_") || !path.bytes().all(|byte| byte.is_ascii_graphic()) {
                fault("a role's name has up to 64 letters, digits and any of _ + = , . @ -")
            } else {
                Ok(RoleArn {
                    arn: text.to_owned(),
                    account: account.to_owned(),
                    partition: partition.to_owned(),
                })
            }
        }
        ["arn", partition, "sts", "", account, session] => {
            match session.strip_prefix("assumed-role/").and_then(|session| session.split('/').next()) {
                Some(role) => fault(&format!(
                    "this is a session of a role: did you mean {}?",
                    quoted(&format!("arn:{partition}:iam::{account}:role/{role}"))
                )),
                None => fault(ROLE),
            }
        }
        ["arn", _, service, ..] if service != "iam" => fault("this is an ARN of another service"),
        _ => fault(ROLE),
    }
}

const ROLE: &str = "a role is written arn:aws:iam::ACCOUNT:role/NAME";

/// What STS takes as the name of a session.
pub(crate) fn role_session_name(text: &str) -> Result<String, Fault> {
    if is_of(text, 2..=64, "_+=,.@-") {
        return Ok(text.to_owned());
    }
    let fault = Fault::new(format!("must be the name of a session, not {}", quoted(text)));
    Err(fault.hint("AWS takes 2 to 64 letters, digits and any of _ + = , . @ -"))
}

/// What STS takes as an external id.
pub(crate) fn is_external_id(text: &str) -> bool {
    is_of(text, 2..=1_224, "_+=,.@:/-")
}

/// Whether a text has so many letters, digits and other characters.
fn is_of(text: &str, length: RangeInclusive<usize>, others: &str) -> bool {
    length.contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions() {
        for text in ["us-east-1", "eu-central-2", "us-gov-west-1", "ap-southeast-12", "eusc-de-east-1"] {
            assert_eq!(region(text).as_deref(), Ok(text));
        }
        for (text, hint) in [
            ("us-east-1a", Some("an availability zone is a part of a Region: did you mean \"us-east-1\"?")),
            ("US-East-1", Some("did you mean \"us-east-1\"?")),
            ("us_east_1", Some("did you mean \"us-east-1\"?")),
            ("us-east", None),
            ("useast1", None),
            ("virginia", None),
            ("us--1", None),
            ("us-east-123", None),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(region(text).unwrap_err().hint.as_deref(), hint, "{text}");
        }
    }

    #[test]
    fn accounts() {
        assert_eq!(account_id("111122223333").as_deref(), Ok("111122223333"));
        assert_eq!(
            account_id("1111-2222-3333").unwrap_err().hint.as_deref(),
            Some("did you mean \"111122223333\"?")
        );
        for text in ["", "11112222333", "1111222233334", "11112222333a", "１１１１22223333"] {
            assert!(account_id(text).is_err(), "{text}");
        }
    }

    #[test]
    fn topics() {
        for text in [
            "arn:aws:sns:us-east-1:111122223333:llm-pages",
            "arn:aws-us-gov:sns:us-gov-west-1:111122223333:P_1",
            "arn:aws-cn:sns:cn-north-1:111122223333:p",
            "arn:aws:sns:us-east-1:111122223333:llm-pages.fifo",
        ] {
            assert_eq!(topic_arn(text).as_deref(), Ok(text));
        }
        for (text, hint) in [
            ("llm-pages", "a topic is written arn:aws:sns:REGION:ACCOUNT:NAME"),
            ("arn:aws:sns:us-east-1:111122223333", "a topic is written arn:aws:sns:REGION:ACCOUNT:NAME"),
            ("arn:aws:sqs:us-east-1:111122223333:q", "this is an ARN of another service"),
            ("arn:amazon:sns:us-east-1:111122223333:p", PARTITION),
            ("arn:aws:sns:us-east:111122223333:p", "its fourth part is the Region, such as us-east-1"),
            ("arn:aws:sns:us-east-1:1111:p", "its fifth part is the 12 digits of the account"),
            ("arn:aws:sns:us-east-1:111122223333:", "a topic's name has up to 256 letters, digits, - and _"),
            (
                "arn:aws:sns:us-east-1:111122223333:a b",
                "a topic's name has up to 256 letters, digits, - and _",
            ),
            (
                "arn:aws:sns:us-east-1:111122223333:.fifo",
                "a topic's name has up to 256 letters, digits, - and _",
            ),
            (
                "arn:aws:sns:us-east-1:111122223333:p.fifos",
                "a topic's name has up to 256 letters, digits, - and _",
            ),
            (
                "arn:aws:sns:us-east-1:111122223333:p:7f2f1b0e-0000-4000-8000-000000000000",
                "this is a subscription: leave out its last part to have the topic",
            ),
        ] {
            assert_eq!(topic_arn(text).unwrap_err().hint.as_deref(), Some(hint), "{text}");
        }
    }
    #[test]
    fn roles() {
        for (text, account, partition) in [
            ("arn:aws:iam::444455556666:role/otpsd-read", "444455556666", "aws"),
            ("arn:aws-us-gov:iam::444455556666:role/ops/llm/otpsd.read@1", "444455556666", "aws-us-gov"),
            ("arn:aws-eusc:iam::777788889999:role/r", "777788889999", "aws-eusc"),
        ] {
            let role = role_arn(text).unwrap();
            assert_eq!(
                (role.arn.as_str(), role.account.as_str(), role.partition.as_str()),
                (text, account, partition)
            );
        }
        let name = "a role's name has up to 64 letters, digits and any of _ + = , . @ -";
        let long = format!("arn:aws:iam::444455556666:role/{}", "r".repeat(65));
        for (text, hint) in [
            ("otpsd-read", ROLE),
            ("arn:aws:iam::444455556666", ROLE),
            ("arn:aws:sns:us-east-1:444455556666:role/r", "this is an ARN of another service"),
            ("arn:amazon:iam::444455556666:role/r", PARTITION),
            ("arn:aws:iam:us-east-1:444455556666:role/r", "IAM has no Regions: its fourth part is empty"),
            ("arn:aws:iam::4444:role/r", "its fifth part is the 12 digits of the account"),
            ("arn:aws:iam::444455556666:user/r", "its last part is role/NAME: nothing else can be assumed"),
            ("arn:aws:iam::444455556666:role", "its last part is role/NAME: nothing else can be assumed"),
            ("arn:aws:iam::444455556666:role/", name),
            ("arn:aws:iam::444455556666:role/a b", name),
            ("arn:aws:iam::444455556666:role/a b/r", name),
            (long.as_str(), name),
            (
                "arn:aws:sts::444455556666:assumed-role/otpsd-read/i-0abc",
                "this is a session of a role: did you mean `arn:aws:iam::444455556666:role/otpsd-read`?",
            ),
            ("arn:aws:sts::444455556666:federated-user/ann", ROLE),
        ] {
            assert_eq!(role_arn(text).unwrap_err().hint.as_deref(), Some(hint), "{text}");
        }
    }

    #[test]
    fn sessions_and_external_ids() {
        for name in ["ot", "otpsd", "otpsd@prod,1=a+b.c-d_e", &"n".repeat(64)] {
            assert_eq!(role_session_name(name).as_deref(), Ok(name));
        }
        for name in ["", "o", "ot psd", "otpsd/1", "otpsd:1", "ötpsd", &"n".repeat(65)] {
            assert!(role_session_name(name).is_err(), "{name}");
        }
        assert!(
            is_external_id("x1") && is_external_id("Example/Corp:17") && is_external_id(&"e".repeat(1_224))
        );
        assert!(!is_external_id("x") && !is_external_id("a b") && !is_external_id(&"e".repeat(1_225)));
    }

    #[test]
    fn partitions() {
        for (region, partition) in [
            ("us-east-1", "aws"),
            ("us-gov-west-1", "aws-us-gov"),
            ("cn-north-1", "aws-cn"),
            ("eusc-de-east-1", "aws-eusc"),
            ("us-iso-east-1", "aws-iso"),
            ("us-isob-east-1", "aws-iso-b"),
        ] {
            assert_eq!(partition_of(region), partition);
        }
        assert!(PARTITIONS_BY_REGION.iter().all(|(_, partition)| PARTITIONS.contains(partition)));
    }
}
