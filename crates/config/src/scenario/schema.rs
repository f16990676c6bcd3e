//! The tables and keys of a file of tests.

use crate::schema::Section;

/// What may stand outside of any table.
pub(super) static TOP: Section = Section { title: "the file", keys: &["config", "test"] };

pub(super) static TEST: Section = Section {
    title: "[[test]]",
    keys: &["name", "config", "start", "history", "only-expected", "series", "expect"],
};

pub(super) static SERIES: Section = Section {
    title: "[[test.series]]",
    keys: &[
        "account",
        "region",
        "model",
        "otps",
        "ttft-ms",
        "output-tokens",
        "input-tokens",
        "requests",
        "streaming-share",
        "cache-read-share",
        "slow-share",
        "slow-times",
    ],
};

pub(super) static EXPECT: Section = Section {
    title: "[[test.expect]]",
    keys: &[
        "at",
        "within",
        "page",
        "resolve",
        "ticket",
        "ticket-closed",
        "state",
        "silence",
        "account",
        "region",
        "model",
        "channels",
    ],
};

/// The keys of an expectation that say what is expected.
pub(super) const KINDS: [&str; 6] = ["page", "resolve", "ticket", "ticket-closed", "state", "silence"];
