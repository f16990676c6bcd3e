//! `[maintenance.NAME]`: when somebody works on something, and nobody is to be told.

use domain::{Maintenance, Window};
use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan as _};

use crate::hours::{self, quoted_text, required_zone};
use crate::matching::{self, Known};
use crate::quote::quoted;
use crate::table::{Fault, Setting, Table};
use crate::value::{text, word};

/// Who mutes something for longer most likely mistook a month or a year.
const LONGEST: SignedDuration = SignedDuration::from_hours(14 * 24);
const FORM: &str = "write a time of every week as \"22:00\", or one date and time as \"2026-12-24T22:00\"";
const MAX_COMMENT: usize = 500;

/// Where a window begins or ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Edge {
    /// At a time of the day.
    Time(Time),
    /// Once.
    Once(DateTime),
}

/// What a window is read against.
#[derive(Debug)]
pub(crate) struct Surroundings<'k> {
    pub(crate) known: &'k Known<'k>,
    pub(crate) now: Timestamp,
    /// Days of history that a baseline learns from.
    pub(crate) history_days: u16,
}

pub(crate) fn read(
    mut table: Table<'_, '_, '_>,
    name: &str,
    surroundings: &Surroundings<'_>,
) -> Option<Maintenance> {
    if !table.is_table() {
        return None;
    }
    let matching = matching::read(&mut table);
    let comment = table.optional("comment", text(comment));
    let window = window(&mut table, surroundings);
    let matching = matching?;
    matching.warn_of_misses(table.report, surroundings.known);
    Some(Maintenance {
        name: name.to_owned(),
        matcher: matching.matcher,
        window: window?,
        comment: comment.value?,
    })
}

fn comment(text: &str) -> Result<String, Fault> {
    if text.chars().count() > MAX_COMMENT {
        return Err(Fault::new(format!("must have at most {MAX_COMMENT} characters")));
    }
    word(text)
}

fn window(table: &mut Table<'_, '_, '_>, surroundings: &Surroundings<'_>) -> Option<Window> {
    let from = table.required("from", "\"22:00\"", quoted_text(edge));
    let until = table.required("to", "\"02:00\"", quoted_text(edge));
    let at = |setting: &Setting<Edge>, value: Time| Setting { value: Some(value), at: setting.at };
    match (from.value?, until.value?) {
        (Edge::Time(begin), Edge::Time(end)) => {
            hours::weekly(table, at(&from, begin), at(&until, end)).map(Window::Weekly)
        }
        (Edge::Once(begin), Edge::Once(end)) => once(table, (begin, &from), (end, &until), surroundings),
        (begin, _) => {
            let kind =
                if matches!(begin, Edge::Once(_)) { "a date and a time" } else { "a time of every week" };
            let draft = table.report.error(until.at?, format!("`to` must be {kind}, like `from`"));
            draft.hint(FORM);
            if let Some(from) = from.at {
                draft.see(from, "the window begins here");
            }
            None
        }
    }
}

fn edge(text: &str) -> Result<Edge, Fault> {
    let fault = |hint: String| Fault::new(format!("is no time: {}", quoted(text))).hint(hint);
    if !text.contains('-') {
        return hours::time(text).map(Edge::Time).map_err(|time| match time.hint {
            Some(hint) if hint.starts_with("did you mean") => fault(hint),
            _ => fault(FORM.to_owned()),
        });
    }
    match text.parse::<DateTime>() {
        Ok(date) if !text.contains([':']) => {
            Err(fault(format!("a date needs its time, such as \"{}T22:00\"", date.date())))
        }
        Ok(time) if time.second() != 0 || time.subsec_nanosecond() != 0 => {
            Err(fault("write hours and minutes only".to_owned()))
        }
        Ok(time) => Ok(Edge::Once(time)),
        // An offset or a `Z` is read by nothing but a timestamp.
        Err(_) if text.parse::<Timestamp>().is_ok() => {
            Err(fault("the zone stands in `zone`: leave it out here".to_owned()))
        }
        Err(_) => Err(fault(FORM.to_owned())),
    }
}

fn once(
    table: &mut Table<'_, '_, '_>,
    (begin, from): (DateTime, &Setting<Edge>),
    (end, to): (DateTime, &Setting<Edge>),
    surroundings: &Surroundings<'_>,
) -> Option<Window> {
    if let Some(days) = table.get("days") {
        table
            .report
            .error(days.key_at, "`days` belongs to a window that comes every week")
            .hint("this one has dates: leave the days out");
        return None;
    }
    let zone = required_zone(table)?;
    let begin = instant(table, "from", &zone, begin, from);
    let end = instant(table, "to", &zone, end, to);
    let (begin, end, at) = (begin?, end?, to.at?);
    if end <= begin {
        let draft = table.report.error(at, "`to` must be later than `from`");
        draft.hint("the earlier one is `from`");
        if let Some(from) = from.at {
            draft.see(from, "the window begins here");
        }
        return None;
    }
    let length = end.duration_since(begin);
    if length > LONGEST {
        let days = length.as_hours().div_euclid(24);
        let draft = table.report.warning(at, format!("this window mutes for {days} days"));
        draft.hint("for longer than two weeks, silence is rarely what is meant");
        if let Some(from) = from.at {
            draft.see(from, "it begins here");
        }
    }
    if end <= surroundings.now {
        ended(table, (end, &zone), to, surroundings);
    }
    Some(Window::Once { from: begin, until: end })
}

/// A window that is over mutes nothing. It is of use only while baselines learn from its time.
fn ended(
    table: &mut Table<'_, '_, '_>,
    (end, zone): (Timestamp, &TimeZone),
    to: &Setting<Edge>,
    surroundings: &Surroundings<'_>,
) {
    let Some(at) = to.at else { return };
    let draft = table.report.warning(at, "this window has ended: it mutes nothing");
    let useful = SignedDuration::from_hours(24 * i64::from(surroundings.history_days));
    match end.checked_add(useful) {
        Ok(until) if until > surroundings.now => {
            let day = zone.to_datetime(until).date();
            draft.hint(format!(
                "leave it until {day}, so that no baseline learns from its time, or correct it"
            ));
        }
        _ => {
            draft.hint("take it out, or correct its year");
        }
    }
}

/// When the clock of a zone shows a time: of one that it shows twice the first for `from` and the last for `to`, so that the window
/// holds both.
fn instant(
    table: &mut Table<'_, '_, '_>,
    key: &str,
    zone: &TimeZone,
    local: DateTime,
    setting: &Setting<Edge>,
) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(local);
    let found = match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => {
            let message =
                format!("`{key}` is a time that the clocks of `zone` skip: they are put forward over it");
            let draft = table.report.error(setting.at?, message);
            // The instant after the skip, as the clock shows it.
            let after = ambiguous.later().ok().and_then(|later| later.checked_add(1.nanosecond()).ok());
            if let Some(skip) = after.and_then(|after| zone.preceding(after).next()) {
                let shown = zone.to_datetime(skip.timestamp());
                draft.hint(format!("did you mean \"{}T{}\"?", shown.date(), hours::shown(shown.time())));
            }
            return None;
        }
        AmbiguousOffset::Fold { .. } if key == "to" => ambiguous.later(),
        AmbiguousOffset::Fold { .. } | AmbiguousOffset::Unambiguous { .. } => ambiguous.earlier(),
    };
    if found.is_err() {
        let fault = Fault::new("is too far away");
        table.fault(key, setting.at?, fault);
    }
    found.ok()
}
