//! Every secret is a marker that stands nowhere else, and every receiver refuses what it gets and repeats all of it, headers too: no marker
//! comes out again, in anything that is printed, logged at the highest level, served or kept.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex};

use crate::rehearsal::{Rehearsal, SHORT_HISTORY, Scene};
use crate::story::reading;

const ROUTING_KEY: &str = "Kq7Zr0ut1ngMarkerKq7Zr0ut1ngMark";
const WEBHOOK_TOKEN: &str = "w3bh00kT0kenMarkerXc41b";
const WEBHOOK_SECRET: &str = "s1gn1ngS3cretMarkerPm92";
const JIRA_TOKEN: &str = "j1raT0kenMarkerUe77dQ";
/// `otpsd@example.com:` and the token, as basic authentication sends them.
const JIRA_BASIC: &str = "b3Rwc2RAZXhhbXBsZS5jb206ajFyYVQwa2VuTWFya2VyVWU3N2RR";
const HEARTBEAT_TOKEN: &str = "h3artb3atMarkerLd05yw";
const ACCESS_SECRET: &str = "awsS3cretMarkerYt66nH/bPxRfiCYEXAMPLEKEY";
const SESSION_TOKEN: &str = "awsS3ssionMarkerVb18rZ";

const ALL: [&str; 8] = [
    ROUTING_KEY,
    WEBHOOK_TOKEN,
    WEBHOOK_SECRET,
    JIRA_TOKEN,
    JIRA_BASIC,
    HEARTBEAT_TOKEN,
    ACCESS_SECRET,
    SESSION_TOKEN,
];

/// A receiver that takes nothing: it answers with 500 and 400 in turn, and says back all that it got.
struct Echo {
    url: String,
    /// How often each path was called, its first segment only.
    calls: Arc<Mutex<BTreeMap<String, usize>>>,
    got: Arc<Mutex<String>>,
}

impl Echo {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (calls, got) = (Arc::default(), Arc::default());
        let echo = Self { url, calls: Arc::clone(&calls), got: Arc::clone(&got) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (calls, got) = (Arc::clone(&calls), Arc::clone(&got));
                std::thread::spawn(move || answer(stream, &calls, &got));
            }
        });
        echo
    }

    /// How often a path that begins so was called.
    fn called(&self, path: &str) -> usize {
        self.calls.lock().unwrap().get(path).copied().unwrap_or_default()
    }
}

/// Answers one request; a connection that ends early is nobody's loss.
fn answer(stream: TcpStream, calls: &Mutex<BTreeMap<String, usize>>, got: &Mutex<String>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let mut body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut body).ok()?;
    let request = format!("{head}{}", String::from_utf8_lossy(&body));
    got.lock().unwrap().push_str(&request);
    let path = head.split_whitespace().nth(1)?.trim_start_matches('/');
    let path = path.split(['/', '?']).next()?.to_owned();
    let number = {
        let mut calls = calls.lock().unwrap();
        let number = calls.entry(path).or_default();
        *number += 1;
        *number
    };
    let status = if number % 2 == 1 { 500 } else { 400 };
    // What each of them calls a reason.
    let said = serde_json::json!({
        "status": "invalid event", "message": request, "errors": [request], "errorMessages": [request],
        "__type": "InvalidParameterException", "Message": request, "error": request,
    })
    .to_string();
    let answer = format!(
        "HTTP/1.1 {status} No\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{said}",
        said.len()
    );
    reader.into_inner().write_all(answer.as_bytes()).ok()
}

