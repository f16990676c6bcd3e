//! Every term, in the reference days and now.

use domain::{Terms, TierShares};

use crate::figures::{change, count, known, otps, seconds, share};
use crate::sheet::Sheet;

/// One term of the table.
struct Row {
    name: &'static str,
    value: fn(&Terms) -> Option<f64>,
    unit: fn(f64) -> String,
    /// Shares have no relative change: 0.1 % to 0.2 % is not news.
    relative: bool,
}

const fn amount(name: &'static str, value: fn(&Terms) -> Option<f64>, unit: fn(f64) -> String) -> Row {
    Row { name, value, unit, relative: true }
}

const fn part(name: &'static str, value: fn(&Terms) -> Option<f64>) -> Row {
    Row { name, value, unit: share, relative: false }
}

const ROWS: [Row; 14] = [
    amount("time to first token", |terms| known(terms.ttft_ms), seconds),
    amount("latency", |terms| known(terms.latency_ms), seconds),
    amount("OTPS", |terms| terms.otps_p50, otps),
    amount("OTPS, token-weighted", |terms| terms.otps_token_weighted, otps),
    amount("output tokens", |terms| known(terms.output_tokens), count),
    amount("input tokens", |terms| terms.input_tokens, count),
    part("served by the cache", |terms| terms.cache_read_share),
    part("streaming", |terms| known(terms.samples).map(|_| terms.streaming_share)),
    part("throttled", |terms| terms.throttle_share),
    amount("quota tokens a minute", |terms| terms.quota_tokens, count),
    part("server errors", |terms| terms.server_error_share),
    part("priority tier", |terms| tier(terms, |tiers| tiers.priority)),
    part("reserved tier", |terms| tier(terms, |tiers| tiers.reserved)),
    part("flex tier", |terms| tier(terms, |tiers| tiers.flex)),
];

/// The share of a tier that served any.
fn tier(terms: &Terms, share: fn(&TierShares) -> f64) -> Option<f64> {
    terms.tiers.as_ref().map(share)
}

/// The terms that were measured at least once; nothing at all where none was.
pub(super) fn terms(sheet: &mut Sheet, usual: &Terms, now: &Terms) {
    let mut head = Some(format!("  {:<22}{:>10}{:>12}", "p50, or share", "reference", "now"));
    for row in &ROWS {
        let (then, value) = ((row.value)(usual), (row.value)(now));
        if then.is_none() && value.is_none() {
            continue;
        }
        if let Some(head) = head.take() {
            sheet.gap();
            sheet.line(&head);
        }
        let shown = |value: Option<f64>| value.map_or_else(|| "not known".to_owned(), row.unit);
        let change = change(then, value).filter(|_| row.relative).unwrap_or_default();
        sheet.line(&format!("  {:<22}{:>10}{:>12}{change:>9}", row.name, shown(then), shown(value)));
    }
}
