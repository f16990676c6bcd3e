//! The charts of an incident: OTPS, which decides, and beside it what else a reader asks for.

use std::collections::BTreeMap;

use domain::{Estimator, Period, Verdict};

use super::figures::Figures;
use super::model::{Incident, Kind, Point, Told};
use crate::chart::{Chart, Flag, Line, Overlay, Side};
use crate::figures::{count, finite};
use crate::times::moment;

/// Pixels of the chart that decides.
const TALL: u32 = 210;
/// Pixels of each of those beside it.
const SMALL: u32 = 56;
/// A moment that is further to the left than this share of the width has its name on the right.
const ROOM_BEFORE: f64 = 0.3;
/// A moment that is further to the right than this share has its name on the left.
const ROOM_AFTER: f64 = 0.76;

/// The charts as SVG elements.
pub(super) struct Panels {
    pub(super) otps: String,
    /// Whether the p50 decided; if not, the token-weighted estimator did.
    pub(super) p50_decides: bool,
    /// Which lines there are.
    pub(super) has_p50: bool,
    pub(super) has_weighted: bool,
    pub(super) has_before: bool,
    pub(super) has_p95: bool,
    pub(super) small: Vec<Panel>,
}

/// One of those beside OTPS.
pub(super) struct Panel {
    pub(super) title: &'static str,
    /// Its lines, by their classes and names.
    pub(super) keys: &'static [(&'static str, &'static str)],
    pub(super) svg: String,
}

/// One optional value a period.
type Values = Vec<Option<f64>>;

/// Reads one figure of a period.
type Get = fn(&Point) -> Option<f64>;

/// The periods that are drawn, on one axis.
struct Axis<'a> {
    from: Period,
    periods: i64,
    points: BTreeMap<i64, &'a Point>,
}

impl<'a> Axis<'a> {
    fn over(points: &'a [Point]) -> Option<Self> {
        let from = points.iter().map(|point| point.period).min()?;
        let last = points.iter().map(|point| point.period).max()?;
        let points = points.iter().map(|point| (point.period - from, point)).collect();
        Some(Self { from, periods: last - from + 1, points })
    }

    fn values(&self, get: impl Fn(&Point) -> Option<f64>) -> Values {
        (0..self.periods).map(|at| self.points.get(&at).and_then(|point| finite(get(point)))).collect()
    }
}

impl Panels {
    /// The charts of `incident`, unless there is nothing to draw.
    pub(super) fn new(incident: &Incident, figures: &Figures) -> Option<Self> {
        let axis = Axis::over(&incident.points)?;
        let decides = incident.slots.last().map_or(Estimator::P50, |slot| slot.estimator);
        let (p50, weighted) =
            (axis.values(|point| point.otps_p50), axis.values(|point| point.otps_token_weighted));
        let before = axis.values(|point| point.threshold_before);
        let some = |values: &Values| values.iter().any(Option::is_some);
        let p50_decides = decides == Estimator::P50;
        Some(Self {
            p50_decides,
            has_p50: some(&p50),
            has_weighted: some(&weighted),
            has_before: some(&before),
            has_p95: some(&axis.values(|point| point.otps_p95)),
            otps: otps(incident, &axis, figures, p50_decides, [p50, weighted, before]),
            small: small(incident, &axis),
        })
    }
}

fn otps(
    incident: &Incident,
    axis: &Axis<'_>,
    figures: &Figures,
    p50_decides: bool,
    [p50, weighted, before]: [Values; 3],
) -> String {
    let breaching =
        |point: &Point| (point.verdict == Some(Verdict::Breaching)).then(|| point.value()).flatten();
    let marks = axis.values(breaching);
    let breaches = marks.iter().flatten().count();
    let decides = if p50_decides { &p50 } else { &weighted };
    let label = format!(
        "OTPS in tokens per second, {}; {breaches} of {} periods breaching",
        range(decides, |value| format!("{value:.1}")),
        axis.periods
    );
    let lines = [
        ("p95", axis.values(|point| point.otps_p95)),
        ("threshold before", before),
        ("threshold", axis.values(|point| point.threshold)),
        ("baseline", axis.values(|point| point.baseline)),
    ]
    .into_iter()
    // What decides is on top.
    .chain(match p50_decides {
        true => [("weighted beside", weighted), ("p50", p50)],
        false => [("p50 beside", p50), ("weighted", weighted)],
    })
    .filter(|(_, values)| values.iter().any(Option::is_some))
    .map(|(class, values)| Line { class, values })
    .collect();
    let overlay = Overlay {
        flags: flags(incident, axis),
        shaded: shaded(incident, axis),
        columns: figures.columns(axis.from),
    };
    Chart {
        label,
        from: axis.from,
        periods: axis.periods,
        height: TALL,
        unit: " tok/s",
        lines,
        zone: None,
        marks,
        overlay,
    }
    .svg()
}

