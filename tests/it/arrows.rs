//! Which crate may depend on which, as ARCHITECTURE.md says.

use std::collections::BTreeSet;

use cargo_metadata::MetadataCommand;

/// Every arrow between crates that may be there, beside those of `otpsd`, which may have all.
const ARROWS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("baseline", &["domain"]),
    ("evaluator", &["baseline", "domain"]),
    ("config", &["domain"]),
    ("poller", &["domain"]),
    ("store", &["domain"]),
    ("notifier", &["domain"]),
    ("web", &["domain"]),
    ("simulator", &["domain"]),
];
/// The crates without clock, socket, file, thread, randomness or hash map, and all that they may link.
const PURE: &[&str] = &["domain", "baseline", "evaluator"];
const PURE_MAY_LINK: &[&str] = &["domain", "baseline", "evaluator", "jiff", "jiff_core"];

fn metadata() -> cargo_metadata::Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .other_options(vec!["--offline".to_owned(), "--locked".to_owned()])
        .exec()
        .expect("cargo describes the workspace")
}

#[test]
fn only_the_arrows_of_the_architecture_are_there() {
    let metadata = metadata();
    let members: BTreeSet<String> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let known: BTreeSet<String> =
        ARROWS.iter().map(|(name, _)| (*name).to_owned()).chain(["otpsd".to_owned()]).collect();
    assert_eq!(members, known, "a crate that the architecture does not know");
    for package in metadata.workspace_packages() {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| package.name.as_str() == *name) else {
            continue;
        };
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            assert!(
                !members.contains(name) || allowed.contains(&name),
                "{} may not depend on {name} ({:?})",
                package.name,
                dependency.kind
            );
        }
    }
}

#[test]
fn the_pure_crates_link_nothing_that_acts() {
    for name in PURE {
        // What the crate links by itself; the metadata of the workspace has the features of all crates together.
        let output = std::process::Command::new(env!("CARGO"))
            .args([
                "tree",
                "--offline",
                "--locked",
                "-p",
                name,
                "-e",
                "normal",
                "--prefix",
                "none",
                "-f",
                "{lib}",
            ])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .output()
            .expect("cargo lists what a crate links");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let linked: BTreeSet<&str> = std::str::from_utf8(&output.stdout)
            .unwrap()
            .lines()
            .map(|line| line.trim_end_matches(" (*)"))
            .filter(|line| !line.is_empty())
            .collect();
        assert!(linked.contains(name), "{linked:?}");
        for library in linked {
            assert!(PURE_MAY_LINK.contains(&library), "{name} links {library}");
        }
    }
}

#[test]
fn the_pure_crates_ban_what_acts() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let bans = std::fs::read_to_string(format!("{root}/crates/pure-clippy.toml")).unwrap();
    for name in [
        "std::collections::HashMap",
        "std::time::Instant",
        "jiff::Timestamp::now",
        "std::thread::spawn",
        "std::fs::File",
    ] {
        assert!(bans.contains(name), "{name} is not banned");
    }
    for name in PURE {
        let own = std::fs::read_to_string(format!("{root}/crates/{name}/clippy.toml")).unwrap();
        assert_eq!(own, bans, "{name} has bans of its own");
        for file in rust_files(&format!("{root}/crates/{name}/src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            for word in [
                "HashMap",
                "HashSet",
                "std::thread",
                "TcpStream",
                "TcpListener",
                "UdpSocket",
                "std::fs",
                "SystemTime",
                "Instant::now",
                "Timestamp::now",
            ] {
                assert!(!text.contains(word), "{} names {word}", file.display());
            }
        }
    }
}

pub(crate) fn rust_files(folder: &str) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    let mut next = vec![std::path::PathBuf::from(folder)];
    while let Some(folder) = next.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                next.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
