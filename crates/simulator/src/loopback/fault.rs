//! What can be made to go wrong.

use serde::{Deserialize, Serialize};

mod in_force;
mod rule;
mod short;

pub use in_force::Faults;
pub(crate) use in_force::{CallFaults, Refused};
pub(crate) use rule::CallSite;
pub use rule::FaultRule;
pub use short::ParseFaultRuleError;

/// One thing that goes wrong. Several compose: each rule that fits a call has its effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Fault {
    /// Too many calls: `ThrottlingException` of AWS, 429 of everybody else.
    Throttle {
        /// What is said in `Retry-After`; AWS says nothing.
        #[serde(default)]
        retry_after_seconds: Option<u64>,
    },
    /// The call is refused.
    Refuse(Refusal),
    /// The answer comes this much later.
    Slow {
        /// Of real time.
        milliseconds: u64,
    },
    /// The call is carried out at once, and its answer comes this much later: for a client with less patience it was
    /// taken, and looks lost.
    SlowReply {
        /// Of real time.
        milliseconds: u64,
    },
    /// The request is read, and never answered.
    Hang,
    /// The request is read, and the connection is closed without a byte. The call is not carried out.
    HangUp,
    /// The headers of an answer, then a byte from time to time, without end.
    Trickle {
        /// Of real time, from byte to byte.
        milliseconds: u64,
    },
    /// A page in HTML with status 200, as a login portal gives.
    Malformed,
    /// Something in between answers with this status, and a line of plain text. The call is not carried out.
    Status {
        /// The HTTP status.
        code: u16,
        /// What is said in `Retry-After`.
        #[serde(default)]
        retry_after_seconds: Option<u64>,
    },
    /// The call is carried out, and the connection is closed without a byte: taken, but not answered.
    LoseReply,
    /// The call is carried out, and the connection breaks within the body of the answer, after its status.
    CutReply,
    /// `GetMetricData` gives this many datapoints a page.
    SmallPages {
        /// Over all results of the page.
        datapoints: usize,
    },
    /// Results of `GetMetricData` are empty, with the status `InternalError`.
    FailResults,
    /// Results of `GetMetricData` come in another order than they were asked for.
    ShuffleResults,
    /// `GetMetricData` adds a result that nobody asked for.
    UnknownIds,
    /// A period shows only what was published in its first part, until it is settled.
    Late {
        /// How long after its end a period is settled.
        seconds: i64,
        /// The part of the period that shows before, 0 to 1.
        share: f64,
    },
    /// Values are multiplied by a factor, until they are revised.
    Revised {
        /// How long after its end a period has its true values.
        seconds: i64,
        /// What the values are multiplied by before.
        factor: f64,
    },
    /// There is no data.
    Missing,
}

/// How a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// 500.
    Internal,
    /// 503.
    Unavailable,
    /// The caller may not do this: `AccessDeniedException`, in SNS `AuthorizationError`, 403.
    Denied,
    /// The caller may not use the key that the SNS topic is encrypted with. Elsewhere it is `Denied`.
    KmsAccessDenied,
    /// The key that the SNS topic is encrypted with is disabled. Elsewhere it is `Denied`.
    KmsDisabled,
    /// The credentials have expired.
    ExpiredToken,
    /// Nobody has such an access key.
    UnknownKey,
    /// The clocks differ too much for a signature.
    ClockSkew,
}
