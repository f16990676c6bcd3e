//! Invented backtests.

use domain::{
    Cause, Estimator, Key, MissingReason, Otps, PERIODS_PER_DAY, Period, Rule, Series, Slot, Span, Verdict,
};
use web::report::{
    Against, Change, Compared, Coverage, Difference, Figure, Headline, Incident, Kind, Made, Message,
    NearMiss, Point, Report, SeriesLine, Ticket, Told, Tone, shown,
};

use crate::sample::{ACCOUNT, cents, wobble};

const SONNET: &str = "us.example.sonnet-large-v1:0";
const HAIKU: &str = "us.example.haiku-small-v1:0";
const ODE: &str = "eu.example.ode-medium-v2:0";

/// `01T00:00` of November 2026.
fn november(day_and_time: &str) -> Period {
    Period::containing(format!("2026-11-{day_and_time}:00Z").parse().unwrap())
}

fn history() -> Span {
    Span { from: november("01T00:00"), until: november("30T00:00") + PERIODS_PER_DAY }
}

/// One slow stretch.
struct Slump<'a> {
    region: &'a str,
    model: &'a str,
    level: f64,
    requests: f64,
    estimator: Estimator,
    page_below: f64,
    /// How much slower.
    share: f64,
    onset: Period,
    /// Periods.
    lasted: i64,
}

impl Slump<'_> {
    fn series(&self) -> Series {
        Series::new(ACCOUNT, self.region, self.model)
    }

    fn point(&self, period: Period) -> Point {
        let seed = period.index() * 31 + self.model.len() as i64;
        let hour = period.hour_of_day() as f64;
        let baseline = cents(self.level * (1.0 + 0.06 * ((hour - 4.0) / 24.0 * std::f64::consts::TAU).cos()));
        let is_slow = (0..self.lasted).contains(&(period - self.onset));
        let share = if is_slow { self.share } else { 1.0 };
        let value = cents(baseline * share * (1.0 + 0.03 * wobble(seed)));
        let other = cents(value * (1.02 + 0.05 * wobble(seed + 5)));
        let (p50, weighted) = match self.estimator {
            Estimator::P50 => (value, other),
            Estimator::TokenWeighted => (other, value),
        };
        let threshold = cents(baseline * self.page_below);
        let (ttft, tokens) =
            (cents(880.0 + 60.0 * wobble(seed + 3)), (405.0 + 15.0 * wobble(seed + 7)).round());
        let tail = 2.3 + 0.3 * wobble(seed + 11);
        Point {
            period,
            verdict: Some(if value < threshold { Verdict::Breaching } else { Verdict::Within }),
            estimator: self.estimator,
            otps_p50: Some(p50),
            otps_token_weighted: Some(weighted),
            otps_p95: Some(cents(value * 0.9)),
            baseline: Some(baseline),
            threshold: Some(threshold),
            threshold_before: None,
            ttft_p50_ms: Some(ttft),
            ttft_p95_ms: Some(cents(ttft * tail)),
            latency_p50_ms: Some(cents(ttft + tokens / p50 * 1_000.0)),
            latency_p95_ms: Some(cents((ttft + tokens / p50 * 1_000.0) * tail)),
            output_tokens_p50: Some(tokens),
            output_tokens_p95: Some((tokens * tail).round()),
            requests: Some((self.requests * (1.0 + 0.1 * wobble(seed + 13))).round()),
        }
    }

    fn slot(&self, period: Period) -> Slot {
        let point = self.point(period);
        Slot {
            period,
            verdict: point.verdict.unwrap(),
            estimator: point.estimator,
            otps: Some(Otps { p50: point.otps_p50, token_weighted: point.otps_token_weighted }),
            baseline: point.baseline,
            noise: Some(0.041),
            samples: point.requests.unwrap(),
            window: 1,
        }
    }

    /// Decided by its third period, back when it ended, resolved by the third period after it.
    fn incident(&self, to: &[&str]) -> Incident {
        let (opened, recovered) = (self.onset + 2, self.onset + self.lasted);
        let resolved = Some(recovered + 2);
        let span = shown(self.onset, resolved, history());
        let points: Vec<Point> = (0..span.until - span.from).map(|at| self.point(span.from + at)).collect();
        let worst = points.iter().filter_map(Point::ratio).reduce(f64::min);
        let summary =
            format!("{} {} decodes {:.0} % slower", self.region, self.model, (1.0 - self.share) * 100.0);
        let text = format!("{summary}\n\nThe model host makes output tokens more slowly.");
        Incident {
            series: self.series(),
            key: Key::of_incident(&self.series(), opened),
            onset: self.onset,
            opened,
            recovered: Some(recovered),
            resolved,
            ended: Some(format!("{} {} is back", self.region, self.model)),
            worst,
            rule: Rule { page_below: self.page_below, ..Rule::default() },
            slots: (0..5).map(|at| self.slot(opened - 4 + at)).collect(),
            points,
            told: Told::Pages(vec![Message { to: to.iter().map(|&name| name.to_owned()).collect(), text }]),
            difference: None,
            summary,
        }
    }
}

