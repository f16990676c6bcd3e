//! The table `readings`: one row a series and period, with a column for every statistic of every metric, and for the requests of every
//! service tier.

use std::sync::LazyLock;

use domain::{Metric, Period, Reading, Row, Series, Statistic, Tier};
use rusqlite::{Connection, Transaction};

use crate::columns::{Number, Real};
use crate::series::{self, Ids};

/// Lays rows over what is there: what a row has wins, what it lacks stays. A row that changes nothing writes nothing,
/// since the last periods are read again with every poll. They are laid in the order of the table, which saves half of
/// the time when they come period by period; those of the same place keep theirs.
pub(crate) fn merge(tx: &Transaction<'_>, ids: &mut Ids<'_>, rows: &[Row]) -> rusqlite::Result<()> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let all = |each: fn(&str) -> String| columns().map(|name| each(&name)).collect::<Vec<_>>().join(", ");
        let names = all(str::to_owned);
        format!(
            "INSERT INTO readings (series_id, period, {names}) VALUES (?1, ?2{places})
            ON CONFLICT DO UPDATE SET {merged} WHERE ({laid}) IS NOT ({names})",
            places = ", ?".repeat(columns().count()),
            merged = all(|name| format!("{name} = coalesce(excluded.{name}, {name})")),
            laid = all(|name| format!("coalesce(excluded.{name}, {name})")),
        )
    });
    let mut statement = tx.prepare_cached(&SQL)?;
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by(|a, b| (&a.series, a.period).cmp(&(&b.series, b.period)));
    for row in rows {
        statement.raw_bind_parameter(1, ids.of(&row.series)?)?;
        statement.raw_bind_parameter(2, Number(row.period))?;
        let values = places().map(|(metric, statistic)| row.reading.get(metric, statistic));
        let values = values.chain(Tier::ALL.into_iter().map(|tier| row.reading.served(tier)));
        for (place, value) in (3..).zip(values) {
            statement.raw_bind_parameter(place, value.map(Real))?;
        }
        statement.raw_execute()?;
    }
    Ok(())
}

/// Readings of one series from `from` on, in order of time.
pub(crate) fn history(connection: &Connection, series: &Series, from: Period) -> rusqlite::Result<Vec<Row>> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let names = columns().collect::<Vec<_>>().join(", ");
        format!("SELECT period, {names} FROM readings WHERE series_id = ?1 AND period >= ?2 ORDER BY period")
    });
    let Some(id) = series::find(connection, series)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(&SQL)?;
    let rows = statement.query_map((id, Number(from)), |row| {
        let mut reading = Reading::default();
        let mut values =
            (1..).map(|column| row.get::<_, Option<Real>>(column).map(|real| real.map(|real| real.0)));
        for ((metric, statistic), value) in places().zip(values.by_ref()) {
            reading.of_mut(metric).set(statistic, value?);
        }
        for (tier, value) in Tier::ALL.into_iter().zip(values) {
            reading.set_served(tier, value?);
        }
        Ok(Row { series: series.clone(), period: row.get::<_, Number>(0)?.0, reading })
    })?;
    rows.collect()
}

/// The values of a reading in the order of their columns.
fn places() -> impl Iterator<Item = (Metric, Statistic)> {
    Metric::ALL.into_iter().flat_map(|metric| Statistic::ALL.map(|statistic| (metric, statistic)))
}

/// The names of all columns.
fn columns() -> impl Iterator<Item = String> {
    let of_metrics = places()
        .map(|(metric, statistic)| format!("{}_{}", metric_column(metric), statistic_column(statistic)));
    of_metrics.chain(Tier::ALL.into_iter().map(|tier| format!("served_{}", tier.name())))
}

const fn metric_column(metric: Metric) -> &'static str {
    match metric {
        Metric::InvocationLatency => "invocation_latency",
        Metric::TimeToFirstToken => "time_to_first_token",
        Metric::OutputTokenCount => "output_token_count",
        Metric::InputTokenCount => "input_token_count",
        Metric::CacheReadInputTokens => "cache_read_input_tokens",
        Metric::CacheWriteInputTokens => "cache_write_input_tokens",
        Metric::InvocationThrottles => "invocation_throttles",
        Metric::InvocationServerErrors => "invocation_server_errors",
        Metric::EstimatedTpmQuotaUsage => "estimated_tpm_quota_usage",
    }
}

const fn statistic_column(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::P50 => "p50",
        Statistic::P95 => "p95",
        Statistic::Sum => "sum",
        Statistic::SampleCount => "sample_count",
    }
}
