//! The rule, every key as the configuration writes it.

use super::sheet::Sheet;
use crate::explained::{Explained, Rule, Written};

/// Keys in a line.
const COLUMNS: usize = 3;

pub(super) fn rule(sheet: &mut Sheet, explained: &Explained) {
    sheet.title("Rule");
    for keys in keys(&explained.rule).chunks(COLUMNS) {
        let line: String =
            keys.iter().map(|(key, value)| format!("  {:<30}", format!("{key} = {value}"))).collect();
        sheet.line(&line);
    }
    if explained.written.is_empty() {
        sheet.line("  No key of [alarm] is written: these are the defaults.");
        return;
    }
    sheet.line("  Written, where the others of [alarm] are defaults:");
    let settings: Vec<_> =
        explained.written.iter().map(|one| format!("{} = {}", one.key, one.value)).collect();
    let width = settings.iter().map(String::len).max().unwrap_or(0);
    for (setting, one) in settings.iter().zip(&explained.written) {
        sheet.line(&format!("  {setting:<width$}  {}", whence(one)));
    }
}

/// Where a value is written: `otpsd.toml:4, [override.batch]`.
fn whence(one: &Written) -> String {
    let by = one.by.as_ref().map(|name| format!("[override.{name}]"));
    let parts = [one.at.clone().or_else(|| Some("the default".to_owned())), by, one.changed.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn keys(rule: &Rule) -> Vec<(&'static str, String)> {
    let quoted = |text: &str| format!("\"{text}\"");
    let mut keys = vec![("page-below", format!("{:.2}", rule.page_below))];
    keys.extend(rule.page_below_otps.map(|floor| ("page-below-otps", floor.to_string())));
    keys.extend([
        ("datapoints-to-alarm", rule.datapoints_to_alarm.to_string()),
        ("evaluation-periods", rule.evaluation_periods.to_string()),
        ("noise-sigmas", rule.noise_sigmas.to_string()),
        ("recover-above", format!("{:.2}", rule.recover_above)),
        ("recover-datapoints", rule.recover_datapoints.to_string()),
        ("estimator", quoted(&rule.estimator)),
        ("min-samples", rule.min_samples.to_string()),
        ("widest-window", rule.widest_window.to_string()),
        ("treat-missing-data", quoted(&rule.treat_missing_data)),
        ("method", quoted(&rule.method)),
    ]);
    keys.extend(rule.anomaly_deviations.map(|deviations| ("band-deviations", deviations.to_string())));
    keys.extend(rule.anomaly_below.map(|below| ("band-below", below.to_string())));
    keys.extend([
        ("history", format!("\"{}d\"", rule.history_days)),
        ("seasonal", rule.seasonal.to_string()),
        (
            "never-train",
            if rule.never_train == 0 { "[]".to_owned() } else { format!("{} spans", rule.never_train) },
        ),
        ("mode", quoted(&rule.mode)),
    ]);
    keys
}
