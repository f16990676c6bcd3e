//! `otpsd plan`: what a configuration comes to, and what another one would change.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::process::{ROOT, Ran, otpsd};
use crate::rehearsal::{ROUTING_KEY, Rehearsal, SHORT_HISTORY, Scene};
use crate::repository::Repository;
use crate::story::{reading, series_in};

/// Two teams in two Regions.
const SOURCES: &str = r#"[default.cloudwatch]
regions = ["us-east-1", "eu-west-1"]

[source.cloudwatch.prod]
account-id = "111122223333"
"#;
const RULES: &str = r#"[override.batch]
match = { model = "*haiku*" }
labels = { owner = "team-batch", tier = "2" }
"#;
const ROUTES: &str = r#"[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.log.all]

[[route.page]]
channels = ["pagerduty.oncall"]
[[route.ticket]]
channels = ["log.all"]
"#;

/// One more Region, a lower line for one team, and others who are told of it.
const NEW_SOURCES: &str = r#"[default.cloudwatch]
regions = ["us-east-1", "eu-west-1", "us-west-2"]
ignore = ["*embed*"]

[source.cloudwatch.prod]
account-id = "111122223333"
"#;
const NEW_RULES: &str = r#"[alarm]
datapoints-to-alarm = 4

[override.batch]
match = { model = "*haiku*" }
labels = { owner = "team-batch", tier = "2" }
page-below = 0.70

[override.typo]
match = { model = "*sonet*" }
page-below = 0.75
"#;
const NEW_ROUTES: &str = r#"[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.pagerduty.daytime]
routing-key = { env = "PD_DAYTIME_KEY" }
[channel.log.all]

[[route.page]]
labels = { tier = "2" }
hours = { from = "22:00", to = "07:00", zone = "America/New_York" }
channels = ["log.all"]
[[route.page]]
labels = { tier = "2" }
channels = ["pagerduty.daytime"]
[[route.page]]
channels = ["pagerduty.oncall"]
[[route.ticket]]
channels = ["log.all"]
"#;

/// Who is in the recording: Region, model, requests of a period, whether it streams, whether it has sums.
const FLEET: [(&str, &str, u32, bool, bool); 6] = [
    ("us-east-1", "us.example.sonnet-v1:0", 100, true, true),
    ("us-east-1", "us.example.haiku-v1:0", 50, true, true),
    ("us-east-1", "example.embed-v1:0", 900, false, true),
    ("eu-west-1", "eu.example.sonnet-v1:0", 80, true, true),
    ("eu-west-1", "eu.example.haiku-v1:0", 60, true, false),
    ("us-west-2", "us.example.sonnet-v1:0", 10, true, true),
];

/// A day of it, in two periods a series.
fn recording() -> String {
    let mut csv = "AccountId,Timestamp,Region,ModelId,InvocationLatency.p50,InvocationLatency.Sum,\
                   InvocationLatency.SampleCount,TimeToFirstToken.p50,TimeToFirstToken.Sum,\
                   TimeToFirstToken.SampleCount,OutputTokenCount.p50,OutputTokenCount.Sum\n"
        .to_owned();
    for (region, model, requests, streams, has_sums) in FLEET {
        for hour in ["00", "12"] {
            let sum = |value: u32| if has_sums { (value * requests).to_string() } else { String::new() };
            let ttft = if streams { format!("1000,{},{requests}", sum(1_000)) } else { ",,".to_owned() };
            csv += &format!(
                "111122223333,2026-11-01T{hour}:00:00Z,{region},{model},5000,{},{requests},{ttft},400,{}\n",
                sum(5_000),
                sum(400)
            );
        }
    }
    csv
}

/// A repository whose `main` has a configuration, beside a recording.
fn repository() -> Repository {
    let repository = Repository::new();
    configure(&repository, [SOURCES, RULES, ROUTES]);
    repository.write("fleet.csv", &recording());
    repository.commit();
    repository
}

fn configure(repository: &Repository, [sources, rules, routes]: [&str; 3]) {
    repository.write("config/sources.toml", sources);
    repository.write("config/rules.toml", rules);
    repository.write("config/routes.toml", routes);
}

