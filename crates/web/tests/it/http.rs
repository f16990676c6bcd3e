//! What every answer has in common, and what nobody may do.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use base64::Engine as _;
use domain::{Group, Key, Labels, NoticeKind, Series};
use sha2::{Digest, Sha256};
use web::snapshot::Untold;

use crate::call::{call, get, web};
use crate::sample;

const PATHS: [&str; 13] = [
    "/",
    "/series/111122223333/us-east-1/us.amazon.nova-pro-v1:0",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/series",
    "/api/v1/series/111122223333/us-east-1/us.amazon.nova-pro-v1:0",
    "/api/v1/incidents",
    "/api/v1/pages",
    "/api/v1/silences",
    "/api/v1/audit",
    "/series/no/such/series",
    "/nowhere",
];

const HOSTILE: &str = r#"<script>alert(1)</script>"'&x=1?#%2F"#;

#[tokio::test]
async fn every_answer_has_the_security_headers() {
    for path in PATHS {
        let answer = get(sample::trouble(), path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
    }
}

#[tokio::test]
async fn the_policy_allows_the_embedded_style_and_script_and_nothing_else() {
    for path in ["/", "/series/111122223333/us-east-1/us.amazon.nova-pro-v1:0"] {
        let answer = get(sample::trouble(), path).await;
        let policy = answer.header("content-security-policy");
        for tag in ["style", "script"] {
            let (_, rest) = answer.body.split_once(&format!("<{tag}>")).unwrap();
            let (text, rest) = rest.split_once(&format!("</{tag}>")).unwrap();
            assert!(!rest.contains(&format!("<{tag}")), "{path}: one {tag} only");
            let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text));
            assert!(policy.contains(&format!("{tag}-src 'sha256-{hash}'")), "{path}: {policy}");
        }
        // The policy would refuse these, so none may be needed.
        for refused in [" style=\"", " onclick=", " onload=", " src=\"", "@import", "url("] {
            assert!(!answer.body.contains(refused), "{path}: {refused}");
        }
    }
}

