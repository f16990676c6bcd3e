//! Message attributes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::loopback::aws_error::AwsError;
use crate::loopback::form::Form;

/// Names are shorter than this, in bytes.
const NAME_BELOW: usize = 257;

/// An attribute of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SnsAttribute {
    /// `String`, `String.Array`, `Number`, `Binary`, perhaps with a suffix after a point.
    pub data_type: String,
    /// The text; of `Binary` its base64.
    pub value: String,
}

/// The attributes of a form, if they are all good.
pub(crate) fn read(form: &Form) -> Result<BTreeMap<String, SnsAttribute>, AwsError> {
    let mut attributes = BTreeMap::new();
    for number in form.members("MessageAttributes.entry") {
        let field = |field: &str| form.get(&format!("MessageAttributes.entry.{number}.{field}"));
        let name = field("Name").unwrap_or_default();
        check_name(name)?;
        let data_type = field("Value.DataType").ok_or_else(|| {
            AwsError::validation(format!(
                "1 validation error detected: Value null at 'messageAttributes.{name}.member.dataType' failed to satisfy \
                 constraint: Member must not be null"
            ))
        })?;
        let value = value(name, data_type, field("Value.StringValue"), field("Value.BinaryValue"))?;
        attributes.insert(
            name.to_owned(),
            SnsAttribute { data_type: data_type.to_owned(), value: value.to_owned() },
        );
    }
    Ok(attributes)
}

fn check_name(name: &str) -> Result<(), AwsError> {
    let refuse = |message: &str| Err(AwsError::invalid_attribute(message));
    let odd = |character: &char| !character.is_ascii_alphanumeric() && !matches!(character, '_' | '-' | '.');
    if let Some(odd) = name.chars().find(odd) {
        return Err(AwsError::invalid_attribute(format!(
            "Invalid non-alphanumeric character '#x{:X}' was found in the message attribute name. Can only include \
             alphanumeric characters, hyphens, underscores, or dots.",
            u32::from(odd)
        )));
    }
    let lower = name.to_ascii_lowercase();
    match name {
        "" => refuse("Message attribute name can not be empty."),
        _ if name.len() >= NAME_BELOW => {
            refuse("Length of message attribute name must be less than 256 bytes.")
        }
        _ if name.starts_with('.') => {
            refuse("Invalid message attribute name starting with character '.' was found.")
        }
        _ if name.ends_with('.') => {
            refuse("Invalid message attribute name ending with character '.' was found.")
        }
        _ if name.contains("..") => refuse("Message attribute name can not have successive '.' character."),
        _ if lower.starts_with("aws.") || lower.starts_with("amazon.") => {
            refuse("Message attribute name can not start with a prefix that is reserved for AWS.")
        }
        _ => Ok(()),
    }
}

fn value<'a>(
    name: &str,
    data_type: &str,
    text: Option<&'a str>,
    binary: Option<&'a str>,
) -> Result<&'a str, AwsError> {
    let kind = data_type.split('.').next().unwrap_or_default();
    let (kind_of_field, wanted, other) = match kind {
        "String" | "Number" => ("String", text, binary),
        "Binary" => ("Binary", binary, text),
        _ => {
            return Err(AwsError::invalid_attribute(format!(
                "The message attribute '{name}' has an invalid message attribute type, the set of supported type prefixes \
                 is Binary, Number, and String."
            )));
        }
    };
    match (wanted, other) {
        (Some(value), _) if !value.is_empty() => {
            if kind == "Number" && value.parse::<f64>().is_err() {
                let message = format!("Could not cast message attribute '{name}' value to number.");
                return Err(AwsError::invalid_attribute(message));
            }
            Ok(value)
        }
        (None, Some(_)) => Err(AwsError::invalid_attribute(format!(
            "The message attribute '{name}' with type '{data_type}' must use field '{kind_of_field}'."
        ))),
        _ => Err(AwsError::invalid_attribute(format!(
            "The message attribute '{name}' must contain non-empty message attribute value for message attribute type \
             '{data_type}'."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(name: &str, data_type: &str, field: &str, text: &str) -> Result<SnsAttribute, String> {
        let body = form_urlencoded::Serializer::new(String::new())
            .append_pair("MessageAttributes.entry.1.Name", name)
            .append_pair("MessageAttributes.entry.1.Value.DataType", data_type)
            .append_pair(&format!("MessageAttributes.entry.1.Value.{field}"), text)
            .finish();
        match read(&Form::read(body.as_bytes())) {
            Ok(attributes) => Ok(attributes[name].clone()),
            Err(error) => Err(error.message),
        }
    }

    #[test]
    fn good_attributes_are_read() {
        for (data_type, field, text) in [
            ("String", "StringValue", "page"),
            ("String.Array", "StringValue", "[\"a\"]"),
            ("Number", "StringValue", "-1.5e3"),
            ("Number.int", "StringValue", "3"),
            ("Binary", "BinaryValue", "aGk="),
        ] {
            assert_eq!(attribute("kind", data_type, field, text).unwrap().value, text);
        }
        assert!(attribute(&"n".repeat(256), "String", "StringValue", "x").is_ok());
    }

    #[test]
    fn bad_attributes_are_refused_as_aws_does() {
        let refusal = |name: &str, data_type: &str, field: &str, text: &str| {
            attribute(name, data_type, field, text).unwrap_err()
        };
        let name = |name: &str| refusal(name, "String", "StringValue", "x");
        assert!(name("a^b").starts_with("Invalid non-alphanumeric character '#x5E' was found"));
        assert!(name(".a").contains("starting with character '.'"));
        assert!(name("a.").contains("ending with character '.'"));
        assert!(name("a..b").contains("successive '.'"));
        assert!(name(&"n".repeat(257)).contains("less than 256 bytes"));
        assert!(name("AWS.kind").contains("reserved"));
        assert!(refusal("a", "Text", "StringValue", "x").contains("invalid message attribute type"));
        assert!(refusal("a", "String", "StringValue", "").contains("must contain non-empty"));
        assert!(refusal("a", "String", "BinaryValue", "eA==").contains("must use field 'String'"));
        assert!(refusal("a", "Binary", "StringValue", "x").contains("must use field 'Binary'"));
        assert!(refusal("a", "Number", "StringValue", "x").contains("to number"));
    }
}