/// When it began, was decided, and ended. A verdict falls when its period ends.
fn flags(incident: &Incident, axis: &Axis<'_>) -> Vec<Flag> {
    let onset = incident.onset.start();
    let is_lost = incident.difference.as_ref().is_some_and(|difference| difference.kind == Kind::Lost);
    let decided = match (is_lost, &incident.told) {
        (false, Told::Pages(_)) => "paged",
        (false, _) => "decided",
        (true, Told::Pages(_)) => "was paged",
        (true, _) => "was decided",
    };
    let mut flags = vec![
        ("slow since", incident.onset, onset, 0, Side::Before),
        (decided, incident.opened + 1, incident.opened.end(), 1, Side::After),
    ];
    if let Some(resolved) = incident.resolved {
        flags.push(("resolved", resolved + 1, resolved.end(), 2, Side::After));
    }
    flags
        .into_iter()
        .map(|(name, period, time, row, side)| (name, period - axis.from, time, row, side))
        .filter(|(_, at, ..)| (0..=axis.periods).contains(at))
        .map(|(name, at, time, row, side)| {
            let share = at as f64 / axis.periods as f64;
            let side = match side {
                Side::Before if share < ROOM_BEFORE => Side::After,
                Side::After if share > ROOM_AFTER => Side::Before,
                fits => fits,
            };
            Flag { at, text: format!("{name} {}", moment(time, onset)), row, side }
        })
        .collect()
}

/// The slow periods.
fn shaded(incident: &Incident, axis: &Axis<'_>) -> Option<(i64, i64)> {
    let within = |period: Period| (period - axis.from).clamp(0, axis.periods);
    let (from, until) = (within(incident.onset), incident.recovered.map_or(axis.periods, within));
    (from < until).then_some((from, until))
}

/// The lines of a panel that has both.
const BOTH: &[(&str, &str)] = &[("p50", "p50"), ("p95", "p95")];

fn small(incident: &Incident, axis: &Axis<'_>) -> Vec<Panel> {
    let seconds = |value: f64| format!("{value:.2} s");
    let panel = |title, keys, unit, show: fn(f64) -> String, gets: &[(&'static str, Get)], scale: f64| {
        let lines: Vec<Line> = gets
            .iter()
            .map(|(class, get)| Line {
                class,
                values: axis.values(|point| get(point).map(|value| value / scale)),
            })
            .collect();
        let said = lines.last().map_or_else(String::new, |line| range(&line.values, show));
        let shaded = shaded(incident, axis);
        let chart = Chart {
            label: format!("{title}, {said}"),
            from: axis.from,
            periods: axis.periods,
            height: SMALL,
            unit,
            lines,
            zone: None,
            marks: Vec::new(),
            overlay: Overlay { shaded, ..Overlay::default() },
        };
        Panel { title, keys, svg: chart.svg() }
    };
    vec![
        panel(
            "Time to first token",
            BOTH,
            " s",
            seconds,
            &[("p95", |point| point.ttft_p95_ms), ("p50", |point| point.ttft_p50_ms)],
            1_000.0,
        ),
        panel(
            "Invocation latency",
            BOTH,
            " s",
            seconds,
            &[("p95", |point| point.latency_p95_ms), ("p50", |point| point.latency_p50_ms)],
            1_000.0,
        ),
        panel(
            "Output tokens",
            BOTH,
            "",
            count,
            &[("p95", |point| point.output_tokens_p95), ("p50", |point| point.output_tokens_p50)],
            1.0,
        ),
        panel("Requests", &[("count", "a period")], "", count, &[("count", |point| point.requests)], 1.0),
    ]
}

/// `38.0 to 63.1`, or that there is nothing.
fn range(values: &[Option<f64>], show: fn(f64) -> String) -> String {
    let known = || values.iter().flatten().copied();
    match known().reduce(f64::min).zip(known().reduce(f64::max)) {
        Some((lowest, highest)) => format!("{} to {}", show(lowest), show(highest)),
        None => "nothing".to_owned(),
    }
}
