//! The text of a resolve.

use domain::{GroupResolve, Resolve};

use super::{heading, slots};
use crate::context::Context;
use crate::figures::{otps, ratio};
use crate::moments::{clock_beside, day_and_clock, lasting};
use crate::sheet::Sheet;

/// One line: that it is over, where, and how long it was.
///
/// `Recovered: us-east-1 example.large-v1:0 decodes at 0.98 of its baseline again; slow for 2 h 50 min`
#[must_use]
pub fn summary(resolve: &GroupResolve) -> String {
    of_series(&resolve.last)
}

/// The same of one series.
#[must_use]
pub fn of_series(resolve: &Resolve) -> String {
    format!(
        "Recovered: {} {}; slow for {}",
        heading::place(&resolve.incident.series),
        back(resolve),
        lasting(resolve.incident.onset.start(), resolve.recovered.start())
    )
}

/// The whole text.
#[must_use]
pub fn text(resolve: &Resolve, context: &Context<'_>) -> String {
    let incident = &resolve.incident;
    let (onset, recovered) = (incident.onset.start(), resolve.recovered.start());
    let worst = match incident.worst {
        Some(worst) => format!("Worst: {} of its baseline.", ratio(worst)),
        None => "How deep it fell below a baseline is not known: there was none.".to_owned(),
    };
    let mut sheet = Sheet::default();
    sheet.paragraph(&of_series(resolve));
    sheet.gap();
    sheet.paragraph(&format!(
        "Slow from {} to {}, {}. {worst} Back since {}, judged {}.",
        day_and_clock(onset),
        clock_beside(recovered, onset),
        lasting(onset, recovered),
        clock_beside(recovered, onset),
        clock_beside(context.now, onset),
    ));
    sheet.gap();
    heading::series(&mut sheet, &incident.series);
    if !resolve.slots.is_empty() {
        sheet.gap();
        slots::recovered(&mut sheet, &resolve.slots);
    }
    sheet.gap();
    sheet.paragraph(
        "Nothing to do. The slow periods do not train the baseline. Whatever was moved to another Region or model can \
         come back.",
    );
    heading::footer(&mut sheet, &incident.key, context);
    sheet.finish()
}

/// `decodes at 0.98 of its baseline again`
fn back(resolve: &Resolve) -> String {
    let newest = resolve.slots.iter().rev().find(|slot| slot.value().is_some());
    match newest.map(|slot| (slot.ratio(), slot.value())) {
        Some((Some(share), _)) => format!("decodes at {} of its baseline again", ratio(share)),
        Some((None, Some(value))) => format!("decodes at {} tok/s again", otps(value)),
        _ => "decodes as usual again".to_owned(),
    }
}
