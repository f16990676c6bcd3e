//! One series: its row in the table, and what unfolds below it.

use domain::{AlarmState, Estimator, MissingReason, Verdict};
use jiff::Timestamp;

use super::charts::Charts;
use super::slots::{Mark, SlotRow, in_words};
use super::standing::Standing;
use crate::figures::{count, finite, ratio, seconds, speed};
use crate::sight::Sight;
use crate::snapshot::{LearningProgress, SeriesStatus, Snapshot, threshold};
use crate::times::{When, length, moment};

/// A bar from zero to this ratio to the baseline.
const METER_TO: f64 = 1.25;
/// The length of that bar, in pixels.
const METER_PIXELS: f64 = 52.0;

/// One series.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) account: String,
    pub(crate) region: String,
    pub(crate) model: String,
    pub(crate) source: String,
    pub(crate) standing: Standing,
    pub(crate) state: &'static str,
    /// Said beside the state: since when, or why.
    pub(crate) note: String,
    pub(crate) marks: Vec<Mark>,
    pub(crate) marks_in_words: String,
    pub(crate) p50: String,
    /// The figure that decides, where it is not the p50.
    pub(crate) decides: Option<String>,
    pub(crate) baseline: String,
    pub(crate) threshold: String,
    pub(crate) ratio: String,
    pub(crate) meter: Option<Meter>,
    pub(crate) samples: String,
    pub(crate) latency_p50: String,
    pub(crate) latency_p95: String,
    pub(crate) ttft_p50: String,
    pub(crate) ttft_p95: String,
    pub(crate) quota: Option<Quota>,
    /// Whether the figures are old.
    pub(crate) stale: bool,
    pub(crate) since: When,
    pub(crate) judged: When,
    pub(crate) last_data: Option<When>,
    pub(crate) incident: Option<Opened>,
    pub(crate) slots: Vec<SlotRow>,
    pub(crate) charts: Option<Charts>,
    pub(crate) shown: Shown,
}

/// Where a series is shown, and so how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A row that links to the series' own page.
    Row,
    /// A row that can be unfolded.
    Folded,
    /// A row that is unfolded.
    Unfolded,
    /// Its own page.
    OwnPage,
}

/// A bar of the ratio to the baseline, in pixels.
pub(crate) struct Meter {
    pub(crate) length: String,
    pub(crate) line: String,
    pub(crate) low: bool,
}

/// What was used of the quota of tokens, and what was throttled, in one period.
pub(crate) struct Quota {
    pub(crate) tokens: String,
    pub(crate) throttles: String,
    pub(crate) period: When,
}

/// The open incident.
pub(crate) struct Opened {
    pub(crate) key: String,
    pub(crate) onset: When,
    pub(crate) opened: When,
    pub(crate) worst: String,
    pub(crate) summary: String,
    /// The page that it is part of: its group and its key.
    pub(crate) page: Option<(String, String)>,
    /// Why nobody was told of it.
    pub(crate) untold: Option<String>,
}

