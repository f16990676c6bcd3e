//! Tells systemd that the daemon gets on, as long as it does.

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// The process is to end, and does not begin anew.
    pub(crate) ends: Arc<AtomicBool>,
}

impl Watchdog {
    /// Runs until `stop`. Without systemd nobody listens, and nothing is said.
    pub(crate) async fn run(self, stop: CancellationToken) {
        // `None` also when the watchdog waits for another process: a ping of this one would hide that it is stuck.
        let limit = sd_notify::watchdog_enabled();
        let every = limit.map_or(EVERY, |limit| (limit / 2).min(EVERY));
        say(&[NotifyState::Ready]);
        loop {
            let late = self.pulses.late();
            let status = status(&self.snapshots.borrow(), &late);
            if !late.is_empty() {
                tracing::error!(tasks = ?late, "tasks do not get on: the watchdog is not fed");
            } else if limit.is_some() {
                say(&[NotifyState::Watchdog]);
            }
            say(&[NotifyState::Status(&status)]);
            tokio::select! {
                () = tokio::time::sleep(every) => {}
                () = stop.cancelled() => break,
            }
        }
        if self.ends.load(Ordering::Relaxed) {
            say(&[NotifyState::Stopping]);
        }
    }
}

fn say(states: &[NotifyState<'_>]) {
    let said = match std::env::var_os("NOTIFY_SOCKET") {
        Some(name) if name.as_encoded_bytes().starts_with(b"@") => say_abstract(&name, states),
        _ => sd_notify::notify(states),
    };
    if let Err(error) = said {
        tracing::debug!(%error, "systemd could not be told");
    }
}

/// To a socket in the abstract namespace of Linux, whose name `@` stands for: some container managers have one. Source:
/// sd_notify(3).
#[cfg(target_os = "linux")]
fn say_abstract(name: &OsStr, states: &[NotifyState<'_>]) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let address = SocketAddr::from_abstract_name(&name.as_encoded_bytes()[1..])?;
    let text: String = states.iter().map(|state| format!("{state}\n")).collect();
    UnixDatagram::unbound()?.send_to_addr(text.as_bytes(), &address).map(drop)
}

/// There is no systemd elsewhere.
#[cfg(not(target_os = "linux"))]
fn say_abstract(_: &OsStr, _: &[NotifyState<'_>]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
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
