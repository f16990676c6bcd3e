//! `otpsd simulate`: a fleet on the wire or in files, and what goes wrong on demand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use crate::process::{ROOT, Ran, otpsd, run, write};

/// A running `otpsd simulate --serve`. It is ended when dropped.
struct Served {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    address: String,
}

impl Served {
    fn start(arguments: &[&str]) -> Self {
        let mut child = otpsd()
            .args(["simulate", "--serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        out.read_line(&mut url).unwrap();
        let address = url.trim().strip_prefix("http://").expect("the first line is where it is").to_owned();
        Self { child, out, address }
    }

    /// The next line that it printed.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Status and body of an answer.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    /// What CloudWatch answers to a call in JSON.
    fn cloudwatch(&self, operation: &str, body: &str) -> (u16, String) {
        let headers = format!(
            "X-Amz-Target: GraniteServiceVersion20100801.{operation}\r\n\
             Content-Type: application/x-amz-json-1.0\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261102/us-east-1/monitoring/aws4_request, \
             SignedHeaders=host, Signature=0\r\n"
        );
        self.ask("POST", "/", &headers, body)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn simulate(arguments: &[&str]) -> Ran {
    run(&[&["simulate"], arguments].concat())
}

/// A random fleet in files, and their names.
fn written(folder: &Path, name: &str, arguments: &[&str]) -> (Ran, [PathBuf; 3]) {
    let name = folder.join(name);
    let ran = simulate(&[&["--out", name.to_str().unwrap(), "--fleet", "random"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    (
        ran,
        [".csv.gz", ".labels.csv", ".models.csv"].map(|ending| format!("{}{ending}", name.display()).into()),
    )
}

const LIST: &str = r#"{"Namespace":"AWS/Bedrock","MetricName":"TimeToFirstToken"}"#;

#[test]
fn a_fleet_in_files_can_be_judged_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    let (ran, [recording, labels, models]) =
        written(folder.path(), "fleet", &["--models", "3", "--days", "18", "--seed", "5"]);
    assert!(ran.err.is_empty(), "progress is for terminals: {}", ran.err);
    assert!(ran.out.contains("fleet.csv.gz  3 models, 18 days, "), "{}", ran.out);
    // Every model has events on every day after the first 14.
    let labels = std::fs::read_to_string(labels).unwrap();
    assert!(labels.starts_with("ModelId,Kind,Start,End,Evident,Expect,Magnitude\n"), "{labels}");
    assert!(labels.lines().count() > 3, "{labels}");
    let models = std::fs::read_to_string(models).unwrap();
    let models: Vec<&str> = models.lines().collect();
    assert_eq!((models.len(), models[0]), (4, "ModelId,MedianSamples,Days,LearnDays,Start"));
    assert!(models[1].ends_with(",18,14,2026-10-01T00:00:00Z"), "{models:?}");

    let judged = run(&[
        "backtest",
        "--config",
        "config/examples/backtest.toml",
        "--format",
        "jsonl",
        recording.to_str().unwrap(),
    ]);
    assert_eq!(judged.code, 0, "{}", judged.err);
    assert!(!judged.out.is_empty(), "in four days something is said");
    for line in judged.out.lines() {
        let said: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(said["model"].as_str().unwrap().starts_with("sim.host-"), "{said}");
    }
}

#[test]
fn the_same_seed_is_the_same_fleet() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = |name, seed| {
        let options = ["--models", "1", "--days", "15", "--calm", "--seed", seed];
        let (_, [recording, labels, _]) = written(folder.path(), name, &options);
        assert_eq!(std::fs::read_to_string(labels).unwrap().lines().count(), 1, "calm is without events");
        std::fs::read(recording).unwrap()
    };
    let first = fleet("first", "7");
    assert!(first == fleet("again", "7"));
    assert!(first != fleet("other", "8"));
}

#[test]
fn faults_are_there_from_the_start_and_can_be_switched() {
    let served = Served::start(&["--fault", "throttle,operation=ListMetrics,times=2", "--fault", "late"]);
    let (status, faults) = served.ask("GET", "/_loopback/faults", "", "");
    assert_eq!(status, 200);
    let faults: serde_json::Value = serde_json::from_str(&faults).unwrap();
    let expected = serde_json::json!([
        {"fault": {"throttle": {"retry-after-seconds": null}}, "operation": "ListMetrics", "times": 2},
        {"fault": {"late": {"seconds": 600, "share": 0.5}}},
    ]);
    assert_eq!(faults, expected);
    // Twice it is refused, and then it is not.
    let answers = [0; 3].map(|_| served.cloudwatch("ListMetrics", LIST));
    assert_eq!(answers.each_ref().map(|answer| answer.0), [400, 400, 200], "{answers:?}");
    assert!(answers[0].1.contains("ThrottlingException"), "{answers:?}");
    assert!(answers[2].1.contains("us.example.sonnet-large-v1:0"), "{answers:?}");

    let denied = r#"[{"fault":{"refuse":"denied"}}]"#;
    assert_eq!(served.ask("POST", "/_loopback/faults", "", denied).0, 200);
    assert_eq!(served.cloudwatch("ListMetrics", LIST).0, 403);
    assert_eq!(served.ask("POST", "/_loopback/faults", "", "[]"), (200, "[]".to_owned()));
    assert_eq!(served.cloudwatch("ListMetrics", LIST).0, 200);
}

#[test]
fn a_recording_is_served_at_its_own_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "Timestamp,Region,ModelId,TimeToFirstToken.p50,TimeToFirstToken.SampleCount\n".to_owned();
    let begin: jiff::Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    for k in 0..3 * 288_i64 {
        let time = begin + jiff::SignedDuration::from_secs(k * 300);
        text.push_str(&format!("{time},us-east-1,example.alpha-v1:0,{},100\n", 500 + k));
    }
    let path = write(folder.path(), "recording.csv", &text);
    let mut served = Served::start(&["--recording", path.to_str().unwrap(), "--rate", "60"]);
    // Three days from midnight end a day and a half after 2 March, 12:00.
    let clock = served.line();
    let fields: Vec<&str> = clock.strip_prefix("--rehearse ").unwrap().split(',').collect();
    assert_eq!((fields[0], fields[2]), ("2026-03-03T12:00:00Z", "60"));
    assert!(served.cloudwatch("ListMetrics", LIST).1.contains("example.alpha-v1:0"));
    // 11:50 to 11:55 is the period 288 + 142 after the first.
    let query = r#"{"StartTime":1772538600,"EndTime":1772538900,"MetricDataQueries":[{"Id":"a","MetricStat":
        {"Metric":{"Namespace":"AWS/Bedrock","MetricName":"TimeToFirstToken","Dimensions":
        [{"Name":"ModelId","Value":"example.alpha-v1:0"}]},"Period":300,"Stat":"p50"}}]}"#;
    let (status, answer) = served.cloudwatch("GetMetricData", query);
    assert_eq!(status, 200, "{answer}");
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["MetricDataResults"][0]["Values"], serde_json::json!([930.0]));
}

