//! Is it the host, or a few requests?
//!
//! A slow host slows all requests alike: the median one, the sums and the 95th percentile lose the same share. One request
//! in seven slowed to a third hardly moves the median, moves the sums, and moves the 95th percentile most. None of the
//! three is reliable for every mix of replies, so both differences are weighed by the noise that they usually have.

use domain::{Datapoint, Estimator};

use crate::datapoint::datapoint;
use crate::history::{History, Point};
use crate::learned::Learned;
use crate::stretch::Stretch;

/// In a slow tail (one request in seven, three to ten times slower) the median user is spared, and the 95th percentile
/// loses on top, about this share of what the sums lose.
const APART_IN_A_TAIL: f64 = 0.6;
/// How far that share itself differs between mixes of replies, as one standard deviation: neither figure alone convinces.
const MISFIT: f64 = 0.3;
/// The drop may be the host's while what the figures say lies nearer to "all requests alike" (0) than to a slow tail (1); a
/// little less than half way, since a page is not taken back and evidence that was withheld is weighed again with the next period.
const NEARER_TO_THE_HOST: f64 = 0.4;
/// A ticket that says so must be clearer than that: it is told in the morning, and can wait for the next hour.
const CLEARLY_A_TAIL: f64 = 0.6;

/// Median of OTPS over the sums, in `ln`; and the median reply it depends on.
pub(crate) fn median_contrast(point: &Point) -> Option<(f64, f64)> {
    let Datapoint::Valid { otps, .. } = datapoint(Some(point)) else { return None };
    Some((point.output_p50()?.ln(), (otps.p50? / otps.token_weighted?).ln()))
}

/// What the 95th percentile of the wait should be, by the sums, over what it is, in `ln`; and the long reply it depends on.
///
/// A wait is a first token and a decode time, and the slowest in twenty is slow by either. Where both spread, their
/// spreads add up as squares, so that this holds for short answers to long prompts as well as for long answers to short ones.
pub(crate) fn tail_contrast(point: &Point) -> Option<(f64, f64)> {
    let Datapoint::Valid { otps, .. } = datapoint(Some(point)) else { return None };
    let (tokens, ttft) = (point.output_p95()?, point.ttft_p50()?);
    let wait = point.latency_p95()? - ttft;
    let first = (point.ttft_p95()? - ttft).max(0.0);
    let decode = tokens / otps.token_weighted? * 1_000.0;
    (wait > 0.0 && tokens > 0.0).then(|| (tokens.ln(), (first.hypot(decode) / wait).ln()))
}

/// Whether the drop of a stretch may be the host's.
pub(crate) fn may_be_the_host(history: &History, learned: &Learned, stretch: &Stretch) -> bool {
    likeness(history, learned, stretch) <= NEARER_TO_THE_HOST
}

/// Whether the drop of a stretch is clearly that of a few slow requests.
pub(crate) fn is_a_slow_tail(history: &History, learned: &Learned, stretch: &Stretch) -> bool {
    likeness(history, learned, stretch) >= CLEARLY_A_TAIL
}

