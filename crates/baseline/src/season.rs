//! The level by hour.

use domain::{PERIODS_PER_HOUR, Period};

use crate::robust::{median, spread, weighted_median};

/// `ln` of the level at each hour of the week, as an offset from the overall median.
///
/// Two weeks hold fourteen days of each hour of the day but only two of each hour of the week. So an hour's own level
/// is believed as far as the evidence allows: the spread between hours against the error with which each is known
/// (empirical Bayes). Where hours do not differ by more than that error, every offset is nearly zero.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Season {
    offsets: Box<[f32; HOURS_OF_WEEK]>,
}

const HOURS_OF_DAY: usize = 24;
const HOURS_OF_WEEK: usize = 7 * HOURS_OF_DAY;
/// The variance of a median is that of a mean times this, for normal values.
const MEDIAN_INEFFICIENCY: f64 = 1.571;

/// Fewer values than this count alike.
const FEWEST_TO_WEIGH: usize = 5;

/// One hour of one day.
struct Block {
    period: Period,
    value: f64,
    /// Requests.
    samples: f64,
}

impl Season {
    /// No season: one level for all hours.
    pub(crate) fn flat() -> Self {
        Self { offsets: Box::new([0.0; HOURS_OF_WEEK]) }
    }

    /// Learns from residuals around the overall level with their sample counts, in order of time.
    pub(crate) fn learn(residuals: &[(Period, f64, f64)]) -> Self {
        let mut blocks = blocks(residuals);
        let mut season = Self::flat();
        let by_day = shrunk::<HOURS_OF_DAY>(&blocks, Period::hour_of_day);
        for block in &mut blocks {
            block.value -= by_day[block.period.hour_of_day()];
        }
        let by_week = shrunk::<HOURS_OF_WEEK>(&blocks, Period::hour_of_week);
        for (hour, offset) in season.offsets.iter_mut().enumerate() {
            // Hour 0 of the week is a midnight, so the hour of the day is the remainder.
            *offset = (by_day[hour % HOURS_OF_DAY] + by_week[hour]) as f32;
        }
        season
    }

    /// The offset at a period.
    pub(crate) fn offset(&self, period: Period) -> f64 {
        f64::from(self.offsets[period.hour_of_week()])
    }
}

fn blocks(residuals: &[(Period, f64, f64)]) -> Vec<Block> {
    let hour = |period: Period| period.index().div_euclid(PERIODS_PER_HOUR);
    let mut values = Vec::with_capacity(PERIODS_PER_HOUR as usize);
    residuals
        .chunk_by(|a, b| hour(a.0) == hour(b.0))
        .filter_map(|chunk| {
            values.clear();
            values.extend(chunk.iter().map(|&(_, value, samples)| (value, samples.max(1.0))));
            let value = weighted_median(&mut values)?;
            Some(Block { period: chunk[0].0, value, samples: values.iter().map(|v| v.1).sum() })
        })
        .collect()
}

/// The level of each hour, drawn toward zero by how well it is known.
fn shrunk<const HOURS: usize>(blocks: &[Block], hour_of: fn(Period) -> usize) -> [f64; HOURS] {
    let typical = median(&mut blocks.iter().map(|block| block.samples).collect::<Vec<_>>()).unwrap_or(1.0);
    let mut by_hour: Vec<Vec<(f64, f64)>> = vec![Vec::new(); HOURS];
    for block in blocks {
        // An hour with few requests says less than others; beyond the typical number of them, days differ for other reasons.
        by_hour[hour_of(block.period)].push((block.value, block.samples / (block.samples + typical)));
    }
    let mut levels = [0.0; HOURS];
    let mut within = Vec::with_capacity(blocks.len());
    for (level, values) in levels.iter_mut().zip(&mut by_hour) {
        let Some(centre) = centre(values) else { continue };
        *level = if values.len() < 3 { agreed(values) } else { centre };
        // Around its own median a small group looks tighter than it is.
        if values.len() > 1 {
            let widened = (values.len() as f64 / (values.len() - 1) as f64).sqrt();
            within.extend(values.iter().map(|(value, _)| (value - centre) * widened));
        }
    }
    let known: Vec<f64> =
        levels.iter().zip(&by_hour).filter(|(_, v)| !v.is_empty()).map(|(&level, _)| level).collect();
    let (Some(noise), false) = (spread(&mut within, 0.0), known.len() < 2) else { return [0.0; HOURS] };
    let groups = known.len() as f64;
    let error = MEDIAN_INEFFICIENCY * noise * noise * groups / blocks.len() as f64;
    let seen = known.iter().map(|level| level * level).sum::<f64>() / groups;
    let between = (seen - error).max(0.0);
    for (level, values) in levels.iter_mut().zip(&by_hour) {
        let own_error = MEDIAN_INEFFICIENCY * noise * noise / values.len().max(1) as f64;
        *level *= if between > 0.0 { between / (between + own_error) } else { 0.0 };
    }
    levels
}