/// The slow hour of every sample.
fn slow_hour() -> Slump<'static> {
    Slump {
        region: "us-east-1",
        model: SONNET,
        level: 61.0,
        requests: 590.0,
        estimator: Estimator::P50,
        page_below: 0.80,
        share: 0.64,
        onset: november("12T14:05"),
        lasted: 13,
    }
}

/// Less slow, and told by the token-weighted estimator.
fn slow_haiku() -> Slump<'static> {
    Slump {
        region: "us-west-2",
        model: HAIKU,
        level: 117.0,
        requests: 31.0,
        estimator: Estimator::TokenWeighted,
        page_below: 0.80,
        share: 0.73,
        onset: november("24T03:00"),
        lasted: 38,
    }
}

fn line(model: &str, region: &str, judged_from: Option<&str>, judged: u64, note: Option<&str>) -> SeriesLine {
    SeriesLine {
        series: Series::new(ACCOUNT, region, model),
        judged_from: judged_from.map(november),
        coverage: Coverage { with_requests: judged_from.map_or(0, |_| 7_776), judged },
        note: note.map(ToOwned::to_owned),
    }
}

/// Two pages, a ticket, what came close, and a series that could not be judged.
pub(crate) fn november_alone() -> Report {
    let ticket = Series::new(ACCOUNT, "eu-west-1", ODE);
    let (opened, summary) = (november("18T00:00"), "First token +41 %: prompts grew +53 %, OTPS steady");
    Report {
        made: Made {
            version: "0.9.2".to_owned(),
            command: "otpsd backtest --config config --format html fleet-2026-11-30.csv.gz".to_owned(),
            configuration: "config".to_owned(),
            history: vec!["fleet-2026-11-30.csv.gz".to_owned()],
        },
        history: history(),
        headline: Headline { tone: Tone::Quiet, text: "2 pages and 1 ticket in 30 days".to_owned() },
        tally: vec![
            Figure { what: "pages", value: "2".to_owned() },
            Figure { what: "tickets", value: "1".to_owned() },
            Figure { what: "series judged", value: "3 of 4".to_owned() },
            Figure { what: "periods judged", value: "98.8 %".to_owned() },
            Figure { what: "onset to decision, median", value: "15 min".to_owned() },
            Figure { what: "at worst", value: "15 min".to_owned() },
        ],
        notes: vec!["3 of them could be judged, from 2026-11-04 00:00 to 2026-11-09 06:00 on.".to_owned()],
        incidents: vec![
            slow_hour().incident(&["pagerduty.llm-oncall", "sns.pages"]),
            slow_haiku().incident(&["pagerduty.llm-oncall"]),
        ],
        tickets: vec![Ticket {
            key: Key::of_ticket(&ticket, Cause::PromptGrowth, opened),
            series: ticket,
            cause: Cause::PromptGrowth,
            opened,
            closed: Some(november("23T00:00")),
            summary: summary.to_owned(),
            message: Message {
                to: vec!["jira.llm".to_owned()],
                text: format!("{summary}\n\nPrompts grew, and with them the wait for the first token."),
            },
            difference: None,
        }],
        near: vec![NearMiss {
            series: Series::new(ACCOUNT, "eu-west-1", ODE),
            period: november("21T09:40"),
            breaching: 2,
            of: 5,
            needed: 3,
            ratio: Some(0.764),
            why: "1 period short".to_owned(),
        }],
        near_more: 0,
        series: vec![
            line(ODE, "eu-west-1", Some("04T00:00"), 7_519, None),
            line(SONNET, "us-east-1", Some("04T00:00"), 7_776, None),
            line("us.example.embed-v1:0", "us-east-1", None, 0, Some("nothing of it streams")),
            line(HAIKU, "us-west-2", Some("09T06:00"), 7_776, None),
        ],
        against: None,
    }
}

