//! The body of a dashboard of CloudWatch: two rows of graphs for each series, on a grid that is 24 wide.

use std::collections::BTreeSet;

use domain::{ExitCode, Method, Series, UNKNOWN_ACCOUNT};
use serde_json::{Value, json};

use super::alarms::threshold;
use super::learned::{Learned, Level};
use crate::commands::failed;

/// A dashboard may have no more widgets.
const MOST_WIDGETS: usize = 500;
/// Rows of the grid that a graph is high.
const HEIGHT: usize = 6;
const PERIOD: u32 = 300;

/// The body, or why there is none.
pub(super) fn json(all: &[Learned]) -> Result<String, ExitCode> {
    let accounts: BTreeSet<&str> = all.iter().map(|one| one.series.account()).collect();
    let several = accounts.len() > 1;
    let widgets: Vec<Value> =
        all.iter().enumerate().flat_map(|(place, one)| widgets(one, place * 2 * HEIGHT, several)).collect();
    if widgets.len() > MOST_WIDGETS {
        let what = format!(
            "{} widgets do not fit into a dashboard of CloudWatch, which has at most {MOST_WIDGETS}",
            widgets.len()
        );
        return Err(failed(&what, Some("give recordings of fewer series, such as those of one Region")));
    }
    Ok(format!("{:#}\n", json!({"periodOverride": "inherit", "widgets": widgets})))
}

/// The graphs of a series, from row `y` on. `several` accounts are told apart, which takes a monitoring account that they are
/// linked to.
fn widgets(one: &Learned, y: usize, several: bool) -> [Value; 5] {
    let Learned { series, rule, level } = one;
    let graphs = Graphs { series, several };
    let mut otps = graphs.graph(
        "OTPS, tokens per second",
        (0, y, 8),
        &[
            json!([{"id": "otps", "expression": "m2 / (m1 - m3) * 1000", "label": "OTPS p50"}]),
            graphs.hidden("m1", "InvocationLatency"),
            graphs.hidden("m2", "OutputTokenCount"),
            graphs.hidden("m3", "TimeToFirstToken"),
        ],
    );
    let properties = &mut otps["properties"];
    match level {
        Level::Known { otps, .. } if rule.method == Method::Threshold => {
            let below = (threshold(rule, *otps) * 100.0).round() / 100.0;
            properties["annotations"] = json!({"horizontal": [{"label": "threshold", "value": below}]});
        }
        Level::Known { .. } => {
            let Method::Anomaly { deviations, .. } = rule.method else { return graphs.all(otps, y) };
            let band = json!([{
                "id": "band",
                "expression": format!("ANOMALY_DETECTION_BAND(otps, {deviations})"),
                "label": "usual OTPS",
            }]);
            if let Some(metrics) = properties["metrics"].as_array_mut() {
                metrics.push(band);
            }
        }
        Level::Learning(_) => properties["title"] = graphs.title("OTPS, still LEARNING").into(),
        Level::OnlyTokenWeighted => {}
    }
    graphs.all(otps, y)
}

struct Graphs<'a> {
    series: &'a Series,
    several: bool,
}

impl Graphs<'_> {
    /// The graph of OTPS and what it is read beside.
    fn all(&self, otps: Value, y: usize) -> [Value; 5] {
        let both = |metric: &str| [self.line(metric, "p50"), self.line(metric, "p95")];
        let tokens = [self.line("InputTokenCount", "p50"), self.line("OutputTokenCount", "p50")];
        let throttles = [self.line("InvocationThrottles", "Sum")];
        [
            otps,
            self.graph("latency, ms", (8, y, 8), &both("InvocationLatency")),
            self.graph("time to first token, ms", (16, y, 8), &both("TimeToFirstToken")),
            self.graph("tokens of a request", (0, y + HEIGHT, 12), &tokens),
            self.graph("throttles", (12, y + HEIGHT, 12), &throttles),
        ]
    }

    fn graph(&self, what: &str, (x, y, width): (usize, usize, usize), metrics: &[Value]) -> Value {
        json!({
            "type": "metric",
            "x": x,
            "y": y,
            "width": width,
            "height": HEIGHT,
            "properties": {
                "title": self.title(what),
                "region": self.series.region(),
                "view": "timeSeries",
                "stacked": false,
                "period": PERIOD,
                "yAxis": {"left": {"min": 0, "showUnits": false}},
                "metrics": metrics,
            },
        })
    }

    fn title(&self, what: &str) -> String {
        let series = self.series;
        if self.several {
            format!("{series}: {what}")
        } else {
            format!("{}/{}: {what}", series.region(), series.model())
        }
    }

    fn line(&self, metric: &str, statistic: &str) -> Value {
        self.metric(metric, json!({"stat": statistic, "label": format!("{metric} {statistic}")}))
    }

    /// An input of the expression.
    fn hidden(&self, id: &str, metric: &str) -> Value {
        self.metric(metric, json!({"id": id, "stat": "p50", "visible": false}))
    }

    fn metric(&self, metric: &str, mut options: Value) -> Value {
        let account = self.series.account();
        if self.several && account != UNKNOWN_ACCOUNT {
            options["accountId"] = account.into();
        }
        json!(["AWS/Bedrock", metric, "ModelId", self.series.model(), options])
    }
}
