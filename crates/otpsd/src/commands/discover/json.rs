//! For scripts: one object, as `docs/reference/discover.md` describes it.

use domain::{Estimator, Period};
use serde::Serialize;

use super::Discovered;
use super::fragment::judged;
use super::sight::{Sight, named};

#[derive(Debug, Serialize)]
struct Document<'d> {
    at: String,
    days: i64,
    series: Vec<One<'d>>,
    unread: Vec<Unread<'d>>,
}

#[derive(Debug, Serialize)]
struct One<'d> {
    series: String,
    account: &'d str,
    region: &'d str,
    model: &'d str,
    source: &'d str,
    left_out: bool,
    requests_a_day: f64,
    streaming_share: f64,
    /// `judged`, `learning`, `not_judged`, `not_streaming`, `idle`.
    sight: &'static str,
    /// The same in words.
    said: String,
    estimator: Option<&'static str>,
    usual_otps: Option<f64>,
    periods_judged: Option<u32>,
    periods_with_requests: Option<u32>,
    reason: Option<&'static str>,
    learned_from: Option<String>,
    days: Option<f64>,
    datapoints: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Unread<'d> {
    source: &'d str,
    region: &'d str,
    failure: &'static str,
    message: &'d str,
    hint: Option<&'d str>,
}

pub(super) fn json(discovered: &Discovered) -> serde_json::Result<String> {
    let failed =
        discovered.outcome.regions.iter().filter_map(|region| Some((region, region.error.as_ref()?)));
    let unread = failed.map(|(region, error)| Unread {
        source: &region.source,
        region: &region.region,
        failure: error.failure.as_str(),
        message: &error.message,
        hint: error.hint.as_deref(),
    });
    let document = Document {
        at: format!("{:.0}", discovered.at),
        days: discovered.days,
        series: discovered.found.iter().map(one).collect(),
        unread: unread.collect(),
    };
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

fn one(found: &super::Found) -> One<'_> {
    let mut one = One {
        series: found.series.to_string(),
        account: found.series.account(),
        region: found.series.region(),
        model: found.series.model(),
        source: &found.source,
        left_out: found.is_left_out,
        requests_a_day: found.requests_a_day,
        streaming_share: found.streaming_share,
        sight: "",
        said: judged(&found.sight),
        estimator: None,
        usual_otps: None,
        periods_judged: None,
        periods_with_requests: None,
        reason: None,
        learned_from: None,
        days: None,
        datapoints: None,
    };
    let by = |estimator: Estimator| Some(named(estimator));
    match &found.sight {
        Sight::Judged { estimator, otps, periods } => {
            (one.sight, one.estimator, one.usual_otps) = ("judged", by(*estimator), *otps);
            (one.periods_judged, one.periods_with_requests) =
                (Some(periods.judged), Some(periods.with_requests));
        }
        Sight::Learning { progress, from, .. } => {
            (one.sight, one.learned_from) = ("learning", from.map(start));
            one.days = Some(progress.periods as f64 / domain::PERIODS_PER_DAY as f64);
            one.datapoints = Some(progress.datapoints);
        }
        Sight::Unjudged { reason, periods, .. } => {
            (one.sight, one.reason) = ("not_judged", Some(reason.as_str()));
            (one.periods_judged, one.periods_with_requests) = (Some(0), Some(periods.with_requests));
        }
        Sight::NotStreaming => one.sight = "not_streaming",
        Sight::Idle { .. } => one.sight = "idle",
    }
    one
}

fn start(period: Period) -> String {
    period.start().to_string()
}
