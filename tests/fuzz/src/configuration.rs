//! Any text as a configuration, of one file or of several.
#![no_main]

#[path = "../../../crates/config/tests/it/holds.rs"]
#[expect(dead_code, reason = "other targets use the rest")]
mod holds;

libfuzzer_sys::fuzz_target!(|text: &str| holds::configuration(text));
