//! `otpsd backtest --since`: the history is read from CloudWatch.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use super::two::{ALPHA, BETA, COMMON, NOON, THREE, backtest, configuration, recording};
use crate::process::otpsd;

/// A loopback CloudWatch over a recording, as of the end of its last day. It is ended when dropped.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(recording: &Path) -> Self {
        let mut child = otpsd()
            .args(["simulate", "--serve", "--port", "0", "--from", END, "--recording"])
            .arg(recording)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const END: &str = "2026-03-17T00:02:00Z";

/// The same answer comes from a file and from CloudWatch, also of series that only the former configuration reads.
#[test]
fn what_cloudwatch_has_is_judged_as_a_recording_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(
        folder.path(),
        &[
            ("eu-west-1", ALPHA, &[(NOON, NOON + 12, 2.0 / 3.0)]),
            ("us-west-2", BETA, &[(THREE, THREE + 11, 0.75)]),
        ],
    );
    let served = Served::start(&file);
    let common = COMMON.replace("\n\n[channel", &format!("\nendpoint-url = \"{}\"\n\n[channel", served.url));
    let fewer = common.replace(", \"us-west-2\"", "");
    configuration(folder.path(), "old", &[("common.toml", &common)]);
    configuration(folder.path(), "new", &[("common.toml", &fewer)]);
    let read = |new: &str, more: &[&str], history: &[&str]| {
        let ran = backtest(folder.path(), &[&["--config", new, "--format", "jsonl"], more, history].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        // The account is not known from the recording.
        ran.out.replace("111122223333", "-").lines().map(keyless).collect::<Vec<_>>()
    };
    let live = ["--since", "15d", "--until", END];
    assert_eq!(read("old", &[], &live), read("old", &[], &["march.csv"]));
    let lost = read("new", &["--against", "old"], &live);
    assert_eq!(lost, read("new", &["--against", "old"], &["march.csv"]));
    assert!(lost[0]["event"] == "page_lost" && lost[0]["region"] == "us-west-2", "{lost:?}");

    let nobody = backtest(folder.path(), &["--config", "new", "--source", "other", "--since", "15d"]);
    assert_eq!(nobody.code, 3);
    assert!(
        nobody.err.contains("the configuration has no source \"other\"\nhint: it has prod"),
        "{}",
        nobody.err
    );
}

/// A line without its keys, which are made of the account, too.
fn keyless(line: &str) -> serde_json::Value {
    let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
    let fields = line.as_object_mut().unwrap();
    fields.remove("key");
    for part in fields.values_mut() {
        let all: Vec<&mut serde_json::Value> = match part {
            serde_json::Value::Array(all) => all.iter_mut().collect(),
            one => vec![one],
        };
        for one in all.into_iter().filter_map(serde_json::Value::as_object_mut) {
            one.remove("key");
        }
    }
    line
}