/// The repository with the changes of a branch in its files.
fn changed() -> Repository {
    let repository = repository();
    configure(&repository, [NEW_SOURCES, NEW_RULES, NEW_ROUTES]);
    repository
}

/// Runs `otpsd plan` in a repository.
fn plan(repository: &Repository, arguments: &[&str]) -> Ran {
    otpsd().arg("plan").args(arguments).current_dir(repository.path()).output().unwrap().into()
}

/// What a run printed, which nothing was to be complained of.
fn whole(ran: Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&whole(ran)).unwrap()
}

const AGAINST: [&str; 5] = ["--config", "config", "--against", "main:config", "fleet.csv"];

#[test]
fn what_a_configuration_comes_to_is_read_by_people() {
    let repository = repository();
    insta::assert_snapshot!(whole(plan(&repository, &["--config", "config", "fleet.csv"])));
}

#[test]
fn what_a_branch_changes_is_read_by_people() {
    let repository = changed();
    let text = whole(plan(&repository, &AGAINST));
    let page = std::fs::read_to_string(format!("{ROOT}/docs/reference/plan.md")).unwrap();
    assert!(page.contains(&text), "docs/reference/plan.md has not what is printed:\n{text}");
    insta::assert_snapshot!(text);
    let markdown = plan(&repository, &[&AGAINST[..], &["--format", "markdown"]].concat());
    insta::assert_snapshot!("what_a_branch_changes_as_markdown", whole(markdown));
}

/// What a month of some series costs: three metrics of each with every one of 8,640 polls, and five in every one of 720 hours.
fn month(series: u64) -> Value {
    let billed = series * (3 * 8_640 + 7 * 720);
    serde_json::json!({"calls": 8_640 + 720, "billed_metrics": billed, "usd": billed as f64 / 100_000.0})
}

#[test]
fn what_is_said_can_be_read_by_programs() {
    let repository = repository();
    let planned = json(plan(&repository, &["--config", "config", "--format", "json", "fleet.csv"]));
    let names = |list: &Value, key: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        names(&planned["series"], "series"),
        [
            "111122223333/eu-west-1/eu.example.haiku-v1:0",
            "111122223333/eu-west-1/eu.example.sonnet-v1:0",
            "111122223333/us-east-1/us.example.haiku-v1:0",
            "111122223333/us-east-1/us.example.sonnet-v1:0",
        ]
    );
    assert_eq!(names(&planned["not_watched"], "reason"), ["never_streams", "no_source"]);

    // Haikus have the labels of line 1 and below; the rule of all is the default.
    let haiku = &planned["series"][0];
    assert_eq!((&haiku["source"], &haiku["model"]), (&"prod".into(), &"eu.example.haiku-v1:0".into()));
    let route = serde_json::json!({
        "route": "config/routes.toml:5", "channels": ["pagerduty.oncall"], "hours": null, "causes": []
    });
    assert_eq!(haiku["page"], serde_json::json!([route]));
    let rule = &planned["rules"][haiku["rule"].as_u64().unwrap() as usize];
    assert_eq!(rule["series"], 2);
    let owner = serde_json::json!({
        "key": "labels.owner", "value": "\"team-batch\"", "origin": "config/rules.toml:3", "override": "batch",
        "fitted": null
    });
    assert_eq!(rule["labels"][0], owner);
    let page_below = rule["keys"].as_array().unwrap().iter().find(|key| key["key"] == "page-below").unwrap();
    assert_eq!((&page_below["value"], &page_below["origin"]), (&"0.8".into(), &Value::Null));

    let cost = &planned["cost"];
    assert_eq!(names(&cost["places"], "region"), ["us-east-1", "eu-west-1"]);
    let place = &cost["places"][0];
    assert_eq!(place["poll"], serde_json::json!({"calls": 1, "billed_metrics": 6, "usd": 0.00006}));
    assert_eq!(place["month"], month(2));
    assert_eq!((&cost["sources"][0]["source"], &cost["sources"][0]["series"]), (&"prod".into(), &4.into()));
    assert_eq!(cost["sources"][0]["month"], cost["total"]["month"]);
    assert_eq!(cost["total"]["month"]["billed_metrics"], month(4)["billed_metrics"]);
    // Every 15 minutes, four lists of each of two Regions.
    assert_eq!(cost["total"]["list_metrics_calls"], 2 * 4 * 4 * 24 * 30);
    assert_eq!(names(&planned["warnings"], "kind"), ["never_streams", "p50_only"]);
    assert_eq!(planned["changes"], Value::Null);
}

