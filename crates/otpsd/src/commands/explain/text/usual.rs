//! What was learned, and which estimator decides.

use super::sheet::Sheet;
use super::{moment, noise, otps, ratio};
use crate::explained::{Estimator, Explained, Usual, UsualOtps};

pub(super) fn usual(sheet: &mut Sheet, explained: &Explained) {
    let Some(usual) = &explained.usual else { return };
    sheet.title(&format!(
        "Usual at this hour, learned from the {} days before {}",
        explained.rule.history_days,
        moment(&usual.learned_before)
    ));
    for (estimator, name, one) in [
        (Estimator::P50, "p50", &usual.p50),
        (Estimator::TokenWeighted, "token-weighted", &usual.token_weighted),
    ] {
        let decides = if usual.deciding == estimator { "   decides" } else { "" };
        sheet.line(&format!("  {name:<14} {}{decides}", figures(one.as_ref())));
    }
    sheet.paragraph(2, &why(usual, explained));
}

fn figures(usual: Option<&UsualOtps>) -> String {
    usual.map_or_else(
        || "not known: its inputs were not read".to_owned(),
        |usual| {
            format!(
                "{:>6} tok/s, line at {:>6} tok/s, noise {:>6} at {:>3.0} requests",
                otps(usual.baseline),
                otps(usual.threshold),
                noise(usual.noise),
                usual.samples
            )
        },
    )
}

fn why(usual: &Usual, explained: &Explained) -> String {
    let rule = &explained.rule;
    if rule.estimator != "auto" {
        return format!("`estimator = \"{}\"` says which one decides.", rule.estimator);
    }
    let (Some(p50), Some(clearance), true) = (usual.p50, usual.p50_clearance, usual.token_weighted.is_some())
    else {
        let name = name(usual.deciding);
        return format!("Only the {name} can decide: the inputs of the other were not read.");
    };
    let distance = format!(
        "at {:.0} requests its noise is {}, so that the line of {} lies {clearance:.1} standard deviations away",
        p50.samples,
        noise(p50.noise),
        ratio(rule.page_below, rule)
    );
    let needed = usual.clearance_needed;
    match usual.deciding {
        Estimator::P50 => {
            format!(
                "The p50 decides, since it can carry the line: {distance}; {needed} are enough. Where it lacks requests, \
                     the token-weighted OTPS decides."
            )
        }
        Estimator::TokenWeighted => {
            format!(
                "The token-weighted OTPS decides, since the p50 cannot carry the line: {distance}; it would take \
                     {needed}."
            )
        }
    }
}

fn name(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::P50 => "p50",
        Estimator::TokenWeighted => "token-weighted OTPS",
    }
}
