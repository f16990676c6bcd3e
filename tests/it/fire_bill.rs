//! What an hour costs, and that nobody can make it cost more.

use domain::Series;

use crate::rehearsal::{Rehearsal, SHORT_HISTORY, Scene};
use crate::story::{reading, series_in};

const REGIONS: [&str; 3] = ["eu-west-1", "us-east-1", "us-west-2"];
/// Periods in an hour.
const HOUR: i64 = 12;

/// What CloudWatch has counted: calls of `GetMetricData`, metrics as they are billed, datapoints.
fn counted(rehearsal: &Rehearsal) -> (u64, u64, u64) {
    let calls = rehearsal.loopback().calls();
    let of_data = calls.iter().filter(|total| total.operation == "GetMetricData");
    of_data.fold((0, 0, 0), |(calls, billed, datapoints), total| {
        (calls + total.calls, billed + total.billed_metrics, datapoints + total.datapoints)
    })
}

fn metrics_requested(text: &str) -> u64 {
    let of_places = text.lines().filter_map(|line| line.strip_prefix("otpsd_metrics_requested_total{"));
    of_places.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap() as u64).sum()
}

#[test]
fn an_hour_of_sixty_models_costs_what_it_must_whoever_looks_at_the_page() {
    let models = (0..20).map(|number| format!("us.example.model-{number}-v1:0"));
    let all: Vec<Series> = models.flat_map(|model| REGIONS.map(|region| series_in(region, &model))).collect();
    let rehearsal = Scene {
        regions: &REGIONS,
        series: all.clone(),
        tell: Box::new(|_, k| (k >= -3 * 288).then(|| reading(false))),
        config: SHORT_HISTORY,
        ..Scene::new()
    }
    .open();
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&all, rehearsal.period(), &daemon);
    let (begin, before) = (rehearsal.period(), counted(&rehearsal));
    for _ in 0..50 {
        assert!(daemon.get("/").starts_with("HTTP/1.1 200"));
        daemon.get("/metrics");
    }
    rehearsal.wait_until_all_judged(&all, begin + HOUR, &daemon);
    let (periods, after) = (rehearsal.period() - begin, counted(&rehearsal));

    let (calls, billed) = (after.0 - before.0, after.1 - before.1);
    // Three metrics of each of 60 models with every period, and what explains them, five metrics, once an hour, which may
    // fall on either side of the hour.
    let most = (180 * (periods + 1) + 2 * 300) as u64;
    assert!(billed <= most, "{billed} metrics in {periods} periods are more than {most}");
    // One call a Region with every period, and one an hour.
    let most = 3 * (periods + 1 + 2) as u64;
    assert!(calls <= most, "{calls} calls in {periods} periods are more than {most}");
    let told = metrics_requested(&daemon.get("/metrics"));
    assert!(after.1 <= told && told <= counted(&rehearsal).1, "{told} are exposed, {} counted", after.1);

    // A restart asks for what it lacks, not for three days.
    daemon.kill();
    let before = counted(&rehearsal);
    let daemon = rehearsal.start();
    rehearsal.wait_until_all_judged(&all, rehearsal.period(), &daemon);
    let datapoints = counted(&rehearsal).2 - before.2;
    let history = 60 * 3 * 288 * 16;
    assert!(datapoints < history / 10, "{datapoints} datapoints after a restart; all are {history}");
}
