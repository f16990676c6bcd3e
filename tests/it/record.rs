//! `otpsd record`: what CloudWatch has is in the file, whatever happens on the way, or it is said what is not.

use std::path::Path;

use domain::{Metric, PERIODS_PER_DAY, Period, Series, Statistic};
use poller::Recording;
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::process::Ran;
use crate::served::Served;
use crate::story::{reading, series_in};

/// All that is told: three days.
const TOLD: i64 = 3 * PERIODS_PER_DAY;

fn models(region: &str, count: usize) -> Vec<Series> {
    (0..count).map(|number| series_in(region, &format!("us.example.model-{number:02}-v1:0"))).collect()
}

/// Everybody was called in every period of three days.
fn serve(series: Vec<Series>) -> Served {
    Served::start(series, Box::new(|_, k| (-TOLD..0).contains(&k).then(|| reading(false))))
}

const CONFIG: &str = r#"
[alarm]
mode = "observe"
[source.cloudwatch.main]
regions = ["us-east-1"]
endpoint-url = "URL"
"#;

fn record(served: &Served, arguments: &[&str]) -> Ran {
    served.run(&[&["record", "--config", "otpsd.toml"], arguments].concat())
}

fn contents(file: &Path) -> Vec<(String, Period, Option<f64>)> {
    let recording = Recording::read(&[file]).unwrap();
    let of_period = |rows: poller::PeriodRows<'_>| {
        let period = rows.period();
        let series = recording.series();
        rows.rows()
            .map(|(index, reading)| {
                let p50 = reading.get(Metric::InvocationLatency, Statistic::P50);
                (series[index].to_string(), period, p50)
            })
            .collect::<Vec<_>>()
    };
    recording.periods().flat_map(of_period).collect()
}

