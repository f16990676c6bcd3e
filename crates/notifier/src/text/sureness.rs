//! How far the evidence carries: both estimators side by side, and the noise.

use domain::{Estimator, Evidence, Page, Rule, Series, Slot, Terms};

use crate::context::Context;
use crate::deciding::newest_breach;
use crate::figures::{known, otps, quotient, ratio, times};
use crate::gathered::distinct;
use crate::sheet::Sheet;

/// Both estimators over the breaching periods, and the drop in terms of the usual noise. The p50 is always stated.
pub(super) fn sureness(sheet: &mut Sheet, evidence: &Evidence, slot: &Slot, rule: &Rule) {
    sheet.gap();
    sheet.paragraph(&format!("How sure: {}", agreement(evidence, slot.estimator, rule)));
    for estimator in [Estimator::P50, Estimator::TokenWeighted] {
        let decided = if estimator == slot.estimator { "   this one decided" } else { "" };
        let (now, usual) = (by(&evidence.now, estimator), by(&evidence.usual, estimator));
        sheet.line(&format!("  {:<15} {}{decided}", estimator.as_str(), figures(now, usual, evidence.line)));
    }
    sheet.line(&format!("  {}", noise(slot)));
}

/// Several series at once: how many both estimators show, and how many accounts or models.
pub(super) fn together(sheet: &mut Sheet, pages: &[&Page], context: &Context<'_>) {
    let both = pages.iter().filter(|page| {
        let rule = context.rule_of(page.drop().series());
        let fell = |estimator| fell(page.evidence(), estimator, &rule) == Some(true);
        fell(Estimator::P50) && fell(Estimator::TokenWeighted)
    });
    let both = match both.count() {
        all if all == pages.len() => "both estimators are below the line in every series".to_owned(),
        both if 2 * both >= pages.len() => {
            format!("both estimators are below the line in {both} of {} series", pages.len())
        }
        both => format!(
            "both estimators are below the line in only {both} of {} series: look at the chart before you act",
            pages.len()
        ),
    };
    let series = || pages.iter().map(|page| page.drop().series());
    let at_once = match (distinct(series(), Series::account), distinct(series(), Series::model)) {
        (1, 1) => String::new(),
        (1, models) => format!("{models} models at once, so that it is no matter of one model. "),
        (accounts, _) => format!("{accounts} accounts at once, so that it is no matter of one caller. "),
    };
    sheet.gap();
    sheet.item("How sure: ", &format!("{both}. {at_once}{}", first_row(pages)));
}

/// `First row: p50 0.66, token-weighted 0.67; usual noise at this traffic is ±4 %, this drop is 10 times that.`
fn first_row(pages: &[&Page]) -> String {
    let Some((evidence, slot)) =
        pages.first().and_then(|page| Some((page.evidence(), newest_breach(page.evidence())?)))
    else {
        return String::new();
    };
    let of = |estimator: Estimator| {
        quotient(by(&evidence.now, estimator), by(&evidence.usual, estimator))
            .map_or_else(|| "not known".to_owned(), |share| ratio(share, evidence.line))
    };
    let noise = noise(slot);
    let noise = noise.strip_prefix('U').map_or_else(|| noise.clone(), |rest| format!("u{rest}"));
    format!("First row: p50 {}, token-weighted {}; {noise}", of(Estimator::P50), of(Estimator::TokenWeighted))
}

fn by(terms: &Terms, estimator: Estimator) -> Option<f64> {
    match estimator {
        Estimator::P50 => terms.otps_p50,
        Estimator::TokenWeighted => terms.otps_token_weighted,
    }
    .and_then(known)
}

fn figures(now: Option<f64>, usual: Option<f64>, line: Option<f64>) -> String {
    match (now, usual) {
        (Some(now), Some(usual)) => {
            format!("{:>6} of {:>6} tok/s  {}", otps(now), otps(usual), ratio(now / usual, line))
        }
        (Some(now), None) => format!("{:>6} tok/s, usual value not known", otps(now)),
        (None, _) => "not known, its inputs were not read".to_owned(),
    }
}

/// Whether OTPS by this estimator, over the breaching periods together, is below the line; `None` where it cannot be compared.
fn fell(evidence: &Evidence, estimator: Estimator, rule: &Rule) -> Option<bool> {
    let (now, usual) = (by(&evidence.now, estimator), by(&evidence.usual, estimator));
    match (evidence.line, rule.page_below_otps) {
        (Some(line), _) => quotient(now, usual).map(|ratio| ratio < line),
        (None, Some(floor)) => now.map(|now| now < floor),
        (None, None) => None,
    }
}

fn agreement(evidence: &Evidence, decided: Estimator, rule: &Rule) -> String {
    let fell = |estimator| fell(evidence, estimator, rule);
    let other = match decided {
        Estimator::P50 => Estimator::TokenWeighted,
        Estimator::TokenWeighted => Estimator::P50,
    };
    match (fell(decided), fell(other)) {
        (Some(true), Some(true)) => "both estimators are below the line.".to_owned(),
        (Some(true), Some(false)) => format!(
            "only the {decided} estimator is below the line, and it was to decide. Look at the chart before you act."
        ),
        (Some(true), None) => {
            format!("only the {decided} estimator could be compared, so nothing corroborates it.")
        }
        _ => "over the breaching periods together it does not show. Look at the chart before you act."
            .to_owned(),
    }
}

/// The drop in standard deviations of the noise that is usual at this sample count.
fn noise(slot: &Slot) -> String {
    match (slot.noise.and_then(known), slot.ratio().and_then(known)) {
        (Some(noise), Some(ratio)) if ratio < 1.0 => format!(
            "Usual noise at this traffic is ±{:.0} %, this drop is {} times that.",
            noise * 100.0,
            times(-ratio.ln() / noise)
        ),
        (Some(noise), _) => format!("Usual noise at this traffic is ±{:.0} %.", noise * 100.0),
        (None, _) => "Usual noise at this traffic is not known.".to_owned(),
    }
}
