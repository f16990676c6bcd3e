//! Why a series is in its state: everything that the last judgement rests on, and what would come next. A pure read.

use domain::{Estimator, MissingData, Period, Rule, SeriesState, Slot, Ticket, TicketAction, Verdict};

use super::{Lender, Machine};
use crate::confirm::{confirmed, fewest_requests};
use crate::learned::{CARRYING_SIGMAS, Learned, Progress};
use crate::settings::Settings;
use crate::stretch::{Stretch, evidence_by, fresh};
use crate::tail::may_be_the_host;
use crate::verdict::{fewest_samples, judge, line, recovery_line};
use crate::{tickets, treatment};

/// What the last judgement of a series rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What is remembered of it.
    pub state: SeriesState,
    /// The periods that the rule looks at, oldest first, each with the share of its baseline below which it breaches.
    pub slots: Vec<(Slot, Option<f64>)>,
    /// What is usual; `None` while LEARNING.
    pub usual: Option<Usual>,
    /// The model by whose history it is judged, until it has its own.
    pub learned_from: Option<String>,
    /// How far LEARNING has come.
    pub progress: Progress,
    /// What would come next.
    pub outlook: Outlook,
    /// The open tickets, with the terms of the last day.
    pub tickets: Vec<Ticket>,
}

/// What is usual at the hour of the last judged period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usual {
    /// It was learned from readings before this period.
    pub boundary: Period,
    /// The estimator that decides where it can.
    pub deciding: Estimator,
    /// By the p50, where it could be learned.
    pub p50: Option<UsualOtps>,
    /// By the sums, where they could be learned.
    pub token_weighted: Option<UsualOtps>,
    /// How many standard deviations of the noise of the p50 the line lies from its baseline.
    pub p50_clearance: Option<f64>,
    /// How many it takes for the p50 to decide.
    pub clearance_needed: f64,
    /// Share of requests that stream.
    pub streaming_share: f64,
}

/// What is usual by one estimator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UsualOtps {
    /// The baseline, in tokens per second.
    pub expected: f64,
    /// Requests that a window must hold.
    pub samples: f64,
    /// One standard deviation of `ln(OTPS / baseline)` at so many requests.
    pub noise: f64,
    /// The share of the baseline below which so many requests breach.
    pub line: f64,
}

/// What would come next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outlook {
    /// Not judged yet.
    Learning,
    /// So many breaching periods in a row from now on would meet the rule.
    Quiet {
        /// How many.
        to_page: u8,
    },
    /// The rule is met by its periods, and all evidence since the drop began speaks against a page.
    Withheld(Weighed),
    /// An incident is open. It resolves after some periods in a row above the line of recovery.
    Incident {
        /// The share of the baseline above which they must be.
        above: f64,
        /// How many are needed.
        needed: u8,
        /// How many there are by now.
        back: u8,
    },
}

/// All requests since a drop began, together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// The first breaching period.
    pub since: Period,
    /// Requests since then.
    pub samples: f64,
    /// Requests that a page must rest on.
    pub samples_needed: f64,
    /// Their OTPS over the baseline.
    pub ratio: f64,
    /// One standard deviation of the logarithm of the ratio.
    pub noise: f64,
    /// They look like a few slow requests rather than a slow host.
    pub slow_tail: bool,
}

impl Machine {
    /// What the last judgement rests on; `None` before the first.
    pub(crate) fn explain(&self, settings: &Settings, lender: Option<Lender<'_>>) -> Option<Explanation> {
        let state = self.state.clone()?;
        let period = state.judged_through;
        // After a restart nothing is in the caches until the next period is judged.
        let onset = state.incident.as_ref().map_or(period, |incident| incident.onset);
        let lesson = match &self.lesson {
            Some(lesson) => lesson.clone(),
            None => self.learned_before(onset, settings, &state.untrained, lender),
        };
        let (rule, learned) = (&settings.rule, lesson.learned.as_ref());
        let looked_at = super::looked_at(rule);
        let first = self.history.first().unwrap_or(period).max(period - (looked_at - 1));
        let slots: Vec<Slot> = (first.index()..=period.index())
            .map(|index| judge(&self.history, learned, rule, Period::from_index(index)))
            .collect();
        let now = tickets::last_day(&self.history, period);
        Some(Explanation {
            usual: learned.map(|learned| usual(learned, lesson.boundary, rule, period)),
            learned_from: rule.learn_from.clone().filter(|_| lesson.borrowed),
            progress: self.progress(settings),
            outlook: self.outlook(&state, &slots, learned, rule),
            tickets: state
                .tickets
                .iter()
                .map(|one| tickets::told(&self.series, one, TicketAction::Opened, period, &now, (0, 0)))
                .collect(),
            slots: slots
                .into_iter()
                .map(|slot| (slot, learned.map(|l| line(l, rule, slot.estimator, slot.samples))))
                .collect(),
            state,
        })
    }

