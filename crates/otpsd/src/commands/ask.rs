//! Asks the running daemon on its control socket.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use config::Origins;
use domain::{ExitCode, LedgerError, Plan};
use evaluator::Settings;
use jiff::Timestamp;

use crate::app::STORE;
use crate::app::control::{Answer, Request, SOCKET, Status};
use crate::commands::{complain, configuration, failed, runtime};
use crate::explained::stored::{self, Unexplained};
use crate::explained::{Explained, written};

/// The daemon answers from memory, replays one series, or waits for its store.
const PATIENCE: Duration = Duration::from_secs(20);

/// The status of the daemon of a configuration, or the exit code after it was said why there is none.
pub(crate) fn status(config: &Path) -> Result<Status, ExitCode> {
    let answer = ask(config, &Request::new("status"))?;
    answer.status.clone().filter(|_| answer.ok).ok_or_else(|| refused(answer))
}

/// The explanation of a series by the daemon of a configuration, or where none runs from what the last one wrote down. Otherwise the exit
/// code after it was said why there is none.
pub(crate) fn explain(config: &Path, series: &str, at: Option<Timestamp>) -> Result<Explained, ExitCode> {
    let (plan, origins) = configuration::read_quietly_with_origins(config)?;
    let request = Request {
        series: Some(series.to_owned()),
        at: at.map(|at| at.to_string()),
        ..Request::new("explain")
    };
    let socket = plan.daemon.state_dir.join(SOCKET);
    let answer = match send(&socket, &request) {
        Ok(answer) => answer,
        Err(error) if runs_not(&error) => {
            return from_store((&plan, &origins), &unanswered(&socket, &error), series, at);
        }
        Err(error) => return Err(not_reached(&socket, &error)),
    };
    answer.explanation.clone().filter(|_| answer.ok).ok_or_else(|| refused(answer))
}

/// Whether nobody listens there.
fn runs_not(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// The explanation of a series from the store of a daemon that does not run.
fn from_store(
    (plan, origins): (&Plan, &Origins),
    unanswered: &str,
    series: &str,
    at: Option<Timestamp>,
) -> Result<Explained, ExitCode> {
    let path = plan.daemon.state_dir.join(STORE);
    let failed = |error: LedgerError| {
        complain(unanswered, None);
        failed(&error, error.hint.as_deref())
    };
    let store = store::Sqlite::look_at(&path).map_err(|error| failed(error.into()))?;
    let runtime = runtime().map_err(|error| self::failed(&error, None))?;
    match runtime.block_on(stored::explain(&store, Settings::from(plan), series, at)) {
        Ok((whose, mut explained)) => {
            explained.written = written(plan, origins, &whose);
            let through = &explained.judged_through;
            anstream::eprintln!(
                "note: no daemon runs here; this is what was written down in {}, judged through {through}",
                path.display()
            );
            Ok(explained)
        }
        Err(Unexplained::No(no)) => {
            complain(&no.message, no.hint.as_deref());
            Err(ExitCode::No)
        }
        Err(Unexplained::Failed(error)) => Err(failed(error)),
    }
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
    send(&socket, request).map_err(|error| not_reached(&socket, &error))
}

fn unanswered(socket: &Path, error: &io::Error) -> String {
    format!("cannot ask the daemon on {}: {error}", socket.display())
}

fn not_reached(socket: &Path, error: &io::Error) -> ExitCode {
    failed(&unanswered(socket, error), Some("is it running, with this `state-dir`, and as this user?"))
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
