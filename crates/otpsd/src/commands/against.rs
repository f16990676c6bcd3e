//! A configuration to compare with: a path, or one of git as `GITREF:PATH`, read without a checkout.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use config::{Environment, Origins, Outcome, ProcessEnvironment, Purpose, render};
use domain::{ExitCode, Plan};

use super::{complain, failed};

/// No file of a configuration is larger; what is longer is cut, and refused for its length.
const MAX_BYTES: u64 = 1024 * 1024 + 1;

/// A configuration to compare with, and where it came from.
#[derive(Debug)]
pub(crate) struct Former {
    pub(crate) plan: Plan,
    /// Where each of its values is written.
    pub(crate) origins: Origins,
    /// As it was asked for: `main:config`, `old.toml`.
    pub(crate) name: String,
    /// The commit that it is of, in its short form.
    pub(crate) commit: Option<String>,
}

impl fmt::Display for Former {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.commit {
            Some(commit) => write!(f, "{} ({commit})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Reads the configuration to compare with. `old` is a path if there is such a file or folder, else it is `GITREF:PATH`, where the path
/// starts at the root of the repository, or at the current folder if it begins with `./`. Its warnings are of no interest: they were
/// there before.
///
/// # Errors
///
/// The exit code, after what is wrong was shown: [`ExitCode::No`] for a configuration that is invalid, [`ExitCode::CannotRun`] for one
/// that cannot be read.
pub(crate) fn read(old: &str, purpose: Purpose) -> Result<Former, ExitCode> {
    let (outcome, commit) = match of_git(old) {
        Some((reference, path)) => {
            let git = Git::open(Path::new("."), reference, path);
            let git = git.map_err(|error| failed(&error, error.hint))?;
            let outcome = config::load(std::slice::from_ref(&git.root), purpose, &git);
            (outcome, Some(git.short))
        }
        None => (config::load(&[PathBuf::from(old)], purpose, &ProcessEnvironment), None),
    };
    let code = outcome.exit_code();
    let Outcome { plan, origins, problems, .. } = outcome;
    let Some(plan) = plan else {
        anstream::eprint!("{}", render::text(&problems, false));
        let hint = (code == ExitCode::No).then_some("without --against it is not needed");
        complain(&format!("the configuration to compare with, {old}, cannot be used"), hint);
        return Err(code);
    };
    Ok(Former { plan, origins, name: old.to_owned(), commit })
}

/// The two parts of `GITREF:PATH`, unless there is a file or folder of that name.
fn of_git(old: &str) -> Option<(&str, &str)> {
    let (reference, path) = old.split_once(':')?;
    (!reference.is_empty() && !Path::new(old).exists()).then_some((reference, path))
}

/// Why git did not give a configuration.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct GitError {
    message: String,
    hint: Option<&'static str>,
}

/// The files of a commit.
#[derive(Debug)]
struct Git {
    /// Where git is asked: any folder of the repository.
    at: PathBuf,
    /// The path of the configuration as messages show it: `GITREF:PATH`.
    root: PathBuf,
    /// The commit and the path, as git takes them.
    object: String,
    /// The commit in its short form.
    short: String,
}

impl Git {
    fn open(at: &Path, reference: &str, path: &str) -> Result<Self, GitError> {
        let commit = commit(at, reference)?;
        let short = commit.chars().take(7).collect();
        // `main:` and `main:.` are the root of the repository.
        let path = path.trim_end_matches('/');
        let inside = if path == "." { "" } else { path };
        Ok(Self {
            at: at.to_owned(),
            root: PathBuf::from(format!("{reference}:{path}")),
            object: format!("{commit}:{inside}"),
            short,
        })
    }

