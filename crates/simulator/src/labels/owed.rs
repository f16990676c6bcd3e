//! What is owed for each event.

use domain::{Cause, PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Span};

use super::truth::{Truth, periods};
use super::{Expect, Label, NATURAL_DRIFT, days};
use crate::fleet::{Event, EventKind, Model};

/// Requests that must have been seen before anybody can be expected to know,
const EVIDENCE: usize = 60;
/// or more, until their mean lies this many standard deviations from what it usually is: 4.5 so that chance does not
/// page in years, and 1.5 so that it is hardly ever missed.
const CLEAR: f64 = 6.0;
/// Requests in five periods without which a rule over five periods cannot be held to anything: as many as CloudWatch
/// asks of a p50 before it calls its samples enough (10 / (1 - 0.5)).
const IN_FIVE: f64 = 20.0;
/// Periods that must follow the evidence: 3 of 5, and one to spare.
const AFTERWARDS: usize = 4;
/// A period is plainly slow below this share of its norm, some way under the line at 0.80,
const PLAIN: f64 = 0.77;
/// and an event is, when this share of its periods is.
const MOSTLY: f64 = 0.6;
/// Without an event, a page for a period below this share of its norm is no false page, and none is owed.
const LOW: f64 = 0.86;
/// An erosion that leaves less than this share can be known.
const ERODED: f64 = 0.82;
/// Hours that a silence must take away before it is more than a pause, and of which a third makes it evident.
const SILENT_HOURS: i64 = 18;
/// Requests in an hour whose absence can be noticed.
const NOTICEABLE: f64 = 5.0;
/// Hours with requests that a change of the streaming share must last.
const STREAMING_HOURS: usize = 30;

/// The labels of one model, in order of time.
pub(super) fn labels(model: &Model, span: Span, learn_days: i64) -> Vec<Label> {
    let first = span.from + learn_days * PERIODS_PER_DAY;
    let truth = Truth::of(model, span, first);
    let events = || model.events.iter().filter(|event| event.until > first && event.from < span.until);
    let mut labels: Vec<Label> = events()
        .map(|event| {
            let inside = Span { from: event.from, until: event.until.min(span.until) };
            let (expect, evident) = owed(model, &truth, event, inside);
            // What shows only after the end is owed by nobody.
            let expect = if evident > span.until { Expect::Either } else { expect };
            Label {
                series: event.series.clone(),
                kind: event.kind.as_str(),
                span: inside,
                evident,
                expect,
                magnitude: event.magnitude,
            }
        })
        .collect();
    labels.extend(drifts(model, &truth, Span { from: first, until: span.until }));
    labels.sort_by_key(|label| (label.span.from, label.kind));
    labels
}

/// What is owed for an event, and from when it could be known.
fn owed(model: &Model, truth: &Truth, event: &Event, span: Span) -> (Expect, Period) {
    let ticket = |cause, evident: Option<Period>| match evident {
        Some(evident) => (Expect::Ticket(cause), evident),
        None => (Expect::Either, span.from),
    };
    match event.kind {
        EventKind::LevelShift if event.magnitude < 0.0 => (Expect::Nothing, span.from),
        EventKind::Slowdown
        | EventKind::LongSlowdown
        | EventKind::LevelShift
        | EventKind::MostRequestsSlow => {
            page(model, truth, span).map_or((Expect::Either, span.from), |evident| (Expect::Page, evident))
        }
        EventKind::PromptGrowth => ticket(Cause::PromptGrowth, days::evident(model, event.kind, span)),
        EventKind::Queueing => ticket(Cause::Queueing, days::evident(model, event.kind, span)),
        EventKind::CacheRegression => ticket(Cause::CacheRegression, days::evident(model, event.kind, span)),
        EventKind::LongerResponses => ticket(Cause::LongerResponses, days::evident(model, event.kind, span)),
        EventKind::Erosion => {
            let mut low = periods(span).filter(|period| model.speed_by_event(event, *period) < ERODED);
            ticket(Cause::DecodeErosion, low.next())
        }
        EventKind::StreamingShift => ticket(Cause::StreamingMix, streaming(model, span)),
        EventKind::WentSilent => ticket(Cause::NoData, silence(model, span)),
        EventKind::SlowMinority => (Expect::Tail, span.from),
        EventKind::Grey => (Expect::Either, span.from),
        EventKind::Dip => {
            let around = Span { from: span.from - 4, until: span.until + 4 };
            let low = periods(around).any(|period| truth.alone(period) < LOW);
            (if low { Expect::Either } else { Expect::Nothing }, span.from)
        }
        EventKind::ChattySpell
        | EventKind::BigPromptsSpell
        | EventKind::MixShift
        | EventKind::TrafficTrough
        | EventKind::NonstreamingBurst
        | EventKind::Gap
        | EventKind::LoadSurge => (Expect::Nothing, span.from),
    }
}

