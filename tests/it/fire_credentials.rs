//! Credentials that expire every few seconds, as those of a container do every few hours.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::rehearsal::{Rehearsal, Scene};
use crate::story::reading;

/// How long a key is good, in real seconds. The SDK asks for another one ten seconds before.
const LIFE: i64 = 13;

/// What the endpoint says.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mood {
    Well,
    Failing,
    /// Once, a key that has expired already.
    Stale,
}

/// The endpoint that a container asks for its credentials.
struct Endpoint {
    url: String,
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    mood: Mood,
    /// The keys that were handed out, and when each expires.
    keys: Vec<(String, Timestamp)>,
}

impl Endpoint {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/credentials", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Shared { mood: Mood::Well, keys: Vec::new() }));
        let served = Arc::clone(&shared);
        // It ends with the test program.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &served);
            }
        });
        Self { url, shared }
    }

    fn set(&self, mood: Mood) {
        self.shared.lock().unwrap().mood = mood;
    }

    fn mood(&self) -> Mood {
        self.shared.lock().unwrap().mood
    }

    fn keys(&self) -> Vec<(String, Timestamp)> {
        self.shared.lock().unwrap().keys.clone()
    }
}

fn answer(mut stream: TcpStream, shared: &Mutex<Shared>) {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        request.push(byte[0]);
    }
    let mut shared = shared.lock().unwrap();
    let (status, body) = if shared.mood == Mood::Failing {
        ("500 Internal Server Error", "{}".to_owned())
    } else {
        let life = if shared.mood == Mood::Stale { -60 } else { LIFE };
        shared.mood = Mood::Well;
        let expires = Timestamp::now() + SignedDuration::from_secs(life);
        let key = format!("AKIDCONTAINER{:04}", shared.keys.len());
        shared.keys.push((key.clone(), expires));
        let body = format!(
            r#"{{"AccessKeyId":"{key}","SecretAccessKey":"secret","Token":"token","Expiration":"{expires:.0}"}}"#
        );
        ("200 OK", body)
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}");
    let _ = write!(stream, "{head}\r\nConnection: close\r\n\r\n{body}");
}

#[test]
fn keys_that_expire_are_renewed_and_an_endpoint_that_fails_is_outlived() {
    let endpoint = Endpoint::start();
    let rehearsal = Scene {
        rate: 60.0,
        lead: 0,
        tell: Box::new(|_, k| (k >= -14 * 288).then(|| reading(k >= 1))),
        environment: vec![("AWS_CONTAINER_CREDENTIALS_FULL_URI", endpoint.url.clone())],
        ..Scene::new()
    }
    .open();
    // A key that has expired is refused by everybody.
    let expire = |me: &Rehearsal| {
        let now = Timestamp::now();
        let expired = endpoint.keys().into_iter().filter(|(_, expires)| *expires < now);
        me.loopback().faults().set(
            expired.map(|(key, _)| FaultRule::new(Fault::Refuse(Refusal::ExpiredToken)).access_key(&key)),
        );
    };
    let daemon = rehearsal.start();
    let wait = |what: &str, met: &dyn Fn(&Rehearsal) -> bool| {
        rehearsal.wait(&daemon, what, |me| {
            expire(me);
            met(me)
        });
    };
    let failure = |me: &Rehearsal| me.status().map(|status| status["sources"][0]["failure"].clone());
    let judged = |me: &Rehearsal| me.judged_through(&crate::rehearsal::series());
    wait("the first period was not judged", &|me| judged(me).is_some_and(|judged| judged >= 0));

    endpoint.set(Mood::Failing);
    wait("the trouble does not show", &|me| {
        failure(me).is_some_and(|failure| failure["kind"] == "credentials")
    });
    endpoint.set(Mood::Well);
    wait("it did not recover", &|me| failure(me).is_some_and(|failure| failure.is_null()));

    endpoint.set(Mood::Stale);
    wait("nobody asked", &|_| endpoint.mood() == Mood::Well);
    wait("nobody was paged", &|me| me.alerts().len() == 1 && me.subjects().len() == 1);
    wait("the last period was not judged", &|me| judged(me).is_some_and(|judged| judged >= 4));
    assert_eq!(failure(&rehearsal).unwrap(), serde_json::Value::Null);
    assert!(rehearsal.tickets().is_empty());

    // Every receiver saw keys that were good, and many of them.
    let calls = rehearsal.loopback().recent_calls();
    let mut used: Vec<_> = calls
        .iter()
        .filter(|call| call.operation == "GetMetricData" && call.status == 200)
        .map(|call| call.access_key.clone())
        .collect();
    used.dedup();
    assert!(used.len() >= 4, "{used:?}");
    let of_page = rehearsal.loopback().sns_messages()[0].access_key.clone();
    assert!(endpoint.keys().iter().any(|(key, _)| *key == of_page), "{of_page}");
    let (_, code) = daemon.terminate();
    assert_eq!(code, Some(0), "it ran all the time");
}
