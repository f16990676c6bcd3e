//! What systemd is told: that the daemon is up before it has read anything, that it gets on while CloudWatch does not, and
//! that it ends.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

use simulator::loopback::{Fault, FaultRule};

use crate::rehearsal::{Daemon, Rehearsal, Scene};

/// Where systemd listens, by the name it gives in `NOTIFY_SOCKET`.
struct Systemd {
    socket: UnixDatagram,
    /// The folder of the socket, where it has one.
    _folder: Option<tempfile::TempDir>,
    name: String,
}

impl Systemd {
    fn listen() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        Self { socket, _folder: Some(folder), name: path.to_str().unwrap().to_owned() }
    }

    fn listen_abstract() -> Self {
        let name = format!("otpsd-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        Self { socket: UnixDatagram::bind_addr(&address).unwrap(), _folder: None, name: format!("@{name}") }
    }

    fn open(&self, watchdog: &[(&'static str, String)]) -> Rehearsal {
        let mut scene = Scene::new();
        scene.environment.push(("NOTIFY_SOCKET", self.name.clone()));
        scene.environment.extend_from_slice(watchdog);
        scene.open()
    }

    /// The next message that has `word`, and how many came before it.
    fn wait_for(&self, word: &str, limit: Duration) -> Option<usize> {
        let deadline = Instant::now() + limit;
        let mut others = 0;
        loop {
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            self.socket.set_read_timeout(Some(left)).unwrap();
            let mut message = [0; 4_096];
            let length = self.socket.recv(&mut message).ok()?;
            if String::from_utf8_lossy(&message[..length]).lines().any(|line| line == word) {
                return Some(others);
            }
            others += 1;
        }
    }
}

const PATIENCE: Duration = Duration::from_secs(30);

fn ends(daemon: Daemon, systemd: &Systemd) {
    let (took, code) = daemon.terminate();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert!(systemd.wait_for("STOPPING=1", PATIENCE).is_some());
}

#[test]
fn it_is_ready_before_anything_is_read_and_fed_while_cloudwatch_hangs() {
    let systemd = Systemd::listen();
    let rehearsal = systemd.open(&[("WATCHDOG_USEC", "1000000".to_owned())]);
    rehearsal.loopback().faults().set([FaultRule::new(Fault::Hang)]);
    let daemon = rehearsal.start();
    assert_eq!(systemd.wait_for("READY=1", PATIENCE), Some(0), "it is the first thing that is said");
    assert!(rehearsal.loopback().calls().iter().all(|total| total.datapoints == 0));
    for _ in 0..8 {
        // Twice in the time that systemd gives, and something to spare for a machine that is busy.
        assert!(systemd.wait_for("WATCHDOG=1", Duration::from_millis(900)).is_some());
    }
    ends(daemon, &systemd);
}

#[test]
fn nobody_is_pinged_in_the_name_of_another_process() {
    let systemd = Systemd::listen_abstract();
    let watchdog = [("WATCHDOG_USEC", "200000".to_owned()), ("WATCHDOG_PID", "1".to_owned())];
    let rehearsal = systemd.open(&watchdog);
    let daemon = rehearsal.start();
    assert_eq!(systemd.wait_for("READY=1", PATIENCE), Some(0));
    assert_eq!(systemd.wait_for("WATCHDOG=1", Duration::from_secs(1)), None);
    ends(daemon, &systemd);
}
