//! Body, subject and attributes of a page, a resolve and a ticket to a topic.

use domain::{AlarmState, Cause, Estimator, Page, Resolve, Series, Slot, SnsPlan, SourceTicket, Ticket};

use super::alarm::{Alarm, Own, Trigger, arn};
use super::{MESSAGE_BYTES, Names, SUBJECT, reason, region, subject};
use crate::context::Context;
use crate::deciding::{line, newest_breach};
use crate::{cut, moments, text};

/// The longest description of a CloudWatch alarm. Source: CloudWatch API reference, PutMetricAlarm.
const DESCRIPTION_CHARACTERS: usize = 1_024;

/// Longer than the name of any source that can be configured.
const SOURCE_CHARACTERS: usize = 256;

/// A body with its attributes, the subject first.
pub(crate) type Parts = (String, Vec<(String, String)>);

/// A page in the shape of an alarm that goes to ALARM.
pub(crate) fn page(page: &Page, plan: &SnsPlan, context: &Context<'_>) -> Parts {
    let (evidence, rule) = (page.evidence(), context.rule());
    let slot = newest_breach(evidence);
    let threshold = slot.and_then(|slot| line(slot, evidence.line, rule));
    // Before there was a baseline, CloudWatch would have had no state to leave.
    let from = match slot.and_then(|slot| slot.baseline) {
        Some(_) => AlarmState::Ok,
        None => AlarmState::InsufficientData,
    };
    let said = Said {
        series: page.drop().series(),
        kind: "page",
        from,
        to: AlarmState::Alarm,
        reason: reason::alarm(evidence, rule, threshold, from),
        threshold,
        slot,
        key: page.incident().key.as_str(),
        summary: text::page::of_series(page, rule),
        text: text::page::text(page, context),
        worst: page.incident().worst,
        since: page.incident().onset.start().to_string(),
        until: None,
    };
    said.parts(plan, context)
}

/// A resolve in the shape of the same alarm when it goes back to OK.
pub(crate) fn resolve(resolve: &Resolve, plan: &SnsPlan, context: &Context<'_>) -> Parts {
    let slot = resolve.slots.iter().rev().find(|slot| slot.value().is_some());
    let threshold = slot.and_then(|slot| line(slot, Some(context.rule().page_below), context.rule()));
    let said = Said {
        series: &resolve.incident.series,
        kind: "resolve",
        from: AlarmState::Alarm,
        to: AlarmState::Ok,
        reason: reason::ok(&resolve.slots, context.rule(), threshold),
        threshold,
        slot,
        key: resolve.incident.key.as_str(),
        summary: text::resolve::of_series(resolve),
        text: text::resolve::text(resolve, context),
        worst: resolve.incident.worst,
        since: resolve.incident.onset.start().to_string(),
        until: Some(resolve.recovered.start().to_string()),
    };
    said.parts(plan, context)
}

/// A ticket as plain text: nothing about it looks like an alarm.
pub(crate) fn ticket(ticket: &Ticket, context: &Context<'_>) -> Parts {
    let names = Names::of(&ticket.series);
    let attributes = attributes(
        subject::ticket(ticket, &names),
        [("kind", "ticket"), ("state", ticket.action.as_str()), ("cause", ticket.cause.as_str())],
        &names,
    );
    let text = text::ticket::text(ticket, context);
    (cut::at_byte(&text, MESSAGE_BYTES - size(&attributes)), attributes)
}

/// A ticket about a source as plain text. It has no model, and a Region only when it is about one.
pub(crate) fn source_ticket(ticket: &SourceTicket, context: &Context<'_>) -> Parts {
    let source = cut::in_the_middle(&ticket.source, SOURCE_CHARACTERS, "…");
    let region = if let [region] = &ticket.regions[..] { region.as_str() } else { "-" };
    let attributes = named(
        subject::source_ticket(ticket),
        [
            ("kind", "ticket"),
            ("state", ticket.action().as_str()),
            ("cause", Cause::SourceFailing.as_str()),
            ("source", &source),
            ("region", region),
        ],
    );
    let text = text::source::text(ticket, context);
    (cut::at_byte(&text, MESSAGE_BYTES - size(&attributes)), attributes)
}