/// The period after which a slowdown could be known, if it is plain and goes on for long enough after that.
fn page(model: &Model, truth: &Truth, span: Span) -> Option<Period> {
    let evidence = evidence(model, span.from, truth.whole(span.from).min(PLAIN))?;
    let mut seen = 0;
    let mut evident = None;
    let (mut all, mut afterwards, mut plain) = (0, 0, 0);
    for period in periods(span) {
        plain += usize::from(truth.whole(period) < PLAIN);
        let count = model.count(period);
        all += count;
        if evident.is_some() {
            afterwards += usize::from(count > 0);
        } else {
            seen += count;
            evident = (seen >= evidence).then_some(period);
        }
    }
    let length = (span.until - span.from) as f64;
    let mostly = plain as f64 >= MOSTLY * length;
    let busy = all as f64 * 5.0 / length >= IN_FIVE;
    evident.filter(|_| mostly && busy && afterwards >= AFTERWARDS)
}

/// How many requests show that the speed fell to `factor`. One request tells as much as its speed varies little, and
/// counts as its tokens do: of answers of unequal length, the long ones decide.
fn evidence(model: &Model, period: Period, factor: f64) -> Option<usize> {
    let shares = model.conditions(period)?.shares;
    let classes = || model.spec.classes.iter().zip(&shares).map(|(class, share)| (share, class.output));
    let mean: f64 = classes().map(|(share, output)| share * output.mean()).sum();
    let square: f64 =
        classes().map(|(share, output)| share * output.mean().powi(2) * output.sigma.powi(2).exp()).sum();
    let inequality = square / (mean * mean);
    let needed = (CLEAR * model.spec.decode.spread / factor.ln()).powi(2) * inequality;
    Some(EVIDENCE.max(needed.ceil() as usize))
}

/// When a changed share of streaming requests could be known, if there were requests for long enough.
fn streaming(model: &Model, span: Span) -> Option<Period> {
    let hours: std::collections::BTreeSet<i64> = periods(span)
        .filter(|period| model.count(*period) > 0)
        .map(|period| period.index() / PERIODS_PER_HOUR)
        .collect();
    let mut seen = 0;
    let evident = periods(span).find(|period| {
        seen += model.count(*period);
        seen >= EVIDENCE
    });
    evident.filter(|_| hours.len() >= STREAMING_HOURS)
}

/// When a silence could be known, if enough hours of it would have had requests.
fn silence(model: &Model, span: Span) -> Option<Period> {
    let hourly = model.spec.rhythm.requests * PERIODS_PER_HOUR as f64;
    let mut missed = periods(span)
        .filter(|period| model.usual_load(*period).is_some_and(|load| load * hourly >= NOTICEABLE));
    let evident = missed.nth((SILENT_HOURS * PERIODS_PER_HOUR / 3 - 1) as usize)?;
    let rest = SILENT_HOURS * PERIODS_PER_HOUR * 2 / 3;
    (missed.count() as i64 >= rest).then_some(evident)
}

/// Spells in which the speed went under the line by itself.
fn drifts(model: &Model, truth: &Truth, span: Span) -> Vec<Label> {
    let planned = |period| {
        model.events.iter().any(|event| {
            let slower = matches!(
                event.kind,
                EventKind::Slowdown
                    | EventKind::LongSlowdown
                    | EventKind::LevelShift
                    | EventKind::MostRequestsSlow
                    | EventKind::Dip
                    | EventKind::Grey
            );
            slower && event.span().contains(period)
        })
    };
    let low: Vec<Period> =
        periods(span).filter(|period| truth.alone(*period) < LOW && !planned(*period)).collect();
    low.chunk_by(|a, b| *a + 1 == *b)
        .map(|spell| {
            let deepest = spell.iter().map(|period| truth.alone(*period)).fold(1.0, f64::min);
            let (from, until) = (spell[0], spell[spell.len() - 1] + 1);
            Label {
                series: model.spec.series.clone(),
                kind: NATURAL_DRIFT,
                span: Span { from, until },
                evident: from,
                expect: Expect::Either,
                magnitude: 1.0 - deepest,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::{Fleet, ModelSpec, RequestClass, Tokens};
    use domain::Series;

    fn requests(spread: f64, outputs: &[Tokens]) -> usize {
        let mut spec = ModelSpec::steady(Series::new("", "us-east-1", "m"), 50.0, 60.0);
        spec.decode.spread = spread;
        let class = spec.classes[0];
        spec.classes = outputs.iter().map(|output| RequestClass { output: *output, ..class }).collect();
        let from = Period::first_of_day(20_000);
        let fleet = Fleet::new(1, from, 1, vec![spec], Vec::new());
        evidence(&fleet.models()[0], from, 0.65).unwrap()
    }

    #[test]
    fn evidence_goes_with_the_spread_of_speeds_and_of_lengths() {
        let even = Tokens { median: 300.0, sigma: 0.0 };
        // ln 0.65 is -0.4308: (6 x 0.1 / 0.4308)^2 is 1.94, and 60 are the least.
        assert_eq!(requests(0.1, &[even]), 60);
        // (6 x 0.6 / 0.4308)^2 is 69.8.
        assert_eq!(requests(0.6, &[even]), 70);
        // A sigma of 1 makes the mean square e = 2.718 times the square of the mean: 189.8.
        assert_eq!(requests(0.6, &[Tokens { median: 300.0, sigma: 1.0 }]), 190);
        // Answers of 100 and 300: (1 + 9) / 2 over 2 squared is 1.25: 87.3.
        assert_eq!(requests(0.6, &[Tokens { median: 100.0, sigma: 0.0 }, even]), 88);
    }
}