impl Row {
    /// The row of `status` at `now`.
    pub(crate) fn new(snapshot: &Snapshot, status: &SeriesStatus, now: Timestamp, shown: Shown) -> Self {
        let rule = &snapshot.rule_of(&status.series);
        let sight = Sight::of(snapshot, status, now);
        let current = status.current();
        let baseline = current.and_then(|slot| slot.baseline);
        let share = current.and_then(domain::Slot::ratio);
        let decides =
            current.filter(|slot| slot.estimator == Estimator::TokenWeighted).and_then(domain::Slot::value);
        let incident = snapshot.incident_of(&status.series).map(|record| Opened {
            key: record.incident.key.to_string(),
            onset: When::new(record.incident.onset.start(), now),
            opened: When::new(record.incident.opened.end(), now),
            worst: ratio(record.incident.worst, rule.page_below),
            summary: record.summary.clone(),
            page: snapshot
                .page_of(&record.incident.key)
                .map(|page| (page.group.to_string(), page.key.to_string())),
            untold: snapshot.untold_of(&status.series).map(ToString::to_string),
        });
        Self {
            id: status.series.to_string(),
            account: status.series.account().to_owned(),
            region: status.series.region().to_owned(),
            model: status.series.model().to_owned(),
            source: status.source.clone(),
            standing: Standing::of(status.state, sight),
            state: status.state.as_str(),
            note: note(status, sight, incident.as_ref(), now),
            marks: status.slots.iter().map(|slot| Mark::new(slot.verdict)).collect(),
            marks_in_words: in_words(&status.slots),
            p50: speed(current.and_then(|slot| slot.otps?.p50)),
            decides: decides.map(|value| speed(Some(value))),
            baseline: speed(baseline),
            threshold: speed(threshold(rule, baseline)),
            ratio: ratio(share, rule.page_below),
            meter: finite(share).map(|share| Meter::new(share, rule.page_below)),
            samples: current.map_or_else(|| count(f64::NAN), |slot| count(slot.samples)),
            latency_p50: seconds(status.waits.latency_p50_ms),
            latency_p95: seconds(status.waits.latency_p95_ms),
            ttft_p50: seconds(status.waits.ttft_p50_ms),
            ttft_p95: seconds(status.waits.ttft_p95_ms),
            quota: status.quota.map(|used| Quota {
                tokens: count(used.tokens_per_minute.unwrap_or(f64::NAN)),
                throttles: count(used.throttles),
                period: When::new(used.period.start(), now),
            }),
            stale: !sight.is_seen(),
            since: When::new(status.since.end(), now),
            judged: When::new(status.judged_through.end(), now),
            last_data: status.last_data.map(|period| When::new(period.end(), now)),
            incident,
            slots: status.slots.iter().map(|slot| SlotRow::new(slot, rule, now)).collect(),
            charts: (shown != Shown::Row).then(|| Charts::new(status, rule, now)),
            shown,
        }
    }
}

impl Meter {
    fn new(share: f64, line: f64) -> Self {
        let pixels = |ratio: f64| format!("{:.0}", (ratio / METER_TO).clamp(0.0, 1.0) * METER_PIXELS);
        Self { length: pixels(share), line: pixels(line), low: share < line }
    }
}

/// What is said beside the state. What is not seen comes first, then why there is no figure.
fn note(status: &SeriesStatus, sight: Sight, incident: Option<&Opened>, now: Timestamp) -> String {
    let slow = incident.map(|incident| {
        let untold =
            incident.untold.as_ref().map_or(String::new(), |why| format!("; nobody was told: {why}"));
        (format!("slow since {}", incident.onset.moment), untold)
    });
    if let Sight::NotSeen(since) = sight {
        let since = since.map_or_else(|| "ever".to_owned(), |since| format!("since {}", moment(since, now)));
        return match (slow, status.state) {
            (Some((slow, untold)), _) => format!("{slow}, not seen {since}{untold}"),
            (None, AlarmState::Alarm) => format!("not seen {since}"),
            // The state says "not seen" already.
            (None, _) => since,
        };
    }
    if let Some((slow, untold)) = slow {
        return slow + &untold;
    }
    if let Some(LearningProgress { days, days_needed, datapoints, datapoints_needed }) = status.learning {
        let (have, need) = (count(f64::from(datapoints)), count(f64::from(datapoints_needed)));
        return format!("{days:.1} of {days_needed} days, {have} of {need} points");
    }
    if let Some(model) = &status.learned_from {
        return format!("new: judged by the history of {model}");
    }
    match (status.current().map(|slot| slot.verdict), status.last_data) {
        (_, None) => "never had any data".to_owned(),
        (Some(Verdict::Missing(MissingReason::NoData)), Some(last)) => {
            format!("no requests for {}", length(now.duration_since(last.end())))
        }
        (Some(Verdict::Missing(reason)), _) => reason.to_string(),
        _ => String::new(),
    }
}