/// The middle of some values. Of few, none may outweigh the others: the hour in which a boundary falls has two halves and one whole.
fn centre(values: &mut [(f64, f64)]) -> Option<f64> {
    if values.len() < FEWEST_TO_WEIGH {
        for value in &mut *values {
            value.1 = 1.0;
        }
    }
    weighted_median(values)
}

/// What one or two values show together: the one nearer to zero where both lie on one side of it, else zero. With so few, a
/// median is no protection: an incident in one of two weeks would become half an offset.
fn agreed(values: &[(f64, f64)]) -> f64 {
    match *values {
        [(a, _), (b, _)] if a * b > 0.0 => a.signum() * a.abs().min(b.abs()),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two weeks of periods, with a value by period.
    fn two_weeks(value: impl Fn(Period) -> f64) -> Vec<(Period, f64, f64)> {
        (0..14 * 288).map(|k| Period::from_index(20_000 * 288 + k)).map(|p| (p, value(p), 50.0)).collect()
    }

    #[test]
    fn constant_residuals_have_no_season() {
        assert_eq!(Season::learn(&two_weeks(|_| 0.0)), Season::flat());
        assert_eq!(Season::learn(&[]), Season::flat());
    }

    #[test]
    fn a_daily_rhythm_is_learned_whole() {
        let rhythm = |p: Period| if (12..20).contains(&p.hour_of_day()) { -0.25 } else { 0.05 };
        let season = Season::learn(&two_weeks(rhythm));
        for hour in 0..24 {
            let p = Period::from_index(20_000 * 288 + hour * 12);
            assert!((season.offset(p) - rhythm(p)).abs() < 1e-6, "hour {hour}: {}", season.offset(p));
        }
    }

    #[test]
    fn a_weekend_of_its_own_is_learned() {
        // Periods of day 0 are a Thursday: days 2 and 3 of each week are the weekend.
        let weekend = |p: Period| if matches!(p.day().rem_euclid(7), 2 | 3) { 0.2 } else { 0.0 };
        let season = Season::learn(&two_weeks(weekend));
        let saturday =
            (0..7).map(|d| Period::from_index((20_000 + d) * 288 + 120)).find(|p| weekend(*p) > 0.0).unwrap();
        assert!((season.offset(saturday) - 0.2).abs() < 0.02, "{}", season.offset(saturday));
        assert!(season.offset(saturday + 3 * 288).abs() < 0.02);
    }

    #[test]
    fn a_few_requests_an_hour_are_enough_for_a_rhythm() {
        // One datapoint of eight requests an hour: a night at low traffic.
        let rhythm = |p: Period| if p.hour_of_day() < 6 { 0.2 } else { -0.05 };
        let hours: Vec<_> = two_weeks(rhythm).into_iter().step_by(12).map(|(p, v, _)| (p, v, 8.0)).collect();
        let season = Season::learn(&hours);
        assert!((season.offset(Period::from_index(20_000 * 288)) - 0.2).abs() < 0.01);
    }

    #[test]
    fn one_busy_hour_of_three_does_not_decide() {
        // Two weeks that begin and end within an hour of Thursday: halves of an hour with few requests, and a whole one with many
        // that was 20 % faster.
        let first = 20_000 * 288 + 6;
        let fast = Period::from_index(first + 7 * 288).day();
        let rows: Vec<_> = (first..first + 14 * 288)
            .map(Period::from_index)
            .map(|p| {
                let odd = p.hour_of_day() == 0 && p.day() == fast;
                let jitter = if p.index() % 2 == 0 { 0.01 } else { -0.01 };
                (p, if odd { 0.18 } else { jitter }, if odd { 90.0 } else { 20.0 })
            })
            .collect();
        let season = Season::learn(&rows);
        assert!(season.offset(Period::from_index(first)).abs() < 0.02);
    }

    #[test]
    fn noise_between_hours_is_not_taken_for_a_season() {
        // A hash of the hour and the day: the same for all periods of one hour of one day, unrelated between days.
        let noise = |p: Period| {
            let h = ((p.index() / 12) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let h = (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (h >> 11) as f64 / (1_u64 << 53) as f64 * 0.2 - 0.1
        };
        let season = Season::learn(&two_weeks(noise));
        let worst = (0..168).map(|h| season.offset(Period::from_index(h * 12)).abs()).fold(0.0, f64::max);
        assert!(worst < 0.05, "{worst}: hours are drawn toward the overall level");
    }
}