/// How much the drop of a stretch looks like a slow tail: 0 for "all requests alike", 1 for a slow tail. Without anything to
/// tell them apart it is 0.
fn likeness(history: &History, learned: &Learned, stretch: &Stretch) -> f64 {
    let drop = -stretch.log_ratio();
    if learned.baseline(Estimator::TokenWeighted).is_none() || drop <= 0.0 {
        return 0.0;
    }
    let usual = learned.contrasts(history);
    let (mut likeness, mut weights) = (0.0, 0.0);
    for (contrast, usual, sign) in [
        (median_contrast as fn(&Point) -> Option<(f64, f64)>, &usual.median, 1.0),
        (tail_contrast, &usual.tail, -1.0),
    ] {
        let Some(usual) = usual else { continue };
        let (mut sum, mut certainty) = (0.0, 0.0);
        for fresh in &stretch.periods {
            let Some((x, y)) = history.get(fresh.period).and_then(contrast) else { continue };
            let own = fresh.samples / usual.sampling_variance(x);
            sum += own * (y - usual.expected(x));
            certainty += own;
        }
        if certainty <= 0.0 {
            continue;
        }
        let in_a_tail = sign * APART_IN_A_TAIL * drop;
        let variance = (1.0 / certainty + usual.lasting_variance()) / (in_a_tail * in_a_tail);
        let weight = 1.0 / (variance + MISFIT * MISFIT);
        likeness += weight * (sum / certainty) / in_a_tail;
        weights += weight;
    }
    if weights > 0.0 { likeness / weights } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use domain::{Metric, PERIODS_PER_DAY, Period, Reading, Series, Statistics};

    use super::*;
    use crate::settings::Settings;
    use crate::stretch::fresh;

    const NOW: i64 = 20_000 * PERIODS_PER_DAY;

    /// A hundred requests of 400 tokens after a first token at 1 s: the median latency, that of the 95th percentile, and the mean.
    fn hundred(p50: f64, p95: f64, mean: f64) -> Reading {
        let of = |p50: f64, p95: f64, mean: f64| Statistics {
            p50: Some(p50),
            p95: Some(p95),
            sum: Some(mean * 100.0),
            sample_count: Some(100.0),
        };
        let mut reading = Reading::default();
        *reading.of_mut(Metric::InvocationLatency) = of(p50, p95, mean);
        *reading.of_mut(Metric::TimeToFirstToken) = of(1_000.0, 1_000.0, 1_000.0);
        *reading.of_mut(Metric::OutputTokenCount) = of(400.0, 400.0, 400.0);
        reading
    }

    fn point(reading: &Reading) -> Point {
        let mut history = History::new();
        history.lay(Period::from_index(0), reading);
        *history.get(Period::from_index(0)).unwrap()
    }

    /// How much one period looks like a tail, after two weeks at 100 tokens a second whose 95th percentile strays by `stray` with
    /// every period.
    fn after_two_weeks(stray: f64, reading: &Reading) -> f64 {
        after(reading, |k| {
            let factor = if k % 2 == 0 { stray } else { -stray };
            hundred(5_000.0, 1_000.0 + 4_000.0 * factor.exp(), 5_000.0)
        })
    }

    /// How much one period looks like a tail, after two weeks of others.
    fn after(reading: &Reading, usual: impl Fn(i64) -> Reading) -> f64 {
        let mut history = History::new();
        for k in 1..=14 * PERIODS_PER_DAY {
            history.lay(Period::from_index(NOW - k), &usual(k));
        }
        let now = Period::from_index(NOW);
        history.lay(now, reading);
        let learned =
            Learned::learn(&history, now, &Settings::default(), &Series::new("-", "r", "m"), &[]).unwrap();
        let mut stretch = Stretch::default();
        stretch.add(fresh(&history, &learned, Estimator::TokenWeighted, now).unwrap());
        likeness(&history, &learned, &stretch)
    }

    /// The sums at 70 tokens a second. The median at 80: ln(80 / 70) = 0.1335 of the 0.3567 that the sums lost. The 95th percentile
    /// waits 4.38 % longer than by the sums (5714 ms): 0.0428.
    fn slow() -> Reading {
        let wait = 400.0 / 70.0 * 1_000.0;
        hundred(6_000.0, 1_000.0 + wait * 0.0428_f64.exp(), 1_000.0 + wait)
    }

    #[test]
    fn both_figures_say_how_much_of_a_tail_it_is() {
        // In a tail each would part by 0.6 x 0.3567 = 0.214. They say 0.1335 / 0.214 = 0.624 and 0.0428 / 0.214 = 0.2.
        let both = after_two_weeks(0.0, &slow());
        assert!((both - 0.412).abs() < 0.005, "{both}");
        // All requests alike are none.
        let host = after_two_weeks(0.0, &hundred(6_714.3, 6_714.3, 6_714.3));
        assert!(host.abs() < 0.01, "{host}");
        // Faster than usual there is nothing to tell apart.
        assert_eq!(after_two_weeks(0.0, &hundred(5_000.0, 9_000.0, 4_000.0)), 0.0);
    }

    #[test]
    fn what_always_strays_says_little() {
        // 0.5 to either side is a deviation of 0.741, whose square is 0.55; over 0.214 squared, and with 0.3 squared, 12.1. That of the
        // median is 0.09: (0.624 / 0.09 + 0.2 / 12.1) / (1 / 0.09 + 1 / 12.1) = 0.621.
        let by_the_median = after_two_weeks(0.5, &slow());
        assert!((by_the_median - 0.6208).abs() < 0.0015, "{by_the_median}");
        // What strays for four periods at a time says no more for all its requests: another 0.55 beside it.
        let drifting = after(&slow(), |k| {
            let factor: f64 = if k / 4 % 2 == 0 { 0.5 } else { -0.5 };
            hundred(5_000.0, 1_000.0 + 4_000.0 * factor.exp(), 5_000.0)
        });
        assert!((drifting - 0.6223).abs() < 0.0015, "{drifting}");
    }

    #[test]
    fn what_usually_differs_is_no_sign() {
        // The median user decodes at 133 tokens a second, and the slowest in twenty wait twice as long as by the sums. At 70 % of the
        // speed everything takes 1/0.7 times as long, and differs as before.
        let usual = hundred(4_000.0, 9_000.0, 5_000.0);
        let slow = hundred(1_000.0 + 3_000.0 / 0.7, 1_000.0 + 8_000.0 / 0.7, 1_000.0 + 4_000.0 / 0.7);
        let alike = after(&slow, |_| usual);
        assert!(alike.abs() < 0.01, "{alike}");
    }

    #[test]
    fn one_figure_is_enough() {
        let mut no_tail = slow();
        no_tail.of_mut(Metric::InvocationLatency).p95 = None;
        let by_the_median = after_two_weeks(0.0, &no_tail);
        assert!((by_the_median - 0.624).abs() < 0.003, "{by_the_median}");
        no_tail.of_mut(Metric::InvocationLatency).p50 = None;
        assert_eq!(after_two_weeks(0.0, &no_tail), 0.0, "and nothing says nothing");
    }

    #[test]
    fn contrasts_are_differences_of_logarithms() {
        let (tokens, apart) = median_contrast(&point(&slow())).unwrap();
        assert!((tokens - 400.0_f64.ln()).abs() < 1e-6 && (apart - (80.0_f64 / 70.0).ln()).abs() < 1e-4);
        // The slowest in twenty of the first tokens 3 s, decoding 4 s by the sums: together 5 s, of which 10 s are twice as much. The
        // first token of the median does not count: 11 s were waited.
        let mut reading = hundred(5_000.0, 11_000.0, 5_000.0);
        reading.of_mut(Metric::TimeToFirstToken).p95 = Some(4_000.0);
        let (tokens, apart) = tail_contrast(&point(&reading)).unwrap();
        assert!((tokens - 400.0_f64.ln()).abs() < 1e-3 && (apart - 0.5_f64.ln()).abs() < 2e-3, "{apart}");
        // No wait is left, or no reply.
        assert_eq!(tail_contrast(&point(&hundred(5_000.0, 1_000.0, 5_000.0))), None);
        reading.of_mut(Metric::OutputTokenCount).p95 = Some(0.0);
        assert_eq!(tail_contrast(&point(&reading)), None);
    }
}
