//! The table `incidents`: the record of them all.

use domain::{Incident, IncidentRecord, Key};
use rusqlite::{Connection, Row, Transaction};

use crate::columns::{Number, Real, Time};
use crate::evidence::{Read as Evidence, Written};
use crate::series::{self, Ids};

/// Writes the record of an incident over the one before.
pub(crate) fn replace(
    tx: &Transaction<'_>,
    ids: &mut Ids<'_>,
    record: &IncidentRecord,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO incidents (key, series_id, onset, opened, resolved, worst, summary, at, evidence)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT DO UPDATE SET series_id = excluded.series_id, onset = excluded.onset, opened = excluded.opened,
            resolved = excluded.resolved, worst = excluded.worst, summary = excluded.summary, at = excluded.at,
            evidence = excluded.evidence";
    let incident = &record.incident;
    tx.prepare_cached(sql)?.execute((
        incident.key.as_str(),
        ids.of(&incident.series)?,
        Number(incident.onset),
        Number(incident.opened),
        record.resolved.map(Number),
        incident.worst.map(Real),
        &record.summary,
        Time(record.at),
        record.evidence.as_ref().map(Written),
    ))?;
    Ok(())
}

/// The newest incidents, newest first.
pub(crate) fn newest(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<IncidentRecord>> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM incidents JOIN series ON series.id = incidents.series_id ORDER BY opened DESC, key LIMIT ?1",
    )?;
    let records = statement.query_map([limit], read)?;
    records.collect()
}

/// The incidents that are open, by key.
pub(crate) fn open(connection: &Connection) -> rusqlite::Result<Vec<IncidentRecord>> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM incidents JOIN series ON series.id = incidents.series_id WHERE resolved IS NULL ORDER BY key",
    )?;
    let records = statement.query_map([], read)?;
    records.collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<IncidentRecord> {
    Ok(IncidentRecord {
        incident: Incident {
            series: series::read(row)?,
            onset: row.get::<_, Number>("onset")?.0,
            opened: row.get::<_, Number>("opened")?.0,
            key: Key::from_text(row.get::<_, String>("key")?),
            worst: row.get::<_, Option<Real>>("worst")?.map(|real| real.0),
        },
        summary: row.get("summary")?,
        evidence: row.get::<_, Evidence>("evidence")?.0,
        resolved: row.get::<_, Option<Number>>("resolved")?.map(|number| number.0),
        at: row.get::<_, Time>("at")?.0,
    })
}
