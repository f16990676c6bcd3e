//! Latency-optimized traffic that is served with Standard latency.

use crate::Series;

/// Requests in five minutes, of a series and of its latency-optimized twin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Split {
    /// Served with Standard latency: those of the series.
    pub standard: f64,
    /// Served latency-optimized: those of the twin.
    pub optimized: f64,
}

impl Split {
    /// Requests of both.
    #[must_use]
    pub fn requests(self) -> f64 {
        self.standard + self.optimized
    }

    /// The share that was latency-optimized, 0 to 1; `None` without requests.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.requests() > 0.0).then(|| self.optimized / self.requests())
    }
}

/// Requests that are usually latency-optimized came under the name of the series itself, while it was slow.
///
/// Source: Amazon Bedrock user guide, "Optimize model inference for latency": once the usage quota of latency optimization
/// is reached, Bedrock attempts to serve a request with Standard latency; metrics of what was optimized are under
/// `model-id+latency-optimized`.
#[derive(Debug, Clone, PartialEq)]
pub struct FellBack {
    /// The series that serves them now.
    pub series: Series,
    /// What they usually are at these hours.
    pub usual: Split,
    /// What they were in the slow periods.
    pub now: Split,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_both() {
        let split = Split { standard: 90.0, optimized: 210.0 };
        assert_eq!((split.requests(), split.share()), (300.0, Some(0.7)));
        assert_eq!(Split::default().share(), None);
    }
}
