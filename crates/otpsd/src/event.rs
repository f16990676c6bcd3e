//! What is said, as one line of `backtest --format jsonl`. docs/reference/recording.md describes it.

use domain::{Period, Plan, Series, Slot, TicketAction, Verdict};
use evaluator::Effect;
use serde::Serialize;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Event {
    pub(crate) event: &'static str,
    /// When the deciding period ended.
    pub(crate) time: String,
    pub(crate) account: String,
    pub(crate) region: String,
    pub(crate) model: String,
    pub(crate) cause: &'static str,
    pub(crate) key: String,
    pub(crate) summary: String,
    /// The period in which it began, for pages and resolves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) onset: Option<String>,
    /// The periods that a page or a resolve rests on, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) slots: Vec<SlotLine>,
    /// The pages that an incident would have been in; of a resolve, those that end with it. One for each channel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) pages: Vec<PageLine>,
    /// The channels of a ticket.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) channels: Vec<String>,
    /// Why nobody would have been told of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) untold: Option<String>,
}

/// A page to a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PageLine {
    /// Its key, as receivers know it.
    pub(crate) key: String,
    pub(crate) channel: String,
    /// When it is told, before the settle delay.
    pub(crate) told: String,
    /// It was open already: nobody is told.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) joins: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// One of the last periods.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SlotLine {
    pub(crate) period: String,
    pub(crate) verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<&'static str>,
    pub(crate) estimator: &'static str,
    pub(crate) value: Option<f64>,
    pub(crate) baseline: Option<f64>,
    pub(crate) ratio: Option<f64>,
    pub(crate) noise: Option<f64>,
    pub(crate) samples: f64,
    pub(crate) window: u8,
}

impl Event {
    /// The line of an effect, for those that people are told of. Whom they are told is not known yet.
    pub(crate) fn of(effect: &Effect, plan: &Plan) -> Option<Self> {
        Some(match effect {
            Effect::Page(page) => {
                let incident = page.incident();
                let summary = notifier::text::page::of_series(page, &plan.rule_of(&incident.series));
                let line = Self::new(
                    "page_opened",
                    &incident.series,
                    incident.opened,
                    "otps_drop",
                    &incident.key,
                    summary,
                );
                line.since(incident.onset, &page.evidence().slots)
            }
            Effect::Resolve(resolve) => {
                let incident = &resolve.incident;
                let summary = notifier::text::resolve::of_series(resolve);
                let line = Self::new(
                    "page_resolved",
                    &incident.series,
                    resolve.resolved,
                    "otps_drop",
                    &incident.key,
                    summary,
                );
                line.since(incident.onset, &resolve.slots)
            }
            Effect::Ticket(ticket) => {
                let event = match ticket.action {
                    TicketAction::Opened => "ticket_opened",
                    TicketAction::Updated => "ticket_updated",
                    TicketAction::Closed => "ticket_closed",
                };
                let summary = notifier::text::ticket::summary(ticket);
                Self::new(event, &ticket.series, ticket.decided, ticket.cause.as_str(), &ticket.key, summary)
            }
            Effect::Ended(_) | Effect::Transition(_) | Effect::Diagnose(_) => return None,
        })
    }

    fn new(
        event: &'static str,
        series: &Series,
        decided: Period,
        cause: &'static str,
        key: &domain::Key,
        summary: String,
    ) -> Self {
        Self {
            event,
            time: decided.end().to_string(),
            account: series.account().to_owned(),
            region: series.region().to_owned(),
            model: series.model().to_owned(),
            cause,
            key: key.to_string(),
            summary,
            onset: None,
            slots: Vec::new(),
            pages: Vec::new(),
            channels: Vec::new(),
            untold: None,
        }
    }

    fn since(mut self, onset: Period, slots: &[Slot]) -> Self {
        self.onset = Some(onset.to_string());
        self.slots = slots.iter().map(SlotLine::of).collect();
        self
    }
}

impl SlotLine {
    fn of(slot: &Slot) -> Self {
        let (verdict, missing) = match slot.verdict {
            Verdict::Breaching => ("breaching", None),
            Verdict::Within => ("within", None),
            Verdict::Missing(reason) => ("missing", Some(reason.as_str())),
        };
        // JSON has no infinities, and nobody reads sixteen digits.
        let rounded = |value: Option<f64>| value.filter(|v| v.is_finite()).map(|v| (v * 1e4).round() / 1e4);
        Self {
            period: slot.period.to_string(),
            verdict,
            missing,
            estimator: slot.estimator.as_str(),
            value: rounded(slot.value()),
            baseline: rounded(slot.baseline),
            ratio: rounded(slot.ratio()),
            noise: rounded(slot.noise),
            samples: slot.samples,
            window: slot.window,
        }
    }
}
