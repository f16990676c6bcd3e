//! A git repository of its own, in a folder that goes with it.

use std::path::Path;
use std::process::Command;

pub(crate) struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// Without a commit, on `main`.
    pub(crate) fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, and the folders to it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs git as nobody in particular, and always at the same time: the same files are the same commit. Gives what it prints.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let ran = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .env("GIT_AUTHOR_DATE", "2026-11-02T00:00:00Z")
            .env("GIT_COMMITTER_DATE", "2026-11-02T00:00:00Z")
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(ran.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }

    /// Commits all files.
    pub(crate) fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "one"]);
    }
}
