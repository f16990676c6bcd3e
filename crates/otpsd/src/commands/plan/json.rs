//! For scripts: one object, as `docs/reference/plan.md` describes it.

use config::Effective;
use domain::Series;
use poller::Cost;
use serde::Serialize;

use super::Planned;
use super::changes::{Change, Changes};
use super::cost::{PlaceBill, Total, by_source};
use super::picture::Picture;
use super::telling::Told;

#[derive(Debug, Serialize)]
struct Document<'p> {
    config: &'p str,
    against: Option<&'p str>,
    commit: Option<&'p str>,
    recordings: &'p [String],
    live: bool,
    unanswered: Vec<Unanswered<'p>>,
    series: Vec<One<'p>>,
    not_watched: Vec<Unwatched>,
    rules: Vec<Rule<'p>>,
    source_tickets: Vec<SourceTickets<'p>>,
    warnings: Vec<Warning<'p>>,
    cost: Bill<'p>,
    changes: Option<Difference<'p>>,
}

#[derive(Debug, Serialize)]
struct One<'p> {
    series: String,
    account: &'p str,
    region: &'p str,
    model: &'p str,
    source: Option<&'p str>,
    /// Its place in `rules`.
    rule: usize,
    page: Vec<Step<'p>>,
    ticket: Vec<Step<'p>>,
}

#[derive(Debug, Serialize)]
struct Step<'p> {
    route: &'p str,
    channels: &'p [String],
    hours: Option<&'p str>,
    causes: &'p [String],
}

#[derive(Debug, Serialize)]
struct Unanswered<'p> {
    source: &'p str,
    region: &'p str,
    failure: &'p str,
    message: &'p str,
}

#[derive(Debug, Serialize)]
struct Unwatched {
    series: String,
    reason: &'static str,
    words: String,
}

#[derive(Debug, Serialize)]
struct Rule<'p> {
    series: usize,
    keys: Vec<Key<'p>>,
    labels: Vec<Key<'p>>,
}

#[derive(Debug, Serialize)]
struct Key<'p> {
    key: &'p str,
    value: &'p str,
    /// `null` for a default.
    origin: Option<String>,
    r#override: Option<&'p str>,
    /// Why it is not the value that was written.
    fitted: Option<String>,
}

#[derive(Debug, Serialize)]
struct SourceTickets<'p> {
    sources: &'p [String],
    ticket: Vec<Step<'p>>,
}

#[derive(Debug, Serialize)]
struct Warning<'p> {
    kind: &'p str,
    words: &'p str,
    series: Vec<String>,
    places: &'p [String],
}

#[derive(Debug, Serialize)]
struct Bill<'p> {
    usd_per_metric: f64,
    days: u64,
    polls: u64,
    hours: u64,
    places: Vec<Place<'p>>,
    sources: Vec<OfSource<'p>>,
    total: Sum,
}

#[derive(Debug, Serialize)]
struct OfSource<'p> {
    source: &'p str,
    #[serde(flatten)]
    sum: Sum,
}

#[derive(Debug, Serialize)]
struct Place<'p> {
    source: &'p str,
    region: &'p str,
    series: usize,
    poll: Count,
    hour: Count,
    month: Count,
    list_metrics_calls: u64,
    backfill: Count,
}

#[derive(Debug, Serialize)]
struct Sum {
    series: usize,
    month: Count,
    list_metrics_calls: u64,
    backfill: Count,
}

#[derive(Debug, Serialize)]
struct Count {
    calls: u64,
    billed_metrics: u64,
    usd: f64,
}

#[derive(Debug, Serialize)]
struct Difference<'p> {
    added: Vec<String>,
    removed: Vec<String>,
    usd_a_month: f64,
    before: Sum,
    list: Vec<Entry<'p>>,
}

#[derive(Debug, Serialize)]
struct Entry<'p> {
    kind: &'p str,
    what: &'p str,
    before: Option<&'p str>,
    after: Option<&'p str>,
    words: &'p str,
    places: &'p [String],
    former_places: &'p [String],
    series: Vec<String>,
}

