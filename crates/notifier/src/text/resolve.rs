//! The text of a resolve.

use domain::{Acceptance, GroupResolve, Member, Period, Resolve, Series};
use jiff::Timestamp;

use super::{around, heading, slots};
use crate::context::Context;
use crate::cut;
use crate::figures::{otps, ratio};
use crate::gathered::distinct;
use crate::moments::{clock_beside, day_and_clock, lasting};
use crate::sheet::Sheet;

/// More series are counted, not listed.
const ROWS: usize = 10;
/// As much of what somebody said as a line should carry.
const SAID_CHARACTERS: usize = 300;

/// One line: that it is over, where, and how long it was.
///
/// `Recovered: us-east-1 example.large-v1:0 decodes at 0.98 of its baseline again; slow for 2 h 50 min`, or
/// `Recovered: us-east-1, all 4 series of 3 models; the last decodes at 0.98 of its baseline again; slow for 2 h 50 min`
#[must_use]
pub fn summary(resolve: &GroupResolve, context: &Context<'_>) -> String {
    context.marked(match &resolve.state.members[..] {
        [] | [_] => of_series(&resolve.last),
        members => {
            let place = cut::in_the_middle(&cut::one_line(resolve.state.group.as_str()), 40, "…");
            let (onset, recovered) = span(resolve);
            let how = format!("the last {}", how(&resolve.last));
            let word = word(&resolve.last);
            format!(
                "{word}: {place}, all {} series of {}; {how}; slow for {}",
                members.len(),
                models(members),
                lasting(onset, recovered)
            )
        }
    })
}

/// One line about one incident, whatever page it belongs to.
#[must_use]
pub fn of_series(resolve: &Resolve) -> String {
    let (place, incident) = (heading::place(&resolve.incident.series), &resolve.incident);
    let slow = lasting(incident.onset.start(), resolve.recovered.start());
    format!("{}: {place} {}; slow for {slow}", word(resolve), how(resolve))
}

/// Whether it recovered, or is over in another way.
const fn word(resolve: &Resolve) -> &'static str {
    if resolve.accepted.is_some() || resolve.unwatched { "Over" } else { "Recovered" }
}

fn how(resolve: &Resolve) -> String {
    match &resolve.accepted {
        Some(_) => accepted(resolve),
        None if resolve.unwatched => "is not watched any more".to_owned(),
        None => back(resolve),
    }
}

/// The whole text.
#[must_use]
pub fn text(resolve: &GroupResolve, context: &Context<'_>) -> String {
    let mut sheet = Sheet::default();
    heading::opening(&mut sheet, &summary(resolve, context), context);
    match &resolve.state.members[..] {
        [] | [_] => one(&mut sheet, &resolve.last, context),
        members => several(&mut sheet, resolve, members, context),
    }
    sheet.gap();
    around::unseen(&mut sheet, resolve.last.incident.series.region(), context.surroundings, context.now);
    sheet.gap();
    sheet.paragraph(end(&resolve.last));
    heading::footer(&mut sheet, link(resolve, context), &resolve.state.key);
    sheet.finish()
}

/// Where the chart is: of one series its own page.
pub(crate) fn link(resolve: &GroupResolve, context: &Context<'_>) -> Option<String> {
    match &resolve.state.members[..] {
        [] | [_] => context.link_to(&resolve.last.incident.series),
        _ => context.link(),
    }
}

/// From the first breaching period of any to the first of the last that was back.
pub(crate) fn span(resolve: &GroupResolve) -> (Timestamp, Timestamp) {
    let members = &resolve.state.members;
    let onset = members.iter().map(|member| member.onset).min().unwrap_or(resolve.last.incident.onset);
    let recovered = members.iter().filter_map(|member| member.recovered).max();
    (onset.start(), recovered.unwrap_or(resolve.last.recovered).max(onset).start())
}

fn one(sheet: &mut Sheet, resolve: &Resolve, context: &Context<'_>) {
    let incident = &resolve.incident;
    let (onset, recovered) = (incident.onset.start(), resolve.recovered.start());
    let worst = match incident.worst {
        Some(worst) => format!("Worst: {} of its baseline.", ratio(worst, None)),
        None => "How deep it fell below a baseline is not known: there was none.".to_owned(),
    };
    sheet.paragraph(&format!(
        "{} {worst} {}",
        slow(onset, recovered),
        since(resolve, recovered, onset, context)
    ));
    sheet.gap();
    heading::series(sheet, &incident.series, context);
    if !resolve.slots.is_empty() {
        sheet.gap();
        let what = if word(resolve) == "Over" { "Its last periods" } else { "Periods that show it" };
        slots::recovered(sheet, what, &resolve.slots);
    }
}

