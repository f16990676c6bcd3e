//! The sixth step: which term of latency moved, and what did not.

use baseline::median;
use domain::{
    Check, Datapoint, Evidence, Finding, PERIOD_SECONDS, PERIODS_PER_DAY, Period, Rule, Slot, Subject, Terms,
    TierShares, Verdict,
};

use crate::datapoint::{Sums, datapoint};
use crate::history::{History, Point};
use crate::learned::Learned;

/// A figure that moved by less than this share of what is usual is ruled out as a reason.
const MOVED: f64 = 0.15;
/// A share (of streaming, throttled or failed requests) that moved by less than this is ruled out.
const SHARE_MOVED: f64 = 0.05;
/// The use of the quota follows the traffic; by less than this it is ruled out.
const QUOTA_MOVED: f64 = 0.5;
/// Periods are told as minutes where quotas are of a minute.
const MINUTES: f64 = PERIOD_SECONDS as f64 / 60.0;

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
        learned_from: None,
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
        quota_tokens: mean(points.clone().filter_map(Point::quota_tokens)).map(|tokens| tokens / MINUTES),
        tiers: tiers(points.clone()),
        samples: of(Point::samples).unwrap_or(0.0),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Shares of the requests that the tiers served, over the periods in which that was read. Counts of tiers are rough, so that they may
/// come to a little more than all.
fn tiers<'a>(points: impl Iterator<Item = &'a Point>) -> Option<TierShares> {
    let mut served = TierShares::default();
    let mut samples = 0.0;
    for point in points {
        let (Some(reserved), Some(priority), Some(flex)) = (point.reserved(), point.priority(), point.flex())
        else {
            continue;
        };
        served.reserved += reserved;
        served.priority += priority;
        served.flex += flex;
        samples += point.samples().unwrap_or(0.0);
    }
    let share = |requests: f64| (requests / samples).min(1.0);
    (samples > 0.0).then(|| TierShares {
        reserved: share(served.reserved),
        priority: share(served.priority),
        flex: share(served.flex),
    })
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
        look(Subject::QuotaUsage, usual.quota_tokens, now.quota_tokens, &|usual, now| {
            usual > 0.0 && (now / usual - 1.0).abs() >= QUOTA_MOVED
        }),
        look(Subject::ServerErrors, usual.server_error_share, now.server_error_share, &absolute),
    ];
    if usual.cache_read_share.is_some() || now.cache_read_share.is_some() {
        findings
            .insert(1, look(Subject::CacheReads, usual.cache_read_share, now.cache_read_share, &absolute));
    }
    let of_tier =
        |share: fn(&TierShares) -> f64| (usual.tiers.as_ref().map(share), now.tiers.as_ref().map(share));
    let (priority_usual, priority_now) = of_tier(|tiers| tiers.priority);
    findings.push(look(Subject::ServiceTier, priority_usual, priority_now, &absolute));
    for (subject, (usual, now)) in [
        (Subject::ReservedTier, of_tier(|tiers| tiers.reserved)),
        (Subject::FlexTier, of_tier(|tiers| tiers.flex)),
    ] {
        // Most traffic has neither.
        if usual.is_some_and(|share| share > 0.0) || now.is_some_and(|share| share > 0.0) {
            findings.push(look(subject, usual, now, &absolute));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use domain::{Metric, Reading, Tier};

    use super::*;

    /// Requests; tokens of the quota, and requests by tier, where they were read.
    type Read = (f64, Option<f64>, Option<[f64; 3]>);

    fn history(periods: &[Read]) -> History {
        let mut history = History::new();
        for (index, (samples, quota, tiers)) in (0..).zip(periods) {
            let mut reading = Reading::default();
            reading.of_mut(Metric::InvocationLatency).sample_count = Some(*samples);
            reading.of_mut(Metric::EstimatedTpmQuotaUsage).sum = *quota;
            if let Some(served) = tiers {
                for (tier, requests) in [Tier::Reserved, Tier::Priority, Tier::Flex].into_iter().zip(served) {
                    reading.set_served(tier, (*requests > 0.0).then_some(*requests));
                }
                reading.set_served(Tier::Default, Some(1.0));
            }
            history.lay(Period::from_index(index), &reading);
        }
        history
    }

    fn terms_of(history: &History) -> Terms {
        terms(history.range(Period::from_index(0), Period::from_index(9)).map(|(_, point)| point))
    }

    fn found(usual: &Terms, now: &Terms, subject: Subject) -> Option<Finding> {
        findings(usual, now).into_iter().find(|finding| finding.subject == subject)
    }

    #[test]
    fn the_use_of_the_quota_is_told_a_minute() {
        // 40,960 and 20,480 tokens in five minutes are 6,144 a minute on average; the third period was not read.
        let usual = terms_of(&history(&[
            (10.0, Some(40_960.0), None),
            (10.0, Some(20_480.0), None),
            (10.0, None, None),
        ]));
        assert_eq!(usual.quota_tokens, Some(6_144.0));
        let now = |tokens| Terms { quota_tokens: Some(tokens), ..Terms::default() };
        let of = |tokens| found(&usual, &now(tokens), Subject::QuotaUsage).unwrap().check;
        assert_eq!((of(9_215.0), of(9_216.0)), (Check::RuledOut, Check::Moved), "half as much again");
        let unread = found(&usual, &Terms::default(), Subject::QuotaUsage).unwrap();
        assert_eq!(unread.check, Check::NotChecked);
    }

    #[test]
    fn tiers_are_shares_of_the_requests_of_the_periods_that_have_them() {
        // 8 + 16 of 32 + 16 requests were served before others, 4 were reserved; the third period was not read.
        let read =
            [(32.0, None, Some([4.0, 8.0, 0.0])), (16.0, None, Some([0.0, 16.0, 0.0])), (99.0, None, None)];
        let usual = terms_of(&history(&read));
        let shares = TierShares { reserved: 4.0 / 48.0, priority: 0.5, flex: 0.0 };
        assert_eq!(usual.tiers, Some(shares));
        let moved = |priority| Terms { tiers: Some(TierShares { priority, ..shares }), ..Terms::default() };
        let of = |priority| found(&usual, &moved(priority), Subject::ServiceTier).unwrap();
        assert_eq!((of(0.46).check, of(0.44).check), (Check::RuledOut, Check::Moved));
        assert_eq!((of(0.44).usual, of(0.44).now), (Some(0.5), Some(0.44)));
        // What most traffic has nothing of is told where there is any.
        assert_eq!(found(&usual, &moved(0.5), Subject::ReservedTier).unwrap().check, Check::RuledOut);
        assert_eq!(found(&usual, &moved(0.5), Subject::FlexTier), None);
        let unread = found(&usual, &Terms::default(), Subject::ServiceTier).unwrap();
        assert_eq!(unread.check, Check::NotChecked, "not read now");
        assert_eq!(terms_of(&history(&[(5.0, None, None)])).tiers, None);
    }
}
