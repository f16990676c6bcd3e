//! House rules that a machine can check.

use crate::arrows::rust_files;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// One idea a file: a longer one has several.
const LONGEST_FILE: usize = 600;
/// Modules that would collect whatever has no home.
const HOMELESS: [&str; 4] = ["util", "common", "helpers", "manager"];

#[test]
fn files_are_short_and_have_a_home() {
    let mut seen = 0;
    for folder in ["crates", "tests"] {
        for file in rust_files(&format!("{ROOT}/{folder}")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let lines = text.lines().count();
            assert!(lines <= LONGEST_FILE, "{} has {lines} lines", file.display());
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(
                !HOMELESS.iter().any(|word| stem.trim_end_matches('s') == word.trim_end_matches('s')),
                "{}",
                file.display()
            );
            seen += 1;
        }
    }
    assert!(seen > 100, "the tree was looked at: {seen} files");
}

#[test]
fn nothing_is_left_over() {
    for file in rust_files(&format!("{ROOT}/crates")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for word in ["TODO", "FIXME", "XXX", "dbg!(", "unimplemented!", "todo!(", "#[ignore"] {
            assert!(!text.contains(word), "{}: {word}", file.display());
        }
    }
}

#[test]
fn every_crate_says_what_it_is() {
    for entry in std::fs::read_dir(format!("{ROOT}/crates")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let root =
            [folder.join("src/lib.rs"), folder.join("src/main.rs")].into_iter().find(|path| path.exists());
        let text = std::fs::read_to_string(root.unwrap()).unwrap();
        assert!(text.starts_with("//! "), "{}", folder.display());
        assert!(text.contains("//! # Layout"), "{}", folder.display());
    }
}
