//! The schema: SQL files that are numbered from 1, each applied once, in one transaction with its number.

use rusqlite::Connection;

/// "otps": how SQLite and `file` tell a store of otpsd from any other database.
pub(crate) const APPLICATION_ID: i32 = 0x6f74_7073;

/// The file at index 0 is number 1. A file that has been released is never changed; the next number changes what it made.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_ledger.sql"),
    include_str!("../migrations/0002_sources.sql"),
    include_str!("../migrations/0003_pages.sql"),
];

/// What a database says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Nothing yet.
    Empty,
    /// A store, with the number of its schema.
    Store(i32),
    /// Something else.
    Foreign,
}

impl Identity {
    /// Reads it, and changes nothing.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
        let (application, version) = (number("application_id")?, number("user_version")?);
        if application == APPLICATION_ID {
            return Ok(Self::Store(version));
        }
        let tables: i64 = connection.query_one("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(if (application, version, tables) == (0, 0, 0) { Self::Empty } else { Self::Foreign })
    }
}

/// The newest number of `migrations`.
pub(crate) fn newest(migrations: &[&str]) -> i32 {
    i32::try_from(migrations.len()).unwrap_or(i32::MAX)
}

/// Applies those of `migrations` that come after `version`. One that fails changes nothing.
pub(crate) fn migrate(
    connection: &mut Connection,
    migrations: &[&str],
    version: i32,
) -> rusqlite::Result<()> {
    for (number, sql) in (1..).zip(migrations).filter(|(number, _)| *number > version) {
        let tx = connection.transaction()?;
        tx.execute_batch(sql)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", number)?;
        tx.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE a (n INTEGER); INSERT INTO a VALUES (1)";
    const SECOND: &str = "UPDATE a SET n = n + 1";
    const BROKEN: &str = "UPDATE a SET n = 100; UPDATE nothing SET n = 1";

    fn n(connection: &Connection) -> i64 {
        connection.query_one("SELECT n FROM a", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn each_migration_is_applied_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Empty);
        migrate(&mut connection, &[FIRST], 0).unwrap();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Store(1));
        migrate(&mut connection, &[FIRST, SECOND], 1).unwrap();
        migrate(&mut connection, &[FIRST, SECOND], 2).unwrap();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Store(2));
        assert_eq!(n(&connection), 2);
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST], 0).unwrap();
        migrate(&mut connection, &[FIRST, BROKEN], 1).unwrap_err();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Store(1));
        assert_eq!(n(&connection), 1);
    }

    #[test]
    fn a_store_of_the_first_version_keeps_what_it_has() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &MIGRATIONS[..1], 0).unwrap();
        let sql = "INSERT INTO series (account, region, model) VALUES ('-', 'us-east-1', 'm')";
        connection.execute(sql, []).unwrap();
        migrate(&mut connection, MIGRATIONS, 1).unwrap();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Store(3));
        let count = |table| {
            let sql = format!("SELECT count(*) FROM {table}");
            connection.query_one(&sql, [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(
            ["series", "source_regions", "source_tickets", "pages", "filed"].map(count),
            [1, 0, 0, 0, 0]
        );
    }

    #[test]
    fn any_table_or_number_of_another_is_foreign() {
        for sql in ["CREATE TABLE t (n)", "PRAGMA user_version = 3", "PRAGMA application_id = 7"] {
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch(sql).unwrap();
            assert_eq!(Identity::of(&connection).unwrap(), Identity::Foreign, "{sql}");
        }
    }

    #[test]
    fn every_index_serves_what_it_is_for() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS, 0).unwrap();
        let plan = |sql: &str| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let steps = statement.query_map([], |row| row.get::<_, String>("detail")).unwrap();
            steps.map(Result::unwrap).collect::<Vec<_>>().join("\n")
        };
        let history = plan("SELECT * FROM readings WHERE series_id = 1 AND period >= 2 ORDER BY period");
        assert_eq!(history, "SEARCH readings USING PRIMARY KEY (series_id=? AND period>?)");
        let page = plan("SELECT channel FROM outbox WHERE kind = 'page' AND key = 'k'");
        assert_eq!(page, "SEARCH outbox USING INDEX outbox_subject (key=?)");
    }
}
