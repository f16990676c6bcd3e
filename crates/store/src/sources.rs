//! The tables `source_regions`, `source_tickets`, `source_gaps` and `source_spending`: how the polls of each source went, what is said of
//! that, what of it is not watched, and what was asked of it.

use domain::{Gap, Key, OpenGap, OpenSourceTicket, RegionState, SourceState, Spending, Trouble};
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use crate::columns::{Json, Name, Time};

/// Replaces the state of a source. An empty one leaves nothing behind.
pub(crate) fn replace(tx: &Transaction<'_>, state: &SourceState) -> rusqlite::Result<()> {
    let SourceState { source, regions, tickets, gaps, spending } = state;
    if read(tx, source.clone())? == *state {
        return Ok(());
    }
    for table in ["source_regions", "source_tickets", "source_gaps", "source_spending"] {
        tx.prepare_cached(&format!("DELETE FROM {table} WHERE source = ?1"))?.execute([source])?;
    }
    let sql = "INSERT INTO source_regions
            (source, region, last_good, good_polls, act, failure, since, this_way_since, last)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let mut statement = tx.prepare_cached(sql)?;
    for RegionState { region, last_good, good_polls, trouble } in regions {
        statement.execute((
            source,
            region,
            last_good.map(Time),
            good_polls,
            trouble.map(|trouble| Name(trouble.act)),
            trouble.map(|trouble| Name(trouble.failure)),
            trouble.map(|trouble| Time(trouble.since)),
            trouble.map(|trouble| Time(trouble.this_way_since)),
            trouble.map(|trouble| Time(trouble.last)),
        ))?;
    }
    let sql = "INSERT INTO source_tickets (source, position, key, act, failure, since, opened, regions)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let mut statement = tx.prepare_cached(sql)?;
    for (position, ticket) in (0_i64..).zip(tickets) {
        let OpenSourceTicket { key, act, failure, since, opened, regions } = ticket;
        statement.execute((
            source,
            position,
            key.as_str(),
            Name(*act),
            Name(*failure),
            Time(*since),
            Time(*opened),
            Json(regions),
        ))?;
    }
    let sql = "INSERT INTO source_gaps (source, position, key, cause, subject, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut statement = tx.prepare_cached(sql)?;
    for (position, OpenGap { key, gap, since }) in (0_i64..).zip(gaps) {
        let (key, cause) = (key.as_str(), Name(gap.cause()));
        statement.execute((source, position, key, cause, gap.subject(), Time(*since)))?;
    }
    if *spending != Spending::default() {
        let Spending { month, billed_metrics, thrift } = *spending;
        // More than fits is more than anybody can pay.
        let billed = i64::try_from(billed_metrics).unwrap_or(i64::MAX);
        let sql =
            "INSERT INTO source_spending (source, month, billed_metrics, thrift) VALUES (?1, ?2, ?3, ?4)";
        tx.prepare_cached(sql)?.execute((source, month, billed, Name(thrift)))?;
    }
    Ok(())
}

/// The states of all sources, by name.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<SourceState>> {
    let sql = "SELECT source FROM source_regions UNION SELECT source FROM source_tickets
        UNION SELECT source FROM source_gaps UNION SELECT source FROM source_spending ORDER BY source";
    let mut statement = connection.prepare_cached(sql)?;
    let sources = statement.query_map([], |row| row.get::<_, String>(0))?;
    sources.map(|source| read(connection, source?)).collect()
}

fn read(connection: &Connection, source: String) -> rusqlite::Result<SourceState> {
    let mut regions =
        connection.prepare_cached("SELECT * FROM source_regions WHERE source = ?1 ORDER BY region")?;
    let regions = regions.query_map([&source], region)?.collect::<rusqlite::Result<_>>()?;
    let mut tickets =
        connection.prepare_cached("SELECT * FROM source_tickets WHERE source = ?1 ORDER BY position")?;
    let tickets = tickets.query_map([&source], ticket)?.collect::<rusqlite::Result<_>>()?;
    let mut gaps =
        connection.prepare_cached("SELECT * FROM source_gaps WHERE source = ?1 ORDER BY position")?;
    let gaps = gaps.query_map([&source], gap)?.collect::<rusqlite::Result<_>>()?;
    let mut spending = connection.prepare_cached("SELECT * FROM source_spending WHERE source = ?1")?;
    let spending = spending.query_one([&source], self::spending).optional()?.unwrap_or_default();
    Ok(SourceState { source, regions, tickets, gaps, spending })
}

fn gap(row: &Row<'_>) -> rusqlite::Result<OpenGap> {
    let (cause, subject) = (row.get::<_, Name<_>>("cause")?.0, row.get::<_, String>("subject")?);
    let unknown = || rusqlite::Error::InvalidColumnType(0, "cause".to_owned(), rusqlite::types::Type::Text);
    Ok(OpenGap {
        key: Key::from_text(row.get::<_, String>("key")?),
        gap: Gap::from_parts(cause, &subject).ok_or_else(unknown)?,
        since: row.get::<_, Time>("since")?.0,
    })
}

fn spending(row: &Row<'_>) -> rusqlite::Result<Spending> {
    Ok(Spending {
        month: row.get("month")?,
        billed_metrics: u64::try_from(row.get::<_, i64>("billed_metrics")?).unwrap_or(0),
        thrift: row.get::<_, Name<_>>("thrift")?.0,
    })
}

fn region(row: &Row<'_>) -> rusqlite::Result<RegionState> {
    let trouble = match row.get::<_, Option<Name<_>>>("act")? {
        None => None,
        Some(Name(act)) => Some(Trouble {
            act,
            failure: row.get::<_, Name<_>>("failure")?.0,
            since: row.get::<_, Time>("since")?.0,
            this_way_since: row.get::<_, Time>("this_way_since")?.0,
            last: row.get::<_, Time>("last")?.0,
        }),
    };
    Ok(RegionState {
        region: row.get("region")?,
        last_good: row.get::<_, Option<Time>>("last_good")?.map(|time| time.0),
        good_polls: row.get("good_polls")?,
        trouble,
    })
}

fn ticket(row: &Row<'_>) -> rusqlite::Result<OpenSourceTicket> {
    Ok(OpenSourceTicket {
        key: Key::from_text(row.get::<_, String>("key")?),
        act: row.get::<_, Name<_>>("act")?.0,
        failure: row.get::<_, Name<_>>("failure")?.0,
        since: row.get::<_, Time>("since")?.0,
        opened: row.get::<_, Time>("opened")?.0,
        regions: row.get::<_, Json<_>>("regions")?.0,
    })
}
