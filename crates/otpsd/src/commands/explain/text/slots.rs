//! The last periods, one a line.

use domain::{MissingData, MissingReason};

use super::sheet::Sheet;
use super::{moment, noise, otps, ratio};
use crate::explained::{Estimator, Explained, Rule, Slot, Usual, Verdict};

pub(super) fn slots(sheet: &mut Sheet, explained: &Explained) {
    if explained.slots.is_empty() {
        return;
    }
    sheet.title(&format!(
        "The last {} periods, newest last (tokens a second; * = judged; noise = one standard deviation)",
        explained.slots.len()
    ));
    row(sheet, ["BEGIN", "p50", "TOKEN-WEIGHTED", "REQUESTS", "BASELINE", "RATIO", "NOISE"], "");
    for slot in &explained.slots {
        one(sheet, slot, &explained.rule);
    }
    for note in notes(explained) {
        sheet.paragraph(2, &note);
    }
}

fn row(sheet: &mut Sheet, cells: [&str; 7], verdict: &str) {
    let [begin, p50, weighted, requests, baseline, ratio, noise] = cells;
    sheet.line(&format!(
        "  {begin:<13} {p50:>7} {weighted:>14} {requests:>9} {baseline:>9} {ratio:>6} {noise:>7}  {verdict}"
    ));
}

fn one(sheet: &mut Sheet, slot: &Slot, rule: &Rule) {
    let by = |estimator: Estimator, value: Option<f64>| {
        let judged = slot.estimator == estimator && slot.verdict != Verdict::Missing;
        let value = value.map_or_else(|| "-".to_owned(), otps);
        format!("{value}{}", if judged { "*" } else { " " })
    };
    let requests = match slot.window {
        0 | 1 => format!("{:.0}", slot.samples),
        window => format!("{:.0} in {window}", slot.samples),
    };
    let begin = moment(&slot.period);
    let (p50, weighted) =
        (by(Estimator::P50, slot.otps_p50), by(Estimator::TokenWeighted, slot.otps_token_weighted));
    if slot.verdict == Verdict::Missing && slot.baseline.is_none() {
        sheet
            .line(&format!("  {begin:<13} {p50:>7} {weighted:>14} {requests:>9}  missing: {}", reason(slot)));
        return;
    }
    let figure = |value: Option<f64>, show: fn(f64) -> String| value.map_or_else(|| "-".to_owned(), show);
    let verdict = match slot.verdict {
        Verdict::Breaching => "BREACHING".to_owned(),
        Verdict::Within if slot.could_be_noise => "could be noise".to_owned(),
        Verdict::Within => "within".to_owned(),
        Verdict::Missing => format!("missing: {}", reason(slot)),
    };
    let cells = [
        begin,
        p50,
        weighted,
        requests,
        figure(slot.baseline, otps),
        slot.ratio.map_or_else(|| "-".to_owned(), |value| ratio(value, rule)),
        figure(slot.noise, noise),
    ];
    row(sheet, cells.each_ref().map(String::as_str), &verdict);
}

/// In words.
fn reason(slot: &Slot) -> String {
    let name = slot.reason.as_deref().unwrap_or("no reason given");
    let known = MissingReason::ALL.into_iter().find(|reason| reason.as_str() == name);
    known.map_or_else(|| name.to_owned(), |reason| reason.to_string())
}

/// What a reader would ask about the lines above.
fn notes(explained: &Explained) -> Vec<String> {
    let rule = &explained.rule;
    let mut notes = Vec::new();
    let noisy = explained.slots.iter().rev().find(|slot| slot.could_be_noise);
    if let Some(Slot { period, threshold: Some(threshold), noise: Some(sigma), samples, .. }) = noisy {
        notes.push(format!(
            "Could be noise: {} is below the line of {} tok/s, but a drop must also be {} times the noise, which is {} at \
             {samples:.0} requests: below {} of the baseline.",
            moment(period),
            otps(*threshold),
            rule.noise_sigmas,
            noise(*sigma),
            ratio((-rule.noise_sigmas * sigma).exp(), rule)
        ));
    }
    let has = |reason: MissingReason| {
        explained.slots.iter().any(|slot| slot.reason.as_deref() == Some(reason.as_str()))
    };
    if has(MissingReason::TooFewSamples) {
        let needed = |usual: &Usual| {
            let p50 = usual.p50.map(|one| format!("{:.0} for the p50", one.samples));
            let sums =
                usual.token_weighted.map(|one| format!("{:.0} for the token-weighted OTPS", one.samples));
            [p50, sums].into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let needed = explained.usual.as_ref().map(needed).unwrap_or_default();
        notes.push(format!(
            "Too few requests: over up to {} periods a datapoint needs so many: {needed}.",
            rule.widest_window
        ));
    }
    if has(MissingReason::StreamingShift) {
        let usual = explained.usual.as_ref().map_or(1.0, |usual| usual.streaming_share);
        notes.push(format!(
            "Only calls that stream have a time to first token: usually {:.0} % do. With far fewer of them latency and first \
             token are about different requests.",
            usual * 100.0
        ));
    }
    if explained.slots.iter().any(|slot| slot.window > 1) {
        notes.push(
            "REQUESTS `N in P`: requests are few, so that a period is judged together with the P - 1 before it.".to_owned(),
        );
    }
    let missing = |slot: &Slot| {
        slot.verdict == Verdict::Missing && slot.reason.as_deref() != Some(MissingReason::NoBaseline.as_str())
    };
    if explained.slots.iter().any(missing) && rule.treat_missing_data == MissingData::Neutral.as_str() {
        notes.push("A missing period opens nothing and resolves nothing.".to_owned());
    }
    notes
}
