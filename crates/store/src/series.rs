//! The table `series`: every other table names a series by its number here.

use std::collections::HashMap;

use domain::Series;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

/// The numbers of series within one transaction. They must not outlive it: when it is rolled back, so are they.
pub(crate) struct Ids<'tx> {
    tx: &'tx Transaction<'tx>,
    known: HashMap<Series, i64>,
}

impl<'tx> Ids<'tx> {
    pub(crate) fn new(tx: &'tx Transaction<'tx>) -> Self {
        Self { tx, known: HashMap::new() }
    }

    /// The number of a series; a new one gets one.
    pub(crate) fn of(&mut self, series: &Series) -> rusqlite::Result<i64> {
        if let Some(id) = self.known.get(series) {
            return Ok(*id);
        }
        let id = match find(self.tx, series)? {
            Some(id) => id,
            None => {
                let sql = "INSERT INTO series (account, region, model) VALUES (?1, ?2, ?3) RETURNING id";
                let parts = (series.account(), series.region(), series.model());
                self.tx.prepare_cached(sql)?.query_one(parts, |row| row.get(0))?
            }
        };
        self.known.insert(series.clone(), id);
        Ok(id)
    }
}

/// The number of a series, if it has one.
pub(crate) fn find(connection: &Connection, series: &Series) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT id FROM series WHERE account = ?1 AND region = ?2 AND model = ?3";
    let parts = (series.account(), series.region(), series.model());
    connection.prepare_cached(sql)?.query_one(parts, |row| row.get(0)).optional()
}

/// The series of a row that has its columns.
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Series> {
    let text = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    Ok(Series::new(text("account")?, text("region")?, text("model")?))
}
