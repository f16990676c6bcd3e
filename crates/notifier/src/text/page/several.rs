//! A page about several series of a group: what they have in common, and a table.

use domain::{Estimator, Group, Page, Series, Slot, Verdict};

use super::super::{around, fell_back, findings, heading, identity, slots, sureness};
use super::{judged, line, meaning, since};
use crate::context::Context;
use crate::cut;
use crate::deciding::newest_breach;
use crate::figures::{change, count, known, otps, percent_slower, ratio, signed_seconds};
use crate::gathered::{distinct, median, ratio_of, requests};
use crate::sheet::Sheet;

/// More series are counted, not listed.
const ROWS: usize = 10;

/// `us-east-1 decodes 34 % slower (0.66): example.large-v1:0 and 2 more models, 4 of 22 judged series; prod-b not visible`
pub(super) fn summary(group: &Group, pages: &[&Page], context: &Context<'_>) -> String {
    let (line, ratios) = (common_line(pages), ratios(pages));
    let place = cut::in_the_middle(&cut::one_line(group.as_str()), 40, "…");
    let fell = match median(ratios) {
        Some(middle) => format!("{} % slower ({})", percent_slower(middle, line), ratio(middle, line)),
        None => "more slowly than usual".to_owned(),
    };
    let unseen: Vec<String> = here(pages, context).map(around::name).collect();
    let blind = match &unseen[..] {
        [] => String::new(),
        [one] => format!("; {one} not visible"),
        many => format!("; {} sources not visible", many.len()),
    };
    format!("{place} decodes {fell}: {}, {}{blind}", most(pages), hit(pages, context))
}

/// `example.large-v1:0 and 2 more models in 2 accounts`, the one with most traffic first.
fn most(pages: &[&Page]) -> String {
    let series = || pages.iter().map(|page| page.drop().series());
    let first = series().next().map(heading::model).unwrap_or_default();
    let more = match distinct(series(), Series::model) {
        0 | 1 => String::new(),
        2 => " and 1 more model".to_owned(),
        models => format!(" and {} more models", models - 1),
    };
    let accounts = match distinct(series(), Series::account) {
        0 | 1 => String::new(),
        accounts => format!(" in {accounts} accounts"),
    };
    format!("{first}{more}{accounts}")
}

/// Everything between the first line and the steps.
pub(super) fn body(sheet: &mut Sheet, pages: &[&Page], context: &Context<'_>) {
    let Some(first) = pages.first() else { return };
    let evidence = first.evidence();
    let checked = findings::across(pages);
    let together: Vec<domain::Finding> = checked.iter().map(|across| across.finding).collect();
    sheet.paragraph(&meaning(evidence, &together, context));
    sheet.paragraph(&when(pages, context));
    sheet.paragraph(&extent(pages, context));
    let owners = heading::values("owner", pages.iter().map(|page| page.drop().series()), context);
    if !owners.is_empty() {
        sheet.item("Owners: ", &format!("{}.", owners.join(", ")));
    }
    sheet.gap();
    table(sheet, pages);
    let rule = context.rule_of(first.drop().series());
    slots::in_a_line(sheet, "First row", &evidence.slots, evidence.line, &rule);
    identity::identity(sheet, "usual", &evidence.usual, &evidence.now);
    sureness::together(sheet, pages, context);
    findings::of_several(sheet, &checked, pages.len());
    fell_back::told(sheet, context);
    sheet.gap();
    around::unseen(sheet, first.drop().series().region(), context.surroundings, context.now);
    around::elsewhere(sheet, context.surroundings);
}

fn ratios(pages: &[&Page]) -> Vec<f64> {
    pages.iter().filter_map(|page| ratio_of(page)).collect()
}

/// The line of all; where they differ, the lowest, below which every one of them lies or none is claimed to.
fn common_line(pages: &[&Page]) -> Option<f64> {
    pages.iter().filter_map(|page| page.evidence().line).reduce(f64::min)
}

fn here<'a>(pages: &[&Page], context: &Context<'a>) -> impl Iterator<Item = &'a domain::Unseen> {
    let region = pages.first().map(|page| page.drop().series().region().to_owned()).unwrap_or_default();
    context.surroundings.unseen.iter().filter(move |unseen| unseen.region == region)
}

fn models(pages: &[&Page]) -> String {
    match distinct(pages.iter().map(|page| page.drop().series()), Series::model) {
        1 => "1 model".to_owned(),
        models => format!("{models} models"),
    }
}

/// `4 of 22 judged series`
fn hit(pages: &[&Page], context: &Context<'_>) -> String {
    match context.surroundings.judged {
        judged if judged >= pages.len() => format!("{} of {judged} judged series", pages.len()),
        _ => format!("{} series", pages.len()),
    }
}

