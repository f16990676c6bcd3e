//! When a message is tried again.

use std::time::Duration;

use domain::{DeliveryError, Outcome, Owed, OwedState, Retry};
use jiff::{SignedDuration, Timestamp};

/// After the first failure; doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// However often it failed: a receiver that comes back should not wait long for its page.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

/// What is written down after an attempt that ended at `now`.
pub(crate) fn outcome(owed: &Owed, result: Result<(), &DeliveryError>, now: Timestamp) -> Outcome {
    let id = owed.message.id.clone();
    let Err(error) = result else {
        return Outcome { id, state: OwedState::Delivered(now), error: None };
    };
    let pause = match error.retry {
        Retry::Never => {
            return Outcome { id, state: OwedState::Refused(now), error: Some(error.message.clone()) };
        }
        Retry::Backoff => backoff(&id, owed.attempts),
        Retry::After(least) => least.max(backoff(&id, owed.attempts)),
    };
    let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::MAX);
    let due = now.saturating_add(pause).unwrap_or(Timestamp::MAX);
    Outcome { id, state: OwedState::Due(due), error: Some(error.message.clone()) }
}

/// Doubles from [`FIRST_PAUSE`] to [`LONGEST_PAUSE`], between three quarters and all of it, so that messages that failed
/// together do not return together. The share is a function of the message: a restart changes nothing.
fn backoff(id: &str, attempts: u32) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempts.min(16))).min(LONGEST_PAUSE);
    let hash = id.bytes().fold(attempts, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    doubled.mul_f64(0.75 + 0.25 * f64::from(hash % 1_000) / 1_000.0)
}

#[cfg(test)]
mod tests {
    use domain::{Key, Message, NoticeKind};

    use super::*;

    fn owed(attempts: u32) -> Owed {
        let now = Timestamp::UNIX_EPOCH;
        let message = Message {
            id: "otpsd-1:page:log.all".to_owned(),
            channel: "log.all".to_owned(),
            kind: NoticeKind::Page,
            key: Key::from_text("otpsd-1"),
            summary: String::new(),
            body: String::new(),
            attributes: Vec::new(),
            created: now,
        };
        Owed { message, attempts, state: OwedState::Due(now), last_error: None }
    }

    fn pause(attempts: u32, retry: Retry) -> f64 {
        let error = DeliveryError { retry, message: "no".to_owned(), hint: None };
        match outcome(&owed(attempts), Err(&error), Timestamp::UNIX_EPOCH).state {
            OwedState::Due(due) => due.duration_since(Timestamp::UNIX_EPOCH).as_secs_f64(),
            state => panic!("{state:?}"),
        }
    }

    #[test]
    fn pauses_double_up_to_a_limit() {
        for (attempts, longest) in [(0, 2.0), (1, 4.0), (2, 8.0), (5, 64.0), (6, 120.0), (1_000, 120.0)] {
            let pause = pause(attempts, Retry::Backoff);
            assert!((longest * 0.75..=longest).contains(&pause), "{attempts}: {pause}");
        }
    }

    #[test]
    fn a_receiver_that_names_a_pause_gets_it() {
        assert!((pause(0, Retry::After(Duration::from_secs(300))) - 300.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_taken_or_refused_is_done() {
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(outcome(&owed(0), Ok(()), now).state, OwedState::Delivered(now));
        let never = DeliveryError { retry: Retry::Never, message: "bad key".to_owned(), hint: None };
        let refused = outcome(&owed(0), Err(&never), now);
        assert_eq!((refused.state, refused.error.as_deref()), (OwedState::Refused(now), Some("bad key")));
    }
}
