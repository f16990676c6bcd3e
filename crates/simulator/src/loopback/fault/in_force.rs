//! The rules that are in force, and what they do to a call.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Metric;

use super::{CallSite, Fault, FaultRule, Refusal};

/// The rules in force. They can be changed at any time; a call goes by the rules of the moment it arrived.
#[derive(Debug, Default)]
pub struct Faults {
    rules: Mutex<Rules>,
}

#[derive(Debug, Default)]
struct Rules {
    all: Vec<FaultRule>,
    /// Lots drawn so far.
    drawn: u64,
}

impl Faults {
    pub(crate) fn new(rules: Vec<FaultRule>) -> Self {
        Self { rules: Mutex::new(Rules { all: rules, drawn: 0 }) }
    }

    /// Replaces all rules.
    pub fn set(&self, rules: impl IntoIterator<Item = FaultRule>) {
        self.lock().all = rules.into_iter().collect();
    }

    /// Adds a rule.
    pub fn add(&self, rule: impl Into<FaultRule>) {
        self.lock().all.push(rule.into());
    }

    /// Ends all faults.
    pub fn clear(&self) {
        self.lock().all.clear();
    }

    /// The rules, with how many calls are left of each.
    #[must_use]
    pub fn rules(&self) -> Vec<FaultRule> {
        self.lock().all.clone()
    }

    /// The rules that fit a call, which uses them up by one.
    pub(crate) fn of_call(&self, site: &CallSite) -> CallFaults {
        let mut rules = self.lock();
        let Rules { all, drawn } = &mut *rules;
        let mut fitting = Vec::new();
        for rule in all.iter_mut().filter(|rule| rule.fits(site)) {
            if let Some(chance) = rule.chance {
                *drawn += 1;
                if lot(*drawn) >= chance {
                    continue;
                }
            }
            fitting.push(rule.clone());
            rule.times = rule.times.map(|times| times - 1);
        }
        all.retain(|rule| rule.times != Some(0));
        CallFaults(fitting)
    }

