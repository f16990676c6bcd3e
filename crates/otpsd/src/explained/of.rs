//! From what the engine says to what is printed and sent.

use domain::{Estimator as By, Method, Mode, PERIODS_PER_DAY, Series, Verdict as Said};
use evaluator::{Engine, Explanation, Outlook, Settings};

use super::{
    Estimator, Explained, Incident, Learning, Next, NotTrained, Rule, Slot, Ticket, Usual, UsualOtps, Verdict,
};

impl Explained {
    /// What there is to say of a series; `None` before its first period was judged.
    pub(crate) fn of(engine: &Engine, series: &Series) -> Option<Self> {
        let explanation = engine.explain(series)?;
        let settings = engine.settings_of(series);
        let settings = settings.as_ref();
        let Explanation { state, slots, usual, learned_from, progress, outlook, tickets } = explanation;
        Some(Self {
            series: series.to_string(),
            state: state.state.as_str().to_owned(),
            since: state.since.to_string(),
            judged_through: state.judged_through.to_string(),
            not_seen: None,
            usual: usual.map(|usual| Usual::of(&usual)),
            learned_from,
            learning: Learning {
                days: progress.periods as f64 / PERIODS_PER_DAY as f64,
                days_needed: settings.learning.min_days,
                datapoints: progress.datapoints,
                datapoints_needed: settings.learning.min_datapoints,
            },
            not_trained: state.untrained.iter().map(NotTrained::of).collect(),
            slots: slots.iter().map(|(slot, line)| Slot::of(slot, *line, settings)).collect(),
            next: Next::of(outlook),
            incident: state.incident.map(|incident| Incident {
                key: incident.key.to_string(),
                onset: incident.onset.to_string(),
                opened: incident.opened.to_string(),
                worst_ratio: incident.worst,
                told: Vec::new(),
                untold: None,
            }),
            tickets: tickets
                .iter()
                .map(|ticket| Ticket {
                    key: ticket.key.to_string(),
                    cause: ticket.cause.as_str().to_owned(),
                    opened: ticket.opened.to_string(),
                    summary: notifier::text::ticket::summary(ticket),
                })
                .collect(),
            rule: Rule::of(settings),
            written: Vec::new(),
        })
    }
}

impl From<By> for Estimator {
    fn from(by: By) -> Self {
        match by {
            By::P50 => Self::P50,
            By::TokenWeighted => Self::TokenWeighted,
        }
    }
}

impl NotTrained {
    fn of(span: &domain::Span) -> Self {
        // Nothing was read before there was Bedrock.
        let has_beginning = span.from.index() > 0;
        Self { from: has_beginning.then(|| span.from.to_string()), until: span.until.to_string() }
    }
}

impl Usual {
    fn of(usual: &evaluator::Usual) -> Self {
        let by = |one: evaluator::UsualOtps| UsualOtps {
            baseline: one.expected,
            samples: one.samples,
            noise: one.noise,
            threshold: one.expected * one.line,
        };
        Self {
            learned_before: usual.boundary.to_string(),
            deciding: usual.deciding.into(),
            p50: usual.p50.map(by),
            token_weighted: usual.token_weighted.map(by),
            p50_clearance: usual.p50_clearance,
            clearance_needed: usual.clearance_needed,
            streaming_share: usual.streaming_share,
        }
    }
}

impl Slot {
    fn of(slot: &domain::Slot, line: Option<f64>, settings: &Settings) -> Self {
        let (verdict, reason) = match slot.verdict {
            Said::Breaching => (Verdict::Breaching, None),
            Said::Within => (Verdict::Within, None),
            Said::Missing(reason) => (Verdict::Missing, Some(reason.as_str().to_owned())),
        };
        let share = line.zip(slot.baseline).map(|(line, baseline)| line * baseline);
        let threshold = match (share, settings.rule.page_below_otps) {
            (Some(share), Some(floor)) => Some(share.max(floor)),
            (share, floor) => share.or(floor),
        };
        let below = slot.value().zip(threshold).is_some_and(|(value, threshold)| value < threshold);
        Self {
            period: slot.period.to_string(),
            verdict,
            reason,
            could_be_noise: verdict == Verdict::Within && below,
            estimator: slot.estimator.into(),
            otps_p50: slot.otps.and_then(|otps| otps.p50),
            otps_token_weighted: slot.otps.and_then(|otps| otps.token_weighted),
            value: slot.value(),
            baseline: slot.baseline,
            threshold,
            ratio: slot.ratio(),
            noise: slot.noise,
            samples: slot.samples,
            window: slot.window,
        }
    }
}

impl Next {
    fn of(outlook: Outlook) -> Self {
        match outlook {
            Outlook::Learning => Self::Learns,
            Outlook::Quiet { to_page } => Self::PagesAfter(to_page),
            Outlook::Withheld(weighed) => Self::Withheld {
                since: weighed.since.to_string(),
                requests: weighed.samples,
                requests_needed: weighed.samples_needed,
                ratio: weighed.ratio,
                noise: weighed.noise,
                slow_tail: weighed.slow_tail,
            },
            Outlook::Incident { above, needed, back } => Self::ResolvesAfter { needed, back, above },
        }
    }
}

impl Rule {
    fn of(settings: &Settings) -> Self {
        let (rule, learning) = (&settings.rule, &settings.learning);
        let (method, deviations, below) = match rule.method {
            Method::Threshold => ("threshold", None, None),
            Method::Anomaly { deviations, below } => ("anomaly", Some(deviations), Some(below)),
        };
        let mode = match rule.mode {
            Mode::Page => "page",
            Mode::Observe => "observe",
        };
        Self {
            mode: mode.to_owned(),
            method: method.to_owned(),
            anomaly_deviations: deviations,
            anomaly_below: below,
            page_below: rule.page_below,
            page_below_otps: rule.page_below_otps,
            evaluation_periods: rule.evaluation_periods,
            datapoints_to_alarm: rule.datapoints_to_alarm,
            treat_missing_data: rule.missing_data.as_str().to_owned(),
            estimator: rule.estimator.as_str().to_owned(),
            min_samples: rule.min_samples,
            widest_window: rule.widest_window,
            noise_sigmas: rule.noise_sigmas,
            recover_above: rule.recover_above,
            recover_datapoints: rule.recover_datapoints,
            history_days: learning.history_days,
            seasonal: learning.seasonal,
            never_train: learning.never_train.len(),
        }
    }
}
