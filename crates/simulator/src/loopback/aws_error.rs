//! How AWS says no.

use serde_json::Value;

/// An AWS service that the loopback speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    CloudWatch,
    Sns,
    Ssm,
    Sts,
}

impl Service {
    /// The service in a credential scope.
    pub(crate) const fn scope(self) -> &'static str {
        match self {
            Self::CloudWatch => "monitoring",
            Self::Sns => "sns",
            Self::Ssm => "ssm",
            Self::Sts => "sts",
        }
    }

    /// The service in the name of a permission.
    pub(crate) const fn permission(self) -> &'static str {
        match self {
            Self::CloudWatch => "cloudwatch",
            Self::Sns => "SNS",
            Self::Ssm => "ssm",
            Self::Sts => "sts",
        }
    }

    /// The version of the API, which awsQuery sends with each call and repeats in the namespace of its XML.
    pub(crate) const fn version(self) -> &'static str {
        match self {
            Self::CloudWatch => "2010-08-01",
            Self::Sns => "2010-03-31",
            Self::Ssm => "2014-11-06",
            Self::Sts => "2011-06-15",
        }
    }

    /// The namespace of the service's XML.
    pub(crate) const fn namespace(self) -> &'static str {
        match self {
            Self::CloudWatch => "http://monitoring.amazonaws.com/doc/2010-08-01/",
            Self::Sns => "http://sns.amazonaws.com/doc/2010-03-31/",
            Self::Ssm => "http://ssm.amazonaws.com/doc/2014-11-06/",
            Self::Sts => "https://sts.amazonaws.com/doc/2011-06-15/",
        }
    }
}

/// An error of an AWS service, before a protocol writes it down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AwsError {
    /// The code that awsQuery has in its XML.
    pub(crate) code: &'static str,
    /// The name of the error's shape, which awsJson and CBOR have as `__type`.
    pub(crate) shape: &'static str,
    /// Whether awsJson and CBOR also send `code`, as `x-amzn-query-error`. The services do for their own errors; what
    /// the front door of AWS refuses has only the shape.
    pub(crate) own: bool,
    pub(crate) status: u16,
    pub(crate) message: String,
    /// What else stands in the body of the error, in awsJson.
    pub(crate) fields: Vec<(&'static str, Value)>,
}

impl AwsError {
    fn own(code: &'static str, shape: &'static str, status: u16, message: impl Into<String>) -> Self {
        Self { code, shape, own: true, status, message: message.into(), fields: Vec::new() }
    }

    fn front_door(code: &'static str, shape: &'static str, status: u16, message: impl Into<String>) -> Self {
        Self { code, shape, own: false, status, message: message.into(), fields: Vec::new() }
    }

