//! Answers on the control socket.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use web::Snapshot;

use crate::app::control::{Answer, LONGEST_LINE, Request, SOCKET, VERSION};
use crate::app::explaining::Explaining;
use crate::app::pulse::Pulses;
use crate::app::saying::Saying;

/// A client that has not asked by then, or does not read its answer, is gone.
const PATIENCE: Duration = Duration::from_secs(5);
/// Clients that are served at once; further ones wait for their turn. One that is stuck keeps its place for [`PATIENCE`].
const MOST_CLIENTS: usize = 32;
/// After a client could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) struct Control {
    listener: UnixListener,
    path: PathBuf,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    pulses: Pulses,
}

impl Control {
    /// Binds the socket in the state folder. One that a crash left behind is replaced; the lock of the store keeps a second
    /// daemon from getting here.
    pub(crate) fn bind(
        state_dir: &Path,
        snapshots: watch::Receiver<Arc<Snapshot>>,
        pulses: Pulses,
    ) -> io::Result<Self> {
        use std::os::unix::fs::PermissionsExt as _;
        let path = state_dir.join(SOCKET);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path, snapshots, pulses })
    }

    /// Runs until `stop`, then takes the socket away.
    pub(crate) async fn run(self, explaining: Explaining, saying: Saying, stop: CancellationToken) {
        let mut clients = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if clients.len() < MOST_CLIENTS => match accepted {
                    Ok((stream, _)) => {
                        let served = answer(stream, self.snapshots.clone(), self.pulses.clone(), explaining.clone(), saying.clone());
                        clients.spawn(served);
                    }
                    // Without a free descriptor accepting fails at once, again and again.
                    Err(_) => tokio::time::sleep(PAUSE).await,
                },
                Some(_) = clients.join_next() => {}
                () = stop.cancelled() => break,
            }
        }
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn answer(
    stream: UnixStream,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    pulses: Pulses,
    explaining: Explaining,
    saying: Saying,
) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut line = String::new();
    tokio::time::timeout(PATIENCE, BufReader::new(read.take(LONGEST_LINE)).read_line(&mut line)).await??;
    // What was asked is done to its end, whether the client waits for that or not.
    let asked = tokio::spawn(async move { asked(&line, &snapshots, &pulses, &explaining, &saying).await });
    let answer = asked.await.unwrap_or_else(|error| {
        Answer::refused(
            format!("the answer broke off: {error}"),
            "this is a bug of otpsd; its log has the panic",
        )
    });
    let mut text = serde_json::to_string(&answer)?;
    text.push('\n');
    tokio::time::timeout(PATIENCE, write.write_all(text.as_bytes())).await?
}

async fn asked(
    line: &str,
    snapshots: &watch::Receiver<Arc<Snapshot>>,
    pulses: &Pulses,
    explaining: &Explaining,
    saying: &Saying,
) -> Answer {
    let snapshot = Arc::clone(&snapshots.borrow());
    match serde_json::from_str::<Request>(line) {
        Ok(request) if request.v == VERSION => match request.command.as_str() {
            "status" => Answer::status(&snapshot, pulses.late()),
            "explain" => explaining.answer(&snapshot, request.series.as_deref(), request.at.as_deref()).await,
            "silence_add" => saying.silence_add(request).await,
            "silence_list" => saying.silence_list().await,
            "silence_expire" => saying.silence_expire(request).await,
            "accept" => saying.accept(request).await,
            "reload" => saying.reload(),
            unknown => Answer::refused(
                format!("unknown command `{unknown}`"),
                "this daemon knows: status, explain, silence_add, silence_list, silence_expire, accept, reload",
            ),
        },
        Ok(Request { v, .. }) => Answer::refused(
            format!("protocol version {v} is not spoken here, only {VERSION}"),
            "use the otpsd command of the daemon's version",
        ),
        Err(error) => Answer::refused(
            format!("not a request: {error}"),
            r#"send one line such as {"v":1,"command":"status"}"#,
        ),
    }
}