    /// A path below the root, as git takes it; `None` for what is no part of the configuration.
    fn object(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.root).ok()?.to_str()?;
        Some(match below {
            "" => self.object.clone(),
            _ if self.object.ends_with(':') => format!("{}{below}", self.object),
            _ => format!("{}/{below}", self.object),
        })
    }
}

impl Environment for Git {
    fn variable(&self, name: &str) -> Option<OsString> {
        ProcessEnvironment.variable(name)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        // What a configuration names beside itself, such as the file of a secret, is that of this machine.
        let Some(object) = self.object(path) else { return ProcessEnvironment.file(path) };
        match git(&self.at, &["cat-file", "-t", &object]).as_deref().map(<[u8]>::trim_ascii) {
            Ok(b"blob") => git(&self.at, &["cat-file", "blob", &object]),
            Ok(b"tree") => Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => Err(io::Error::other("it is no file in git")),
            Err(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let Some(object) = self.object(path) else { return ProcessEnvironment.folder(path) };
        let names = git(&self.at, &["ls-tree", "-z", "--name-only", &object])?;
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| path.join(String::from_utf8_lossy(name).as_ref())).collect())
    }
}

/// The commit that a reference stands for.
fn commit(at: &Path, reference: &str) -> Result<String, GitError> {
    let unknown = |why: &str| GitError {
        message: format!("git knows no commit `{reference}`{why}"),
        hint: Some(
            "name a file or a folder that is there, or GITREF:PATH; in CI, fetch the branch to compare with first",
        ),
    };
    if reference.starts_with('-') {
        return Err(unknown(""));
    }
    let asked = format!("{reference}^{{commit}}");
    match git(at, &["rev-parse", "--verify", "--quiet", &asked]) {
        Ok(commit) => Ok(String::from_utf8_lossy(&commit).trim().to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(GitError {
            message: format!("cannot ask git for `{reference}`: there is no program `git`"),
            hint: Some("install it, or name a file or a folder"),
        }),
        Err(error) => {
            let why = error.to_string();
            Err(unknown(&if why.is_empty() { why } else { format!(": {why}") }))
        }
    }
}

/// What git prints, up to a limit. An error has its words.
fn git(at: &Path, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let mut child = Command::new("git")
        .current_dir(at)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut printed = Vec::new();
    if let Some(out) = child.stdout.take() {
        out.take(MAX_BYTES).read_to_end(&mut printed)?;
    }
    let ended = child.wait_with_output()?;
    // What was cut made git stop, and is told by its length.
    if ended.status.success() || printed.len() as u64 == MAX_BYTES {
        return Ok(printed);
    }
    let words = String::from_utf8_lossy(&ended.stderr);
    let words = words.lines().next().unwrap_or_default().trim_start_matches("fatal: ").to_owned();
    Err(io::Error::other(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with one commit: `config/` of two files and a folder, and `one.toml`.
    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("config/alarm.toml", "[alarm]\nmode = \"observe\"\n");
        write("config/notes.md", "none of it\n");
        write("config/more/other.toml", "nonsense\n");
        write("one.toml", "[alarm]\nmode = \"observe\"\npage-below = 0.5\n");
        for arguments in [
            &["init", "--quiet", "--initial-branch", "main"][..],
            &["add", "."],
            &["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "one"],
        ] {
            let run = Command::new("git").args(arguments).current_dir(folder.path()).status().unwrap();
            assert!(run.success());
        }
        folder
    }

    #[test]
    fn what_is_a_path_is_no_reference() {
        assert_eq!(of_git("Cargo.toml"), None);
        assert_eq!(of_git(":config"), None);
        assert_eq!(of_git("main:config"), Some(("main", "config")));
        assert_eq!(of_git("origin/main:"), Some(("origin/main", "")));
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("a:b");
        std::fs::write(&there, "").unwrap();
        assert_eq!(of_git(there.to_str().unwrap()), None);
    }

    #[test]
    fn paths_below_the_root_are_objects_of_the_commit() {
        let of = |object: &str| Git {
            at: PathBuf::new(),
            root: PathBuf::from("main:config"),
            object: object.to_owned(),
            short: String::new(),
        };
        let git = of("abc:config");
        assert_eq!(git.object(Path::new("main:config")).as_deref(), Some("abc:config"));
        assert_eq!(git.object(Path::new("main:config/a.toml")).as_deref(), Some("abc:config/a.toml"));
        assert_eq!(git.object(Path::new("/run/secrets/jira")), None);
        let whole = Git { root: PathBuf::from("main:"), ..of("abc:") };
        assert_eq!(whole.object(Path::new("main:/a.toml")).as_deref(), Some("abc:a.toml"));
    }

    #[test]
    fn a_reference_is_never_an_option() {
        let error = commit(Path::new("."), "--all").unwrap_err();
        assert_eq!(error.to_string(), "git knows no commit `--all`");
    }

    #[test]
    fn a_folder_and_a_file_of_a_commit_are_read_as_those_of_the_disk() {
        let repository = repository();
        let load = |path: &str| {
            let git = Git::open(repository.path(), "main", path).unwrap();
            config::load(std::slice::from_ref(&git.root), Purpose::Backtest, &git)
        };
        let folder = load("config");
        assert_eq!((folder.files, folder.problems.len()), (1, 0), "{:?}", folder.problems);
        // From the folder where git is asked, too.
        assert_eq!(load("./one.toml").plan.unwrap().rule.page_below, 0.5);
        assert_eq!(load("one.toml").plan.unwrap().rule.page_below, 0.5);
        // The root of the repository has one configuration: the file.
        assert_eq!((load("").files, load(".").files), (1, 1));
        let missing = load("nothing");
        assert!(missing.unreadable);
        assert_eq!(
            missing.problems[0].message,
            "cannot read `main:nothing`: there is no such file or folder"
        );
    }

    #[test]
    fn the_working_copy_does_not_matter() {
        let repository = repository();
        std::fs::write(repository.path().join("one.toml"), "[alarm]\npage-below = 0.9\n").unwrap();
        let git = Git::open(repository.path(), "HEAD", "one.toml").unwrap();
        let former = config::load(std::slice::from_ref(&git.root), Purpose::Backtest, &git);
        assert_eq!(former.plan.unwrap().rule.page_below, 0.5);
        assert_eq!(git.short.len(), 7);
        assert!(Git::open(repository.path(), "nowhere", "one.toml").is_err());
    }
}
