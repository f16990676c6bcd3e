//! Asks the running daemon on its control socket.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use domain::ExitCode;
use jiff::Timestamp;

use crate::app::control::{Answer, Request, SOCKET, Status};
use crate::commands::{complain, configuration, failed};
use crate::explained::Explained;

/// The daemon answers from memory, replays one series, or waits for its store.
const PATIENCE: Duration = Duration::from_secs(20);

/// The status of the daemon of a configuration, or the exit code after it was said why there is none.
pub(crate) fn status(config: &Path) -> Result<Status, ExitCode> {
    let answer = ask(config, &Request::new("status"))?;
    answer.status.clone().filter(|_| answer.ok).ok_or_else(|| refused(answer))
}

/// The explanation of a series by the daemon of a configuration, or the exit code after it was said why there is none.
pub(crate) fn explain(config: &Path, series: &str, at: Option<Timestamp>) -> Result<Explained, ExitCode> {
    let (series, at) = (Some(series.to_owned()), at.map(|at| at.to_string()));
    let answer = ask(config, &Request { series, at, ..Request::new("explain") })?;
    answer.explanation.clone().filter(|_| answer.ok).ok_or_else(|| refused(answer))
}

/// What the daemon of a configuration answers, or the exit code after it was said why it does not do that.
pub(crate) fn done(config: &Path, request: &Request) -> Result<Answer, ExitCode> {
    let answer = ask(config, request)?;
    if !answer.ok {
        return Err(refused(answer));
    }
    if let Some(warning) = &answer.error {
        anstream::eprintln!("warning: {warning}");
        if let Some(hint) = &answer.hint {
            anstream::eprintln!("hint: {hint}");
        }
    }
    Ok(answer)
}

/// Says why there is no answer.
fn refused(answer: Answer) -> ExitCode {
    let what = answer.error.unwrap_or_else(|| "the daemon did not answer that".to_owned());
    if answer.no.is_some() {
        complain(&what, answer.hint.as_deref());
        return ExitCode::No;
    }
    failed(&what, answer.hint.as_deref())
}

fn ask(config: &Path, request: &Request) -> Result<Answer, ExitCode> {
    let plan = configuration::read_quietly(config)?;
    let socket = plan.daemon.state_dir.join(SOCKET);
    send(&socket, request).map_err(|error| {
        let what = format!("cannot ask the daemon on {}: {error}", socket.display());
        failed(&what, Some("is it running, with this `state-dir`, and as this user?"))
    })
}

fn send(socket: &Path, request: &Request) -> io::Result<Answer> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    writeln!(stream, "{}", serde_json::to_string(request)?)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}