    fn outlook(
        &self,
        state: &SeriesState,
        slots: &[Slot],
        learned: Option<&Learned>,
        rule: &Rule,
    ) -> Outlook {
        let period = state.judged_through;
        if let Some(incident) = &state.incident {
            let needed = rule.recover_datapoints.max(1);
            let is_back = |slot: &Slot| {
                let line = learned.map_or(rule.page_below, |l| line(l, rule, slot.estimator, slot.samples));
                slot.ratio().is_some_and(|ratio| ratio >= recovery_line(rule, line))
            };
            let judged = (incident.opened.index() + 1..=period.index())
                .rev()
                .map(|index| judge(&self.history, learned, rule, Period::from_index(index)))
                .filter(|slot| !matches!(slot.verdict, Verdict::Missing(_)));
            let back = judged.take(needed.into()).take_while(is_back).count();
            let deciding = slots.last().zip(learned);
            let line = deciding.map_or(rule.page_below, |(s, l)| line(l, rule, s.estimator, s.samples));
            return Outlook::Incident { above: recovery_line(rule, line), needed, back: back as u8 };
        }
        if learned.is_none() && rule.page_below_otps.is_none() {
            return Outlook::Learning;
        }
        // As for a page: what belongs to the incident before cannot open the next one.
        let after = state.untrained.last().map_or(Period::from_index(i64::MIN), |span| span.until - 1);
        let mut counted: Vec<Slot> = slots.iter().filter(|slot| slot.period > after).copied().collect();
        if rule.missing_data != MissingData::Neutral {
            let real = |slot: &Slot| !matches!(slot.verdict, Verdict::Missing(_));
            counted =
                treatment::evaluated(&counted, rule.evaluation_periods, real).into_iter().copied().collect();
        }
        let breaching = |slots: &[Slot]| slots.iter().filter(|s| s.verdict == Verdict::Breaching).count();
        let (n, needed) =
            (usize::from(rule.evaluation_periods), usize::from(rule.datapoints_to_alarm.max(1)));
        if breaching(&counted) >= needed
            && let Some(learned) = learned
            && !confirmed(&self.history, Some(learned), rule, &counted, period, after)
            && let Some(weighed) = self.weigh(&counted, learned, rule, period)
        {
            return Outlook::Withheld(weighed);
        }
        let to_page = (1..=needed).find(|more| {
            let kept = &counted[counted.len().saturating_sub(n - more)..];
            breaching(kept) + more >= needed
        });
        Outlook::Quiet { to_page: to_page.unwrap_or(needed) as u8 }
    }

    fn weigh(&self, slots: &[Slot], learned: &Learned, rule: &Rule, period: Period) -> Option<Weighed> {
        let since = slots.iter().find(|slot| slot.verdict == Verdict::Breaching)?.period;
        let estimator = evidence_by(learned, rule);
        let mut stretch = Stretch::default();
        for index in since.index()..=period.index() {
            if let Some(one) = fresh(&self.history, learned, estimator, Period::from_index(index)) {
                stretch.add(one);
            }
        }
        (stretch.samples > 0.0).then(|| Weighed {
            since,
            samples: stretch.samples,
            samples_needed: fewest_requests(rule),
            ratio: stretch.log_ratio().exp(),
            noise: stretch.sigma(learned, estimator),
            slow_tail: !may_be_the_host(&self.history, learned, &stretch),
        })
    }
}

fn usual(learned: &Learned, boundary: Period, rule: &Rule, period: Period) -> Usual {
    let of = |estimator: Estimator| {
        let baseline = learned.baseline(estimator)?;
        let samples = fewest_samples(estimator, rule);
        let noise = match estimator {
            Estimator::P50 => baseline.noise().sigma(samples),
            Estimator::TokenWeighted => baseline.noise().sampling_sigma(samples),
        };
        let line = line(learned, rule, estimator, samples);
        Some(UsualOtps { expected: baseline.expected(period), samples, noise, line })
    };
    let p50 = of(Estimator::P50);
    Usual {
        boundary,
        deciding: learned.deciding,
        p50,
        token_weighted: of(Estimator::TokenWeighted),
        p50_clearance: p50.map(|p50| -rule.page_below.ln() / p50.noise),
        clearance_needed: CARRYING_SIGMAS,
        streaming_share: learned.streaming_share,
    }
}
