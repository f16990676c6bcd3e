//! `[alarm]`: when a series pages, when it resolves, and which incidents are one page.

use domain::{EstimatorChoice, GroupBy, Method, MissingData, Mode, Rule, RulePatch};
use toml::de::DeValue;

use crate::table::{Fault, Setting, Table};
use crate::value::{any_integer, choice, integer, number, share};

/// N may be an hour of periods: who looks further back learns of a slow hour when it is over.
const MAX_EVALUATION_PERIODS: i64 = 12;
/// Three of five periods that are each so improbable come about once in years by chance.
const DEVIATIONS: f64 = 3.0;
/// A quiet series has a band of a few percent, which nobody wants to be woken for.
const ANOMALY_BELOW: f64 = 0.90;
/// An incident that needs more of its baseline than this to resolve would never resolve.
const MAX_RECOVER_ABOVE: f64 = 1.5;

/// What was read. The mode is known even when the rest cannot be used.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) rule: Option<Rule>,
    pub(crate) mode: Mode,
    pub(crate) group_by: Option<GroupBy>,
}

pub(crate) fn read(mut table: Table<'_, '_, '_>) -> Read {
    let mode = mode(&mut table);
    let groups = GroupBy::ALL.map(|group_by| (group_by.as_str(), group_by));
    let group_by = table.setting("group-by", GroupBy::Region, choice(&groups)).value;
    Read { rule: rule(&mut table, &mode), mode: mode.value.unwrap_or(Mode::Page), group_by }
}

fn mode(table: &mut Table<'_, '_, '_>) -> Setting<Mode> {
    table.setting("mode", Mode::Page, choice(&[("page", Mode::Page), ("observe", Mode::Observe)]))
}

/// Reads what a table sets over others: the whole rule as it holds with those, and then what of it is the table's own. `general` is
/// the rule of `[alarm]`; a patch sets nothing else.
pub(crate) fn patch(mut table: Table<'_, '_, '_>, general: Option<&Rule>) -> Option<RulePatch> {
    let mode = mode(&mut table);
    let rule = rule(&mut table, &mode)?;
    let owns = |key: &str| table.owns(key);
    let method = ["method", "anomaly-deviations", "anomaly-below"].into_iter().any(owns);
    // Its default follows N.
    let widest_window = owns("widest-window") || rule.widest_window != general?.widest_window;
    Some(RulePatch {
        mode: owns("mode").then_some(rule.mode),
        method: method.then_some(rule.method),
        page_below: owns("page-below").then_some(rule.page_below),
        page_below_otps: rule.page_below_otps.filter(|_| owns("page-below-otps")),
        evaluation_periods: owns("evaluation-periods").then_some(rule.evaluation_periods),
        datapoints_to_alarm: owns("datapoints-to-alarm").then_some(rule.datapoints_to_alarm),
        missing_data: owns("treat-missing-data").then_some(rule.missing_data),
        estimator: owns("estimator").then_some(rule.estimator),
        min_samples: owns("min-samples").then_some(rule.min_samples),
        widest_window: widest_window.then_some(rule.widest_window),
        noise_sigmas: owns("noise-sigmas").then_some(rule.noise_sigmas),
        recover_above: owns("recover-above").then_some(rule.recover_above),
        recover_datapoints: owns("recover-datapoints").then_some(rule.recover_datapoints),
        learn_from: None,
    })
}

