//! What wakes somebody. The only way to a [`Page`] leads through an [`OtpsDrop`].

use crate::{Evidence, Incident, Period, Rule, Series, Slot, Verdict};

/// OTPS of a series fell below the line of its rule in enough periods: the one observation that may page.
///
/// Its fields are private and [`OtpsDrop::observe`] counts the real breaching periods itself, so that neither a missing
/// datapoint nor another metric can ever become a page.
#[derive(Debug, Clone, PartialEq)]
pub struct OtpsDrop {
    series: Series,
    evidence: Evidence,
}

impl OtpsDrop {
    /// The drop that `evidence` shows, or `None` when fewer than `rule.datapoints_to_alarm` of its last
    /// `rule.evaluation_periods` slots are breaching ones with a value of their own.
    #[must_use]
    pub fn observe(series: Series, rule: &Rule, mut evidence: Evidence) -> Option<Self> {
        evidence.m_of_n = (rule.datapoints_to_alarm, rule.evaluation_periods);
        Self::counted(series, evidence)
    }

    /// Counts the real breaching periods.
    fn counted(series: Series, evidence: Evidence) -> Option<Self> {
        let (datapoints_to_alarm, evaluation_periods) = evidence.m_of_n;
        let real = |slot: &&Slot| {
            slot.verdict == Verdict::Breaching
                && slot.value().is_some_and(|value| value.is_finite() && value > 0.0)
        };
        let breaching = evidence.slots.iter().rev().take(evaluation_periods.into()).filter(real).count();
        (breaching >= usize::from(datapoints_to_alarm.max(1))).then_some(Self { series, evidence })
    }

    /// Whose OTPS fell.
    #[must_use]
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// What shows it.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }
}

/// Somebody is to be woken.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    drop: OtpsDrop,
    incident: Incident,
}

impl Page {
    /// The page that opens the incident of a drop. `opened` is the period whose verdict decided.
    #[must_use]
    pub fn open(drop: OtpsDrop, opened: Period) -> Self {
        let breaching = drop.evidence.slots.iter().filter(|slot| slot.verdict == Verdict::Breaching);
        let onset = breaching.clone().map(|slot| slot.period).min().unwrap_or(opened);
        let mut incident = Incident::new(drop.series.clone(), onset, opened);
        incident.worst = breaching.filter_map(Slot::ratio).reduce(f64::min);
        Self { drop, incident }
    }

    /// The page of an incident that was opened earlier, from the evidence that was written down with it. The breaching periods are
    /// counted again, by the rule of that time: `None` when the evidence does not show a drop.
    #[must_use]
    pub fn again(incident: Incident, evidence: Evidence) -> Option<Self> {
        let drop = OtpsDrop::counted(incident.series.clone(), evidence)?;
        Some(Self { drop, incident })
    }

    /// What fell.
    #[must_use]
    pub fn drop(&self) -> &OtpsDrop {
        &self.drop
    }

    /// The incident that it opens.
    #[must_use]
    pub fn incident(&self) -> &Incident {
        &self.incident
    }

    /// What shows it.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        &self.drop.evidence
    }
}

/// Somebody accepted the level of now as the new normal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    /// Who did.
    pub who: String,
    /// Why.
    pub why: String,
}

/// An incident is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolve {
    /// Which.
    pub incident: Incident,
    /// The first period that was back.
    pub recovered: Period,
    /// The period whose verdict decided.
    pub resolved: Period,
    /// The periods that show it, oldest first.
    pub slots: Vec<Slot>,
    /// OTPS did not come back: its level was accepted.
    pub accepted: Option<Acceptance>,
    /// The series is not watched any more: whether OTPS came back is not known.
    pub unwatched: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimator, MissingReason, Otps, Terms};

    fn slot(index: i64, verdict: Verdict, value: Option<f64>) -> Slot {
        Slot {
            period: Period::from_index(index),
            verdict,
            estimator: Estimator::P50,
            otps: value.map(|v| Otps { p50: Some(v), token_weighted: Some(v) }),
            baseline: Some(100.0),
            noise: None,
            samples: 200.0,
            window: 1,
        }
    }

    fn observe(slots: Vec<Slot>) -> Option<OtpsDrop> {
        let evidence = Evidence {
            now: Terms::default(),
            usual: Terms::default(),
            slots,
            line: Some(0.8),
            m_of_n: (0, 0),
            findings: Vec::new(),
            learned_from: None,
        };
        OtpsDrop::observe(Series::new("-", "us-east-1", "m"), &Rule::default(), evidence)
    }

    const SLOW: (Verdict, Option<f64>) = (Verdict::Breaching, Some(66.7));
    const FINE: (Verdict, Option<f64>) = (Verdict::Within, Some(100.0));
    const GONE: (Verdict, Option<f64>) = (Verdict::Missing(MissingReason::NoData), None);

    fn five(kinds: [(Verdict, Option<f64>); 5]) -> Vec<Slot> {
        kinds.into_iter().zip(0..).map(|((verdict, value), index)| slot(index, verdict, value)).collect()
    }

    #[test]
    fn three_real_breaches_of_five_are_a_drop_and_two_are_not() {
        assert!(observe(five([SLOW, GONE, SLOW, GONE, SLOW])).is_some());
        assert!(observe(five([SLOW, FINE, FINE, FINE, SLOW])).is_none());
        assert!(observe(five([GONE; 5])).is_none());
        assert!(observe(Vec::new()).is_none());
    }

    #[test]
    fn a_breach_without_a_value_is_none() {
        let hollow = (Verdict::Breaching, None);
        for broken in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            let broken = (Verdict::Breaching, Some(broken));
            assert!(observe(five([SLOW, SLOW, hollow, broken, FINE])).is_none(), "{broken:?}");
        }
    }

    #[test]
    fn only_the_last_five_count() {
        let mut slots = five([SLOW; 5]);
        slots.extend((5..10).map(|index| slot(index, FINE.0, FINE.1)));
        assert!(observe(slots).is_none());
    }

    #[test]
    fn a_page_is_made_again_only_from_evidence_of_a_drop() {
        let drop = observe(five([FINE, SLOW, GONE, SLOW, SLOW])).unwrap();
        let page = Page::open(drop, Period::from_index(4));
        let (incident, evidence) = (page.incident().clone(), page.evidence().clone());
        assert_eq!(evidence.m_of_n, (3, 5));
        assert_eq!(Page::again(incident.clone(), evidence.clone()), Some(page));
        let hollow = Evidence { slots: five([FINE, SLOW, GONE, SLOW, FINE]), ..evidence };
        assert_eq!(Page::again(incident, hollow), None);
    }

    #[test]
    fn the_onset_is_the_first_breach() {
        let drop = observe(five([FINE, SLOW, GONE, SLOW, SLOW])).unwrap();
        let page = Page::open(drop, Period::from_index(4));
        assert_eq!(page.incident().onset, Period::from_index(1));
        assert_eq!(page.incident().opened, Period::from_index(4));
        assert!((page.incident().worst.unwrap() - 0.667).abs() < 1e-12);
    }
}
