//! Asks the running daemon on its control socket.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use domain::ExitCode;

use crate::app::control::{Answer, Request, SOCKET, Status, VERSION};
use crate::commands::{configuration, failed};

/// The daemon answers from memory.
const PATIENCE: Duration = Duration::from_secs(5);

/// The status of the daemon of a configuration, or the exit code after it was said why there is none.
pub(crate) fn status(config: &Path) -> Result<Status, ExitCode> {
    let plan = configuration::read_quietly(config)?;
    let socket = plan.daemon.state_dir.join(SOCKET);
    let answer = ask(&socket, "status").map_err(|error| {
        let what = format!("cannot ask the daemon on {}: {error}", socket.display());
        failed(&what, Some("is it running, with this `state-dir`, and as this user?"))
    })?;
    answer.status.filter(|_| answer.ok).ok_or_else(|| {
        let what = answer.error.unwrap_or_else(|| "the daemon gave no status".to_owned());
        failed(&what, answer.hint.as_deref())
    })
}

fn ask(socket: &Path, command: &str) -> io::Result<Answer> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = Request { v: VERSION, command: command.to_owned() };
    writeln!(stream, "{}", serde_json::to_string(&request)?)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}
