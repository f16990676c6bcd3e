//! What a webhook got.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::WebhookSignature;

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRequest {
    /// By the loopback's clock.
    pub at: Timestamp,
    /// `POST`, or what else it was.
    pub method: String,
    /// With its query.
    pub path: String,
    /// In the order they came, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Byte by byte.
    pub body: Vec<u8>,
    /// Whether it was signed as it should be.
    pub signature: WebhookSignature,
}

impl WebhookRequest {
    /// The first header of a name, in whatever case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body, if it is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        str::from_utf8(&self.body).ok()
    }
}

/// `body` is its text, or null where it is none and `body_base64` has it.
impl Serialize for WebhookRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let headers: BTreeMap<&str, &str> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let packed = self.text().is_none().then(|| STANDARD.encode(&self.body));
        let mut fields = serializer.serialize_struct("WebhookRequest", 7)?;
        fields.serialize_field("at", &self.at.to_string())?;
        fields.serialize_field("method", &self.method)?;
        fields.serialize_field("path", &self.path)?;
        fields.serialize_field("headers", &headers)?;
        fields.serialize_field("body", &self.text())?;
        fields.serialize_field("body_base64", &packed)?;
        fields.serialize_field("signature", &self.signature)?;
        fields.end()
    }
}
