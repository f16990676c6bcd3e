//! Names of AWS: Regions, accounts, topics.

use crate::quote::quoted;
use crate::table::Fault;

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
            if !matches!(partition, "aws" | "aws-cn" | "aws-us-gov") {
                fault("its second part is aws, aws-cn or aws-us-gov")
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
            ("arn:amazon:sns:us-east-1:111122223333:p", "its second part is aws, aws-cn or aws-us-gov"),
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
}