    /// A parameter that is missing or wrong, as CloudWatch and STS say it.
    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::own("ValidationError", "ValidationException", 400, message)
    }

    /// An enumeration with a value it does not have.
    pub(crate) fn not_in_set(value: &str, parameter: &str, set: &str) -> Self {
        Self::validation(format!(
            "1 validation error detected: Value '{value}' at '{parameter}' failed to satisfy constraint: \
             Member must satisfy enum value set: [{set}]"
        ))
    }

    /// `GetMetricData` got a token that it did not give for this request.
    pub(crate) fn invalid_next_token() -> Self {
        Self::own("InvalidNextToken", "InvalidNextToken", 400, "The next token specified is invalid.")
    }

    /// `ListMetrics` got a value that it cannot use.
    pub(crate) fn invalid_parameter_value(message: impl Into<String>) -> Self {
        Self::own("InvalidParameterValue", "InvalidParameterValueException", 400, message)
    }

    /// SNS got a parameter that it cannot use.
    pub(crate) fn invalid_parameter(what: &str) -> Self {
        let message = format!("Invalid parameter: {what}");
        Self::own("InvalidParameter", "InvalidParameterException", 400, message)
    }

    /// SNS got a message attribute that it cannot use.
    pub(crate) fn invalid_attribute(message: impl Into<String>) -> Self {
        Self::own("ParameterValueInvalid", "InvalidParameterValueException", 400, message)
    }

    /// SNS does not know the topic.
    pub(crate) fn topic_not_found() -> Self {
        Self::own("NotFound", "NotFoundException", 404, "Topic does not exist")
    }

    /// SNS may not use the key of the topic for this caller.
    pub(crate) fn kms_access_denied() -> Self {
        let message = "null (Service: AWSKMS; Status Code: 400; Error Code: AccessDeniedException)";
        Self::own("KMSAccessDenied", "KMSAccessDeniedException", 400, message)
    }

    /// The key of the topic is disabled.
    pub(crate) fn kms_disabled() -> Self {
        let message = "null (Service: AWSKMS; Status Code: 400; Error Code: DisabledException)";
        Self::own("KMSDisabled", "KMSDisabledException", 400, message)
    }

    /// CloudWatch needs a parameter.
    pub(crate) fn missing_parameter(message: impl Into<String>) -> Self {
        Self::own("MissingParameter", "MissingRequiredParameterException", 400, message)
    }

    /// CloudWatch got parameters that exclude each other.
    pub(crate) fn parameter_combination(message: impl Into<String>) -> Self {
        Self::own("InvalidParameterCombination", "InvalidParameterCombinationException", 400, message)
    }

    /// OpsCenter refuses, with what else its error says.
    pub(crate) fn ops_item(
        shape: &'static str,
        message: impl Into<String>,
        fields: Vec<(&'static str, Value)>,
    ) -> Self {
        Self { fields, ..Self::own(shape, shape, 400, message) }
    }

    /// The body is longer than the service takes.
    pub(crate) fn request_too_large(bytes: usize) -> Self {
        let message = format!("Request size exceeded {bytes} bytes");
        Self::front_door("RequestEntityTooLarge", "RequestEntityTooLargeException", 413, message)
    }

    /// The body is not what its protocol says.
    pub(crate) fn serialization(message: impl Into<String>) -> Self {
        Self::front_door("MalformedInput", "SerializationException", 400, message)
    }

    pub(crate) fn unknown_operation(service: Service, operation: &str) -> Self {
        let version = service.version();
        let message = format!("Could not find operation {operation} for version {version}");
        Self::front_door("InvalidAction", "UnknownOperationException", 400, message)
    }

    pub(crate) fn missing_token() -> Self {
        let shape = "MissingAuthenticationTokenException";
        Self::front_door("MissingAuthenticationToken", shape, 403, "Request is missing Authentication Token")
    }

    pub(crate) fn incomplete_signature(header: &str) -> Self {
        let message = format!("Authorization header requires 'Credential' parameter. Authorization={header}");
        Self::front_door("IncompleteSignature", "IncompleteSignatureException", 403, message)
    }

    pub(crate) fn wrong_scope(service: Service) -> Self {
        let message = format!("Credential should be scoped to correct service: '{}'. ", service.scope());
        Self::front_door("SignatureDoesNotMatch", "InvalidSignatureException", 403, message)
    }

    pub(crate) fn unknown_key() -> Self {
        let message = "The security token included in the request is invalid.";
        Self::front_door("InvalidClientTokenId", "UnrecognizedClientException", 403, message)
    }

    pub(crate) fn expired_token() -> Self {
        let message = "The security token included in the request is expired";
        Self::front_door("ExpiredToken", "ExpiredTokenException", 403, message)
    }

    /// The token of a web identity is not good any more.
    pub(crate) fn web_identity_expired() -> Self {
        let message = "Token expired: current date/time must be before the expiration date/time";
        Self::own("ExpiredTokenException", "ExpiredTokenException", 400, message)
    }

    pub(crate) fn clock_skew() -> Self {
        let message = "Signature expired: 20260101T000000Z is now earlier than 20260101T001000Z (20260101T001500Z - 5 min.)";
        Self::front_door("SignatureDoesNotMatch", "InvalidSignatureException", 403, message)
    }

    pub(crate) fn throttled() -> Self {
        Self::front_door("Throttling", "ThrottlingException", 400, "Rate exceeded")
    }

    pub(crate) fn internal() -> Self {
        let message = "The request processing has failed because of an unknown error, exception or failure.";
        Self::front_door("InternalFailure", "InternalFailure", 500, message)
    }

    pub(crate) fn unavailable() -> Self {
        let message = "The request has failed due to a temporary failure of the server.";
        Self::front_door("ServiceUnavailable", "ServiceUnavailable", 503, message)
    }

    /// The caller may not do this.
    pub(crate) fn denied(service: Service, operation: &str, who: &str, resource: Option<&str>) -> Self {
        let permission = service.permission();
        let on = resource.map(|resource| format!(" on resource: {resource}")).unwrap_or_default();
        let message = format!(
            "User: {who} is not authorized to perform: {permission}:{operation}{on} because no identity-based policy \
             allows the {permission}:{operation} action"
        );
        match service {
            Service::CloudWatch => Self::front_door("AccessDenied", "AccessDeniedException", 403, message),
            Service::Ssm => Self::front_door("AccessDenied", "AccessDeniedException", 400, message),
            Service::Sns => Self::own("AuthorizationError", "AuthorizationErrorException", 403, message),
            Service::Sts => Self::front_door("AccessDenied", "AccessDenied", 403, message),
        }
    }

    /// What awsJson and CBOR call the message: the errors of OpsItems spell it with a capital.
    pub(crate) fn message_field(&self, service: Service) -> &'static str {
        if service == Service::Ssm && self.own { "Message" } else { "message" }
    }

    /// Whose fault it is, as AWS says it.
    pub(crate) const fn kind(&self) -> &'static str {
        if self.status < 500 { "Sender" } else { "Receiver" }
    }
}
