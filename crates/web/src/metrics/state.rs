//! Gauges that are read from the newest snapshot at the moment of a scrape.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use domain::{AlarmState, Cause, Key, Slot};
use jiff::Timestamp;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Unit;
use tokio::sync::watch;

use super::labels::{
    CauseLabel, FailureLabels, Place, ReasonLabel, SeriesLabels, SourceLabel, StateLabel, VersionLabel,
};
use crate::Clock;
use crate::figures::finite;
use crate::ready::Readiness;
use crate::sight::Sight;
use crate::snapshot::{SeriesStatus, Snapshot, Untold};

/// Series that get gauges of their own: the first in the order of their names. A model id is free text of other
/// people, so without a limit a typing error in a loop could fill a monitoring system.
pub const SERIES_LIMIT: usize = 1_000;

/// The gauges.
pub(super) struct State {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    clock: Clock,
}

impl State {
    pub(super) fn new(snapshots: watch::Receiver<Arc<Snapshot>>, clock: Clock) -> Self {
        Self { snapshots, clock }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Collector for State {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let snapshot = Arc::clone(&self.snapshots.borrow());
        let now = (self.clock)().max(snapshot.now);
        let mut gauges = Gauges(encoder);
        of_daemon(&mut gauges, &snapshot, now)?;
        of_sources(&mut gauges, &snapshot, now)?;
        of_messages(&mut gauges, &snapshot, now)?;
        of_people(&mut gauges, &snapshot, now)?;
        of_fleet(&mut gauges, &snapshot, now)?;
        of_series(&mut gauges, &snapshot, now)
    }
}

/// Writes gauges one family after the other.
struct Gauges<'a>(DescriptorEncoder<'a>);

impl Gauges<'_> {
    /// A family of gauges.
    fn family<L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        values: impl IntoIterator<Item = (L, f64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?;
        for (labels, value) in values {
            ConstGauge::new(value).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    /// A gauge without labels; without a value it has no sample.
    fn single(&mut self, name: &str, help: &str, unit: Option<&Unit>, value: Option<f64>) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?;
        value.map_or(Ok(()), |value| ConstGauge::new(value).encode(encoder))
    }
}

fn of_daemon(gauges: &mut Gauges<'_>, snapshot: &Snapshot, now: Timestamp) -> fmt::Result {
    let build = Info::new(VersionLabel { version: snapshot.version.clone() });
    build.encode(gauges.0.encode_descriptor("build", "The version that runs.", None, MetricType::Info)?)?;
    let seconds = Some(&Unit::Seconds);
    let started = Some(unix(snapshot.started));
    gauges.single("start_time", "When the daemon started.", seconds, started)?;
    let last = snapshot.last_evaluation;
    gauges.single(
        "last_evaluation_timestamp",
        "When the engine last finished judging what a poll brought.",
        seconds,
        last.map(unix),
    )?;
    gauges.single(
        "last_evaluation_age",
        "How long ago that was, by the daemon's clock.",
        seconds,
        last.map(|last| now.duration_since(last).as_secs_f64()),
    )?;
    let ready = Readiness::of(snapshot, now).is_ready();
    gauges.single("ready", "1 when /readyz answers 200, else 0.", None, Some(flag(ready)))?;
    gauges.single(
        "store_writable",
        "1 when the store can be written, else 0.",
        None,
        Some(flag(snapshot.store_failure.is_none())),
    )?;
    gauges.single(
        "store_rebuilt_timestamp",
        "When the store was last found damaged and begun anew.",
        seconds,
        snapshot.store_rebuilt.as_ref().map(|rebuilt| unix(rebuilt.at)),
    )?;
    gauges.single(
        "configuration_valid",
        "1 when the configuration that was read last holds, 0 when it is invalid and the one before does.",
        None,
        Some(flag(snapshot.configuration_failure.is_none())),
    )?;
    gauges.single(
        "override_conflicts",
        "Keys that two overrides set for a series that is watched; the first in the order of the files holds.",
        None,
        Some(snapshot.override_conflicts.len() as f64),
    )
}

