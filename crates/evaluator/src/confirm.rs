//! The evidence of all breaching periods together: before somebody is woken, the drop as a whole must be below the
//! line, improbable, and the median user's.

use domain::{Estimator, Period, Rule, Slot, Verdict};

use crate::datapoint::datapoint;
use crate::history::{History, Point};
use crate::learned::Learned;
use crate::verdict::{ROUNDING, fewest_samples};
use crate::window::Pool;

/// A page needs this many times the noise that a single datapoint does: a series is judged 288 times a day.
const SURER_THAN_A_DATAPOINT: f64 = 2.0;
/// At low traffic evidence is gathered over up to this many periods (two hours).
const LONGEST_EVIDENCE: i64 = 24;
/// Share of the drop that the median user must feel. In a slow host all requests are slower, and it is 1 but for noise;
/// one request in seven slowed to a third moves the median decode time by under half of what it does to the sums.
const FELT_BY_THE_MEDIAN: f64 = 0.6;

/// Whether the breaching periods up to `slots.last()` are evidence enough to page.
pub(crate) fn confirmed(
    history: &History,
    learned: Option<&Learned>,
    rule: &Rule,
    slots: &[Slot],
    after: Period,
) -> bool {
    let Some(newest) = slots.iter().rev().find(|slot| slot.verdict == Verdict::Breaching) else {
        return false;
    };
    let Some((learned, baseline)) = learned.and_then(|l| Some((l, l.baseline(newest.estimator)?))) else {
        // An absolute floor decided: there is nothing to compare with.
        return true;
    };
    if rule.page_below_otps.is_some_and(|floor| newest.value().is_some_and(|value| value < floor)) {
        return true;
    }
    if rule.noise_sigmas <= 0.0 {
        return true;
    }
    let periods = evidence(history, learned, rule, slots, newest.estimator, after);
    let mut pool = Pool::new(newest.estimator);
    let mut expected = 0.0;
    for &period in &periods {
        let before = pool.samples();
        pool.add(history, period);
        expected += baseline.expected(period).ln() * (pool.samples() - before);
    }
    let Some(value) = pool.value() else { return false };
    let drop = value.ln() - expected / pool.samples();
    drop < (rule.page_below * (1.0 - ROUNDING)).ln()
        && drop <= -SURER_THAN_A_DATAPOINT * rule.noise_sigmas * baseline.noise().sigma(pool.samples())
        && pool.samples() >= fewest_samples(newest.estimator, rule)
        && felt_by_the_median(history, learned, &periods, drop)
}

/// The breaching periods that belong together: those of the slots, and at low traffic the unbroken run before them, each with
/// its own fresh requests.
fn evidence(
    history: &History,
    learned: &Learned,
    rule: &Rule,
    slots: &[Slot],
    estimator: Estimator,
    after: Period,
) -> Vec<Period> {
    let mut periods: Vec<Period> =
        slots.iter().filter(|slot| slot.verdict == Verdict::Breaching).map(|slot| slot.period).collect();
    let Some(&oldest) = periods.first() else { return periods };
    let mut samples: f64 = periods.iter().filter_map(|&p| history.get(p)?.samples()).sum();
    let enough = 5.0 * fewest_samples(estimator, rule);
    for back in 1..LONGEST_EVIDENCE {
        let period = oldest - back;
        if samples >= enough || period <= after {
            break;
        }
        match crate::verdict::judge(history, Some(learned), rule, period).verdict {
            Verdict::Breaching => {
                periods.push(period);
                samples += history.get(period).and_then(Point::samples).unwrap_or(0.0);
            }
            Verdict::Within => break,
            Verdict::Missing(_) => {}
        }
    }
    periods
}

/// Whether the median user feels the drop, as far as the medians can tell: p50 decode time at that median reply, against
/// what it usually is at it.
fn felt_by_the_median(history: &History, learned: &Learned, periods: &[Period], drop: f64) -> bool {
    let (Some(given), Some(usual)) = (&learned.given_tokens, &learned.token_weighted) else { return true };
    let (mut felt, mut samples) = (0.0, 0.0);
    for &period in periods {
        let Some(point) = history.get(period) else { continue };
        let domain::Datapoint::Valid { otps, samples: n } = datapoint(Some(point)) else { continue };
        let (Some(p50), Some(tokens)) = (otps.p50, point.output_p50()) else { continue };
        felt += n * ((p50 / usual.expected(period)).ln() - given.expected(tokens.ln()));
        samples += n;
    }
    if samples <= 0.0 {
        return true;
    }
    let felt = felt / samples;
    let sigma = given.sigma(samples);
    // Where the medians are too noisy to tell, the sums decide alone.
    felt <= FELT_BY_THE_MEDIAN * drop + sigma || sigma > 0.5 * drop.abs()
}
