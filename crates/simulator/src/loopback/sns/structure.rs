//! `MessageStructure=json`: a text for each protocol.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::loopback::aws_error::AwsError;

/// Refuses a message that is not an object, has a key twice, or no text for `default`.
pub(crate) fn check(message: &str) -> Result<(), AwsError> {
    let by_protocol: ByProtocol = serde_json::from_str(message)
        .map_err(|_| AwsError::invalid_parameter("Message Structure - JSON message body failed to parse"))?;
    if by_protocol.has_default {
        Ok(())
    } else {
        Err(AwsError::invalid_parameter("Message Structure - No default entry in JSON message body"))
    }
}

struct ByProtocol {
    has_default: bool,
}

impl<'de> Deserialize<'de> for ByProtocol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = ByProtocol;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a text for each protocol")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByProtocol, A::Error> {
                let mut keys = BTreeSet::new();
                let mut has_default = false;
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    has_default |= key == "default" && value.is_string();
                    if !keys.insert(key) {
                        return Err(A::Error::custom("a key stands twice"));
                    }
                }
                Ok(ByProtocol { has_default })
            }
        }

        deserializer.deserialize_map(Keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_text_is_needed() {
        assert!(check(r#"{"default": "x", "email": "y", "sqs": 1}"#).is_ok());
        for none in [r#"{"email": "y"}"#, r#"{"default": {"a": 1}}"#, "{}"] {
            assert!(check(none).unwrap_err().message.contains("No default entry"), "{none}");
        }
        for broken in ["", "[1]", "\"text\"", "{", r#"{"default": "x", "default": "y"}"#] {
            assert!(check(broken).unwrap_err().message.contains("failed to parse"), "{broken}");
        }
    }
}