#[test]
fn changes_have_what_was_and_what_is_with_their_lines() {
    let repository = changed();
    let planned = json(plan(&repository, &[&AGAINST[..], &["--format", "json"]].concat()));
    let changes = &planned["changes"];
    assert_eq!(changes["added"], serde_json::json!(["111122223333/us-west-2/us.example.sonnet-v1:0"]));
    assert_eq!(changes["removed"], serde_json::json!([]));
    // One series more: 30,960 metrics.
    assert_eq!(changes["usd_a_month"], 0.3096);
    assert_eq!(changes["before"]["month"]["billed_metrics"], 4 * 30_960);
    let list = changes["list"].as_array().unwrap();
    let of = |kind: &str, what: &str| -> &Value {
        list.iter().find(|one| one["kind"] == kind && one["what"] == what).unwrap()
    };
    let lower = of("rule", "page-below");
    assert_eq!((&lower["before"], &lower["after"]), (&"0.8".into(), &"0.7".into()));
    assert_eq!(lower["places"], serde_json::json!(["config/rules.toml:7, [override.batch]"]));
    assert_eq!(lower["former_places"], serde_json::json!(["default"]));
    assert_eq!(lower["series"].as_array().unwrap().len(), 2);
    let more = of("rule", "datapoints-to-alarm");
    assert_eq!((&more["before"], &more["after"]), (&"3".into(), &"4".into()));
    assert_eq!(more["series"].as_array().unwrap().len(), 4);
    let region = of("region_added", "prod");
    assert_eq!(
        (&region["after"], &region["places"][0]),
        (&"us-west-2".into(), &"config/sources.toml:2".into())
    );
    let told = of("pages_told", "page");
    assert_eq!(told["before"], "pagerduty.oncall");
    assert_eq!(told["after"], "log.all (22:00–07:00 America/New_York), else pagerduty.daytime");
    assert_eq!(told["former_places"], serde_json::json!(["main:config/routes.toml:5"]));
    let kinds: BTreeSet<&str> =
        planned["warnings"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, BTreeSet::from(["override_matches_nothing", "p50_only", "page_only_logged"]));
}

/// What all sources share is one line, and so is its change; and whoever is not watched any more comes before all else.
#[test]
fn whoever_is_lost_comes_first() {
    let repository = repository();
    let two = |regions: &str| {
        format!(
            "[default.cloudwatch]\nregions = [{regions}]\n[source.cloudwatch.prod]\naccount-id = \"111122223333\"\n[source.cloudwatch.test]\naccount-id = \"444455556666\"\n"
        )
    };
    configure(&repository, [&two("\"us-east-1\", \"eu-west-1\""), RULES, ROUTES]);
    repository.commit();
    configure(&repository, [&two("\"us-east-1\""), &RULES.replace("\"2\"", "\"3\""), ROUTES]);
    let planned = json(plan(&repository, &[&AGAINST[..], &["--format", "json"]].concat()));
    let list = planned["changes"]["list"].as_array().unwrap();
    let words: Vec<_> = list.iter().map(|one| one["words"].as_str().unwrap()).collect();
    assert_eq!(
        words,
        [
            "Region eu-west-1 is not read by sources prod, test any more: 2 series",
            "`labels.tier` `\"2\"` → `\"3\"` for 1 series",
        ]
    );
    // Two series less: 61,920 metrics.
    assert_eq!(planned["changes"]["usd_a_month"], -0.6192);
}

#[test]
fn lines_that_move_change_nothing() {
    let repository = repository();
    let moved = format!("# Two teams.\n\n{ROUTES}");
    configure(&repository, [&format!("{SOURCES}ignore = []\n"), RULES, &moved]);
    let out = whole(plan(&repository, &AGAINST));
    assert!(out.contains("Against main:config ("), "{out}");
    assert!(out.contains("): nothing changes\n"), "{out}");
    // What was is asked of git, whatever the files are.
    configure(&repository, [NEW_SOURCES, NEW_RULES, NEW_ROUTES]);
    repository.commit();
    let out = whole(plan(&repository, &["--config", "config", "--against", "HEAD~1:config", "fleet.csv"]));
    assert!(out.contains("1 series added, 4 series judged otherwise"), "{out}");
}

