//! What every channel that speaks plain HTTP does alike.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, Response, Url, redirect};

use crate::open::Timeouts;

/// More of an answer is not read where only its reason counts: a reason is short, and a proxy's error page may be long.
pub(crate) const REASON_BYTES: usize = 64 * 1_024;

/// The longest pause that a header can ask for: a receiver must not be silenced for a day by one.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

/// What the daemon calls itself.
pub(crate) const USER_AGENT: &str = concat!("otpsd/", env!("CARGO_PKG_VERSION"));

/// A client for the address, or why there cannot be one.
pub(crate) fn client(url: &Url, timeouts: Timeouts) -> Result<Client, String> {
    let mut builder = Client::builder()
        .connect_timeout(timeouts.connect)
        .timeout(timeouts.attempt)
        // A redirect would carry secrets to a place that nobody configured.
        .redirect(redirect::Policy::none())
        .user_agent(USER_AGENT);
    if is_loopback(url) {
        // A proxy of the environment cannot reach what listens on this machine.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| chain(&error))
}

/// Scheme, host and port: a path, a query or a user may hold what should not be seen.
pub(crate) fn origin(url: &Url) -> String {
    let host = url.host_str().unwrap_or("an unnamed host");
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{host}{port}", url.scheme())
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    })
}

/// At most `limit` bytes of an answer, and whether that was all of it. One that breaks off has said what it has said.
pub(crate) async fn beginning(response: &mut Response, limit: usize) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let whole = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => break true,
            Err(_) => break false,
        }
        if bytes.len() > limit {
            break false;
        }
    };
    bytes.truncate(limit);
    (bytes, whole)
}

/// As much of an answer as a reason may take.
pub(crate) async fn reason(response: &mut Response) -> String {
    let (bytes, _) = beginning(response, REASON_BYTES).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How long the receiver asks to be left alone: seconds or an HTTP date, at most an hour.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let pause = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let then = DateTimeParser::new().parse_timestamp(text).ok()?;
            Duration::try_from(then.duration_since(now)).unwrap_or_default()
        }
    };
    Some(pause.min(LONGEST_PAUSE))
}

/// An error with its causes, without the address.
pub(crate) fn unanswered(error: reqwest::Error) -> String {
    chain(&error.without_url())
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_reached_without_a_proxy() {
        let loopback = |url: &str| is_loopback(&url.parse().unwrap());
        assert!(loopback("http://127.0.0.1:9") && loopback("http://[::1]:9") && loopback("http://localhost"));
        assert!(!loopback("https://events.pagerduty.com/v2/enqueue") && !loopback("http://10.0.0.1"));
    }

    #[test]
    fn an_address_is_shown_up_to_its_port() {
        let shown = |url: &str| origin(&url.parse().unwrap());
        assert_eq!(
            shown("https://user:word@hooks.example.com/services/T0?token=x#y"),
            "https://hooks.example.com"
        );
        assert_eq!(shown("http://[::1]:8080/x"), "http://[::1]:8080");
    }

    #[test]
    fn a_pause_is_seconds_or_a_date_and_never_longer_than_an_hour() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        for (header, seconds) in [
            ("45", Some(45)),
            (" 0 ", Some(0)),
            ("86400", Some(3_600)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", Some(0)),
            ("Mon, 07 Nov 1994 08:49:37 GMT", Some(3_600)),
            ("soon", None),
            ("-1", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, header.parse().unwrap())]);
            assert_eq!(retry_after(&headers, now), seconds.map(Duration::from_secs), "{header}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
