//! Everything at once: what goes wrong with CloudWatch in a bad week, in a quarter of an hour.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::Series;
use simulator::loopback::{Fault, FaultRule, Refusal};

use crate::rehearsal::Scene;
use crate::story::reading;

const BASE_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const ACCOUNT: &str = "111122223333";
const DENIED: &str = "444455556666";
const DENIED_ROLE: &str = "arn:aws:iam::444455556666:role/otpsd-read";
const WELL: &str = "eu-west-1";
const HANGS: &str = "us-west-2";

fn of(account: &str, region: &str, model: &str) -> Series {
    Series::new(account, region, &format!("us.example.{model}-v1:0"))
}

/// Half of all calls are throttled, one in twenty fails, answers come in small pages and in any order, data is ten minutes
/// late, the container's keys live for seconds, one Region never answers, and one role is denied. A model becomes slow.
#[test]
fn a_bad_week_is_one_page_and_two_tickets() {
    let slow = of(ACCOUNT, WELL, "slow");
    let healthy = of(ACCOUNT, WELL, "healthy");
    let slow_one = slow.clone();
    let rehearsal = Scene {
        // A period is five seconds, and a key lives for three or four of them.
        rate: 60.0,
        lead: 3,
        regions: &[WELL, HANGS],
        series: vec![
            slow.clone(),
            healthy.clone(),
            of(ACCOUNT, HANGS, "silent"),
            of(DENIED, WELL, "healthy"),
        ],
        tell: Box::new(move |one, k| (k >= -3 * 288).then(|| reading(*one == slow_one && k >= 1))),
        source: "attempt-timeout = \"3s\"",
        config: r#"
[source.cloudwatch.denied]
regions = ["eu-west-1"]
endpoint-url = "$URL"
role-arn = "arn:aws:iam::444455556666:role/otpsd-read"
[baseline]
history = "3d"
min-history = "2d"
backfill = "3d"
"#,
        environment: Vec::new(),
        loopback: |options| {
            options.accounts = BTreeMap::from([(BASE_KEY.to_owned(), ACCOUNT.to_owned())]);
            options.roles = BTreeMap::from([("arn:aws:iam::444455556666:role/another".to_owned(), None)]);
            options.credentials_life = Some(Duration::from_secs(16));
        },
    }
    .open();
    rehearsal.set(
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        &format!("{}/container-credentials", rehearsal.loopback().url()),
    );
    let of_data = |fault| FaultRule::new(fault).operation("GetMetricData");
    rehearsal.loopback().faults().set([
        of_data(Fault::Hang).region(HANGS),
        of_data(Fault::Throttle { retry_after_seconds: None }).chance(0.5),
        FaultRule::new(Fault::Throttle { retry_after_seconds: None }).operation("ListMetrics").chance(0.5),
        of_data(Fault::Refuse(Refusal::Internal)).chance(0.05),
        of_data(Fault::SmallPages { datapoints: 2_000 }),
        of_data(Fault::ShuffleResults),
        of_data(Fault::Late { seconds: 600, share: 0.5 }),
    ]);
    let daemon = rehearsal.start();
    rehearsal.wait(&daemon, "nobody was paged", |me| !me.alerts().is_empty());
    // Slow from minute 5 on; the third period ends in minute 20, and nobody knew it before minute 22.
    let opened = rehearsal.minutes(rehearsal.alerts()[0].opened);
    assert!((22..40).contains(&opened), "paged in minute {opened}");
    assert!(rehearsal.alerts()[0].triggers[0].to_string().contains(slow.model()));

    rehearsal.wait(&daemon, "not everybody was told", |me| me.tickets().len() == 2);
    let mut tickets: Vec<_> =
        rehearsal.tickets().into_iter().map(|one| one.message.replace('\n', " ")).collect();
    tickets.sort();
    assert!(tickets[0].starts_with("denied cannot be read: sts:AssumeRole denied since "), "{}", tickets[0]);
    assert!(tickets[0].contains(DENIED_ROLE), "{}", tickets[0]);
    assert!(tickets[1].starts_with("main cannot be read: no answer in time since "), "{}", tickets[1]);
    assert!(tickets[1].contains(HANGS), "{}", tickets[1]);

    let through = rehearsal.period() + 2;
    rehearsal.wait_until_all_judged(&[slow, healthy], through, &daemon);
    assert_eq!((rehearsal.alerts().len(), rehearsal.tickets().len()), (1, 2), "nothing else was said");
    let metrics = daemon.get("/metrics");
    let of = |name: &str| -> f64 {
        let lines = metrics.lines().filter(|line| line.starts_with(name));
        lines.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
    };
    assert!(of("otpsd_throttled_attempts_total{account=\"111122223333\",region=\"eu-west-1\"}") > 10.0);
    assert!(
        metrics.contains("otpsd_source_failure{source=\"denied\",region=\"eu-west-1\",kind=\"denied\"} 1"),
        "{metrics}"
    );
    assert!(
        metrics.contains("otpsd_source_failure{source=\"main\",region=\"us-west-2\",kind=\"timeout\"} 1"),
        "{metrics}"
    );
    let lag = "otpsd_source_lag_seconds{source=\"main\",region=\"eu-west-1\"}";
    assert!(of(lag) < 600.0, "{metrics}");
}