#[test]
fn what_cannot_be_planned_says_why() {
    let repository = repository();
    let ends = |arguments: &[&str], code: i32, why: &str| {
        let ran = plan(&repository, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
    };
    ends(&["--config", "config", "nothing.csv"], 3, "nothing.csv");
    ends(&["--config", "nothing", "fleet.csv"], 3, "nothing");
    let against = |old| ["--config", "config", "--against", old, "fleet.csv"];
    ends(&against("nowhere:config"), 3, "git knows no commit `nowhere`");
    ends(&against("main:nothing"), 3, "main:nothing");
    ends(&["fleet.csv"], 2, "--config");
    ends(&["--config", "config", "--live", "--offline"], 2, "cannot be used with");
    // Invalid now, and invalid before.
    configure(&repository, [SOURCES, "[alarm]\npage-below = 80\n", ROUTES]);
    ends(&["--config", "config", "fleet.csv"], 1, "config/rules.toml:2:14");
    repository.commit();
    configure(&repository, [SOURCES, RULES, ROUTES]);
    ends(&against("main:config"), 1, "the configuration to compare with, main:config, cannot be used");
}

#[test]
fn a_plan_without_series_has_the_rules_and_the_price_of_one() {
    let repository = repository();
    let arguments = ["--config", "config", "--offline"];
    let out = whole(plan(&repository, &arguments));
    assert!(out.contains("no series is known"), "{out}");
    assert!(out.contains("each series is 30,960 metrics, $0.31 a month"), "{out}");
    configure(&repository, [NEW_SOURCES, NEW_RULES, NEW_ROUTES]);
    insta::assert_snapshot!(whole(plan(
        &repository,
        &[&arguments[..], &["--against", "main:config"]].concat()
    )));
}

/// Three series in one Region and one in another, whom a daemon watches.
fn rehearsed() -> Scene {
    let models = ["us.example.a-v1:0", "us.example.b-v1:0", "us.example.c-v1:0"];
    let mut series: Vec<_> = models.iter().map(|model| series_in("us-east-1", model)).collect();
    series.push(series_in("eu-west-1", "eu.example.a-v1:0"));
    Scene {
        regions: &["us-east-1", "eu-west-1"],
        series,
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
}

#[test]
fn what_is_planned_is_what_cloudwatch_bills() {
    let scene = rehearsed();
    let series = scene.series.clone();
    let rehearsal = scene.open();
    let planned: Value = {
        let ran = rehearsal.run(&["plan", "--format", "json", "--live"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        serde_json::from_str(&ran.out).unwrap()
    };
    assert_eq!(planned["live"], true);
    assert_eq!(planned["series"].as_array().unwrap().len(), 4);
    // A plan lists metrics, and reads none.
    let of_data = |rehearsal: &Rehearsal, region: &str| {
        let calls = rehearsal.loopback().recent_calls();
        let own = calls.into_iter().filter(|call| call.operation == "GetMetricData" && call.region == region);
        own.collect::<Vec<_>>()
    };
    assert!(of_data(&rehearsal, "us-east-1").is_empty());

    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&series, rehearsal.period() + 24, &daemon);
    daemon.kill();
    for place in planned["cost"]["places"].as_array().unwrap() {
        let calls = of_data(&rehearsal, place["region"].as_str().unwrap());
        let count = |key: &str, part: &str| place[key][part].as_u64().unwrap();
        // The history is read first, and then poll by poll.
        let is_of_history = |window: (i64, i64)| (window.1 - window.0) / 300 > 48;
        let (history, polls): (Vec<_>, Vec<_>) = calls
            .iter()
            .filter(|call| call.status == 200)
            .partition(|call| call.window.is_some_and(is_of_history));
        let billed: u64 = history.iter().map(|call| call.billed_metrics).sum();
        // A plan counts requests by service tier, as if one tier served all; a series without tiers is one metric less.
        let tiers = place["series"].as_u64().unwrap();
        let as_planned = |billed: u64, planned: u64| (planned - tiers..=planned).contains(&billed);
        assert_eq!(history.len() as u64, count("backfill", "calls"));
        assert!(as_planned(billed, count("backfill", "billed_metrics")), "{billed} of {place}");
        let billed: Vec<u64> = polls.iter().map(|call| call.billed_metrics).collect();
        let explained: Vec<u64> =
            billed.iter().copied().filter(|one| *one != count("poll", "billed_metrics")).collect();
        let (every_poll, every_hour) = (billed.len() - explained.len(), explained.len());
        let hour = count("hour", "billed_metrics");
        assert!(explained.iter().all(|one| as_planned(*one, hour)), "{explained:?} of {place}");
        // Two hours, and what the clock of the rehearsal does at their ends.
        assert!((2..=3).contains(&every_hour), "{every_hour} reads of what explains in two hours");
        assert!((20..=28).contains(&every_poll), "{every_poll} polls in two hours");
    }
}

#[test]
fn a_source_that_does_not_answer_is_named() {
    let repository = repository();
    let closed = "[source.cloudwatch.prod]\nregions = [\"us-east-1\", \"eu-west-1\"]\nendpoint-url = \"http://127.0.0.1:9\"\n";
    configure(&repository, [closed, RULES, ROUTES]);
    let asked = |arguments: &[&str]| -> Ran {
        let mut command = otpsd();
        command.arg("plan").args(arguments).current_dir(repository.path());
        command.envs([("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE"), ("PD_ROUTING_KEY", ROUTING_KEY)]);
        command.env("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        command.output().unwrap().into()
    };
    let out = whole(asked(&["--config", "config"]));
    assert!(out.contains("not known: what source prod has in us-east-1, eu-west-1 ("), "{out}");
    let ran = asked(&["--config", "config", "--live"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("not every source answers"), "{}", ran.err);
    // A recording needs no answer.
    let out = whole(asked(&["--config", "config", "fleet.csv"]));
    assert!(
        out.starts_with("config: 6 series of fleet.csv, 4 watched by 1 source, $1.24 a month\n"),
        "{out}"
    );
}

/// Of each kind of warning one: what is said, where, and of how many series.
#[test]
fn what_is_probably_not_meant_is_pointed_at() {
    let repository = repository();
    let sources = r#"[source.cloudwatch.prod]
account-id = "111122223333"
regions = ["us-east-1", "eu-west-1", "ap-south-1"]
expect = ["*opus*", "*sonnet*"]
max-series = 3
max-monthly-usd = 0.5
ignore = ["*embed*"]
"#;
    let rules = r#"[alarm]
estimator = "token-weighted"
[override.europe]
match = { region = "eu-*" }
labels = { owner = "europe" }
page-below = 0.75
[override.batch]
match = { model = "*haiku*" }
labels = { owner = "team-batch" }
page-below = 0.70
[override.nobody]
match = { model = "*opus*" }
labels = { owner = "nobody" }
[maintenance.saturday]
models = ["*opus*"]
days = ["sat"]
from = "22:00"
to = "23:00"
zone = "UTC"
"#;
    let routes = r#"[channel.pagerduty.oncall]
routing-key = { env = "PD_ROUTING_KEY" }
[channel.log.all]
[[route.page]]
regions = ["us-*"]
hours = { from = "08:00", to = "18:00", zone = "UTC" }
channels = ["pagerduty.oncall"]
[[route.ticket]]
models = ["*sonnet*"]
channels = ["log.all"]
"#;
    configure(&repository, [sources, rules, routes]);
    let planned = json(plan(&repository, &["--config", "config", "--format", "json", "fleet.csv"]));
    let rows: String = planned["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let places: Vec<_> =
                one["places"].as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect();
            let series = one["series"].as_array().unwrap().len();
            let (kind, words) = (one["kind"].as_str().unwrap(), one["words"].as_str().unwrap());
            format!("{kind} of {series} [{}]\n    {words}\n", places.join(", "))
        })
        .collect();
    insta::assert_snapshot!(rows);
}