    fn lock(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The lot of a number, 0 to 1: evenly spread, and the same each time (SplitMix64).
fn lot(number: u64) -> f64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    // The upper 53 bits are all that a double holds.
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What goes wrong with one call.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallFaults(Vec<FaultRule>);

impl CallFaults {
    fn find<T>(&self, pick: impl FnMut(&Fault) -> Option<T>) -> Option<T> {
        self.0.iter().map(|rule| &rule.fault).find_map(pick)
    }

    fn find_for<T>(&self, metric: Metric, model: &str, pick: impl FnMut(&Fault) -> Option<T>) -> Option<T> {
        self.0.iter().filter(|rule| rule.concerns(metric, model)).map(|rule| &rule.fault).find_map(pick)
    }

    /// The first of these faults, for what concerns the whole call.
    pub(crate) fn has(&self, fault: &Fault) -> bool {
        self.0.iter().any(|rule| rule.fault == *fault)
    }

    pub(crate) fn slow(&self) -> Option<u64> {
        self.find(|fault| if let Fault::Slow { milliseconds } = fault { Some(*milliseconds) } else { None })
    }

    pub(crate) fn slow_reply(&self) -> Option<u64> {
        self.find(|fault| match fault {
            Fault::SlowReply { milliseconds } => Some(*milliseconds),
            _ => None,
        })
    }

    /// The status of something in between, and what it says in `Retry-After`.
    pub(crate) fn status(&self) -> Option<(u16, Option<u64>)> {
        self.find(|fault| match fault {
            Fault::Status { code, retry_after_seconds } => Some((*code, *retry_after_seconds)),
            _ => None,
        })
    }

    pub(crate) fn trickle(&self) -> Option<u64> {
        self.find(
            |fault| if let Fault::Trickle { milliseconds } = fault { Some(*milliseconds) } else { None },
        )
    }

    pub(crate) fn refusal(&self) -> Option<Refused> {
        self.find(|fault| match fault {
            Fault::Throttle { retry_after_seconds } => Some(Refused::Throttled(*retry_after_seconds)),
            Fault::Refuse(refusal) => Some(Refused::By(*refusal)),
            _ => None,
        })
    }

    pub(crate) fn page_size(&self) -> Option<usize> {
        self.find(|fault| if let Fault::SmallPages { datapoints } = fault { Some(*datapoints) } else { None })
    }

    pub(crate) fn fails(&self, metric: Metric, model: &str) -> bool {
        self.find_for(metric, model, |fault| matches!(fault, Fault::FailResults).then_some(())).is_some()
    }

    pub(crate) fn missing(&self, metric: Metric, model: &str) -> bool {
        self.find_for(metric, model, |fault| matches!(fault, Fault::Missing).then_some(())).is_some()
    }

    /// The part of a period that shows at this age, in seconds since its end, if it is not all of it.
    pub(crate) fn share(&self, metric: Metric, model: &str, age: i64) -> Option<f64> {
        self.find_for(metric, model, |fault| match fault {
            Fault::Late { seconds, share } if age < *seconds => Some(share.clamp(0.0, 1.0)),
            _ => None,
        })
    }

    /// What the values of a period are multiplied by at this age, in seconds since its end.
    pub(crate) fn factor(&self, metric: Metric, model: &str, age: i64) -> Option<f64> {
        self.find_for(metric, model, |fault| match fault {
            Fault::Revised { seconds, factor } if age < *seconds => Some(*factor),
            _ => None,
        })
    }
}

/// Why a call is not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Throttled(Option<u64>),
    By(Refusal),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(operation: &str, region: &str) -> CallSite {
        CallSite { operation: operation.to_owned(), region: region.to_owned(), ..CallSite::default() }
    }

    #[test]
    fn a_rule_concerns_what_it_names_and_so_many_calls() {
        let faults = Faults::default();
        faults.add(FaultRule::new(Fault::Hang).operation("GetMetricData").region("us-east-1").times(2));
        assert!(!faults.of_call(&site("ListMetrics", "us-east-1")).has(&Fault::Hang));
        assert!(!faults.of_call(&site("GetMetricData", "eu-west-1")).has(&Fault::Hang));
        assert!(faults.of_call(&site("GetMetricData", "us-east-1")).has(&Fault::Hang));
        assert_eq!(faults.rules()[0].times, Some(1));
        assert!(faults.of_call(&site("GetMetricData", "us-east-1")).has(&Fault::Hang));
        assert!(!faults.of_call(&site("GetMetricData", "us-east-1")).has(&Fault::Hang), "used up");
        assert_eq!(faults.rules(), []);
    }

    #[test]
    fn a_chance_concerns_its_share_of_the_calls() {
        let faults = Faults::new(vec![FaultRule::new(Fault::Hang).chance(0.25)]);
        let hit: Vec<bool> =
            (0..4_000).map(|_| faults.of_call(&site("Publish", "us-east-1")).has(&Fault::Hang)).collect();
        let count = hit.iter().filter(|hit| **hit).count();
        // 1,000 of 4,000; four standard deviations are 110.
        assert!((890..1_110).contains(&count), "{count}");
        assert!(hit.windows(3).any(|three| three == [true; 3]), "in a row too, not one in four by turns");
    }

    #[test]
    fn late_and_revised_end_at_their_age() {
        let faults = Faults::new(vec![
            FaultRule::new(Fault::Late { seconds: 120, share: 0.4 }),
            FaultRule::new(Fault::Revised { seconds: 600, factor: 2.0 }).metric(Metric::OutputTokenCount),
        ]);
        let call = faults.of_call(&site("GetMetricData", "us-east-1"));
        assert_eq!(call.share(Metric::OutputTokenCount, "m", 119), Some(0.4));
        assert_eq!(call.share(Metric::OutputTokenCount, "m", 120), None);
        assert_eq!(call.factor(Metric::OutputTokenCount, "m", 599), Some(2.0));
        assert_eq!(call.factor(Metric::OutputTokenCount, "m", 600), None);
        assert_eq!(call.factor(Metric::TimeToFirstToken, "m", 0), None);
    }
}
