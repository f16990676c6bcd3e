//! From paths to files.

use std::path::{Path, PathBuf};

use crate::environment::{Environment, MAX_FILE_BYTES, reason};
use crate::quote::quoted;
use crate::text::File;
use crate::{Outcome, Place, Problem, Purpose, Severity, read};

/// Reads the files of one configuration from disk, and then [`read`]s them. When one of them cannot be read, or is no
/// text, there are only the problems of that.
pub fn load(paths: &[PathBuf], purpose: Purpose, environment: &dyn Environment) -> Outcome {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    let mut unreadable = false;
    for path in paths {
        match environment.file(path) {
            Err(error) => {
                unreadable = true;
                let message =
                    format!("cannot read {}: {}", quoted(&path.display().to_string()), reason(&error));
                let mut problem = problem(path, None, message);
                problem.hint = (error.kind() == std::io::ErrorKind::IsADirectory)
                    .then(|| "name the file itself, such as otpsd.toml in that folder".to_owned());
                problems.push(problem);
            }
            Ok(bytes) if bytes.len() as u64 > MAX_FILE_BYTES => {
                problems.push(problem(
                    path,
                    None,
                    "this is larger than any configuration: over 1 MiB".to_owned(),
                ));
            }
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => files.push(File { path: path.clone(), text }),
                Err(error) => {
                    let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                    let mut problem = problem(path, Some(end_of(valid)), "this is not UTF-8".to_owned());
                    problem.hint = Some("save the file as UTF-8".to_owned());
                    problems.push(problem);
                }
            },
        }
    }
    if problems.is_empty() {
        read(&files, purpose, environment)
    } else {
        Outcome { plan: None, problems, unreadable }
    }
}

fn problem(path: &Path, place: Option<Place>, message: String) -> Problem {
    let file = path.display().to_string();
    Problem { severity: Severity::Error, file, place, message, hint: None, related: None }
}

/// The place after a text. The line itself is not quoted: who knows what it holds.
fn end_of(valid: &[u8]) -> Place {
    let text = String::from_utf8_lossy(valid);
    let line = text.matches('\n').count() + 1;
    let column =
        text.rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}').chars().count() + 1;
    Place { line, column, end_column: None, excerpt: None }
}
