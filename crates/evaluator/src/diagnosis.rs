//! The sixth step: which term of latency moved, and what did not.

use baseline::median;
use domain::{
    Check, Datapoint, Evidence, Finding, PERIODS_PER_DAY, Period, Rule, Slot, Subject, Terms, Verdict,
};

use crate::datapoint::{Sums, datapoint};
use crate::history::{History, Point};
use crate::learned::Learned;

/// A figure that moved by less than this share of what is usual is ruled out as a reason.
const MOVED: f64 = 0.15;
/// A share (of streaming, throttled or failed requests) that moved by less than this is ruled out.
const SHARE_MOVED: f64 = 0.05;

/// The evidence of a drop: the terms of latency in the breaching slots against what is usual at these hours.
pub(crate) fn evidence(
    history: &History,
    learned: Option<&Learned>,
    rule: &Rule,
    slots: &[Slot],
) -> Evidence {
    let breaching: Vec<Period> =
        slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).map(|slot| slot.period).collect();
    let newest = breaching.last().copied().unwrap_or(Period::from_index(0));
    let now = terms(breaching.iter().filter_map(|&period| history.get(period)));
    let mut usual = terms(same_hours(history, newest));
    if let Some(learned) = learned {
        // Where there is a baseline it is what the figures are compared with.
        let expected = |baseline: &Option<baseline::Baseline>| baseline.as_ref().map(|b| b.expected(newest));
        usual.otps_p50 = expected(&learned.p50).or(usual.otps_p50);
        usual.otps_token_weighted = expected(&learned.token_weighted).or(usual.otps_token_weighted);
    }
    let by_floor = slots.iter().rev().find(|slot| slot.verdict == Verdict::Breaching).is_some_and(|slot| {
        slot.baseline
            .is_none_or(|baseline| slot.value().is_some_and(|value| value >= rule.page_below * baseline))
    });
    Evidence {
        findings: findings(&usual, &now),
        now,
        usual,
        slots: slots.to_vec(),
        line: (!by_floor).then_some(rule.page_below),
        m_of_n: (rule.datapoints_to_alarm, rule.evaluation_periods),
    }
}

/// The same hour of the fourteen days before.
fn same_hours(history: &History, period: Period) -> impl Iterator<Item = &Point> + Clone {
    (1..=14_i64).flat_map(move |day| {
        let centre = period - day * PERIODS_PER_DAY;
        history.range(centre - 6, centre + 6).map(|(_, point)| point)
    })
}

/// The terms of latency over some points: medians of the medians, sums of the sums.
pub(crate) fn terms<'a>(points: impl Iterator<Item = &'a Point> + Clone) -> Terms {
    let of = |column: fn(&Point) -> Option<f64>| {
        median(&mut points.clone().filter_map(column).collect::<Vec<_>>())
    };
    let sum = |column: fn(&Point) -> Option<f64>| {
        let mut values = points.clone().filter_map(column).peekable();
        values.peek().is_some().then(|| values.sum::<f64>())
    };
    let mut pooled = Sums::default();
    for sums in points.clone().filter_map(Sums::of) {
        pooled.add(sums);
    }
    let otps_p50 = median(
        &mut points
            .clone()
            .filter_map(|point| match datapoint(Some(point)) {
                Datapoint::Valid { otps, .. } => otps.p50,
                Datapoint::Missing(_) => None,
            })
            .collect::<Vec<_>>(),
    );
    let samples = sum(Point::samples).unwrap_or(0.0);
    let share = |part: Option<f64>| part.filter(|_| samples > 0.0).map(|part| part / samples);
    // Throttles and server errors are published only when there are any; where input tokens were read, they were asked for.
    let none = sum(Point::input_sum).map(|_| 0.0);
    Terms {
        otps_p50,
        otps_token_weighted: pooled.otps().ok(),
        latency_ms: of(Point::latency_p50).unwrap_or(0.0),
        ttft_ms: of(Point::ttft_p50).unwrap_or(0.0),
        output_tokens: of(Point::output_p50).unwrap_or(0.0),
        input_tokens: of(Point::input_p50),
        cache_read_share: cache_read_share(
            sum(Point::input_sum),
            sum(Point::cache_read),
            sum(Point::cache_write),
        ),
        streaming_share: share(sum(Point::streamed)).unwrap_or(1.0),
        throttle_share: share(sum(Point::throttles).or(none)),
        server_error_share: share(sum(Point::server_errors).or(none)),
        samples: of(Point::samples).unwrap_or(0.0),
    }
}

/// Share of the whole prompt that the cache served. InputTokenCount leaves cached tokens out.
pub(crate) fn cache_read_share(input: Option<f64>, read: Option<f64>, written: Option<f64>) -> Option<f64> {
    let read = read?;
    let whole = input? + read + written.unwrap_or(0.0);
    (whole > 0.0).then(|| read / whole)
}

/// What else was looked at.
pub(crate) fn findings(usual: &Terms, now: &Terms) -> Vec<Finding> {
    let relative = |usual: f64, now: f64| usual > 0.0 && (now / usual - 1.0).abs() >= MOVED;
    let absolute = |usual: f64, now: f64| (now - usual).abs() >= SHARE_MOVED;
    let look = |subject, usual: Option<f64>, now: Option<f64>, moved: &dyn Fn(f64, f64) -> bool| {
        let check = match (usual, now) {
            (Some(usual), Some(now)) if moved(usual, now) => Check::Moved,
            (Some(_), Some(_)) => Check::RuledOut,
            _ => Check::NotChecked,
        };
        Finding { subject, check, usual, now }
    };
    let known = |value: f64| (value > 0.0).then_some(value);
    let mut findings = vec![
        look(Subject::PromptLength, usual.input_tokens, now.input_tokens, &relative),
        look(Subject::ResponseLength, known(usual.output_tokens), known(now.output_tokens), &relative),
        look(Subject::StreamingShare, Some(usual.streaming_share), Some(now.streaming_share), &absolute),
        look(Subject::Throttles, usual.throttle_share, now.throttle_share, &absolute),
        look(Subject::ServerErrors, usual.server_error_share, now.server_error_share, &absolute),
    ];
    if usual.cache_read_share.is_some() || now.cache_read_share.is_some() {
        findings
            .insert(1, look(Subject::CacheReads, usual.cache_read_share, now.cache_read_share, &absolute));
    }
    findings.push(Finding {
        subject: Subject::ServiceTier,
        check: Check::NotChecked,
        usual: None,
        now: None,
    });
    findings
}
