//! When a message is tried again.

use std::time::Duration;

use domain::{DeliveryError, NoticeKind, Outcome, Owed, OwedState, Receipt, Retry};
use jiff::{SignedDuration, Timestamp};

/// After the first failure; doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// However often it failed: a receiver that comes back should not wait long for its page.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

/// A ticket that could not be filed for so long is given up: whoever reads it in the morning reads the log too. A page is tried until
/// its incident closes.
const LONGEST_TRY_OF_A_TICKET: SignedDuration = SignedDuration::from_hours(24);

/// What is written down after an attempt that ended at `now`.
pub(crate) fn outcome(owed: &Owed, result: &Result<Receipt, DeliveryError>, now: Timestamp) -> Outcome {
    let id = owed.message.id.clone();
    let error = match result {
        Ok(receipt) => {
            let reference = receipt.reference.clone();
            return Outcome { id, state: OwedState::Delivered(now), error: None, reference };
        }
        Err(error) => error,
    };
    let pause = match error.retry {
        Retry::Never => return failed(id, OwedState::Refused(now), error.message.clone()),
        Retry::Backoff => backoff(&id, owed.attempts),
        Retry::After(least) => least.max(backoff(&id, owed.attempts)),
    };
    let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::MAX);
    let due = now.saturating_add(pause).unwrap_or(Timestamp::MAX);
    let is_ticket = matches!(owed.message.kind, NoticeKind::Ticket(_));
    if is_ticket && due.duration_since(owed.message.created) > LONGEST_TRY_OF_A_TICKET {
        let hours = LONGEST_TRY_OF_A_TICKET.as_hours();
        return failed(id, OwedState::Refused(now), format!("given up after {hours} h: {}", error.message));
    }
    failed(id, OwedState::Due(due), error.message.clone())
}

fn failed(id: String, state: OwedState, error: String) -> Outcome {
    Outcome { id, state, error: Some(error), reference: None }
}

/// Doubles from [`FIRST_PAUSE`] to [`LONGEST_PAUSE`], between three quarters and all of it, so that messages that failed
/// together do not return together. The share is a function of the message: a restart changes nothing.
pub(crate) fn backoff(id: &str, attempts: u32) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempts.min(16))).min(LONGEST_PAUSE);
    let hash = id.bytes().fold(attempts, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    doubled.mul_f64(0.75 + 0.25 * f64::from(hash % 1_000) / 1_000.0)
}

#[cfg(test)]
mod tests {
    use domain::{Key, Message, TicketAction};

    use super::*;

    fn owed(kind: NoticeKind, attempts: u32) -> Owed {
        let now = Timestamp::UNIX_EPOCH;
        let message = Message {
            id: "otpsd-1:page:log.all".to_owned(),
            channel: "log.all".to_owned(),
            kind,
            key: Key::from_text("otpsd-1"),
            summary: String::new(),
            body: String::new(),
            attributes: Vec::new(),
            created: now,
            standby_for: None,
        };
        Owed { message, attempts, state: OwedState::Due(now), last_error: None, reference: None }
    }

    fn error(retry: Retry) -> Result<Receipt, DeliveryError> {
        Err(DeliveryError { retry, message: "no".to_owned(), hint: None })
    }

    fn pause(attempts: u32, retry: Retry) -> f64 {
        match outcome(&owed(NoticeKind::Page, attempts), &error(retry), Timestamp::UNIX_EPOCH).state {
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
        let page = owed(NoticeKind::Page, 0);
        let taken = outcome(&page, &Ok(Receipt { reference: Some("LLM-1".to_owned()) }), now);
        assert_eq!((taken.state, taken.reference.as_deref()), (OwedState::Delivered(now), Some("LLM-1")));
        let refused = outcome(&page, &error(Retry::Never), now);
        assert_eq!((refused.state, refused.error.as_deref()), (OwedState::Refused(now), Some("no")));
    }

    #[test]
    fn a_ticket_is_tried_for_a_day_and_a_page_for_ever() {
        let state = |kind, hours| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
            outcome(&owed(kind, 100), &error(Retry::Backoff), now)
        };
        let ticket = NoticeKind::Ticket(TicketAction::Opened);
        assert!(matches!(state(ticket, 23).state, OwedState::Due(_)));
        let given_up = state(ticket, 24);
        assert!(matches!(given_up.state, OwedState::Refused(_)));
        assert_eq!(given_up.error.as_deref(), Some("given up after 24 h: no"));
        assert!(matches!(state(NoticeKind::Page, 24 * 30).state, OwedState::Due(_)));
        assert!(matches!(state(NoticeKind::Resolve, 24 * 30).state, OwedState::Due(_)));
    }
}
