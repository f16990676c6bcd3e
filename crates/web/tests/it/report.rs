//! The report of a backtest, as a browser gets it.

use domain::Key;
use web::report::{Headline, Report, Told, Tone};

use crate::backtests;

fn written(report: &Report) -> String {
    let mut out = Vec::new();
    web::report::write(&mut out, report).unwrap();
    String::from_utf8(out).unwrap()
}

/// Without the stylesheet, whose every change would be one of the snapshots.
fn markup(html: &str) -> String {
    let (before, rest) = html.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    let (_, policy) = before.split_once("sha256-").unwrap();
    let (hash, _) = policy.split_once('=').unwrap();
    format!("{before}<style>…</style>{after}").replace(hash, "…")
}

/// A chart is much and says little to a reader of markup: its label says what it shows.
fn without_charts(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, chart)) = rest.split_once("<svg class=\"chart\"") {
        let (label, _) = chart.split_once("aria-label=\"").unwrap().1.split_once('"').unwrap();
        out.push_str(before);
        out.push_str(&format!("[chart: {label}]"));
        // The plot is an element of its own within the chart.
        rest = chart.split_once("</svg>").unwrap().1.split_once("</svg>").unwrap().1;
    }
    out + rest
}

#[test]
fn a_month_that_is_looked_at_alone() {
    let mut report = backtests::november_alone();
    report.incidents.truncate(1);
    report.incidents[0].points.truncate(40);
    insta::assert_snapshot!(without_charts(&markup(&written(&report))));
}

#[test]
fn a_month_by_two_configurations() {
    let html = without_charts(&markup(&written(&backtests::november_compared())));
    // The figures of the charts are those of the other snapshot.
    let mut kept = String::new();
    let mut rest = html.as_str();
    while let Some((before, figures)) =
        rest.split_once("<details class=\"data\">\n<summary>The figures of the charts")
    {
        kept.push_str(before);
        rest = figures.split_once("</details>\n").unwrap().1;
    }
    insta::assert_snapshot!(kept + rest);
}

#[test]
fn what_comes_from_outside_is_text() {
    let markup = r#"<script>alert("1")</script><img src='x' onerror=alert(1)>&"#;
    let html = written(&backtests::hostile(markup));
    for raw in ["<script", "<img", "onerror=alert(1)>", "alert(\"", "src='x'"] {
        assert!(!html.contains(raw), "{raw}");
    }
    // As often as there is a place for it, and in none of them anything else than text.
    let clean = written(&backtests::hostile("QUIET"));
    let escaped = "&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#60;img src=&#39;x&#39; onerror=alert(1)&#62;&#38;";
    assert_eq!(html.matches(escaped).count(), clean.matches("QUIET").count());
    assert!(clean.matches("QUIET").count() > 50, "{}", clean.matches("QUIET").count());
    let tags = |html: &str| html.matches('<').count();
    assert_eq!(tags(&html), tags(&clean));
}

#[test]
fn the_file_needs_nothing_else() {
    for report in [backtests::november_alone(), backtests::november_compared(), backtests::bare()] {
        let html = written(&report);
        // The icon is inside of the page, and the name of SVG is no address.
        let html = html.replace("xmlns='http://www.w3.org/2000/svg'", "");
        for reference in
            ["http:", "https:", "src=", "url(", "@import", "<script", "srcset", "<iframe", "onload"]
        {
            assert!(!html.contains(reference), "{reference}");
        }
        let links = html.match_indices("href=\"").map(|(at, _)| &html[at + 6..]);
        for link in links {
            assert!(link.starts_with('#') || link.starts_with("data:image/svg+xml,"), "{}", &link[..40]);
        }
        assert!(html.contains("default-src &#39;none&#39;; style-src &#39;sha256-"), "a policy");
    }
}

#[test]
fn a_link_leads_to_something_and_names_are_given_once() {
    let html = written(&backtests::november_compared());
    let named = |what: &str| -> Vec<String> {
        html.match_indices(what)
            .map(|(at, _)| html[at + what.len()..].split('"').next().unwrap().to_owned())
            .collect()
    };
    let mut ids = named(" id=\"");
    for link in named("href=\"#").into_iter().chain(named("aria-labelledby=\"")) {
        assert!(ids.contains(&link), "{link}");
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn lost_pages_come_first_and_what_is_the_same_last() {
    let html = written(&backtests::november_compared());
    let heads: Vec<&str> = html
        .split("<article ")
        .skip(1)
        .map(|article| article.split("<h3 ").nth(1).unwrap().split("</h3>").next().unwrap())
        .collect();
    let badge = |head: &&str| {
        ["lost", "moved", "gained"].into_iter().find(|kind| head.contains(&format!(">{kind}<")))
    };
    assert_eq!(heads.iter().map(badge).collect::<Vec<_>>(), [Some("lost"), Some("moved"), None]);
}

#[test]
fn many_incidents_stay_a_file_that_opens() {
    let html = written(&backtests::many(1_500));
    assert_eq!(html.matches("<article ").count(), 60);
    assert_eq!(html.matches("data-label=\"Slow since\"").count(), 1_000);
    assert!(html.contains("And 500 more"), "the rest is counted");
    assert!(html.contains("The first 60 of 1500 have charts and texts below"), "what is drawn is counted");
    assert!(html.len() < 4_500_000, "{}", html.len());
}

#[test]
fn nothing_to_draw_is_said_and_no_number_that_is_none_is_shown() {
    let html = written(&backtests::bare());
    for none in ["NaN", "inf", "None", "Some("] {
        assert!(!markup(&html).contains(none), "{none}");
    }
    let nothing = Report {
        headline: Headline { tone: Tone::Calm, text: "no page".to_owned() },
        incidents: Vec::new(),
        tickets: Vec::new(),
        near: Vec::new(),
        series: Vec::new(),
        ..backtests::november_alone()
    };
    let html = written(&nothing);
    assert!(html.contains("No series was below its line in enough periods."), "{html}");
    assert!(html.contains("<h1 class=\"calm\">no page</h1>"), "{html}");
}

#[test]
fn who_was_told_is_said_of_each_incident() {
    let mut report = backtests::november_alone();
    let first = report.incidents[0].key.clone();
    report.incidents[1].told = Told::With(first);
    let html = written(&report);
    assert!(
        html.contains("The page, as sent to <code>pagerduty.llm-oncall</code>, <code>sns.pages</code>"),
        "{html}"
    );
    assert!(
        html.contains(
            "Told in the page of <a href=\"#incident-1\">us.example.sonnet-large-v1:0</a> us-east-1"
        )
    );
    // A page that is not in the report has no link.
    report.incidents[1].told = Told::With(Key::from_text("otpsd-0"));
    assert!(!written(&report).contains("Told in the page of"));
}