fn when(pages: &[&Page], context: &Context<'_>) -> String {
    let (Some(first), Some(onset), Some(decided)) = (
        pages.first(),
        pages.iter().map(|page| page.incident().onset).min(),
        pages.iter().map(|page| page.incident().opened).max(),
    ) else {
        return String::new();
    };
    let evidence = first.evidence();
    let alike = pages
        .iter()
        .all(|page| page.evidence().m_of_n == evidence.m_of_n && page.evidence().line == evidence.line);
    let (enough, of) = evidence.m_of_n;
    let rule = if alike {
        format!(
            "{} in at least {enough} of the last {of} periods each.",
            line(evidence, &context.rule_of(first.drop().series()), "its")
        )
    } else {
        "Each below its own line, as often as its own rule asks.".to_owned()
    };
    let onset = onset.start();
    format!("{} {rule} {}", since(onset), judged(decided.end(), onset, context.now))
}

/// How many are hit, and how much of the traffic.
fn extent(pages: &[&Page], context: &Context<'_>) -> String {
    let accounts = distinct(pages.iter().map(|page| page.drop().series()), Series::account);
    let accounts = if accounts == 1 { "1 account".to_owned() } else { format!("{accounts} accounts") };
    let traffic: f64 = pages.iter().map(|page| requests(page)).sum();
    let longer = pages.first().and_then(|page| {
        let (now, usual) = (known(page.evidence().now.latency_ms)?, known(page.evidence().usual.latency_ms)?);
        (now > usual).then(|| signed_seconds(now - usual).trim_start_matches('+').to_owned())
    });
    let longer = longer
        .map(|longer| format!("; the one with most traffic takes {longer} longer (p50)"))
        .unwrap_or_default();
    format!(
        "Hit: {}, {} in {accounts}, about {} requests in 5 minutes{longer}. The first line has the median{}.",
        hit(pages, context),
        models(pages),
        count(traffic),
        range(pages)
    )
}

/// A row for each, the one with most traffic first.
fn table(sheet: &mut Sheet, pages: &[&Page]) {
    let several_accounts = distinct(pages.iter().map(|page| page.drop().series()), Series::account) > 1;
    let worst = lowest(pages);
    let account = |text: &str| if several_accounts { format!("  {text:<12}") } else { String::new() };
    sheet.line(&format!(
        "  {:<15}  {:<10}  {:>8}  {:>6}{}  model, most traffic first",
        "OTPS now/usual",
        "ratio",
        "requests",
        "TTFT",
        account("account")
    ));
    for page in pages.iter().take(ROWS) {
        let (evidence, series) = (page.evidence(), page.drop().series());
        let slot = newest_breach(evidence);
        let now = slot.and_then(Slot::value).map_or_else(|| "?".to_owned(), otps);
        let usual = slot.and_then(|slot| slot.baseline).map_or_else(|| "?".to_owned(), otps);
        let share = ratio_of(page).map_or_else(|| "?".to_owned(), |share| ratio(share, evidence.line));
        let mark = if worst == Some(series) { " worst" } else { "" };
        let ttft = change(known(evidence.usual.ttft_ms), known(evidence.now.ttft_ms));
        let by = match slot.map(|slot| slot.estimator) {
            Some(Estimator::TokenWeighted) => "  (token-weighted)",
            _ => "",
        };
        let new = if evidence.learned_from.is_some() { "  (new: another one's baseline)" } else { "" };
        sheet.line(&format!(
            "  {now:>6} / {usual:>6}  {:<10}  {:>8}  {:>6}{}  {}{by}{new}",
            format!("{share}{mark}"),
            count(requests(page)),
            ttft.unwrap_or_else(|| "?".to_owned()),
            account(&heading::account(series)),
            heading::model(series)
        ));
    }
    if let Some(rest) = pages.get(ROWS..).filter(|rest| !rest.is_empty()) {
        sheet.line(&format!("  and {} more,{}", rest.len(), range(rest).replacen(" of", " with", 1)));
    }
}

/// ` of ratios 0.58 to 0.74`
fn range(rest: &[&Page]) -> String {
    let line = common_line(rest);
    let ratios = ratios(rest);
    let (low, high) = (ratios.iter().copied().reduce(f64::min), ratios.iter().copied().reduce(f64::max));
    match (low, high) {
        (Some(low), Some(high)) => format!(" of ratios {} to {}", ratio(low, line), ratio(high, line)),
        _ => String::new(),
    }
}

fn lowest<'a>(pages: &[&'a Page]) -> Option<&'a Series> {
    let breaching =
        |page: &&&Page| page.evidence().slots.iter().any(|slot| slot.verdict == Verdict::Breaching);
    pages
        .iter()
        .filter(breaching)
        .filter_map(|page| Some((ratio_of(page)?, page.drop().series())))
        .min_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, series)| series)
}