#[test]
fn all_that_is_there_is_in_the_file_and_backtest_reads_it() {
    let served = serve([models("us-east-1", 3), models("eu-west-1", 1)].concat());
    served.configure(&CONFIG.replace("[\"us-east-1\"]", "[\"us-east-1\", \"eu-west-1\"]"));
    let until = served.until.start().to_string();
    let ran = record(&served, &["--since", "2d", "--until", &until, "--out", "two.csv.gz"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let asked = 2 * PERIODS_PER_DAY;
    assert!(ran.err.contains(&format!("two.csv.gz: 4 series, {} rows from ", 4 * asked)), "{}", ran.err);
    let rows = contents(&served.folder().join("two.csv.gz"));
    // What is wanted had settled at the end: two minutes before it is in the period before.
    let (from, last) = (served.until - 1 - asked, served.until - 2);
    for series in [models("us-east-1", 3), models("eu-west-1", 1)].concat() {
        let of_series = rows.iter().filter(|row| row.0 == series.to_string());
        let periods: Vec<i64> = of_series.map(|row| row.1 - from).collect();
        assert_eq!(periods, (0..asked).collect::<Vec<_>>(), "{series}");
    }
    assert!(rows.iter().all(|row| row.1 <= last && row.2 == Some(5_000.0)));
    assert!(!Path::new(&served.path("two.csv.gz.parts")).exists());
    let backtest = served.run(&["backtest", "--config", "otpsd.toml", "two.csv.gz"]);
    assert_eq!(backtest.code, 0, "{}", backtest.err);
}

#[test]
fn a_killed_record_goes_on_where_it_was() {
    // Parts have 12,000 rows at most: 13 series of three days. The second and the third are read at the same time.
    let served = serve(models("us-east-1", 36));
    served.configure(CONFIG);
    let until = served.until.start().to_string();
    let arguments = ["--since", "3d", "--until", &until, "--out"];
    let whole = record(&served, &[&arguments[..], &["whole.csv.gz"]].concat());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let all_calls = served.calls("GetMetricData");

    let all = [&["record", "--config", "otpsd.toml"], &arguments[..], &["killed.csv.gz"]].concat();
    served
        .loopback()
        .faults()
        .set([FaultRule::new(Fault::Slow { milliseconds: 500 }).operation("GetMetricData")]);
    let mut child = served.command(&all).stderr(std::process::Stdio::null()).spawn().unwrap();
    let journal = served.folder().join("killed.csv.gz.parts/done.jsonl");
    let there = || std::fs::read_to_string(&journal).unwrap_or_default().lines().count();
    served.wait_until(|_| there() >= 1);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(there() < 3, "it was done before it was killed");
    assert!(!Path::new(&served.path("killed.csv.gz")).exists(), "a file that is not whole has no name");
    served.loopback().faults().set([]);

    let before = served.calls("GetMetricData");
    let ran = served.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("note: goes on with what was begun at "), "{}", ran.err);
    assert!(served.calls("GetMetricData") - before < all_calls, "{all_calls} calls are all of them");
    let file = |name: &str| contents(&served.folder().join(name));
    assert!(file("killed.csv.gz") == file("whole.csv.gz"), "the files differ");
    assert!(!Path::new(&served.path("killed.csv.gz.parts")).exists());
}

const ROLES: &str = r#"
[alarm]
mode = "observe"
[default.cloudwatch]
regions = ["us-east-1"]
endpoint-url = "URL"
[source.cloudwatch.search]
role-arn = "arn:aws:iam::444455556666:role/metrics-reader"
external-id = { env = "EXTERNAL_ID" }
[source.cloudwatch.chat]
role-arn = "arn:aws:iam::777788889999:role/metrics-reader"
"#;

#[test]
fn a_denied_role_is_said_and_what_others_have_is_kept() {
    let of = |account: &str| Series::new(account, "us-east-1", "us.example.sonnet-large-v1:0");
    let (base, search, chat) = (of("111122223333"), of("444455556666"), of("777788889999"));
    let everybody = vec![base, search.clone(), chat.clone()];
    let tell = Box::new(|_: &Series, k: i64| (-TOLD..0).contains(&k).then(|| reading(false)));
    let served = Served::with(everybody, tell, |options| {
        let role = |account: &str| format!("arn:aws:iam::{account}:role/metrics-reader");
        options.accounts =
            [("AKIAIOSFODNN7EXAMPLE".to_owned(), "111122223333".to_owned())].into_iter().collect();
        options.roles = [(role("444455556666"), Some("of-otpsd".to_owned())), (role("777788889999"), None)]
            .into_iter()
            .collect();
    });
    served.configure(ROLES);
    let denied = FaultRule::new(Fault::Refuse(Refusal::Denied))
        .operation("AssumeRole")
        .resource("arn:aws:iam::777788889999:role/metrics-reader");
    served.loopback().faults().set([denied]);
    let arguments = ["record", "--config", "otpsd.toml", "--since", "1d", "--out", "all.csv.gz"];
    let run = |external_id: Option<&str>| -> Ran {
        let mut command = served.command(&arguments);
        if let Some(id) = external_id {
            command.env("EXTERNAL_ID", id);
        }
        command.output().unwrap().into()
    };
    let accounts = || {
        let recording = Recording::read(&[served.folder().join("all.csv.gz")]).unwrap();
        recording.series().iter().map(|series| series.account().to_owned()).collect::<Vec<_>>()
    };

    let ran = run(Some("of-otpsd"));
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert_eq!(accounts(), ["444455556666"], "nothing of the base account under another's name");
    let shown = ran.err.replace(&served.url(), "URL");
    let lines: Vec<&str> = shown.lines().filter(|line| !line.starts_with("all.csv.gz: ")).collect();
    insta::assert_snapshot!(lines.join("\n"));

    // The trust policy is put right, and only what is missing is asked for.
    served.loopback().faults().set([]);
    let before = served.calls("GetMetricData");
    let ran = run(Some("of-otpsd"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(accounts(), ["444455556666", "777788889999"]);
    assert_eq!(served.calls("GetMetricData") - before, 1, "a day of one series is one call");

    let ran = run(None);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("the `external-id` of source `search` is not there"), "{}", ran.err);
}

#[test]
fn nothing_is_left_where_nothing_was_read() {
    let served = serve(models("us-east-1", 1));
    served.configure(CONFIG);
    let denied = FaultRule::new(Fault::Refuse(Refusal::Denied)).operation("ListMetrics");
    served.loopback().faults().set([denied]);
    let ran = record(&served, &["--since", "1d", "--out", "none.csv"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.err);
    assert_eq!(std::fs::read_dir(served.folder()).unwrap().count(), 1, "only the configuration");

    let ran = record(&served, &["--source", "other", "--since", "1d", "--out", "none.csv"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.err);
    let ran = record(&served, &["--since", "1d", "--out", "no/such/folder/none.csv"]);
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.err);
}
