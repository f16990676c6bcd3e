//! The last periods, one a line, the newest last.

use domain::{Rule, Slot, Verdict};

use crate::deciding::line;
use crate::figures::{count, otps, ratio};
use crate::moments::clock;
use crate::sheet::Sheet;

/// The periods of a page, with an X at those that breach.
pub(super) fn judged(sheet: &mut Sheet, slots: &[Slot], share: Option<f64>, rule: &Rule) {
    let legend = match (share, rule.page_below_otps) {
        (Some(share), _) => format!("X = below {share:.2} of its baseline"),
        (None, Some(floor)) => format!("X = below the floor of {} tok/s", otps(floor)),
        (None, None) => "X = breaching".to_owned(),
    };
    sheet.line(&format!("Last {} periods, newest last ({legend}):", slots.len()));
    rows(sheet, slots, |slot| match slot.verdict {
        Verdict::Breaching => " X",
        // Below the line, and yet no breach: the reader must not be left to wonder.
        Verdict::Within if below(slot, share, rule) => "   not counted, could be noise",
        _ => "",
    });
    if slots.iter().any(|slot| slot.window > 1) {
        sheet.line("  Requests are few here: a period is judged together with those before it.");
    }
}

/// The periods of a resolve.
pub(super) fn recovered(sheet: &mut Sheet, slots: &[Slot]) {
    sheet.line("Periods that show it, newest last:");
    rows(sheet, slots, |_| "");
}

fn below(slot: &Slot, share: Option<f64>, rule: &Rule) -> bool {
    matches!((slot.value(), line(slot, share, rule)), (Some(value), Some(line)) if value < line)
}

fn rows(sheet: &mut Sheet, slots: &[Slot], mark: impl Fn(&Slot) -> &'static str) {
    for slot in slots {
        sheet.line(&format!("  {}  {}{}", clock(slot.period.start()), figures(slot), mark(slot)));
    }
}

fn figures(slot: &Slot) -> String {
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
            format!("{:>6} of {:>6} tok/s {requests}  {}", otps(value), otps(baseline), ratio(share))
        }
        _ => format!("{:>6} tok/s, no baseline {requests}", otps(value)),
    }
}
