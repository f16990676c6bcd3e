//! An incident from before its onset to its end.

use baseline::median;
use domain::{Estimator, FellBack, Key, Page, Period, Resolve, Series, Slot, Verdict};
use evaluator::Untold;
use jiff::Timestamp;

/// An incident, and who would have been told.
#[derive(Debug, Clone)]
pub(crate) struct Episode {
    /// What opened it, with its evidence.
    pub(crate) page: Page,
    /// What ended it; `None` while it stands at the end.
    pub(crate) resolve: Option<Resolve>,
    /// The pages that it would have been in, one for each channel. Empty when nobody would have been told.
    pub(crate) tellings: Vec<Telling>,
    /// Why nobody would have been told.
    pub(crate) untold: Option<Untold>,
    /// Latency-optimized requests that came under the name of its series.
    pub(crate) fell_back: Option<FellBack>,
    /// Its periods in order, from the onset to the one that ended it. For charts also hours before and after.
    pub(crate) moments: Vec<Moment>,
}

/// A page to a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Telling {
    /// Its key.
    pub(crate) page: Key,
    /// The channel, by its name.
    pub(crate) channel: String,
    /// When it is told, or joined, without the settle delay.
    pub(crate) at: Timestamp,
    /// The page was open already: the incident joins it, and nobody is told.
    pub(crate) joins: bool,
}

/// A period of a series near an incident.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// What it says about the rule, with OTPS, the baseline and the noise.
    pub(crate) slot: Slot,
    /// What was measured in this period alone. Known only near charts.
    pub(crate) measured: Option<Measured>,
}

/// What was measured in a period.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Measured {
    /// p50 of TimeToFirstToken, in milliseconds.
    pub(crate) ttft_p50: Option<f64>,
    /// p95 of TimeToFirstToken, in milliseconds.
    pub(crate) ttft_p95: Option<f64>,
    /// p50 of InvocationLatency, in milliseconds.
    pub(crate) latency_p50: Option<f64>,
    /// p95 of InvocationLatency, in milliseconds.
    pub(crate) latency_p95: Option<f64>,
    /// p50 of OutputTokenCount.
    pub(crate) output_p50: Option<f64>,
    /// p95 of OutputTokenCount.
    pub(crate) output_p95: Option<f64>,
    /// Requests.
    pub(crate) requests: Option<f64>,
}

impl Measured {
    /// p95 of OutputTokenCount over what p95 of InvocationLatency leaves of it after p95 of TimeToFirstToken, in tokens per second: context,
    /// which never decides.
    pub(crate) fn otps_p95(&self) -> Option<f64> {
        let decode = self.latency_p95? - self.ttft_p95?;
        Some(self.output_p95? / decode * 1_000.0).filter(|_| decode > 0.0)
    }
}

/// An incident in figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figures {
    /// The estimator that decided.
    pub(crate) estimator: Estimator,
    /// The median of OTPS in the breaching periods, in tokens per second.
    pub(crate) value: f64,
    /// What it usually is then; `None` while LEARNING.
    pub(crate) baseline: Option<f64>,
    /// The median of the ratio.
    pub(crate) ratio: Option<f64>,
    /// The lowest ratio of a breaching period.
    pub(crate) lowest: Option<f64>,
    /// One standard deviation of the ratio that is usual at so many requests.
    pub(crate) noise: Option<f64>,
    /// Requests in five minutes.
    pub(crate) requests: f64,
    /// How many periods breached.
    pub(crate) breaching: usize,
}

impl Episode {
    /// Whose it is.
    pub(crate) fn series(&self) -> &Series {
        &self.page.incident().series
    }

    /// Whether anybody would have been told.
    pub(crate) fn is_told(&self) -> bool {
        !self.tellings.is_empty()
    }

    /// Who would have been told when: the channels, in order.
    pub(crate) fn told(&self) -> Vec<(&str, Timestamp)> {
        let mut told: Vec<_> = self.tellings.iter().map(|one| (one.channel.as_str(), one.at)).collect();
        told.sort_unstable();
        told
    }

    /// The first breaching period.
    pub(crate) fn onset(&self) -> Period {
        self.page.incident().onset
    }

    /// The period whose verdict decided.
    pub(crate) fn opened(&self) -> Period {
        self.page.incident().opened
    }

    /// The first period after the slow ones; `None` while it stands at the end.
    pub(crate) fn back(&self) -> Option<Period> {
        self.resolve.as_ref().map(|resolve| resolve.recovered)
    }

    /// The first period after everything that it rests on, at most `until`.
    pub(crate) fn over(&self, until: Period) -> Period {
        self.resolve.as_ref().map_or(until, |resolve| resolve.resolved + 1)
    }

    /// How many periods it lasted, up to `until` if it stands.
    pub(crate) fn lasted(&self, until: Period) -> i64 {
        self.back().unwrap_or(until) - self.onset()
    }

    /// The periods of the incident itself.
    fn own(&self) -> impl Iterator<Item = &Slot> {
        let (from, last) = (self.onset(), self.resolve.as_ref().map(|resolve| resolve.resolved));
        self.moments
            .iter()
            .map(|moment| &moment.slot)
            .filter(move |slot| from <= slot.period && last.is_none_or(|last| slot.period <= last))
    }

    /// The incident in figures: those of its breaching periods.
    pub(crate) fn figures(&self) -> Figures {
        let breaching: Vec<&Slot> = self.own().filter(|slot| slot.verdict == Verdict::Breaching).collect();
        let middle = |of: &dyn Fn(&Slot) -> Option<f64>| {
            median(&mut breaching.iter().filter_map(|slot| of(slot)).collect::<Vec<_>>())
        };
        let ratio = middle(&Slot::ratio);
        let value = middle(&Slot::value).unwrap_or_default();
        Figures {
            estimator: breaching.last().map_or(Estimator::P50, |slot| slot.estimator),
            value,
            baseline: ratio.filter(|ratio| *ratio > 0.0).map(|ratio| value / ratio),
            ratio,
            lowest: breaching.iter().filter_map(|slot| slot.ratio()).reduce(f64::min),
            noise: middle(&|slot| slot.noise),
            requests: middle(&|slot| Some(slot.samples / f64::from(slot.window.max(1)))).unwrap_or_default(),
            breaching: breaching.len(),
        }
    }
}