#[test]
fn what_does_not_go_together_is_a_usage_error() {
    for (arguments, named) in [
        (&[] as &[&str], "--serve"),
        (&["--serve", "--out", "x"], "--out"),
        (&["--serve", "--models", "3"], "--fleet random"),
        (&["--out", "x", "--calm"], "--fleet random"),
        (&["--out", "x", "--fault", "hang"], "--fault"),
        (&["--out", "x", "--rate", "60"], "--rate"),
        (&["--out", "x", "--recording", "y"], "--recording"),
        (&["--serve", "--recording", "y", "--fleet", "random"], "--fleet"),
        (&["--serve", "--fault", "hnag"], "no fault `hnag`"),
        (&["--serve", "--fault", "late,seconds=soon"], "seconds=soon"),
        (&["--serve", "--rate", "0"], "from 1 to 100000"),
        (&["--serve", "--rehearse", "soon"], "ORIGIN,ANCHOR,RATE"),
        (&["--out", "x", "--fleet", "random", "--days", "3"], "15..=400"),
    ] {
        let ran = simulate(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(named), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn what_cannot_be_read_or_written_is_named() {
    let missing = simulate(&["--serve", "--port", "0", "--recording", "no-such-file.csv"]);
    assert_eq!(missing.code, 3);
    assert!(missing.err.contains("no-such-file.csv"), "{}", missing.err);
    let nowhere = simulate(&["--out", "no-such-folder/fleet"]);
    assert_eq!(nowhere.code, 3);
    assert!(nowhere.err.contains("no-such-folder/fleet.csv.gz"), "{}", nowhere.err);
}

#[test]
fn the_help_and_the_guide_name_every_fault() {
    let help = simulate(&["--help"]).out;
    let guide = std::fs::read_to_string(format!("{ROOT}/docs/guide/rehearse.md")).unwrap();
    let unknown = simulate(&["--serve", "--fault", "?"]).err;
    let names = unknown.split("there are ").nth(1).unwrap().lines().next().unwrap();
    assert!(names.split(", ").count() > 10, "{names}");
    for name in names.split(", ") {
        assert!(help.contains(name), "{name} is not in the help");
        assert!(guide.contains(&format!("`{name}`")), "{name} is not in the guide");
    }
}
