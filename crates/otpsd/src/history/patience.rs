//! How often something is asked again, and after which pauses.

use std::time::Duration;

use domain::{Act, Failure, SourceError};

/// The first pause.
const FIRST: Duration = Duration::from_secs(1);
/// However long it lasts.
const LONGEST: Duration = Duration::from_secs(60);

/// What was tried in vain so far.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Attempts in a row that brought nothing.
    in_vain: u32,
}

impl Patience {
    /// Something was gained: what comes is the first attempt again.
    pub(super) fn renew(&mut self) {
        self.in_vain = 0;
    }

    /// The pause before the next attempt after one that failed so; `None` when it is given up. Each attempt is several of
    /// the SDK's own already.
    ///
    /// Quotas are refilled every second and outages of a Region end, so that these are waited for: four minutes with nine
    /// attempts. A network that does not answer is tried three times. The other failures are no better a moment later.
    pub(super) fn pause(&mut self, failure: Failure) -> Option<Duration> {
        self.in_vain += 1;
        let most = match failure {
            Failure::Throttled | Failure::Server | Failure::Partial => 9,
            Failure::Network | Failure::Timeout => 3,
            Failure::Credentials
            | Failure::Denied
            | Failure::ClockSkew
            | Failure::Malformed
            | Failure::Empty => 1,
        };
        (self.in_vain < most).then(|| (FIRST * 2_u32.pow(self.in_vain - 1)).min(LONGEST))
    }
}

/// Acts until it works out or patience ends. `note` is told of every pause.
pub(super) async fn patiently<'a, T>(
    note: &(impl Fn(&SourceError, Duration) + Sync),
    mut act: impl FnMut() -> Act<'a, Result<T, SourceError>>,
) -> Result<T, SourceError> {
    let mut patience = Patience::default();
    loop {
        let error = match act().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let Some(pause) = patience.pause(error.failure) else { return Err(error) };
        note(&error, pause);
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(failure: Failure) -> Vec<u64> {
        let mut patience = Patience::default();
        std::iter::from_fn(|| patience.pause(failure)).map(|pause| pause.as_secs()).collect()
    }

    #[test]
    fn what_passes_is_waited_for_and_what_stays_is_not() {
        assert_eq!(pauses(Failure::Throttled), [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pauses(Failure::Server).len(), 8);
        assert_eq!(pauses(Failure::Network), [1, 2]);
        assert_eq!(pauses(Failure::Denied), [0; 0]);
        assert_eq!(pauses(Failure::ClockSkew), [0; 0]);
    }

    #[test]
    fn whoever_gains_something_begins_anew() {
        let mut patience = Patience::default();
        patience.pause(Failure::Throttled);
        patience.pause(Failure::Throttled);
        patience.renew();
        assert_eq!(patience.pause(Failure::Throttled), Some(FIRST));
    }

    #[tokio::test(start_paused = true)]
    async fn an_act_is_repeated_until_it_works_out() {
        let throttled = SourceError {
            failure: Failure::Throttled,
            action: None,
            message: "too often".to_owned(),
            hint: None,
        };
        let (mut attempts, paused) = (0, std::sync::Mutex::new(Vec::new()));
        let begun = tokio::time::Instant::now();
        let note = |error: &SourceError, pause: Duration| {
            paused.lock().unwrap().push((error.failure, pause.as_secs()));
        };
        let done = patiently(&note, || {
            attempts += 1;
            let answer = if attempts < 4 { Err(throttled.clone()) } else { Ok(attempts) };
            Box::pin(async { answer })
        })
        .await;
        assert_eq!(done, Ok(4));
        assert_eq!(*paused.lock().unwrap(), [1, 2, 4].map(|pause| (Failure::Throttled, pause)));
        assert_eq!(begun.elapsed().as_secs(), 7);
    }
}
