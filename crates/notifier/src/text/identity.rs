//! `InvocationLatency = TimeToFirstToken + OutputTokenCount / OTPS`, for what is usual and for now.

use domain::Terms;

use crate::figures::{count, known, otps, seconds, signed_seconds};
use crate::sheet::Sheet;

/// How far tokens over OTPS may be from the decode time to be shown as the same thing: medians of several periods need
/// not add up.
const TOLERANCE: f64 = 0.02;

/// Which term moved. Nothing is written where a latency was not measured.
pub(super) fn identity(sheet: &mut Sheet, name: &str, usual: &Terms, now: &Terms) {
    if known(usual.latency_ms).is_none() && known(now.latency_ms).is_none() {
        return;
    }
    sheet.gap();
    sheet.line("Latency = time to first token + output tokens / OTPS (p50 of each):");
    for (name, terms) in [(name, usual), ("now", now)] {
        sheet.line(&format!("  {name:<9}  {}", side(terms)));
    }
    if known(usual.latency_ms).is_some() && known(now.latency_ms).is_some() {
        sheet.line(&format!("  {}", difference(usual, now)));
    }
}

fn side(terms: &Terms) -> String {
    if known(terms.latency_ms).is_none() {
        return "not known".to_owned();
    }
    let decode = match (known(terms.output_tokens), terms.otps_p50.and_then(known)) {
        (Some(tokens), Some(speed)) if adds_up(tokens / speed * 1000.0, terms.decode_ms()) => {
            format!("{} / {}", count(tokens), otps(speed))
        }
        (Some(tokens), _) => format!("{} for {} tokens", seconds(terms.decode_ms()), count(tokens)),
        (None, _) => format!("{} of decoding", seconds(terms.decode_ms())),
    };
    format!("{} = {} + {decode}", seconds(terms.latency_ms), seconds(terms.ttft_ms))
}

fn adds_up(computed: f64, measured: f64) -> bool {
    (computed - measured).abs() <= TOLERANCE * measured
}

/// `The difference, +3.60 s: decode +3.56 s, first token +0.04 s.`, the larger part first.
fn difference(usual: &Terms, now: &Terms) -> String {
    // Whole hundredths of a second, so that the parts shown add up to the sum shown.
    let rounded = |milliseconds: f64| (milliseconds / 10.0).round() * 10.0;
    let decode = rounded(now.decode_ms() - usual.decode_ms());
    let first = rounded(now.ttft_ms - usual.ttft_ms);
    let mut parts = [("decode", decode), ("first token", first)];
    if first.abs() > decode.abs() {
        parts.reverse();
    }
    let [(a, x), (b, y)] = parts;
    format!(
        "The difference, {}: {a} {}, {b} {}.",
        signed_seconds(x + y),
        signed_seconds(x),
        signed_seconds(y)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(usual: &Terms, now: &Terms) -> String {
        let mut sheet = Sheet::default();
        identity(&mut sheet, "usual", usual, now);
        sheet.finish()
    }

    fn terms(latency_ms: f64, ttft_ms: f64, output_tokens: f64) -> Terms {
        let otps_p50 = Some(output_tokens / (latency_ms - ttft_ms) * 1000.0);
        Terms { latency_ms, ttft_ms, output_tokens, otps_p50, ..Terms::default() }
    }

    #[test]
    fn both_sides_and_the_difference() {
        let text = shown(&terms(6_800.0, 800.0, 372.0), &terms(9_850.0, 850.0, 369.0));
        assert_eq!(
            text,
            "Latency = time to first token + output tokens / OTPS (p50 of each):\n\
             \x20 usual      6.80 s = 0.80 s + 372 / 62.0\n\
             \x20 now        9.85 s = 0.85 s + 369 / 41.0\n\
             \x20 The difference, +3.05 s: decode +3.00 s, first token +0.05 s."
        );
    }

    #[test]
    fn medians_that_do_not_add_up_are_not_shown_as_if_they_did() {
        let odd = Terms { otps_p50: Some(50.0), ..terms(6_800.0, 800.0, 372.0) };
        assert!(shown(&odd, &odd).contains("usual      6.80 s = 0.80 s + 6.00 s for 372 tokens\n"));
        let without = Terms { otps_p50: None, output_tokens: 0.0, ..odd };
        assert!(shown(&without, &odd).contains("usual      6.80 s = 0.80 s + 6.00 s of decoding\n"));
    }

    #[test]
    fn an_unknown_side_is_unknown() {
        let now = terms(9_850.0, 850.0, 369.0);
        let text = shown(&Terms::default(), &now);
        assert!(text.contains("  usual      not known\n"), "{text}");
        assert!(!text.contains("difference"), "{text}");
        assert_eq!(shown(&Terms::default(), &Terms::default()), "");
    }
}
