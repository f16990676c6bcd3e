//! Whether what is written and drawn can be told from what is behind it, light and dark.

use std::collections::BTreeMap;

const STYLES: [&str; 2] =
    [include_str!("../../templates/style.css"), include_str!("../../templates/report/report.css")];

/// What text is written in, and what may be behind it.
const TEXT: [&str; 7] = ["ink", "soft", "alarm", "unknown", "calm", "learning", "quiet"];
const BEHIND_TEXT: [&str; 2] = ["paper", "raised"];
/// What lines of charts are drawn in, and what may be behind them.
const LINES: [&str; 5] = ["p50", "weighted", "p95", "baseline", "threshold"];
const BEHIND_LINES: [&str; 2] = ["paper", "alarm-wash"];

/// The colours of a theme: the dark ones are laid over the light ones.
fn colours(dark: bool) -> BTreeMap<String, f64> {
    let mut colours = BTreeMap::new();
    for style in STYLES {
        let (light, rest) = style.split_once("@media (prefers-color-scheme: dark)").unwrap_or((style, ""));
        let of_dark = rest.split_once("\n}").map_or("", |(block, _)| block);
        for block in [light, of_dark].into_iter().take(if dark { 2 } else { 1 }) {
            for (name, value) in block.split("--").filter_map(|text| text.split_once(": #")) {
                let hex: String = value.chars().take_while(char::is_ascii_hexdigit).collect();
                if hex.len() == 6 {
                    colours.insert(name.to_owned(), luminance(&hex));
                }
            }
        }
    }
    colours
}

/// The relative luminance of WCAG 2.1.
fn luminance(hex: &str) -> f64 {
    let channel = |at: usize| {
        let share = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

fn contrast(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn black_on_white_is_twenty_one_to_one() {
    assert!((contrast(luminance("000000"), luminance("ffffff")) - 21.0).abs() < 1e-9);
    // The example that WebAIM and others give for the limit.
    assert!((contrast(luminance("767676"), luminance("ffffff")) - 4.54).abs() < 0.01);
}

#[test]
fn text_and_lines_can_be_told_from_what_is_behind_them() {
    for dark in [false, true] {
        let colours = colours(dark);
        let least = |fore: &[&str], behind: &[&str], least: f64| {
            for (fore, back) in fore.iter().flat_map(|fore| behind.iter().map(move |back| (fore, back))) {
                let contrast = contrast(colours[*fore], colours[*back]);
                assert!(contrast >= least, "{fore} on {back}, dark {dark}: {contrast:.2}");
            }
        };
        least(&TEXT, &BEHIND_TEXT, 4.5);
        least(&["ink", "alarm"], &["alarm-wash", "unknown-wash"], 4.5);
        least(&LINES, &BEHIND_LINES, 3.0);
    }
}
