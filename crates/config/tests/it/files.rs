//! Files on a disk: what cannot be read is another failure than what is wrong in it.

use std::path::PathBuf;

use config::{ProcessEnvironment, Purpose, load, render};
use domain::ExitCode;

/// The outcome of one file of those bytes, and what is seen of it, with the folder as `DIR`.
fn seen(bytes: &[u8]) -> (ExitCode, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("otpsd.toml");
    std::fs::write(&path, bytes).unwrap();
    seen_at(&folder, path)
}

fn seen_at(folder: &tempfile::TempDir, path: PathBuf) -> (ExitCode, String) {
    let outcome = load(&[path], Purpose::Backtest, &ProcessEnvironment);
    let text = render::text(&outcome.problems, false);
    (outcome.exit_code(), text.replace(folder.path().to_str().unwrap(), "DIR"))
}

#[test]
fn a_file_is_read() {
    assert_eq!(seen(b"[alarm]\nmode = \"observe\"\n"), (ExitCode::Success, String::new()));
    assert_eq!(seen(b"[alarm]\nmode = \"off\"\n").0, ExitCode::No);
}

#[test]
fn a_folder_and_a_file_that_is_not_there_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (exit, text) = seen_at(&folder, folder.path().to_owned());
    assert_eq!(exit, ExitCode::CannotRun);
    insta::assert_snapshot!(text, @r#"
    error: cannot read `DIR`: it is a folder
    --> DIR
     = hint: name the file itself, such as otpsd.toml in that folder
    "#);
    let (exit, text) = seen_at(&folder, folder.path().join("otpsd.toml"));
    assert_eq!(exit, ExitCode::CannotRun);
    insta::assert_snapshot!(text, @r#"
    error: cannot read `DIR/otpsd.toml`: there is no such file
    --> DIR/otpsd.toml
    "#);
}

#[test]
fn what_is_not_text_is_a_mistake_in_the_file() {
    let (exit, text) = seen(b"[alarm]\nmode = \"\xc3\xa9\xff\"\n");
    assert_eq!(exit, ExitCode::No);
    insta::assert_snapshot!(text, @r#"
    error: this is not UTF-8
    --> DIR/otpsd.toml:2:10
     = hint: save the file as UTF-8
    "#);
    let (exit, text) = seen(&vec![b'#'; 1024 * 1024 + 1]);
    assert_eq!(exit, ExitCode::No);
    insta::assert_snapshot!(text, @r#"
    error: this is larger than any configuration: over 1 MiB
    --> DIR/otpsd.toml
    "#);
}
