//! Whole days against the same days a week before: what a creep is made of.

use domain::{PERIODS_PER_DAY, Period, Span};

use super::truth::periods;
use crate::fleet::{EventKind, Model, percentile};

/// Growth over the same day a week before that nobody can call nothing.
const GROWTH: f64 = 0.20;
/// So many such days,
const DAYS: usize = 3;
/// among so many in a row.
const WITHIN: usize = 5;

/// The end of the day that makes a creep plain, if one does: the medians of all requests of a day are measured, not
/// guessed.
pub(super) fn evident(model: &Model, kind: EventKind, span: Span) -> Option<Period> {
    // A day that the span covers by half is one of it.
    let half = PERIODS_PER_DAY / 2;
    let days = (span.from + half - 1).day()..=(span.until - half).day();
    let grown: Vec<(i64, bool)> = days
        .map(|day| {
            let growth =
                median(model, kind, day).zip(median(model, kind, day - 7)).map(|(now, then)| now / then);
            (day, growth.is_some_and(|growth| growth >= 1.0 + GROWTH))
        })
        .collect();
    (0..grown.len()).find_map(|last| {
        let window = &grown[(last + 1).saturating_sub(WITHIN)..=last];
        let enough = window.iter().filter(|(_, grown)| *grown).count() >= DAYS;
        enough.then(|| Period::first_of_day(grown[last].0 + 1))
    })
}

/// The median over a day: of the tokens of answers, or of the time to the first token.
fn median(model: &Model, kind: EventKind, day: i64) -> Option<f64> {
    let span = Span { from: Period::first_of_day(day), until: Period::first_of_day(day + 1) };
    let mut values = Vec::new();
    for traffic in periods(span).filter_map(|period| model.traffic(period)) {
        if kind == EventKind::LongerResponses {
            values.extend(traffic.requests.iter().map(|request| f64::from(request.output)));
        } else {
            let streamed = traffic.requests.iter().filter(|request| request.streamed);
            values.extend(streamed.map(|request| f64::from(request.ttft_ms)));
        }
    }
    percentile(&mut values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::{Event, Fleet, ModelSpec};
    use domain::Series;

    fn evident_day(kind: EventKind, magnitude: f64) -> Option<i64> {
        let series = Series::new("", "us-east-1", "m");
        let origin = Period::first_of_day(20_000);
        let from = origin + 10 * PERIODS_PER_DAY;
        let event =
            Event { series: series.clone(), kind, from, until: from + 6 * PERIODS_PER_DAY, magnitude };
        let span = event.span();
        let specs = vec![ModelSpec::steady(series, 20.0, 60.0)];
        let fleet = Fleet::new(1, origin, 20 * PERIODS_PER_DAY, specs, vec![event]);
        evident(&fleet.models()[0], kind, span).map(|period| period.day() - from.day())
    }

    #[test]
    fn longer_answers_are_plain_after_three_days() {
        assert_eq!(evident_day(EventKind::LongerResponses, 0.4), Some(3));
        assert_eq!(evident_day(EventKind::LongerResponses, 0.1), None);
    }

    #[test]
    fn growing_prompts_are_plain_when_three_days_have_grown_enough() {
        // 240 of the 580 ms are prefill. Over six days the days are at 1/12, 3/12, ... of the growth by 240 %: the
        // first token is up by 0.41 x 2.4 of that, 8 %, 25 %, 41 %, 58 %: the fourth day is the third above 20 %.
        assert_eq!(evident_day(EventKind::PromptGrowth, 2.4), Some(4));
    }
}
