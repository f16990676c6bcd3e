//! Any bytes as what `aws cloudwatch get-metric-data` prints.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::Corpus;
use tempfile::TempDir;

#[path = "../../../crates/poller/tests/it/holds.rs"]
mod holds;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

libfuzzer_sys::fuzz_target!(|content: &[u8]| -> Corpus {
    // Everything else is read as CSV, which is another target.
    if !content.trim_ascii_start().starts_with(b"{") {
        return Corpus::Reject;
    }
    holds::recording(content, FOLDER.path());
    Corpus::Keep
});
