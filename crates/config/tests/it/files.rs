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
fn a_folder_is_its_files_in_the_order_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("20-routes.toml", "[[route.page]]\nmodels = [\"*haiku*\"]\nchannels = [\"log.all\"]\n");
    write(
        "10-routes.toml",
        "[[route.page]]\nmodels = [\"*sonnet*\"]\nchannels = [\"log.all\"]\n[channel.log.all]\n",
    );
    write("README.md", "no TOML");
    write(".10-routes.toml.swp", "no TOML");
    write(".hidden.toml", "no TOML");
    let outcome = load(&[folder.path().to_owned()], Purpose::Backtest, &ProcessEnvironment);
    assert_eq!((outcome.problems.len(), outcome.files), (0, 2));
    let models: Vec<_> =
        outcome.plan.unwrap().routes.page.into_iter().map(|route| route.matcher.models).collect();
    assert_eq!(models, [["*sonnet*"], ["*haiku*"]]);

    write("30-rules.toml", "[alarm]\npage-below = 0.7\n");
    write("40-rules.toml", "[alarm]\nmode = \"observe\"\npage-below = 0.6\n[channel.log.all]\n");
    let (exit, text) = seen_at(&folder, folder.path().to_owned());
    assert_eq!(exit, ExitCode::No);
    insta::assert_snapshot!(text, @r#"
    error: `page-below` of `[alarm]` is in two files
     --> DIR/40-rules.toml:3:1
      |
    3 | page-below = 0.6
      | ^^^^^^^^^^
      |
     ::: DIR/30-rules.toml:2:1
      |
    2 | page-below = 0.7
      | ---------- it is here already

    error: `[channel.log.all]` is in two files
     --> DIR/40-rules.toml:4:14
      |
    4 | [channel.log.all]
      |              ^^^
      |
     ::: DIR/10-routes.toml:4:14
      |
    4 | [channel.log.all]
      |              --- it is here already
    "#);
}

#[test]
fn what_is_neither_a_file_nor_a_folder_of_files_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (exit, text) = seen_at(&folder, folder.path().to_owned());
    assert_eq!(exit, ExitCode::CannotRun);
    insta::assert_snapshot!(text, @r#"
    error: cannot read `DIR`: no file of this folder ends with .toml
    --> DIR
     = hint: a configuration is a file, or a folder of files whose names end with
             .toml
    "#);
    let (exit, text) = seen_at(&folder, folder.path().join("otpsd.toml"));
    assert_eq!(exit, ExitCode::CannotRun);
    insta::assert_snapshot!(text, @r#"
    error: cannot read `DIR/otpsd.toml`: there is no such file or folder
    --> DIR/otpsd.toml
    "#);
    std::fs::create_dir(folder.path().join("otpsd.toml")).unwrap();
    let (exit, text) = seen_at(&folder, folder.path().to_owned());
    assert_eq!(exit, ExitCode::CannotRun);
    insta::assert_snapshot!(text, @r#"
    error: cannot read `DIR/otpsd.toml`: it is a folder
    --> DIR/otpsd.toml
     = hint: the files of a folder are read, and not those of the folders in it
    "#);
    let _listener = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    let (exit, text) = seen_at(&folder, folder.path().join("socket"));
    assert_eq!(exit, ExitCode::CannotRun);
    insta::assert_snapshot!(text, @r#"
    error: cannot read `DIR/socket`: it is a socket
    --> DIR/socket
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
