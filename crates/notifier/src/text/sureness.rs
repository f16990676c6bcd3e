//! How far the evidence carries: both estimators side by side, and the noise.

use domain::{Estimator, Evidence, Rule, Slot, Terms};

use crate::figures::{known, otps, quotient, ratio, times};
use crate::sheet::Sheet;

/// Both estimators over the breaching periods, and the drop in terms of the usual noise. The p50 is always stated.
pub(super) fn sureness(sheet: &mut Sheet, evidence: &Evidence, slot: &Slot, rule: &Rule) {
    sheet.gap();
    sheet.paragraph(&format!("How sure: {}", agreement(evidence, slot.estimator, rule)));
    for estimator in [Estimator::P50, Estimator::TokenWeighted] {
        let decided = if estimator == slot.estimator { "   this one decided" } else { "" };
        let (now, usual) = (by(&evidence.now, estimator), by(&evidence.usual, estimator));
        sheet.line(&format!("  {:<15} {}{decided}", estimator.as_str(), figures(now, usual)));
    }
    sheet.line(&format!("  {}", noise(slot)));
}

fn by(terms: &Terms, estimator: Estimator) -> Option<f64> {
    match estimator {
        Estimator::P50 => terms.otps_p50,
        Estimator::TokenWeighted => terms.otps_token_weighted,
    }
    .and_then(known)
}

fn figures(now: Option<f64>, usual: Option<f64>) -> String {
    match (now, usual) {
        (Some(now), Some(usual)) => {
            format!("{:>6} of {:>6} tok/s  {}", otps(now), otps(usual), ratio(now / usual))
        }
        (Some(now), None) => format!("{:>6} tok/s, usual value not known", otps(now)),
        (None, _) => "not known, its inputs were not read".to_owned(),
    }
}

fn agreement(evidence: &Evidence, decided: Estimator, rule: &Rule) -> String {
    let fell = |estimator| {
        let (now, usual) = (by(&evidence.now, estimator), by(&evidence.usual, estimator));
        match (evidence.line, rule.page_below_otps) {
            (Some(line), _) => quotient(now, usual).map(|ratio| ratio < line),
            (None, Some(floor)) => now.map(|now| now < floor),
            (None, None) => None,
        }
    };
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
