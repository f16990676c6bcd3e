//! Tells systemd that the daemon gets on, as long as it does.

use std::sync::Arc;
use std::time::Duration;

use domain::AlarmState;
use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use web::Snapshot;

use crate::app::pulse::Pulses;

/// How often the status line is renewed where no watchdog asks for more.
const EVERY: Duration = Duration::from_secs(30);

pub(crate) struct Watchdog {
    pub(crate) pulses: Pulses,
    pub(crate) snapshots: watch::Receiver<Arc<Snapshot>>,
}

impl Watchdog {
    /// Runs until `stop`. Without systemd nobody listens, and nothing is said.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let every = sd_notify::watchdog_enabled().map_or(EVERY, |limit| (limit / 2).min(EVERY));
        say(&[NotifyState::Ready]);
        loop {
            let late = self.pulses.late();
            let status = status(&self.snapshots.borrow(), &late);
            if late.is_empty() {
                say(&[NotifyState::Watchdog, NotifyState::Status(&status)]);
            } else {
                tracing::error!(tasks = ?late, "tasks do not get on: the watchdog is not fed");
                say(&[NotifyState::Status(&status)]);
            }
            tokio::select! {
                () = tokio::time::sleep(every) => {}
                () = stop.cancelled() => break,
            }
        }
        say(&[NotifyState::Stopping]);
    }
}

fn say(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::debug!(%error, "systemd could not be told");
    }
}

/// One line for `systemctl status`.
fn status(snapshot: &Snapshot, late: &[String]) -> String {
    if !late.is_empty() {
        return format!("stuck: {}", late.join(", "));
    }
    let in_state = |state| snapshot.series.iter().filter(|status| status.state == state).count();
    let failing = snapshot.sources.iter().filter(|source| source.failure.is_some()).count();
    format!(
        "{} series, {} in ALARM, {} LEARNING; {failing} of {} sources failing; {} messages owed",
        snapshot.series.len(),
        in_state(AlarmState::Alarm),
        in_state(AlarmState::Learning),
        snapshot.sources.len(),
        snapshot.outbox.owed
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_says_what_is_stuck_first() {
        let snapshot = Snapshot::starting(jiff::Timestamp::UNIX_EPOCH, "0.1.0", domain::Rule::default());
        assert_eq!(
            status(&snapshot, &[]),
            "0 series, 0 in ALARM, 0 LEARNING; 0 of 0 sources failing; 0 messages owed"
        );
        assert_eq!(status(&snapshot, &["deliver".to_owned()]), "stuck: deliver");
    }
}
