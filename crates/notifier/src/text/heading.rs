//! Who it is about, and where to look further.

use domain::{Key, Series, UNKNOWN_ACCOUNT};

use crate::context::Context;
use crate::cut;
use crate::sheet::Sheet;

/// With a model of this many characters, Region and ratio still stand in the first 150 of a summary.
const MODEL_CHARACTERS: usize = 80;
/// Longer than the name of any Region.
const REGION_CHARACTERS: usize = 24;

/// Region and model for a line. The model is whole, unless it is a long ARN.
pub(super) fn place(series: &Series) -> String {
    let part = |text: &str, limit| cut::in_the_middle(&cut::one_line(text), limit, "…");
    format!("{} {}", part(series.region(), REGION_CHARACTERS), part(series.model(), MODEL_CHARACTERS))
}

/// The series with nothing left out. The model has a line of its own, to be copied.
pub(super) fn series(sheet: &mut Sheet, series: &Series) {
    let account = match series.account() {
        UNKNOWN_ACCOUNT => "not known".to_owned(),
        account => cut::one_line(account),
    };
    sheet.line(&format!("Model:   {}", cut::one_line(series.model())));
    sheet.line(&format!("Account: {account}, Region {}", cut::one_line(series.region())));
}

/// The last lines of every text.
pub(super) fn footer(sheet: &mut Sheet, key: &Key, context: &Context<'_>) {
    sheet.gap();
    if let Some(link) = context.link() {
        sheet.line(&format!("Chart and figures: {link}"));
    }
    sheet.line(&format!("Key: {key}"));
}
