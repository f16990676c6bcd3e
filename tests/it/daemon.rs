//! `otpsd run` against CloudWatch, SNS and PagerDuty on loopback.

use std::time::Duration;

use simulator::loopback::PagerDutyStatus;

use crate::rehearsal::Rehearsal;

#[test]
fn a_slow_hour_pages_and_resolves_once_everywhere() {
    let rehearsal = Rehearsal::new(2, |k| (0..12).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged and resolved", |me| {
        me.alerts().iter().any(|alert| alert.status == PagerDutyStatus::Resolved) && me.subjects().len() == 2
    });
    let alerts = rehearsal.alerts();
    assert_eq!((alerts.len(), alerts[0].triggers.len()), (1, 1));
    let payload = &alerts[0].triggers[0]["payload"];
    assert_eq!(payload["severity"], "critical");
    let summary = payload["summary"].as_str().unwrap();
    assert!(summary.contains("us.example.sonnet-large-v1:0") && summary.contains("us-east-1"), "{summary}");

    let messages = rehearsal.loopback().sns_messages();
    let states: Vec<_> = messages
        .iter()
        .map(|message| {
            serde_json::from_str::<serde_json::Value>(&message.message).unwrap()["NewStateValue"].clone()
        })
        .collect();
    assert_eq!(states, ["ALARM", "OK"]);
    // The third slow period decides: 400 / 6000 = 66.7 tokens a second against 100.
    let body: serde_json::Value = serde_json::from_str(&messages[0].message).unwrap();
    assert_eq!(body["otpsd"]["key"], alerts[0].dedup_key.as_str());
    assert_eq!(body["Trigger"]["Threshold"], 80.0);

    let (took, code) = daemon.terminate();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn no_secret_is_ever_written() {
    let rehearsal = Rehearsal::new(2, |k| (0..400).contains(&k));
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| me.alerts().len() == 1 && me.subjects().len() == 1);
    rehearsal.wait_until_judged(3, &daemon);
    let status = rehearsal.status().unwrap().to_string();
    let log = daemon.log();
    assert!(log.contains("delivered"), "{log}");
    daemon.kill();
    for secret in ["0123456789abcdef0123456789abcdef", "wJalrXUtnFEMI"] {
        assert!(!log.contains(secret) && !status.contains(secret));
        for entry in std::fs::read_dir(rehearsal.state_dir()).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap_or_default();
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{} holds a secret", path.display());
        }
    }
}

#[test]
fn two_daemons_on_one_state_folder_are_one_too_many() {
    let rehearsal = Rehearsal::new(2, |_| false);
    let first = rehearsal.start();
    rehearsal.wait_until_judged(-5, &first);
    let second = rehearsal.start();
    rehearsal.wait(&second, "the second one runs", |_| second.log().contains("error: "));
    assert!(second.log().contains("hint: "), "{}", second.log());
    assert!(rehearsal.status().is_some(), "the first one is undisturbed");
}

/// Clients that never ask keep their places; whoever asks is answered all the same.
#[test]
fn stuck_clients_are_in_nobodys_way() {
    let rehearsal = Rehearsal::new(2, |_| false);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "it does not run", |me| me.status().is_some());
    let socket = rehearsal.state_dir().join("otpsd.sock");
    let stuck: Vec<_> = (0..20).map(|_| std::os::unix::net::UnixStream::connect(&socket).unwrap()).collect();
    let began = std::time::Instant::now();
    assert!(rehearsal.status().is_some());
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    drop(stuck);
}