/// The same with another configuration: a page lost, one moved.
pub(crate) fn november_compared() -> Report {
    let lost = Slump { region: "us-east-1", model: HAIKU, share: 0.74, ..slow_haiku() };
    let lost = Slump { onset: november("12T14:05"), lasted: 11, ..lost };
    let mut lost = lost.incident(&["pagerduty.llm-oncall"]);
    for point in &mut lost.points {
        point.threshold_before = point.threshold;
        point.threshold = point.baseline.map(|baseline| cents(baseline * 0.70));
    }
    let difference = |kind, why: &[&str]| {
        Some(Difference { kind, why: why.iter().map(|&line| line.to_owned()).collect() })
    };
    lost.difference = difference(
        Kind::Lost,
        &[
            "its lowest period, 0.72, is not below the new line 0.70",
            "by `page-below` 0.80 -> 0.70 at `config/batch.toml:4` (was default): nothing else is otherwise there",
        ],
    );
    let mut moved = slow_haiku().incident(&["pagerduty.llm-oncall"]);
    moved.difference = difference(Kind::Moved, &["decided 15 min later"]);
    let alone = november_alone();
    Report {
        headline: Headline { tone: Tone::Alarm, text: "1 page lost, 0 gained, 1 moved".to_owned() },
        incidents: vec![lost, slow_hour().incident(&["pagerduty.llm-oncall"]), moved],
        against: Some(Against {
            configuration: "main:config".to_owned(),
            changes: vec![Change {
                text: "`page-below` 0.80 -> 0.70 for 9 series".to_owned(),
                at: Some("config/batch.toml:4".to_owned()),
                was: Some("config/otpsd.toml:10".to_owned()),
            }],
            compared: vec![Compared {
                what: "pages in 30 days".to_owned(),
                before: "3".to_owned(),
                after: "2".to_owned(),
                note: "1 lost, 1 moved, 1 same".to_owned(),
            }],
        }),
        ..alone
    }
}

/// Everything from outside is markup.
pub(crate) fn hostile(markup: &str) -> Report {
    let text = || markup.to_owned();
    let series = || Series::new(markup, markup, markup);
    let difference = || Some(Difference { kind: Kind::Lost, why: vec![text(), text()] });
    let message = || Message { to: vec![text()], text: text() };
    let mut report = november_compared();
    report.made = Made { version: text(), command: text(), configuration: text(), history: vec![text()] };
    report.notes = vec![text()];
    report.headline.text = text();
    for figure in &mut report.tally {
        figure.value = text();
    }
    for incident in &mut report.incidents {
        (incident.series, incident.key) = (series(), Key::from_text(text()));
        (incident.summary, incident.ended, incident.difference) = (text(), Some(text()), difference());
    }
    let told =
        [Told::Pages(vec![message()]), Told::With(Key::from_text(text())), Told::Nobody(text(), message())];
    for (incident, told) in report.incidents.iter_mut().zip(told) {
        incident.told = told;
    }
    for ticket in &mut report.tickets {
        (ticket.series, ticket.key, ticket.summary) = (series(), Key::from_text(text()), text());
        (ticket.message, ticket.difference) = (message(), difference());
    }
    for near in &mut report.near {
        (near.series, near.why) = (series(), text());
    }
    for line in &mut report.series {
        (line.series, line.note) = (series(), Some(text()));
    }
    let change = Change { text: text(), at: Some(text()), was: Some(text()) };
    let compared = Compared { what: text(), before: text(), after: text(), note: text() };
    report.against = Some(Against { configuration: text(), changes: vec![change], compared: vec![compared] });
    report
}

/// So many incidents, one after the other.
pub(crate) fn many(count: usize) -> Report {
    let hour = |at: usize| Slump { onset: november("05T00:00") + at as i64 * 7, ..slow_hour() };
    let incidents: Vec<Incident> = (0..count).map(|at| hour(at).incident(&["sns.pages"])).collect();
    Report { incidents, ..november_alone() }
}

/// What has no figures at all: a floor decided while nothing was learned, and nothing was read beside it.
pub(crate) fn bare() -> Report {
    let mut report = november_alone();
    for incident in &mut report.incidents {
        incident.worst = None;
        (incident.recovered, incident.resolved, incident.ended) = (None, None, None);
        for slot in &mut incident.slots {
            (slot.baseline, slot.noise, slot.otps) = (None, None, None);
            slot.verdict = Verdict::Missing(MissingReason::NoData);
        }
        for point in &mut incident.points {
            let Point { period, estimator, .. } = *point;
            *point = Point { otps_p50: Some(f64::NAN), ..empty(period, estimator) };
        }
    }
    report.incidents[1].points.clear();
    report
}

fn empty(period: Period, estimator: Estimator) -> Point {
    Point {
        period,
        verdict: None,
        estimator,
        otps_p50: None,
        otps_token_weighted: None,
        otps_p95: None,
        baseline: None,
        threshold: None,
        threshold_before: None,
        ttft_p50_ms: None,
        ttft_p95_ms: None,
        latency_p50_ms: None,
        latency_p95_ms: None,
        output_tokens_p50: None,
        output_tokens_p95: None,
        requests: None,
    }
}
