//! From paths to files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::environment::{Environment, MAX_FILE_BYTES, reason};
use crate::quote::quoted;
use crate::text::File;
use crate::{Origins, Outcome, Place, Problem, Purpose, Severity, read, scenario};

/// Reads the files of one configuration from disk, and then [`read`]s them. A folder stands for its `*.toml`, in the order of
/// their names; those that begin with a dot are not among them. When one of them cannot be read, or is no text, there are
/// only the problems of that.
pub fn load(paths: &[PathBuf], purpose: Purpose, environment: &dyn Environment) -> Outcome {
    let mut loading = Loading { environment, files: Vec::new(), problems: Vec::new(), unreadable: false };
    for path in paths {
        loading.add(path);
    }
    if loading.problems.is_empty() {
        read(&loading.files, purpose, environment)
    } else {
        Outcome {
            plan: None,
            origins: Origins::default(),
            problems: loading.problems,
            unreadable: loading.unreadable,
            files: 0,
        }
    }
}

struct Loading<'e> {
    environment: &'e dyn Environment,
    files: Vec<File>,
    problems: Vec<Problem>,
    unreadable: bool,
}

impl Loading<'_> {
    /// Adds a file, or the files of a folder.
    fn add(&mut self, path: &Path) {
        match self.environment.file(path) {
            Err(error) if error.kind() == ErrorKind::IsADirectory => self.add_folder(path),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.unreadable(path, "there is no such file or folder", None);
            }
            read => self.add_file(path, read),
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        let mut paths = match self.environment.folder(folder) {
            Ok(paths) => paths,
            Err(error) => return self.unreadable(folder, &reason(&error), None),
        };
        paths.retain(|path| is_configuration(path));
        paths.sort();
        if paths.is_empty() {
            let hint = "a configuration is a file, or a folder of files whose names end with .toml";
            return self.unreadable(folder, "no file of this folder ends with .toml", Some(hint));
        }
        for path in paths {
            let read = self.environment.file(&path);
            self.add_file(&path, read);
        }
    }

    fn add_file(&mut self, path: &Path, read: std::io::Result<Vec<u8>>) {
        match read {
            Err(error) => {
                let hint = "the files of a folder are read, and not those of the folders in it";
                let hint = (error.kind() == ErrorKind::IsADirectory).then_some(hint);
                self.unreadable(path, &reason(&error), hint);
            }
            Ok(bytes) if bytes.len() as u64 > MAX_FILE_BYTES => {
                let message = "this is larger than any configuration: over 1 MiB".to_owned();
                self.problems.push(problem(path, None, message));
            }
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => match text.find('\0') {
                    None => self.files.push(File { path: path.to_owned(), text }),
                    Some(zero) => {
                        let what = "this is not text: it has a zero byte";
                        self.not_text(path, what, &text.as_bytes()[..zero], text.as_bytes());
                    }
                },
                Err(error) => {
                    let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                    self.not_text(path, "this is not UTF-8", valid, error.as_bytes());
                }
            },
        }
    }

    fn not_text(&mut self, path: &Path, what: &str, valid: &[u8], bytes: &[u8]) {
        let mut problem = problem(path, Some(end_of(valid)), what.to_owned());
        let hint = if is_utf16(bytes) {
            "it looks like UTF-16: save the file as UTF-8"
        } else {
            "save the file as UTF-8"
        };
        problem.hint = Some(hint.to_owned());
        self.problems.push(problem);
    }

    fn unreadable(&mut self, path: &Path, reason: &str, hint: Option<&str>) {
        self.unreadable = true;
        let message = format!("cannot read {}: {reason}", quoted(&path.display().to_string()));
        let hint = hint.map(str::to_owned);
        self.problems.push(Problem { hint, ..problem(path, None, message) });
    }
}

/// Some programs of Windows write two bytes a character, with or without a mark at the beginning.
fn is_utf16(bytes: &[u8]) -> bool {
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || zeros > bytes.len() / 3
}

/// Hidden files are those of editors, and of what mounts folders into containers; tests may stand beside what they test.
fn is_configuration(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let is_test = path.to_string_lossy().ends_with(scenario::ENDING);
    path.extension().is_some_and(|extension| extension == "toml") && !is_hidden && !is_test
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