#[tokio::test]
async fn whatever_is_not_for_reading_is_refused_everywhere() {
    for path in PATHS {
        for method in
            [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS, Method::TRACE]
        {
            let answer = call(web(sample::trouble(), sample::now()), method.clone(), path).await;
            assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            assert_eq!(answer.header("allow"), "GET, HEAD", "{method} {path}");
            assert_eq!(answer.body, "this listener is for reading only\n", "{method} {path}");
            assert!(!answer.header("content-security-policy").is_empty(), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    for path in &PATHS[..11] {
        let get = get(sample::trouble(), path).await;
        let head = call(web(sample::trouble(), sample::now()), Method::HEAD, path).await;
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        assert_eq!(head.header("content-length"), get.body.len().to_string(), "{path}");
        assert_eq!(head.body, "", "{path}");
    }
}

#[tokio::test]
async fn content_types_do_not_depend_on_what_is_accepted() {
    for (path, expected) in [
        ("/", "text/html; charset=utf-8"),
        ("/nowhere", "text/html; charset=utf-8"),
        ("/healthz", "application/json"),
        ("/readyz", "text/plain; charset=utf-8"),
        ("/metrics", "application/openmetrics-text; version=1.0.0; charset=utf-8"),
        ("/api/v1/series", "application/json"),
        ("/api/v1/series/no/such/series", "application/json"),
        ("/api/v1/incidents", "application/json"),
        ("/api/v1/pages", "application/json"),
        ("/api/v1/silences", "application/json"),
        ("/api/v1/audit", "application/json"),
    ] {
        assert_eq!(get(sample::trouble(), path).await.header("content-type"), expected, "{path}");
    }
}

#[tokio::test]
async fn text_from_outside_is_escaped_wherever_it_stands() {
    let mut snapshot = sample::delivery::night();
    let hostile = Series::new("<b>1</b>", "<i>", HOSTILE);
    for source in &mut snapshot.sources {
        (source.name, source.region) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        for failure in [&mut source.failure, &mut source.limited].into_iter().flatten() {
            (failure.message, failure.hint) = (HOSTILE.to_owned(), Some(HOSTILE.to_owned()));
        }
    }
    for status in &mut snapshot.series {
        (status.series, status.source) = (hostile.clone(), HOSTILE.to_owned());
    }
    for record in &mut snapshot.incidents {
        (record.incident.series, record.summary) = (hostile.clone(), HOSTILE.to_owned());
    }
    for ticket in &mut snapshot.tickets {
        (ticket.series, ticket.summary) = (hostile.clone(), Some(HOSTILE.to_owned()));
    }
    for ticket in &mut snapshot.source_tickets {
        (ticket.source, ticket.regions) = (HOSTILE.to_owned(), vec![HOSTILE.to_owned()]);
        ticket.summary = Some(HOSTILE.to_owned());
    }
    for owed in &mut snapshot.messages {
        (owed.message.channel, owed.message.summary) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        owed.last_error = Some(HOSTILE.to_owned());
        owed.message.kind = NoticeKind::Page;
    }
    for page in &mut snapshot.pages {
        (page.key, page.group) = (Key::from_text(HOSTILE), Group::from_text(HOSTILE));
        (page.channel, page.summary) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        for member in &mut page.members {
            member.series = hostile.clone();
        }
    }
    for untold in &mut snapshot.untold {
        (untold.series, untold.key) = (hostile.clone(), Key::from_text(HOSTILE));
    }
    snapshot.untold[0].why = Untold::Silence(HOSTILE.to_owned());
    snapshot.untold[1].why = Untold::Maintenance(HOSTILE.to_owned());
    for silence in &mut snapshot.silences {
        (silence.id, silence.author, silence.comment) =
            (HOSTILE.to_owned(), HOSTILE.to_owned(), HOSTILE.to_owned());
        silence.matcher.models = vec![HOSTILE.to_owned()];
        silence.matcher.labels = Labels::from([(HOSTILE.to_owned(), HOSTILE.to_owned())]);
    }
    for window in &mut snapshot.maintenance {
        (window.name, window.about) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        window.comment = Some(HOSTILE.to_owned());
    }
    for record in &mut snapshot.audit {
        (record.who, record.act, record.subject, record.detail) =
            (HOSTILE.to_owned(), HOSTILE.to_owned(), HOSTILE.to_owned(), HOSTILE.to_owned());
    }
    if let Some(rebuilt) = &mut snapshot.store_rebuilt {
        (rebuilt.set_aside, rebuilt.why) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    }
    snapshot.version = HOSTILE.to_owned();

    let fleet = get(snapshot.clone(), "/").await;
    let link = first_series_link(&fleet.body);
    let own = get(snapshot.clone(), &link).await;
    assert_eq!(own.status, StatusCode::OK, "{link}");
    let absent = get(snapshot, "/series/%3Cscript%3Ealert(1)%3C%2Fscript%3E").await;
    assert_eq!(absent.status, StatusCode::NOT_FOUND);
    for (page, scripts) in [(&fleet, 1), (&own, 1), (&absent, 0)] {
        assert!(page.body.contains("&#60;script&#62;alert(1)&#60;/script&#62;"), "it is shown");
        assert_eq!(page.body.matches("<script").count(), scripts, "only the own one");
        assert!(!page.body.contains(r#"</script>""#), "{}", page.body);
    }
}

#[tokio::test]
async fn what_a_channel_sends_is_not_served() {
    // Where a channel leads is there, too: it says so itself in the sample.
    let mut snapshot = sample::delivery::night();
    for owed in &mut snapshot.messages {
        owed.message.body = "unserved-body".to_owned();
        owed.message.attributes = vec![("unserved-name".to_owned(), "unserved-value".to_owned())];
    }
    for path in PATHS {
        assert!(!get(snapshot.clone(), path).await.body.contains("unserved"), "{path}");
    }
}

/// Names that are an ARN, have a slash, or have what means something in an address.
#[tokio::test]
async fn links_lead_to_the_series_whatever_its_name() {
    for model in [
        "a/b",
        "arn:aws:bedrock:eu-west-1:111122223333:inference-profile/abc",
        "ä ö",
        "50%",
        "a?b#c",
        HOSTILE,
    ] {
        let mut snapshot = sample::empty();
        snapshot.series = vec![sample::steady("us-east-1", model, 60.0)];
        let fleet = get(snapshot.clone(), "/").await;
        let link = first_series_link(&fleet.body);
        let own = get(snapshot.clone(), &link).await;
        assert_eq!(own.status, StatusCode::OK, "{model}: {link}");
        let json = get(snapshot, &link.replacen("/series/", "/api/v1/series/", 1)).await;
        assert_eq!(json.json()["model"], model, "{link}");
    }
}

fn first_series_link(html: &str) -> String {
    let link = links(html).into_iter().find(|link| link.contains("series/") && !link.contains("api/"));
    resolve("/", &link.unwrap())
}

/// Whoever serves the daemon below a path of their own takes that path off before the daemon sees it.
#[tokio::test]
async fn links_stay_below_the_path_that_a_proxy_serves_the_daemon_under() {
    const PREFIX: &str = "/ops/otpsd";
    let mut snapshot = sample::delivery::night();
    let slashes = "arn:aws:bedrock:eu-west-1:111122223333:inference-profile/a/b";
    snapshot.series.push(sample::steady("us-east-1", slashes, 60.0));
    let own = format!("/series/111122223333/us-east-1/{slashes}");
    let mut followed = BTreeSet::new();
    for page in ["/", &own, &own.replacen("a/b", "a%2Fb", 1), "/no/such/page", "/series/none"] {
        let html = get(snapshot.clone(), page).await.body;
        for link in links(&html) {
            let target = resolve(&format!("{PREFIX}{page}"), &link);
            let path =
                target.strip_prefix(PREFIX).unwrap_or_else(|| panic!("{page}: {link} leaves to {target}"));
            followed.insert(path.to_owned());
        }
    }
    assert!(followed.contains("/metrics") && followed.contains("/api/v1/audit"), "{followed:?}");
    assert!(followed.iter().filter(|path| path.starts_with("/series/")).count() > 10, "{followed:?}");
    for path in followed {
        let status = get(snapshot.clone(), &path).await.status;
        assert!(status == StatusCode::OK || path == "/readyz", "{path}: {status}");
    }
}

/// The links of a page to other pages, without the place on them.
fn links(html: &str) -> Vec<String> {
    let links = html.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    links
        .filter(|link| !link.starts_with('#') && !link.starts_with("data:"))
        .map(|link| link.split('#').next().unwrap().to_owned())
        .collect()
}

/// What a browser makes of a relative link on the page at `base`.
fn resolve(base: &str, link: &str) -> String {
    let mut path: Vec<&str> = base.split('/').collect();
    path.pop();
    for step in link.split('/') {
        match step {
            "." => {}
            ".." => {
                path.pop();
            }
            _ => path.push(step),
        }
    }
    path.join("/")
}