/// The object, with a line for each of its parts that people may want to look at.
pub(super) fn json(planned: &Planned<'_>) -> serde_json::Result<String> {
    let new = planned.new;
    let document = Document {
        config: &planned.config,
        against: planned.former.map(|former| former.name.as_str()),
        commit: planned.former.and_then(|former| former.commit.as_deref()),
        recordings: &planned.fleet.recordings,
        live: planned.fleet.is_live,
        unanswered: planned.fleet.unanswered.iter().map(unanswered).collect(),
        series: series(new),
        not_watched: new
            .watching
            .unwatched
            .iter()
            .map(|(seen, why)| Unwatched {
                series: seen.series.to_string(),
                reason: why.name(),
                words: why.words(),
            })
            .collect(),
        rules: new
            .alike
            .iter()
            .map(|group| Rule {
                series: group.series.len(),
                keys: group.judged.rule.iter().map(key).collect(),
                labels: group.judged.labels.iter().map(key).collect(),
            })
            .collect(),
        source_tickets: new
            .sources
            .iter()
            .map(|(told, sources)| SourceTickets { sources, ticket: steps(told) })
            .collect(),
        warnings: new
            .warnings
            .iter()
            .map(|one| Warning {
                kind: one.kind,
                words: &one.words,
                series: names(&one.series),
                places: &one.places,
            })
            .collect(),
        cost: Bill {
            usd_per_metric: Cost::USD_PER_METRIC,
            days: super::cost::DAYS,
            polls: super::cost::POLLS,
            hours: super::cost::HOURS,
            places: new.bills.iter().map(place).collect(),
            sources: by_source(&new.bills)
                .into_iter()
                .map(|(source, total)| OfSource { source, sum: sum(total) })
                .collect(),
            total: sum(new.total()),
        },
        changes: planned.changes.as_ref().map(difference),
    };
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

fn unanswered(one: &super::fleet::Unanswered) -> Unanswered<'_> {
    Unanswered { source: &one.source, region: &one.region, failure: one.failure, message: &one.message }
}

fn series<'p>(picture: &'p Picture<'p>) -> Vec<One<'p>> {
    let told = |groups: &'p [(Told, Vec<Series>)], series: &Series| {
        let group = groups.iter().find(|(_, all)| all.binary_search(series).is_ok());
        group.map(|(told, _)| steps(told)).unwrap_or_default()
    };
    let one = |series: &'p Series| One {
        series: series.to_string(),
        account: series.account(),
        region: series.region(),
        model: series.model(),
        source: picture.source(series),
        rule: picture.alike.iter().position(|all| all.series.binary_search(series).is_ok()).unwrap_or(0),
        page: told(&picture.pages, series),
        ticket: told(&picture.tickets, series),
    };
    picture.series().map(one).collect()
}

fn steps(told: &Told) -> Vec<Step<'_>> {
    let Told::By(steps) = told else { return Vec::new() };
    steps
        .iter()
        .map(|step| Step {
            route: &step.origin,
            channels: &step.channels,
            hours: step.hours.as_deref(),
            causes: &step.causes,
        })
        .collect()
}

fn key(one: &Effective) -> Key<'_> {
    Key {
        key: &one.key,
        value: &one.value,
        origin: one.origin.as_ref().map(ToString::to_string),
        r#override: one.by.as_deref(),
        fitted: one.clamp.as_ref().map(ToString::to_string),
    }
}

fn place(bill: &PlaceBill) -> Place<'_> {
    Place {
        source: &bill.source,
        region: &bill.region,
        series: bill.series,
        poll: count(bill.poll),
        hour: count(bill.hour),
        month: count(bill.month()),
        list_metrics_calls: bill.listings(),
        backfill: count(bill.backfill),
    }
}

fn sum(total: Total) -> Sum {
    Sum {
        series: total.series,
        month: count(total.month),
        list_metrics_calls: total.listings,
        backfill: count(total.backfill),
    }
}

fn count(cost: Cost) -> Count {
    Count { calls: cost.calls, billed_metrics: cost.billed_metrics, usd: rounded(cost.usd()) }
}

/// To a hundred-thousandth of a dollar, which is the price of one metric.
fn rounded(usd: f64) -> f64 {
    (usd * 100_000.0).round() / 100_000.0
}

fn difference(changes: &Changes) -> Difference<'_> {
    Difference {
        added: names(&changes.added),
        removed: names(&changes.removed),
        usd_a_month: rounded(changes.usd()),
        before: sum(changes.before),
        list: changes.all.iter().map(entry).collect(),
    }
}

fn entry(change: &Change) -> Entry<'_> {
    Entry {
        kind: change.kind,
        what: &change.what,
        before: change.before.as_deref(),
        after: change.after.as_deref(),
        words: &change.words,
        places: &change.places,
        former_places: &change.former_places,
        series: names(&change.series),
    }
}

fn names(series: &[Series]) -> Vec<String> {
    series.iter().map(ToString::to_string).collect()
}
