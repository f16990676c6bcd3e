//! The tables `states`, `untrained` and `diagnosed`: what a restart begins with, together with what else is open.

use domain::{Incident, Key, Loaded, Period, Series, SeriesState, Span};
use rusqlite::{Connection, Row, Transaction};

use crate::columns::{Name, Number, Real};
use crate::series::{self, Ids};
use crate::{filed, incidents, pages, silences, sources, tickets};

/// Replaces the state of a series. One that is what it was writes nothing.
pub(crate) fn replace(tx: &Transaction<'_>, ids: &mut Ids<'_>, state: &SeriesState) -> rusqlite::Result<()> {
    let id = ids.of(&state.series)?;
    let incident = state.incident.as_ref();
    let sql = "INSERT INTO states (series_id, state, since, judged_through,
            incident_key, incident_onset, incident_opened, incident_worst)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT DO UPDATE SET state = excluded.state, since = excluded.since,
            judged_through = excluded.judged_through, incident_key = excluded.incident_key,
            incident_onset = excluded.incident_onset, incident_opened = excluded.incident_opened,
            incident_worst = excluded.incident_worst
        WHERE (excluded.state, excluded.since, excluded.judged_through, excluded.incident_key, excluded.incident_onset,
                excluded.incident_opened, excluded.incident_worst)
            IS NOT (state, since, judged_through, incident_key, incident_onset, incident_opened, incident_worst)";
    tx.prepare_cached(sql)?.execute((
        id,
        Name(state.state),
        Number(state.since),
        Number(state.judged_through),
        incident.map(|incident| incident.key.as_str()),
        incident.map(|incident| Number(incident.onset)),
        incident.map(|incident| Number(incident.opened)),
        incident.and_then(|incident| incident.worst).map(Real),
    ))?;
    tickets::replace(tx, id, &state.tickets)?;
    replace_untrained(tx, id, &state.untrained)
}

/// Writes down up to where the diagnosis metrics of a series have been read.
pub(crate) fn diagnosed(
    tx: &Transaction<'_>,
    ids: &mut Ids<'_>,
    series: &Series,
    through: Period,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO diagnosed (series_id, through) VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET through = excluded.through WHERE through <> excluded.through";
    tx.prepare_cached(sql)?.execute((ids.of(series)?, Number(through)))?;
    Ok(())
}

/// Everything that a restart begins with.
pub(crate) fn load(connection: &mut Connection) -> rusqlite::Result<Loaded> {
    // One snapshot: the tables must be of the same commit even when somebody else writes.
    let tx = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Deferred)?;
    let mut states = tx.prepare_cached(
        "SELECT * FROM states JOIN series ON series.id = states.series_id ORDER BY account, region, model",
    )?;
    let states = states.query_map([], |row| read(&tx, row))?.collect::<rusqlite::Result<_>>()?;
    let mut diagnosed = tx.prepare_cached(
        "SELECT * FROM diagnosed JOIN series ON series.id = diagnosed.series_id ORDER BY account, region, model",
    )?;
    let diagnosed = diagnosed
        .query_map([], |row| Ok((series::read(row)?, row.get::<_, Number>("through")?.0)))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Loaded {
        states,
        diagnosed,
        sources: sources::load(&tx)?,
        incidents: incidents::open(&tx)?,
        pages: pages::load(&tx)?,
        filed: filed::load(&tx)?,
        silences: silences::load(&tx)?,
    })
}

fn read(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<SeriesState> {
    let id = row.get("series_id")?;
    let series = series::read(row)?;
    let incident = match row.get::<_, Option<String>>("incident_key")? {
        None => None,
        Some(key) => Some(Incident {
            series: series.clone(),
            onset: row.get::<_, Number>("incident_onset")?.0,
            opened: row.get::<_, Number>("incident_opened")?.0,
            key: Key::from_text(key),
            worst: row.get::<_, Option<Real>>("incident_worst")?.map(|real| real.0),
        }),
    };
    Ok(SeriesState {
        series,
        state: row.get::<_, Name<_>>("state")?.0,
        since: row.get::<_, Number>("since")?.0,
        judged_through: row.get::<_, Number>("judged_through")?.0,
        incident,
        tickets: tickets::read(connection, id)?,
        untrained: read_untrained(connection, id)?,
    })
}

/// Most steps leave the spans as they are: then nothing is written.
fn replace_untrained(tx: &Transaction<'_>, id: i64, spans: &[Span]) -> rusqlite::Result<()> {
    if read_untrained(tx, id)? == spans {
        return Ok(());
    }
    tx.prepare_cached("DELETE FROM untrained WHERE series_id = ?1")?.execute([id])?;
    let sql =
        "INSERT INTO untrained (series_id, position, from_period, until_period) VALUES (?1, ?2, ?3, ?4)";
    let mut statement = tx.prepare_cached(sql)?;
    for (position, span) in (0_i64..).zip(spans) {
        statement.execute((id, position, Number(span.from), Number(span.until)))?;
    }
    Ok(())
}

fn read_untrained(connection: &Connection, id: i64) -> rusqlite::Result<Vec<Span>> {
    let sql = "SELECT from_period, until_period FROM untrained WHERE series_id = ?1 ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let spans = statement.query_map([id], |row| {
        Ok(Span { from: row.get::<_, Number>(0)?.0, until: row.get::<_, Number>(1)?.0 })
    })?;
    spans.collect()
}