fn several(sheet: &mut Sheet, resolve: &GroupResolve, members: &[Member], context: &Context<'_>) {
    let (onset, recovered) = span(resolve);
    let worst = members
        .iter()
        .filter_map(|member| Some((member.worst?, &member.series)))
        .min_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(worst, series)| format!("Worst: {} ({}).", ratio(worst, None), heading::model(series)));
    sheet.paragraph(&format!(
        "{} {} {}",
        slow(onset, recovered),
        worst.unwrap_or_default(),
        since(&resolve.last, recovered, onset, context)
    ));
    sheet.gap();
    let several_accounts = distinct(members.iter().map(|member| &member.series), Series::account) > 1;
    let account = |text: &str| if several_accounts { format!("  {text:<12}") } else { String::new() };
    sheet.line(&format!(
        "  {:<30}  worst{}  model, in the order in which they fell",
        "slow",
        account("account")
    ));
    for member in members.iter().take(ROWS) {
        let worst = member.worst.map_or_else(|| "?".to_owned(), |worst| ratio(worst, None));
        sheet.line(&format!(
            "  {:<30}  {worst:<5}{}  {}",
            episode(member, onset),
            account(&heading::account(&member.series)),
            heading::model(&member.series)
        ));
    }
    if members.len() > ROWS {
        sheet.line(&format!("  and {} more", members.len() - ROWS));
    }
    if !resolve.last.slots.is_empty() {
        sheet.gap();
        let last = format!("The last one, {}", heading::model(&resolve.last.incident.series));
        slots::recovered(sheet, &last, &resolve.last.slots);
    }
}

/// `05:55Z-08:45Z, 2 h 50 min`
fn episode(member: &Member, reference: Timestamp) -> String {
    let onset = member.onset.start();
    match member.recovered.or(member.resolved).map(Period::start) {
        Some(recovered) => format!(
            "{}-{}, {}",
            clock_beside(onset, reference),
            clock_beside(recovered, reference),
            lasting(onset, recovered)
        ),
        None => format!("since {}", clock_beside(onset, reference)),
    }
}

fn slow(onset: Timestamp, recovered: Timestamp) -> String {
    format!(
        "Slow from {} to {}, {}.",
        day_and_clock(onset),
        clock_beside(recovered, onset),
        lasting(onset, recovered)
    )
}

fn since(resolve: &Resolve, recovered: Timestamp, onset: Timestamp, context: &Context<'_>) -> String {
    let judged = clock_beside(context.now, onset);
    match &resolve.accepted {
        Some(Acceptance { who, why }) => {
            let said = |text: &str| cut::at_word(&cut::one_line(text), SAID_CHARACTERS);
            format!("Accepted {judged} by {}: {}.", said(who), said(why).trim_end_matches('.'))
        }
        None if resolve.unwatched => {
            format!(
                "Not watched any more since {judged}: how it decodes since {} is not known.",
                clock_beside(recovered, onset)
            )
        }
        None => format!("Back since {}, judged {judged}.", clock_beside(recovered, onset)),
    }
}

fn models(members: &[Member]) -> String {
    match distinct(members.iter().map(|member| &member.series), Series::model) {
        1 => "1 model".to_owned(),
        models => format!("{models} models"),
    }
}

fn newest(resolve: &Resolve) -> Option<&domain::Slot> {
    resolve.slots.iter().rev().find(|slot| slot.value().is_some())
}

/// `decodes at 0.98 of its baseline again`
fn back(resolve: &Resolve) -> String {
    match newest(resolve).map(|slot| (slot.ratio(), slot.value())) {
        Some((Some(share), _)) => format!("decodes at {} of its baseline again", ratio(share, None)),
        Some((None, Some(value))) => format!("decodes at {} tok/s again", otps(value)),
        _ => "decodes as usual again".to_owned(),
    }
}

/// `stays at 0.66 of its earlier baseline, which was accepted`
fn accepted(resolve: &Resolve) -> String {
    match newest(resolve).map(|slot| (slot.ratio(), slot.value())) {
        Some((Some(share), _)) => {
            format!("stays at {} of its earlier baseline, which was accepted", ratio(share, None))
        }
        Some((None, Some(value))) => format!("stays at {} tok/s, which was accepted", otps(value)),
        _ => "stays as slow as it is, which was accepted".to_owned(),
    }
}

const fn end(last: &Resolve) -> &'static str {
    match last.accepted {
        None if last.unwatched => {
            "The configuration leaves it out now, so this page cannot end by itself and is closed. If that was not meant, look at \
             `include`, `ignore` and `regions` of its source."
        }
        Some(_) => {
            "OTPS did not come back: the level of now is the new normal, and from now on a page compares with it. Nothing to \
             do."
        }
        None => {
            "Nothing to do. The slow periods do not train the baseline. Whatever was moved to another Region or model can \
             come back."
        }
    }
}