/// One channel of each kind, all to the receiver that repeats.
fn scene(echo: &Echo) -> Rehearsal {
    let rehearsal = Scene {
        rate: 1_200.0,
        lead: 4,
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading((0..400).contains(&k)))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let (loopback, url) = (rehearsal.loopback().url(), &echo.url);
    rehearsal.edit(|text| {
        let text = text.replace("[daemon]", "[daemon]\nheartbeat-url = { env = \"HEARTBEAT_URL\" }");
        let text = text.replace(&format!("{loopback}/v2/enqueue"), &format!("{url}/pagerduty"));
        let (head, rest) = text.split_once("[channel.sns.pages]").unwrap();
        let rest = rest.replacen(&loopback, &format!("{url}/sns"), 1);
        let others = "\"pagerduty.oncall\", \"webhook.chat\", \"jira.llm\", \"opsitem.ops\"";
        let text = format!("{head}[channel.sns.pages]{rest}").replace("\"pagerduty.oncall\"", others);
        format!(
            "{text}
[channel.webhook.chat]
url = {{ env = \"WEBHOOK_URL\" }}
secret = {{ env = \"WEBHOOK_SECRET\" }}
[channel.jira.llm]
url = \"{url}/jira\"
project = \"LLM\"
user = \"otpsd@example.com\"
token = {{ env = \"JIRA_TOKEN\" }}
[channel.opsitem.ops]
region = \"us-east-1\"
endpoint-url = \"{url}/opsitem\"
"
        )
    });
    for (name, value) in [
        ("PD_ROUTING_KEY", ROUTING_KEY),
        ("WEBHOOK_URL", &format!("{url}/webhook/{WEBHOOK_TOKEN}?token={WEBHOOK_TOKEN}")),
        ("WEBHOOK_SECRET", WEBHOOK_SECRET),
        ("JIRA_TOKEN", JIRA_TOKEN),
        ("HEARTBEAT_URL", &format!("{url}/heartbeat/{HEARTBEAT_TOKEN}")),
        ("AWS_SECRET_ACCESS_KEY", ACCESS_SECRET),
        ("AWS_SESSION_TOKEN", SESSION_TOKEN),
        ("RUST_LOG", "trace"),
    ] {
        rehearsal.set(name, value);
    }
    rehearsal
}

/// No secret stands in it.
fn is_clean(what: &str, bytes: &[u8]) {
    for secret in ALL {
        let place = bytes.windows(secret.len()).position(|window| window == secret.as_bytes());
        if let Some(place) = place {
            let around = &bytes[place.saturating_sub(300)..bytes.len().min(place + 100)];
            panic!("{what} holds {secret}: …{}…", String::from_utf8_lossy(around));
        }
    }
}

#[test]
fn no_secret_comes_out_whatever_receivers_repeat() {
    let echo = Echo::start();
    let rehearsal = scene(&echo);
    let daemon = rehearsal.start();
    // Each was tried, failed, and was refused for good.
    rehearsal.wait(&daemon, "not everybody was tried twice", |_| {
        ["pagerduty", "sns", "webhook", "jira", "opsitem", "heartbeat"]
            .iter()
            .all(|path| echo.called(path) >= 2)
    });
    let got = echo.got.lock().unwrap().clone();
    for sent in [ROUTING_KEY, WEBHOOK_TOKEN, JIRA_BASIC, HEARTBEAT_TOKEN, SESSION_TOKEN] {
        assert!(got.contains(sent), "{sent} was not even sent");
    }
    rehearsal.wait(&daemon, "what was refused is not shown", |_| daemon.get("/").contains("400"));

    for path in [
        "/",
        "/series/111122223333/us-east-1/us.example.sonnet-large-v1:0",
        "/readyz",
        "/healthz",
        "/metrics",
        "/api/v1/series",
        "/api/v1/series/111122223333/us-east-1/us.example.sonnet-large-v1:0",
        "/api/v1/incidents",
        "/api/v1/pages",
        "/api/v1/silences",
        "/api/v1/audit",
        "/nothing/here",
    ] {
        is_clean(path, daemon.get(path).as_bytes());
    }
    for command in [
        &["check"][..],
        &["status"],
        &["status", "--format", "json"],
        &["silence", "list"],
        &["test-notify", "--channel", "pagerduty.oncall", "--hold", "0s"],
        &["test-notify", "--channel", "webhook.chat", "--hold", "0s"],
        &["test-notify", "--channel", "jira.llm", "--hold", "0s"],
        &["test-notify", "--route", "111122223333/us-east-1/us.example.sonnet-large-v1:0"],
    ] {
        let ran = rehearsal.run(command);
        is_clean(&format!("{command:?}"), format!("{}{}", ran.out, ran.err).as_bytes());
    }
    let log = daemon.log();
    assert!(log.contains("\"level\":\"TRACE\""), "the log is not at its highest level");
    assert!(log.contains("pagerduty.oncall") && log.contains("answered with 400"), "the refusals are there");
    is_clean("the log", log.as_bytes());
    daemon.kill();
    for entry in std::fs::read_dir(rehearsal.state_dir()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        is_clean(&path.display().to_string(), &bytes);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The log and the configuration are of the test.
        if name.starts_with("otpsd.") && name != "otpsd.toml" {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o077;
            assert_eq!(mode, 0, "{name} is open to others: {mode:o}");
        }
    }
}
