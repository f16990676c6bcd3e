//! `otpsd discover`: who is there, and whether they can be judged, from nothing but credentials.

use domain::{Metric, PERIODS_PER_DAY, Reading, Series, Statistics};
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::process::Ran;
use crate::served::Served;
use crate::story::{reading, series_in};

const SONNET: &str = "us.example.sonnet-large-v1:0";
const YOUNG: &str = "us.example.young-v1:0";
const RARE: &str = "us.example.rare-v1:0";
const EMBED: &str = "example.embed-text-v2:0";
const GONE: &str = "us.example.gone-v1:0";

/// The same with so many requests in the period.
fn with_requests(requests: f64) -> Reading {
    let mut reading = reading(false);
    for metric in Metric::ALL {
        let statistics = reading.of_mut(metric);
        if let Some(p50) = statistics.p50 {
            statistics.sum = Some(p50 * requests);
            statistics.sample_count = Some(requests);
        }
    }
    reading
}

fn tell(series: &Series, k: i64) -> Option<Reading> {
    let day = PERIODS_PER_DAY;
    let is_there = match series.model() {
        // Two of the three days that it takes.
        YOUNG => k >= -2 * day,
        // One request in an hour.
        RARE => k.rem_euclid(12) == 0,
        GONE => k < -8 * day,
        _ => true,
    };
    let told = match series.model() {
        RARE => with_requests(1.0),
        EMBED => {
            let mut reading = reading(false);
            *reading.of_mut(Metric::TimeToFirstToken) = Statistics::default();
            reading
        }
        _ => reading(false),
    };
    // All that is told lies within the two weeks that are looked at, whatever minute it is.
    (is_there && (-13 * day..0).contains(&k)).then_some(told)
}

fn serve() -> Served {
    let models = [SONNET, YOUNG, RARE, EMBED, GONE];
    let all = models.map(|model| series_in("us-east-1", model)).into_iter();
    Served::start(all.chain([series_in("eu-west-1", SONNET)]).collect(), Box::new(tell))
}

/// With no configuration: the address comes from the environment, as the SDK takes it.
fn discover(served: &Served, arguments: &[&str]) -> Ran {
    let mut command = served.command(&[&["discover"], arguments].concat());
    command.env("AWS_ENDPOINT_URL", served.url()).output().unwrap().into()
}

/// Times are those of the machine: digits of them are no part of what is checked.
fn without_times(text: &str) -> String {
    let is_time = |word: &str| {
        let bare = word.trim_end_matches([';', ':', ',']);
        bare.len() >= 3 && bare.starts_with("20") && bare.chars().nth(4) == Some('-')
            || bare.len() == 3 && bare.ends_with('h') && bare.as_bytes()[0].is_ascii_digit()
    };
    let line = |line: &str| {
        let words = line.split(' ');
        words.map(|word| if is_time(word) { "TIME" } else { word }).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_first_configuration_says_who_is_there_and_is_valid() {
    let served = serve();
    let ran = discover(&served, &["--region", "us-east-1", "eu-west-1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    insta::assert_snapshot!(without_times(&ran.out));
    std::fs::write(served.path("found.toml"), &ran.out).unwrap();
    let checked = served.run(&["check", "found.toml"]);
    assert_eq!((checked.code, checked.out.as_str()), (0, "1 file ok\n"), "{}", checked.err);
    // With the lines that are to be taken in, too.
    let narrowed = ran.out.replace("#include", "include").replace("#    \"", "    \"").replace("#]", "]");
    std::fs::write(served.path("found.toml"), narrowed).unwrap();
    let checked = served.run(&["check", "found.toml"]);
    assert_eq!((checked.code, checked.out.as_str()), (0, "1 file ok\n"), "{}", checked.err);
}

#[test]
fn scripts_get_the_same_in_figures() {
    let served = serve();
    served.configure(
        r#"
[alarm]
mode = "observe"
[source.cloudwatch.main]
regions = ["us-east-1"]
endpoint-url = "URL"
ignore = ["*rare*"]
"#,
    );
    let ran = served.run(&["discover", "--config", "otpsd.toml", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let all = found["series"].as_array().unwrap();
    let of = |model: &str| all.iter().find(|one| one["model"] == model).unwrap();
    let sonnet = of(SONNET);
    // 200 requests in each of 288 periods of five minutes.
    assert_eq!(sonnet["requests_a_day"], 57_600.0);
    assert_eq!((&sonnet["sight"], &sonnet["streaming_share"]), (&"judged".into(), &1.0.into()));
    let otps = sonnet["usual_otps"].as_f64().unwrap();
    assert!((otps - 100.0).abs() < 1e-9, "{otps}");
    assert_eq!(of(YOUNG)["sight"], "learning");
    assert_eq!((&of(EMBED)["sight"], &of(EMBED)["streaming_share"]), (&"not_streaming".into(), &0.0.into()));
    assert_eq!((&of(RARE)["left_out"], &of(RARE)["requests_a_day"]), (&true.into(), &24.0.into()));
    assert_eq!(of(GONE)["sight"], "idle");
    assert_eq!(found["unread"], serde_json::json!([]));
    insta::assert_snapshot!(serde_json::to_string_pretty(of(RARE)).unwrap());
}

#[test]
fn a_region_that_is_denied_is_said_and_left_out() {
    let served = serve();
    let denied = FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("ListMetrics").region("eu-west-1");
    served.loopback().faults().set([denied]);
    let ran = discover(&served, &["--region", "us-east-1", "eu-west-1"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.out.contains("111122223333 in eu-west-1: not known, or not all of it (denied)"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("regions = [\"us-east-1\"]"), "{}", ran.out);
    insta::assert_snapshot!(ran.err);
}

#[test]
fn a_region_has_to_be_known() {
    let served = serve();
    let ran = discover(&served, &[]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.err);
    assert_eq!(discover(&served, &["--region", "nowhere"]).code, 3);
    let mut command = served.command(&["discover"]);
    command.env("AWS_ENDPOINT_URL", served.url()).env("AWS_REGION", "eu-west-1");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("regions = [\"eu-west-1\"]"), "{}", ran.out);
}