fn rule(table: &mut Table<'_, '_, '_>, mode: &Setting<Mode>) -> Option<Rule> {
    let default = Rule::default();
    let method = method(table);
    let missing_data = missing_data(table, default.missing_data);
    let page_below = table.setting("page-below", default.page_below, page_below);
    let page_below_otps = table.optional("page-below-otps", page_below_otps);
    let periods = table.setting("evaluation-periods", default.evaluation_periods.into(), any_integer);
    let datapoints = table.setting("datapoints-to-alarm", default.datapoints_to_alarm.into(), any_integer);
    let estimator = table.setting(
        "estimator",
        default.estimator,
        choice(&[
            (EstimatorChoice::Auto.as_str(), EstimatorChoice::Auto),
            (EstimatorChoice::P50.as_str(), EstimatorChoice::P50),
            (EstimatorChoice::TokenWeighted.as_str(), EstimatorChoice::TokenWeighted),
        ]),
    );
    let min_samples = table.setting("min-samples", default.min_samples, integer(1..=1_000_000));
    let widest_window = table.optional("widest-window", any_integer);
    let noise_sigmas = table.setting("noise-sigmas", default.noise_sigmas, noise_sigmas);
    let recover_above = table.setting("recover-above", default.recover_above, recover_above);
    let recover_datapoints = table.setting("recover-datapoints", default.recover_datapoints, integer(1..=12));

    let (evaluation_periods, datapoints_to_alarm) = m_of_n(table, &datapoints, &periods);
    let widest_window = window(table, &widest_window, evaluation_periods, default.widest_window);
    recovery(table, &page_below, &recover_above);

    if let (Some(Some(floor)), Some(at)) = (page_below_otps.value, page_below_otps.at)
        && floor <= 1.0
    {
        let message = format!("`page-below-otps` is {floor} tokens per second, which nothing real is below");
        table.report.warning(at, message).hint("a share of the baseline is `page-below`");
    }

    Some(Rule {
        mode: mode.value?,
        method: method?,
        page_below: page_below.value?,
        page_below_otps: page_below_otps.value?,
        evaluation_periods: evaluation_periods?,
        datapoints_to_alarm: datapoints_to_alarm?,
        missing_data: missing_data?,
        estimator: estimator.value?,
        min_samples: min_samples.value?,
        widest_window: widest_window?,
        noise_sigmas: noise_sigmas.value?,
        recover_above: recover_above.value?,
        recover_datapoints: recover_datapoints.value?,
        // That is for some series, not for all.
        learn_from: None,
    })
}

/// What a period is held against. The keys of the band mean nothing where there is none.
fn method(table: &mut Table<'_, '_, '_>) -> Option<Method> {
    let is_band = table.setting("method", false, choice(&[("threshold", false), ("anomaly", true)]));
    let deviations = table.setting("anomaly-deviations", DEVIATIONS, anomaly_deviations);
    let below = table.setting(
        "anomaly-below",
        ANOMALY_BELOW,
        share("above 0 and below 1", |share| share > 0.0 && share < 1.0),
    );
    if is_band.value? {
        return Some(Method::Anomaly { deviations: deviations.value?, below: below.value? });
    }
    for (key, at) in [("anomaly-deviations", deviations.at), ("anomaly-below", below.at)] {
        // What stands beside an override may belong to another method.
        let Some(at) = at.filter(|_| table.owns(key)) else { continue };
        let message =
            format!("`{key}` needs `method = \"anomaly\"`, but it is \"threshold\"{}", is_band.whence());
        let draft = table.report.error(at, message);
        draft.hint("a share of the baseline is `page-below`");
        if let Some(method) = is_band.at {
            draft.see(method, "the method is set here");
        }
    }
    Some(Method::Threshold)
}

fn anomaly_deviations(value: &DeValue<'_>) -> Result<f64, Fault> {
    let (number, text) = number(value)?;
    if (1.0..=10.0).contains(&number) {
        Ok(number)
    } else {
        Err(Fault::new(format!("must be between 1 and 10 standard deviations, not {text}")))
    }
}

fn missing_data(table: &mut Table<'_, '_, '_>, default: MissingData) -> Option<MissingData> {
    let all = MissingData::ALL.map(|treatment| (treatment.as_str(), treatment));
    let treatment = table.setting("treat-missing-data", default, choice(&all));
    if let (Some(MissingData::Breaching), Some(at)) = (treatment.value, treatment.at) {
        let message = "an ALARM that missing data makes is a ticket, never a page";
        table
            .report
            .warning(at, message)
            .hint("nobody measured anything slow: a page needs real breaching periods");
    }
    treatment.value
}

fn page_below(value: &DeValue<'_>) -> Result<f64, Fault> {
    let fault = match share("above 0 and below 1", |share| share > 0.0 && share < 1.0)(value) {
        Ok(share) => return Ok(share),
        Err(fault) => fault,
    };
    // Here the number is out of range, so that only its kind of wrong is left to tell.
    Err(match number(value) {
        Ok((1.0, _)) => fault.hint("half of all ordinary periods are below their baseline"),
        Ok((0.0, _)) => fault.hint("nothing would ever page: that is `mode = \"observe\"`"),
        _ => fault,
    })
}

fn page_below_otps(value: &DeValue<'_>) -> Result<f64, Fault> {
    let (number, text) = number(value)?;
    if number > 0.0 && number <= 10_000.0 {
        Ok(number)
    } else {
        Err(Fault::new(format!("must be above 0 and at most 10000 tokens per second, not {text}")))
    }
}

