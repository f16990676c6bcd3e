use super::*;

const TOPIC: &str = "arn:aws:sns:us-east-1:111122223333:llm-pages";

fn caller() -> Caller {
    Caller {
        access_key: "AKIA".to_owned(),
        region: "us-east-1".to_owned(),
        account: None,
        home: "111122223333".to_owned(),
        arn: "arn:aws:iam::111122223333:user/loopback".to_owned(),
    }
}

fn publish_to(sns: &Sns, fields: &[(&str, &str)]) -> Result<String, AwsError> {
    publish_at(sns, fields, 0)
}

/// So many seconds after the epoch.
fn publish_at(sns: &Sns, fields: &[(&str, &str)], second: i64) -> Result<String, AwsError> {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let now = Timestamp::from_second(second).unwrap();
    sns.answer("Publish", &Form::read(body.as_bytes()), &caller(), now)
}

fn publish(fields: &[(&str, &str)]) -> Result<String, AwsError> {
    publish_to(&Sns::default(), fields)
}

fn refusal(fields: &[(&str, &str)]) -> String {
    let error = publish(fields).unwrap_err();
    format!("{} {}: {}", error.status, error.code, error.message)
}

#[test]
fn what_is_published_is_kept() {
    let sns = Sns::default();
    publish_to(&sns, &[("TopicArn", TOPIC), ("Message", "one"), ("Subject", "OK: \"x\"")]).unwrap();
    publish_to(&sns, &[("TopicArn", TOPIC), ("Message", "two")]).unwrap();
    let messages = sns.messages();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0].subject.as_deref(), Some("OK: \"x\""));
    assert_eq!(messages[1].message, "two");
    assert_ne!(messages[0].message_id, messages[1].message_id);
}

#[test]
fn a_subject_is_one_short_line() {
    let with = |subject: &str| publish(&[("TopicArn", TOPIC), ("Message", "m"), ("Subject", subject)]);
    assert!(with(&"x".repeat(99)).is_ok());
    assert!(with("Größe – in Zeichen").is_ok());
    for wrong in ["", &"x".repeat(100), "two\nlines", "a\ttab", "line\u{2028}separator"] {
        assert_eq!(with(wrong).unwrap_err().message, "Invalid parameter: Subject", "{wrong:?}");
    }
    let older = Sns::new(SnsRules { ascii_subjects: true, ..SnsRules::default() });
    let with =
        |subject: &str| publish_to(&older, &[("TopicArn", TOPIC), ("Message", "m"), ("Subject", subject)]);
    assert!(with("ALARM: plain").is_ok());
    assert!(with("Größe").is_err());
    assert!(with(" begins with a space").is_err());
}

#[test]
fn a_message_has_a_size() {
    let fits = "x".repeat(262_144);
    assert!(publish(&[("TopicArn", TOPIC), ("Message", &fits)]).is_ok());
    // Bytes count, and attributes with them: name 4, type 6, value 4.
    let attribute = [
        ("MessageAttributes.entry.1.Name", "kind"),
        ("MessageAttributes.entry.1.Value.DataType", "String"),
        ("MessageAttributes.entry.1.Value.StringValue", "page"),
    ];
    let with_attribute = |message: &str| {
        publish(&[&[("TopicArn", TOPIC), ("Message", message)], attribute.as_slice()].concat())
    };
    assert!(with_attribute(&fits[14..]).is_ok());
    assert_eq!(with_attribute(&fits[13..]).unwrap_err().message, "Invalid parameter: Message too long");
    let umlauts = "ä".repeat(131_073);
    assert!(publish(&[("TopicArn", TOPIC), ("Message", &umlauts)]).is_err());
    let empty = refusal(&[("TopicArn", TOPIC), ("Message", "")]);
    assert_eq!(empty, "400 InvalidParameter: Invalid parameter: Empty message");
}

#[test]
fn a_topic_must_exist_in_the_callers_region() {
    assert_eq!(
        refusal(&[("TopicArn", "llm-pages"), ("Message", "m")]),
        "400 InvalidParameter: Invalid parameter: TopicArn Reason: An ARN must have at least 6 elements, not 1"
    );
    assert_eq!(
        refusal(&[("TopicArn", "arn:aws:sns:eu-west-1:111122223333:t"), ("Message", "m")]),
        "400 InvalidParameter: Invalid parameter: TopicArn"
    );
    let sns = Sns::new(SnsRules { topics: BTreeSet::from([TOPIC.to_owned()]), ..SnsRules::default() });
    assert!(publish_to(&sns, &[("TopicArn", TOPIC), ("Message", "m")]).is_ok());
    let other = publish_to(&sns, &[("TopicArn", "arn:aws:sns:us-east-1:111122223333:t"), ("Message", "m")]);
    let error = other.unwrap_err();
    assert_eq!((error.status, error.code, error.message.as_str()), (404, "NotFound", "Topic does not exist"));
}

#[test]
fn a_fifo_topic_needs_its_ids_and_drops_repeats() {
    let fifo = format!("{TOPIC}.fifo");
    let sns = Sns::default();
    let mut fields = vec![("TopicArn", fifo.as_str()), ("Message", "m")];
    assert!(publish_to(&sns, &fields).unwrap_err().message.contains("MessageGroupId parameter is required"));
    fields.push(("MessageGroupId", "g"));
    assert!(publish_to(&sns, &fields).unwrap_err().message.contains("ContentBasedDeduplication"));
    fields.push(("MessageDeduplicationId", "d"));
    let first = publish_to(&sns, &fields).unwrap();
    let repeat = publish_to(&sns, &fields).unwrap();
    assert_eq!(first, repeat, "the same id and number");
    assert_eq!((sns.messages().len(), sns.repeats().len()), (1, 1));
    assert_eq!(sns.repeats()[0].message_id, sns.messages()[0].message_id);
    publish_at(&sns, &fields, 299).unwrap();
    assert_eq!((sns.messages().len(), sns.repeats().len()), (1, 2), "the five minutes count from the first");
    assert_ne!(publish_at(&sns, &fields, 300).unwrap(), first);
    assert_eq!((sns.messages().len(), sns.repeats().len()), (2, 2));
    let standard = refusal(&[("TopicArn", TOPIC), ("Message", "m"), ("MessageDeduplicationId", "d")]);
    assert!(standard.contains("not valid for this topic type"));
}

#[test]
fn a_topic_can_tell_repeats_by_their_content() {
    let fifo = format!("{TOPIC}.fifo");
    let deduplicated_by_content = BTreeSet::from([fifo.clone()]);
    let sns = Sns::new(SnsRules { deduplicated_by_content, ..SnsRules::default() });
    let fields = [("TopicArn", fifo.as_str()), ("Message", "m"), ("MessageGroupId", "g")];
    publish_to(&sns, &fields).unwrap();
    // The subject is no part of the content.
    publish_to(&sns, &[fields.as_slice(), &[("Subject", "s")]].concat()).unwrap();
    assert_eq!((sns.messages().len(), sns.repeats().len()), (1, 1));
    // printf m | sha256sum
    let of_m = "62c66a7a5dd70c3146618063c344e531e6d4b59e379808443ce962b3abd63c5a";
    assert_eq!(sns.messages()[0].deduplication_id.as_deref(), Some(of_m));
    publish_to(&sns, &[fields.as_slice(), &[("MessageDeduplicationId", "own")]].concat()).unwrap();
    assert_eq!(sns.messages().len(), 2, "an id that is given overrides it");
}
