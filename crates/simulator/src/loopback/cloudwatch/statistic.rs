//! Statistics of one period.

use domain::Statistics;

use crate::Observation;
use crate::fleet::percentile;

/// A statistic that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stat {
    Average,
    Sum,
    Minimum,
    Maximum,
    SampleCount,
    /// `p50`: between 0 and 100.
    Percentile(f64),
}

impl Stat {
    /// By its name in CloudWatch. Trimmed means and their kin are not simulated.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "Average" => Some(Self::Average),
            "Sum" => Some(Self::Sum),
            "Minimum" => Some(Self::Minimum),
            "Maximum" => Some(Self::Maximum),
            "SampleCount" => Some(Self::SampleCount),
            _ => {
                let number = name.strip_prefix('p')?;
                // What `f64` reads beyond digits and a point, such as `pinf` or `p1e1`, is no percentile.
                if !number.starts_with(|first: char| first.is_ascii_digit())
                    || !number.chars().all(|character| character.is_ascii_digit() || character == '.')
                {
                    return None;
                }
                number.parse().ok().filter(|percent| (0.0..=100.0).contains(percent)).map(Self::Percentile)
            }
        }
    }

    /// Its value, if there is one.
    ///
    /// A percentile lies on the straight line between the two order statistics around its rank. CloudWatch's own
    /// percentiles come from a sketch of the values and may differ from it by about a percent.
    pub(crate) fn of(self, observation: &mut Observation) -> Option<f64> {
        match observation {
            Observation::Nothing => None,
            Observation::Values(values) if values.is_empty() => None,
            Observation::Values(values) => Some(match self {
                Self::Average => values.iter().sum::<f64>() / values.len() as f64,
                Self::Sum => values.iter().sum(),
                Self::Minimum => values.iter().copied().fold(f64::INFINITY, f64::min),
                Self::Maximum => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                Self::SampleCount => values.len() as f64,
                Self::Percentile(percent) => percentile(values, percent / 100.0)?,
            }),
            Observation::Statistics(statistics) => self.of_statistics(statistics),
        }
    }

    fn of_statistics(self, statistics: &Statistics) -> Option<f64> {
        match self {
            Self::Average => Some(statistics.sum? / statistics.sample_count.filter(|count| *count > 0.0)?),
            Self::Sum => statistics.sum,
            Self::SampleCount => statistics.sample_count,
            Self::Percentile(50.0) => statistics.p50,
            Self::Percentile(95.0) => statistics.p95,
            Self::Minimum | Self::Maximum | Self::Percentile(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cloudwatchs() {
        assert_eq!(Stat::from_name("p50"), Some(Stat::Percentile(50.0)));
        assert_eq!(Stat::from_name("p99.95"), Some(Stat::Percentile(99.95)));
        assert_eq!(Stat::from_name("p0.0"), Some(Stat::Percentile(0.0)));
        assert_eq!(Stat::from_name("p100"), Some(Stat::Percentile(100.0)));
        for name in ["p100.1", "p-1", "p1e1", "pinf", "p", "p.5", "p1.2.3", "sum", "tm90", "IQM", ""] {
            assert_eq!(Stat::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn values_have_every_statistic() {
        // Ranks of 1 3 5 7 11: p25 is rank 1, p90 rank 3.6 between 7 and 11, p95 rank 3.8.
        let mut values = Observation::Values(vec![7.0, 1.0, 11.0, 3.0, 5.0]);
        let mut stat = |name: &str| Stat::from_name(name).unwrap().of(&mut values).unwrap();
        assert_eq!(stat("p50"), 5.0);
        assert_eq!(stat("p25"), 3.0);
        assert!((stat("p90") - 9.4).abs() < 1e-9);
        assert!((stat("p95") - 10.2).abs() < 1e-9);
        assert_eq!(stat("p0"), 1.0);
        assert_eq!(stat("p100"), 11.0);
        assert_eq!(stat("Sum"), 27.0);
        assert_eq!(stat("Average"), 5.4);
        assert_eq!(stat("Minimum"), 1.0);
        assert_eq!(stat("Maximum"), 11.0);
        assert_eq!(stat("SampleCount"), 5.0);
    }

    #[test]
    fn the_median_of_two_lies_between_them() {
        assert_eq!(Stat::Percentile(50.0).of(&mut Observation::Values(vec![4.0, 1.0])), Some(2.5));
        assert_eq!(Stat::Percentile(95.0).of(&mut Observation::Values(vec![4.0])), Some(4.0));
    }

    #[test]
    fn four_statistics_give_what_they_can() {
        let known = Statistics { p50: Some(2.0), p95: Some(9.0), sum: Some(30.0), sample_count: Some(10.0) };
        let mut observation = Observation::Statistics(known);
        let mut stat = |name: &str| Stat::from_name(name).unwrap().of(&mut observation);
        assert_eq!(stat("p50"), Some(2.0));
        assert_eq!(stat("p95"), Some(9.0));
        assert_eq!(stat("Average"), Some(3.0));
        assert_eq!(stat("p90"), None);
        assert_eq!(stat("Maximum"), None);
    }

    #[test]
    fn nothing_has_no_statistic() {
        assert_eq!(Stat::SampleCount.of(&mut Observation::Nothing), None);
        assert_eq!(Stat::Sum.of(&mut Observation::Values(Vec::new())), None);
    }
}