/// What both shapes of the alarm have in common.
struct Said<'a> {
    series: &'a Series,
    kind: &'static str,
    from: AlarmState,
    to: AlarmState,
    reason: String,
    threshold: Option<f64>,
    slot: Option<&'a Slot>,
    key: &'a str,
    summary: String,
    text: String,
    worst: Option<f64>,
    since: String,
    until: Option<String>,
}

impl Said<'_> {
    fn parts(&self, plan: &SnsPlan, context: &Context<'_>) -> Parts {
        let names = Names::of(self.series);
        let attributes = attributes(
            subject::alarm(self.to, &names),
            [("kind", self.kind), ("state", self.to.as_str()), ("cause", "otps_drop")],
            &names,
        );
        let room = MESSAGE_BYTES - size(&attributes);
        (self.body(&names, plan, context, room), attributes)
    }

    fn body(&self, names: &Names, plan: &SnsPlan, context: &Context<'_>, room: usize) -> String {
        let rule = context.rule();
        let estimator = self.slot.map(|slot| slot.estimator);
        // Consumers insist on a number; a line that nobody knows does not occur with a rule that judged.
        let threshold = reason::hundredths(self.threshold.unwrap_or(0.0));
        let trigger = Trigger::new(
            names,
            estimator.unwrap_or(Estimator::P50),
            (rule.datapoints_to_alarm, rule.evaluation_periods),
            threshold,
        );
        let (name, now) = (names.alarm(), moments::state_change(context.now));
        let description = cut::at_word(&self.text, DESCRIPTION_CHARACTERS);
        let (summary, link) = (self.summary.as_str(), context.link());
        cut::to_fit(room, &self.text, |text| {
            json(&Alarm {
                alarm_name: &name,
                alarm_description: &description,
                aws_account_id: names.account_digits(),
                alarm_configuration_updated_timestamp: &now,
                new_state_value: self.to.as_str(),
                new_state_reason: &self.reason,
                state_change_time: &now,
                region: region::name(&names.region),
                alarm_arn: arn(names),
                old_state_value: self.from.as_str(),
                ok_actions: [&plan.topic_arn],
                alarm_actions: [&plan.topic_arn],
                insufficient_data_actions: [],
                trigger: &trigger,
                own: Own {
                    kind: self.kind,
                    cause: "otps_drop",
                    key: self.key,
                    summary,
                    account: &names.account,
                    region: &names.region,
                    model: &names.model,
                    estimator: estimator.map(Estimator::as_str),
                    otps: self.slot.and_then(Slot::value).map(reason::hundredths),
                    baseline: self.slot.and_then(|slot| slot.baseline).map(reason::hundredths),
                    ratio: self.slot.and_then(Slot::ratio).map(thousandths),
                    otps_p50: self.slot.and_then(|slot| slot.otps?.p50).map(reason::hundredths),
                    worst_ratio: self.worst.map(thousandths),
                    since: self.since.clone(),
                    until: self.until.clone(),
                    link: link.clone(),
                    text,
                },
            })
        })
    }
}

fn thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

fn json(alarm: &Alarm<'_>) -> String {
    serde_json::to_string(alarm).expect("texts and numbers can always be written")
}

/// The attributes that filter policies can ask for. SNS refuses an empty value and control characters.
fn attributes<'a>(subject: String, said: [(&'a str, &'a str); 3], names: &'a Names) -> Vec<(String, String)> {
    let of_series = [("model", names.model.as_str()), ("region", names.region.as_str())];
    named(subject, said.into_iter().chain(of_series))
}

/// The subject, and attributes by name.
fn named<'a>(subject: String, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    let mut attributes = vec![(SUBJECT.to_owned(), subject)];
    attributes.extend(pairs.into_iter().map(|(name, value)| {
        let value = cut::one_line(value);
        (name.to_owned(), if value.is_empty() { "-".to_owned() } else { value })
    }));
    attributes
}

/// What the attributes take of the message: name, type and value of each.
fn size(attributes: &[(String, String)]) -> usize {
    attributes.iter().map(|(name, value)| name.len() + "String".len() + value.len()).sum()
}
