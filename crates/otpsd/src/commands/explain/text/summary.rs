//! The state in a sentence or two, and what comes next.

use domain::{AlarmState, MissingReason};

use super::sheet::Sheet;
use super::{end_of, end_with_year, moment, noise, otps, ratio};
use crate::explained::{Explained, Learning, Next, Rule, Verdict};

pub(super) fn summary(sheet: &mut Sheet, explained: &Explained) {
    let since = end_of(&explained.since);
    sheet.paragraph(0, &format!("{} since {since}: {}", explained.state, state(explained)));
    sheet.paragraph(0, &format!("Judged up to {}.", end_with_year(&explained.judged_through)));
    if let Some(model) = &explained.learned_from {
        let Learning { days, days_needed, datapoints, datapoints_needed } = explained.learning;
        sheet.paragraph(
            0,
            &format!(
                "Judged by the history of {model} (`learn-from`) until it has its own: {days:.1} of {days_needed} days, {datapoints} of \
                 {datapoints_needed} datapoints."
            ),
        );
    }
    if let Some(why) = &explained.not_seen {
        sheet
            .paragraph(0, &format!("NOT SEEN: {why}. How it is now is not known, and not known to be well."));
    }
    if let Some(incident) = &explained.incident {
        let (onset, paged) = (moment(&incident.onset), end_of(&incident.opened));
        let worst = incident
            .worst_ratio
            .map(|worst| format!(", worst at {} of the baseline", ratio(worst, &explained.rule)))
            .unwrap_or_default();
        sheet.paragraph(0, &format!("Incident {}: slow since {onset}, opened {paged}{worst}.", incident.key));
        for told in &incident.told {
            let channels = told.channels.join(" and ");
            sheet.paragraph(0, &format!("Told {channels} under the key {}.", told.key));
        }
        if let Some(why) = &incident.untold {
            sheet.paragraph(0, &format!("Nobody was told: {why}."));
        }
    }
    sheet.gap();
    sheet.paragraph(0, &format!("Next: {}", next(explained)));
    if explained.rule.mode == "observe" {
        sheet.paragraph(0, "`mode = \"observe\"`: whatever it says, nothing is sent.");
    }
}

fn is(explained: &Explained, state: AlarmState) -> bool {
    explained.state == state.as_str()
}

fn state(explained: &Explained) -> String {
    let n = explained.slots.len();
    let count = |verdict| explained.slots.iter().filter(|slot| slot.verdict == verdict).count();
    let (breaching, missing) = (count(Verdict::Breaching), count(Verdict::Missing));
    if is(explained, AlarmState::Alarm) {
        return if explained.incident.is_some() {
            format!(
                "the model decodes more slowly than usual, and that is a page. {breaching} of the last {n} periods breach."
            )
        } else {
            "missing periods count as breaching here. That is a ticket, and pages nobody.".to_owned()
        };
    }
    if is(explained, AlarmState::InsufficientData) {
        return format!("none of the last {n} periods could be judged.");
    }
    if is(explained, AlarmState::Learning) {
        return match explained.rule.page_below_otps {
            None => "there is not enough history to compare with, so nothing is judged yet.".to_owned(),
            Some(floor) => format!(
                "there is not enough history to compare with, so that only the floor of {} tok/s can page.",
                otps(floor)
            ),
        };
    }
    let mut text = match breaching {
        0 => format!("none of the last {n} periods breaches"),
        1 => format!("1 of the last {n} periods breaches, {} are a page", explained.rule.datapoints_to_alarm),
        _ => format!("{breaching} of the last {n} periods breach"),
    };
    match explained.slots.iter().filter(|slot| slot.could_be_noise).count() {
        0 => {}
        noisy => text.push_str(&format!(", {noisy} below the line could be noise")),
    }
    if missing > 0 {
        text.push_str(&format!(", {missing} could not be judged"));
    }
    if matches!(explained.next, Next::Withheld { .. }) {
        text.push_str(", and yet it is no page");
    }
    text.push('.');
    text
}

