//! `[[test.expect]]`

use domain::{About, AlarmState, Cause, Labels, Matcher, Period};
use toml::de::DeValue;

use super::{Course, Expectation, Expected, moment, open, schema};
use crate::hint;
use crate::quote::typed;
use crate::report::{At, Report};
use crate::table::{Fault, Node, Table};
use crate::value::{choice, glob, word, wrong_type};

/// What a test is about.
#[derive(Debug)]
pub(super) struct During<'c> {
    pub(super) start: Period,
    /// The first period without a value.
    pub(super) until: Period,
    pub(super) series: &'c [Course],
}

/// Times that are named by an expectation, as boundaries between periods.
#[derive(Debug, Clone, Copy)]
struct Boundaries {
    from: Period,
    to: Period,
}

pub(super) fn read(report: &mut Report<'_>, node: Node<'_>, during: &During<'_>) -> Option<Expectation> {
    let line = open::line(report, node.at);
    let mut table = open::table(report, &schema::EXPECT, node);
    if !table.is_table() {
        return None;
    }
    let what = what(&mut table, node);
    let when = when(&mut table, what, during);
    let matcher = matcher(&mut table, during);
    let channels = table.list("channels", "[\"pagerduty.oncall\"]", word);
    if let (Some(Expected::State(_) | Expected::Silence), Some(at)) = (what, channels.at) {
        table.report.error(at, "`channels` are of what is said, and here nothing is");
    }
    let Boundaries { from, to } = when?;
    Some(Expectation {
        line,
        what: what?,
        // What is said at a time is said of the period that ends then.
        within: (from - 1, to - 1),
        matcher: matcher?,
        channels: channels.value?.map(|all| all.into_iter().map(|(name, _)| name).collect()),
    })
}

/// The one key that says what is expected.
fn what(table: &mut Table<'_, '_, '_>, own: Node<'_>) -> Option<Expected> {
    let given: Vec<_> = schema::KINDS.into_iter().filter_map(|key| Some((key, table.get(key)?))).collect();
    let (key, node) = match given[..] {
        [one] => one,
        [] => {
            if !table.is_misspelt() {
                let message = "`[[test.expect]]` does not say what is expected";
                table.report.error(own.at, message).hint("add `page = true`, `resolve = true`, `ticket = \"queueing\"`, `state = \"OK\"` or `silence = true`");
            }
            return None;
        }
        [(first, here), (second, there), ..] => {
            let message = format!("`{first}` and `{second}` are two expectations");
            let draft = table.report.error(there.key_at, message);
            draft.hint("write each under a `[[test.expect]]` of its own").see(here.key_at, "the other one");
            return None;
        }
    };
    let read = match key {
        "page" => is_true(node.value, key).map(|()| Expected::Page),
        "resolve" => is_true(node.value, key).map(|()| Expected::Resolve),
        "silence" => is_true(node.value, key).map(|()| Expected::Silence),
        "state" => {
            let all = AlarmState::ALL.map(|state| (state.as_str(), state));
            choice(&all)(node.value).map(Expected::State)
        }
        _ => {
            // A test has no source that could fail.
            let causes = Cause::ALL.into_iter().filter(|cause| !cause.is_of_source());
            let all: Vec<_> = causes.map(|cause| (cause.as_str(), cause)).collect();
            choice(&all)(node.value).map(if key == "ticket" {
                Expected::Ticket
            } else {
                Expected::TicketClosed
            })
        }
    };
    read.map_err(|fault| table.fault(key, node.at, fault)).ok()
}

fn is_true(value: &DeValue<'_>, key: &str) -> Result<(), Fault> {
    match value {
        DeValue::Boolean(true) => Ok(()),
        DeValue::Boolean(false) if key == "silence" => {
            Err(Fault::new("can only be true").hint("expect what is said"))
        }
        DeValue::Boolean(false) => {
            Err(Fault::new("can only be true").hint("that nothing is said is `silence = true`"))
        }
        other => Err(wrong_type("true", other)),
    }
}