fn of_sources(gauges: &mut Gauges<'_>, snapshot: &Snapshot, now: Timestamp) -> fmt::Result {
    let sources = || snapshot.sources.iter().map(|source| (Place::new(&source.name, &source.region), source));
    gauges.family(
        "source_up",
        "1 when the last poll of the source succeeded, else 0.",
        None,
        sources()
            .map(|(place, source)| (place, flag(source.failure.is_none() && source.last_success.is_some()))),
    )?;
    gauges.family(
        "source_last_success_timestamp",
        "When a poll of the source last succeeded.",
        Some(&Unit::Seconds),
        sources().filter_map(|(place, source)| Some((place, unix(source.last_success?)))),
    )?;
    let failures = sources().flat_map(|(place, source)| {
        let kinds = source.failure.iter().chain(&source.limited).map(|failure| failure.failure.as_str());
        kinds.map(|kind| (FailureLabels { place: place.clone(), kind }, 1.0)).collect::<Vec<_>>()
    });
    gauges.family(
        "source_failure",
        "1 while something does not work with the source, by its kind.",
        None,
        failures,
    )?;
    gauges.family(
        "source_lag",
        "How long the series of the source that is judged least far has been due, by the daemon's clock.",
        Some(&Unit::Seconds),
        sources().filter_map(|(place, source)| Some((place, snapshot.lag(source, now)?))),
    )?;
    let history = || sources().filter_map(|(place, source)| Some((place, source.history?)));
    gauges.family(
        "history_series_read",
        "Series of which the history has been read, while it is read.",
        None,
        history().map(|(place, history)| (place, history.read as f64)),
    )?;
    gauges.family(
        "history_series_wanted",
        "All series of a source, while their history is read.",
        None,
        history().map(|(place, history)| (place, history.of as f64)),
    )?;
    let spending = || snapshot.spending.iter().map(|one| (SourceLabel { source: one.source.clone() }, one));
    gauges.family(
        "source_series_left_out",
        "Series of the source that max-series leaves out.",
        None,
        spending().map(|(source, one)| (source, one.left_out as f64)),
    )?;
    let dollars = Some(&Unit::Other("dollars".to_owned()));
    gauges.family(
        "source_month_cost",
        "What was asked of the source in this month, in UTC.",
        dollars,
        spending().map(|(source, one)| (source, one.spent_usd)),
    )?;
    gauges.family(
        "source_month_limit",
        "What may be asked of the source in a month.",
        dollars,
        spending().filter_map(|(source, one)| Some((source, one.limit_usd?))),
    )?;
    gauges.family(
        "source_thrift",
        "How the source is read for that: 0 all of it, 1 without what explains, 2 every second period only.",
        None,
        spending().map(|(source, one)| (source, f64::from(one.thrift as u8))),
    )
}

fn of_messages(gauges: &mut Gauges<'_>, snapshot: &Snapshot, now: Timestamp) -> fmt::Result {
    let outbox = snapshot.outbox;
    gauges.single(
        "outbox_owed",
        "Messages that are still to be delivered.",
        None,
        Some(outbox.owed as f64),
    )?;
    gauges.single(
        "outbox_refused",
        "Messages that were refused for good in the last seven days.",
        None,
        Some(outbox.refused as f64),
    )?;
    gauges.single(
        "outbox_oldest_owed_timestamp",
        "When the oldest message that is still to be delivered became owed.",
        Some(&Unit::Seconds),
        outbox.oldest_owed.map(unix),
    )?;
    let waits = |since: Timestamp| now.duration_since(since).as_secs_f64().max(0.0);
    gauges.single(
        "oldest_unsent_page",
        "How long the oldest page that no receiver has taken yet has been owed, 0 when there is none.",
        Some(&Unit::Seconds),
        Some(outbox.oldest_page.map_or(0.0, waits)),
    )?;
    gauges.single(
        "outbox_in_hand",
        "Pages that could not be written down and are sent from memory.",
        None,
        Some(outbox.in_hand as f64),
    )
}