fn noise_sigmas(value: &DeValue<'_>) -> Result<f64, Fault> {
    let (number, text) = number(value)?;
    if (0.0..=10.0).contains(&number) {
        Ok(number)
    } else {
        Err(Fault::new(format!("must be between 0 and 10, not {text}")))
    }
}

fn recover_above(value: &DeValue<'_>) -> Result<f64, Fault> {
    let range = format!("above 0 and at most {MAX_RECOVER_ABOVE}");
    share(&range, |share| share > 0.0 && share <= MAX_RECOVER_ABOVE)(value)
}

/// N and M, where they make sense together. What does not is told with both numbers.
fn m_of_n(
    table: &mut Table<'_, '_, '_>,
    datapoints: &Setting<i64>,
    periods: &Setting<i64>,
) -> (Option<u8>, Option<u8>) {
    let (Some(m), Some(n)) = (datapoints.value, periods.value) else { return (None, None) };
    if !(1..=MAX_EVALUATION_PERIODS).contains(&n) {
        if let Some(at) = periods.at {
            let message = format!(
                "`evaluation-periods` must be between 1 and {MAX_EVALUATION_PERIODS}, but the rule is {m} of {n}"
            );
            let draft = table.report.error(at, message);
            draft.hint("3 of 5 pages after fifteen slow minutes within twenty-five");
        }
        return (None, None);
    }
    if !(1..=n).contains(&m) {
        let sets_n_alone = table.owns("evaluation-periods") && !table.owns("datapoints-to-alarm");
        let (at, other) =
            if sets_n_alone { (periods.at, datapoints.at) } else { (datapoints.at, periods.at) };
        if let Some(at) = at.or(other) {
            let message = format!(
                "`datapoints-to-alarm` must be between 1 and `evaluation-periods`, but the rule is {m}{} of {n}{}",
                datapoints.whence(),
                periods.whence()
            );
            let draft = table.report.error(at, message);
            draft.hint(if Some(at) == periods.at {
                "set `datapoints-to-alarm` too"
            } else if m > n {
                "so many can never breach"
            } else {
                "it would page without a slow period"
            });
            if let Some(other) = other {
                let label =
                    if sets_n_alone { "so many must breach" } else { "so many periods are looked at" };
                draft.see(other, label);
            }
        }
        return (u8::try_from(n).ok(), None);
    }
    (u8::try_from(n).ok(), u8::try_from(m).ok())
}

/// A window wider than what is looked at would judge by periods that the rule has forgotten. Its default follows N.
fn window(
    table: &mut Table<'_, '_, '_>,
    widest: &Setting<Option<i64>>,
    periods: Option<u8>,
    default: u8,
) -> Option<u8> {
    let (widest_value, n) = (widest.value?, periods?);
    let Some(window) = widest_value else { return Some(default.min(n)) };
    if !table.owns("widest-window") {
        return u8::try_from(window.clamp(1, i64::from(n))).ok();
    }
    if (1..=i64::from(n)).contains(&window) {
        return u8::try_from(window).ok();
    }
    if let Some(at) = widest.at {
        let message =
            format!("`widest-window` must be between 1 and `evaluation-periods`, but it is {window} of {n}");
        table.report.error(at, message);
    }
    None
}

fn recovery(table: &mut Table<'_, '_, '_>, below: &Setting<f64>, above: &Setting<f64>) {
    let (Some(page_below), Some(recover_above)) = (below.value, above.value) else { return };
    let sets_below_alone = table.owns("page-below") && !table.owns("recover-above");
    let (at, other) = if sets_below_alone { (below.at, above.at) } else { (above.at, below.at) };
    let Some(at) = at.filter(|_| recover_above < page_below) else { return };
    let message = format!(
        "`recover-above` must not be below `page-below`, but {recover_above}{} is below {page_below}{}",
        above.whence(),
        below.whence()
    );
    let draft = table.report.error(at, message);
    draft.hint(if sets_below_alone {
        "set `recover-above` too"
    } else {
        "an incident would resolve while periods still breach"
    });
    if let Some(other) = other {
        let label = if sets_below_alone {
            "an incident resolves above this share"
        } else {
            "a period breaches below this share"
        };
        draft.see(other, label);
    }
}