/// When. A silence without a time is that of the whole test.
fn when(table: &mut Table<'_, '_, '_>, what: Option<Expected>, during: &During<'_>) -> Option<Boundaries> {
    let boundary = moment::boundary(Some(during.start));
    let (at, within) = (table.get("at"), table.get("within"));
    match (at, within) {
        (Some(_), Some(within)) => {
            table
                .report
                .error(within.key_at, "`at` and `within` are two times")
                .hint("leave one of them out");
            None
        }
        (Some(node), None) => {
            let time = boundary(node.value).map_err(|fault| table.fault("at", node.at, fault)).ok()?;
            inside(table, "at", node.at, time, what, during).then_some(Boundaries { from: time, to: time })
        }
        (None, Some(node)) => {
            let DeValue::Array(times) = node.value else {
                let fault = Fault::new(format!("must be two times, not {}", typed(node.value)));
                table.fault("within", node.at, fault.hint("write `within = [\"+15m\", \"+25m\"]`"));
                return None;
            };
            let mut read = Vec::new();
            for one in times.iter() {
                let one = Node::element(node.at.file, one);
                match boundary(one.value) {
                    Ok(time) => read.push((time, one.at)),
                    Err(fault) => table.fault("within", one.at, fault),
                }
            }
            let [(from, from_at), (to, to_at)] = read[..] else {
                if read.len() == times.len() {
                    let fault = Fault::new(format!("must be two times, not {}", read.len()));
                    table.fault("within", node.at, fault.hint("write `within = [\"+15m\", \"+25m\"]`"));
                }
                return None;
            };
            if to < from {
                table.fault(
                    "within",
                    node.at,
                    Fault::new("ends before it begins").hint("the earlier time comes first"),
                );
                return None;
            }
            let inside = inside(table, "within", from_at, from, what, during)
                && inside(table, "within", to_at, to, what, during);
            inside.then_some(Boundaries { from, to })
        }
        (None, None) if what == Some(Expected::Silence) => {
            Some(Boundaries { from: during.start, to: during.until })
        }
        (None, None) => {
            if what.is_some() && !table.is_misspelt() {
                table.lacks("at", "\"+15m\"");
            }
            None
        }
    }
}

/// Whether something can be said at a time: after a period of the test, or of the history before it.
fn inside(
    table: &mut Table<'_, '_, '_>,
    key: &str,
    at: At,
    time: Period,
    what: Option<Expected>,
    during: &During<'_>,
) -> bool {
    if (during.start..=during.until).contains(&time) {
        return true;
    }
    let last = (during.until - during.start) * domain::PERIOD_SECONDS / 60;
    let fault = if time > during.until {
        Fault::new("is after the last value")
            .hint(format!("the values end at \"+{last}m\", {}", during.until))
    } else {
        Fault::new("is before the start").hint(match what {
            Some(Expected::State(_)) => "the state after the history is that at \"+0m\"".to_owned(),
            _ => format!("the test starts at {}", during.start),
        })
    };
    table.fault(key, at, fault);
    false
}

/// Which series; a pattern that fits none is a mistake.
fn matcher(table: &mut Table<'_, '_, '_>, during: &During<'_>) -> Option<Matcher> {
    let mut matcher = Matcher::default();
    let mut is_read = true;
    for key in ["account", "region", "model"] {
        let Some(node) = table.get(key) else { continue };
        let setting = table.setting(key, String::new(), crate::value::text(glob(key)));
        let Some(pattern) = setting.value else {
            is_read = false;
            continue;
        };
        let one = match key {
            "account" => Matcher { accounts: vec![pattern], ..Matcher::default() },
            "region" => Matcher { regions: vec![pattern], ..Matcher::default() },
            _ => Matcher { models: vec![pattern], ..Matcher::default() },
        };
        if !during.series.iter().any(|course| takes(&one, &course.series)) {
            let names: Vec<_> = during
                .series
                .iter()
                .map(|course| match key {
                    "account" => course.series.account(),
                    "region" => course.series.region(),
                    _ => course.series.model(),
                })
                .collect();
            let fault = Fault::new("fits no series of this test");
            table.fault(key, node.at, fault.hint(format!("they are {}", hint::listed(&names, "and"))));
            is_read = false;
        }
        matcher.accounts.extend(one.accounts);
        matcher.regions.extend(one.regions);
        matcher.models.extend(one.models);
    }
    is_read.then_some(matcher)
}

fn takes(matcher: &Matcher, series: &domain::Series) -> bool {
    let (labels, regions) = (Labels::new(), [series.region()]);
    matcher.takes(&About { series: Some(series), regions: &regions, cause: "", labels: &labels })
}
