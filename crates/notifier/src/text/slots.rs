//! The last periods, one a line, the newest last.

use domain::{Rule, Slot, Verdict};

use crate::deciding::line;
use crate::figures::{count, otps, ratio};
use crate::moments::clock;
use crate::sheet::Sheet;

/// The periods of a page, with an X at those that breach.
pub(super) fn judged(sheet: &mut Sheet, slots: &[Slot], share: Option<f64>, rule: &Rule) {
    sheet.line(&format!("Last {} periods, newest last ({}):", slots.len(), legend(share, rule)));
    rows(sheet, slots, share, |slot| match slot.verdict {
        Verdict::Breaching => " X",
        // Below the line, and yet no breach: the reader must not be left to wonder.
        Verdict::Within if below(slot, share, rule) => "   not counted, could be noise",
        _ => "",
    });
    if slots.iter().any(|slot| slot.window > 1) {
        sheet.line("  Requests are few here: a period is judged together with those before it.");
    }
}

/// The same for one of several series, in a line: `0.99   0.70 X   missing   0.65 X   0.66 X`
pub(super) fn in_a_line(sheet: &mut Sheet, whose: &str, slots: &[Slot], share: Option<f64>, rule: &Rule) {
    let shown: Vec<String> = slots
        .iter()
        .map(|slot| {
            let value = match (slot.ratio(), slot.value()) {
                (Some(of_baseline), _) => ratio(of_baseline, share),
                (None, Some(value)) => otps(value),
                (None, None) => "missing".to_owned(),
            };
            let mark = if slot.verdict == Verdict::Breaching { " X" } else { "" };
            format!("{value}{mark}")
        })
        .collect();
    sheet.line(&format!("{whose}, last {} periods, newest last ({}):", slots.len(), legend(share, rule)));
    sheet.line(&format!("  {}", shown.join("   ")));
}

/// The periods of a resolve.
pub(super) fn recovered(sheet: &mut Sheet, what: &str, slots: &[Slot]) {
    sheet.line(&format!("{what}, newest last:"));
    rows(sheet, slots, None, |_| "");
}

/// `X = below 0.80 of its baseline`
fn legend(share: Option<f64>, rule: &Rule) -> String {
    match (share, rule.page_below_otps) {
        (Some(share), _) => format!("X = below {share:.2} of its baseline"),
        (None, Some(floor)) => format!("X = below the floor of {} tok/s", otps(floor)),
        (None, None) => "X = breaching".to_owned(),
    }
}

fn below(slot: &Slot, share: Option<f64>, rule: &Rule) -> bool {
    matches!((slot.value(), line(slot, share, rule)), (Some(value), Some(line)) if value < line)
}

fn rows(sheet: &mut Sheet, slots: &[Slot], line: Option<f64>, mark: impl Fn(&Slot) -> &'static str) {
    for slot in slots {
        sheet.line(&format!("  {}  {}{}", clock(slot.period.start()), figures(slot, line), mark(slot)));
    }
}

fn figures(slot: &Slot, line: Option<f64>) -> String {
    if let Verdict::Missing(reason) = slot.verdict {
        return format!("missing: {reason}");
    }
    let Some(value) = slot.value() else {
        return "value not known".to_owned();
    };
    let requests = match slot.window {
        0 | 1 => format!("{:>7} requests", count(slot.samples)),
        window => format!("{:>7} requests in {window} periods", count(slot.samples)),
    };
    match (slot.baseline, slot.ratio()) {
        (Some(baseline), Some(share)) => {
            format!("{:>6} of {:>6} tok/s {requests}  {}", otps(value), otps(baseline), ratio(share, line))
        }
        _ => format!("{:>6} tok/s, no baseline {requests}", otps(value)),
    }
}
