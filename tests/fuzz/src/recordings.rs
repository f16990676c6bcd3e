//! Any bytes as a recording: CSV, plain or packed.
#![no_main]

use std::sync::LazyLock;

use tempfile::TempDir;

#[path = "../../../crates/poller/tests/it/holds.rs"]
mod holds;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

libfuzzer_sys::fuzz_target!(|content: &[u8]| holds::recording(content, FOLDER.path()));