fn next(explained: &Explained) -> String {
    let rule = &explained.rule;
    match &explained.next {
        Next::Learns => learns(&explained.learning, rule),
        Next::PagesAfter(more) if is(explained, AlarmState::Learning) => {
            let floor = rule.page_below_otps.map(otps).unwrap_or_default();
            let learns = learns(&explained.learning, rule);
            format!("{} page, being below {floor} tok/s. Beyond that, {learns}", periods(*more, rule))
        }
        Next::PagesAfter(more) if is(explained, AlarmState::InsufficientData) => {
            format!(
                "the next period that can be judged makes it OK. {} page.{}",
                periods(*more, rule),
                silence(explained)
            )
        }
        Next::PagesAfter(more) => {
            let confirmed = if rule.noise_sigmas > 0.0 {
                ", if all requests since the drop began confirm it together"
            } else {
                ""
            };
            format!("{} page{confirmed}.", periods(*more, rule))
        }
        Next::Withheld { since, requests, requests_needed, ratio: share, noise: sigma, slow_tail } => {
            let (since, share, sigma) = (moment(since), ratio(*share, rule), noise(*sigma));
            let why = if requests < requests_needed {
                format!("A page takes {requests_needed:.0} of them. The next period adds its own.")
            } else if *slow_tail {
                "They look like a few slow requests and not like a slow host: the median user is hardly hit. A tail never \
                 pages; one that lasts for hours is a `slow_tail` ticket."
                    .to_owned()
            } else {
                "A page takes a drop that is further beyond their noise, in more than the odd period. The next period is \
                 weighed together with them."
                    .to_owned()
            };
            format!(
                "all {requests:.0} requests since {since} together are at {share} of the baseline, give or take {}. {why}",
                sigma.trim_start_matches('±')
            )
        }
        Next::ResolvesAfter { needed, back, above } => resolves_after(*needed, *back, *above, rule),
    }
}

/// `1 more breaching period would`
fn periods(more: u8, rule: &Rule) -> String {
    match more {
        1 => "one more breaching period makes it a".to_owned(),
        more if more >= rule.datapoints_to_alarm => {
            format!("{more} breaching periods of {} make it a", rule.evaluation_periods)
        }
        more => format!("{more} more breaching periods in a row make it a"),
    }
}

/// Whether anybody will be told of a silence.
fn silence(explained: &Explained) -> &'static str {
    let silent = |name: &Option<String>| name.as_deref() == Some(MissingReason::NoData.as_str());
    if explained.slots.iter().all(|slot| silent(&slot.reason)) {
        " A silence that is not usual at these hours becomes a `no_data` ticket."
    } else {
        ""
    }
}

fn resolves_after(needed: u8, back: u8, above: f64, rule: &Rule) -> String {
    let what = match needed {
        1 => "one judged period is".to_owned(),
        needed => format!("{needed} judged periods in a row are"),
    };
    let so_far = match back {
        0 => "the newest is not".to_owned(),
        back if back >= needed => "they are, but all together not surely enough yet".to_owned(),
        1 => "the newest is".to_owned(),
        back => format!("the newest {back} are"),
    };
    format!("it resolves once {what} surely above {} of the baseline; {so_far}.", ratio(above, rule))
}

fn learns(learning: &Learning, rule: &Rule) -> String {
    let Learning { days, days_needed, datapoints, datapoints_needed } = learning;
    if *days >= f64::from(*days_needed) && datapoints >= datapoints_needed {
        return format!(
            "there is history enough, and yet no baseline: `estimator = \"{}\"` needs inputs that were not read.",
            rule.estimator
        );
    }
    format!(
        "it is judged once there are {days_needed} days and {datapoints_needed} valid datapoints of history; there are \
         {days:.1} days and {datapoints} datapoints."
    )
}