/// Who was told of what is open, and who was not.
fn of_people(gauges: &mut Gauges<'_>, snapshot: &Snapshot, now: Timestamp) -> fmt::Result {
    let open = snapshot.pages.iter().filter(|page| page.closed.is_none());
    let pages: BTreeSet<&Key> = open.map(|page| &page.key).collect();
    gauges.single(
        "pages_open",
        "Open pages; one that went to several channels counts once.",
        None,
        Some(pages.len() as f64),
    )?;
    gauges.family(
        "incidents_untold",
        "Open incidents that nobody was told of, by why not.",
        None,
        Untold::REASONS.map(|reason| {
            let count = snapshot.untold.iter().filter(|untold| untold.why.reason() == reason).count();
            (ReasonLabel { reason }, count as f64)
        }),
    )?;
    let silences = snapshot.silences.iter().filter(|silence| silence.holds(now)).count();
    gauges.single("silences", "Silences that hold.", None, Some(silences as f64))
}

fn of_fleet(gauges: &mut Gauges<'_>, snapshot: &Snapshot, now: Timestamp) -> fmt::Result {
    gauges.family(
        "series",
        "Series by the state of their alarm, seen or not.",
        None,
        AlarmState::ALL.map(|state| {
            let count = snapshot.series.iter().filter(|status| status.state == state).count();
            (StateLabel { state: state.as_str() }, count as f64)
        }),
    )?;
    let unseen = snapshot.series.iter().filter(|status| !Sight::of(snapshot, status, now).is_seen()).count();
    gauges.single(
        "series_not_seen",
        "Series of which nobody knows how they are.",
        None,
        Some(unseen as f64),
    )?;
    let omitted = snapshot.series.len().saturating_sub(SERIES_LIMIT);
    gauges.single(
        "series_omitted",
        "Series beyond the limit, which have no gauges of their own.",
        None,
        Some(omitted as f64),
    )?;
    let open = snapshot.incidents.iter().filter(|record| record.resolved.is_none()).count();
    gauges.single("incidents_open", "Open incidents.", None, Some(open as f64))?;
    gauges.family(
        "tickets_open",
        "Open tickets by cause.",
        None,
        Cause::ALL.map(|cause| {
            let of_series = snapshot.tickets.iter().filter(|ticket| ticket.cause == cause).count();
            let of_sources = if cause == Cause::SourceFailing { snapshot.source_tickets.len() } else { 0 };
            let of_gaps = snapshot.gaps.iter().filter(|gap| gap.cause == cause).count();
            let count = of_series + of_sources + of_gaps;
            (CauseLabel { cause: cause.as_str() }, count as f64)
        }),
    )
}

fn of_series(gauges: &mut Gauges<'_>, snapshot: &Snapshot, now: Timestamp) -> fmt::Result {
    let mut all: Vec<&SeriesStatus> = snapshot.series.iter().collect();
    all.sort_by(|one, other| one.series.cmp(&other.series));
    all.truncate(SERIES_LIMIT);
    // What is not seen has no figures: an old one would look like a healthy one.
    let seen = |get: fn(&Slot) -> Option<f64>| {
        let values = all.iter().filter(|status| Sight::of(snapshot, status, now).is_seen()).filter_map(
            move |status| Some((SeriesLabels::new(&status.series), finite(status.current().and_then(get))?)),
        );
        values.collect::<Vec<_>>()
    };
    let speed = Unit::Other("tokens_per_second".to_owned());
    gauges.family(
        "otps_p50",
        "p50 OTPS of the newest judged period.",
        Some(&speed),
        seen(|slot| slot.otps?.p50),
    )?;
    gauges.family(
        "otps_baseline",
        "What OTPS of the deciding estimator usually is at this hour.",
        Some(&speed),
        seen(|slot| slot.baseline),
    )?;
    gauges.family(
        "otps_ratio",
        "OTPS of the deciding estimator over its baseline.",
        None,
        seen(Slot::ratio),
    )?;
    gauges.family(
        "series_last_data_timestamp",
        "The end of the newest period in which the source had anything.",
        Some(&Unit::Seconds),
        all.iter()
            .filter_map(|status| Some((SeriesLabels::new(&status.series), unix(status.last_data?.end())))),
    )
}

fn unix(time: Timestamp) -> f64 {
    time.as_duration().as_secs_f64()
}

const fn flag(value: bool) -> f64 {
    if value { 1.0 } else { 0.0 }
}
