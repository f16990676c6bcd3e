//! The schema: SQL files that are numbered from 1, each applied once, in one transaction with its number.

use rusqlite::Connection;

/// "otps": how SQLite and `file` tell a store of otpsd from any other database.
pub(crate) const APPLICATION_ID: i32 = 0x6f74_7073;

/// The file at index 0 is number 1. A file that has been released is never changed; the next number changes what it made.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_ledger.sql"),
    include_str!("../migrations/0002_sources.sql"),
    include_str!("../migrations/0003_pages.sql"),
    include_str!("../migrations/0004_quota_and_tiers.sql"),
    include_str!("../migrations/0005_gaps.sql"),
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
    use domain::{
        Cause, Commit, Filed, GroupBy, Key, Member, Message, Metric, NoticeKind, OwedState, PageState,
        Period, Reading, Series, Terms,
    };

    use super::*;
    use crate::{commit, outbox, readings, states, tickets};

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
        connection
            .execute_batch(
                "INSERT INTO series (id, account, region, model) VALUES (1, '-', 'us-east-1', 'm');
                INSERT INTO readings (series_id, period, invocation_latency_p50) VALUES (1, 5973627, 6161.7);
                INSERT INTO tickets (series_id, position, key, cause, opened, told_day, usual_latency_ms, usual_ttft_ms,
                    usual_output_tokens, usual_streaming_share, usual_samples)
                VALUES (1, 0, 'otpsd-open', 'queueing', 5973627, 20742, 6800, 800, 372, 0.98, 2900);",
            )
            .unwrap();
        migrate(&mut connection, MIGRATIONS, 1).unwrap();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Store(newest(MIGRATIONS)));
        let count = |table| {
            let sql = format!("SELECT count(*) FROM {table}");
            connection.query_one(&sql, [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(
            ["series", "source_regions", "source_tickets", "pages", "filed"].map(count),
            [1, 0, 0, 0, 0]
        );
        // What came later is not known of it.
        let series = Series::new("-", "us-east-1", "m");
        let [row] = &readings::history(&connection, &series, Period::from_index(0)).unwrap()[..] else {
            panic!("one reading")
        };
        let mut reading = Reading::default();
        reading.of_mut(Metric::InvocationLatency).p50 = Some(6161.7);
        assert_eq!(row.reading, reading);
        let [ticket] = &tickets::read(&connection, 1).unwrap()[..] else { panic!("one ticket") };
        let usual = Terms {
            latency_ms: 6_800.0,
            ttft_ms: 800.0,
            output_tokens: 372.0,
            streaming_share: 0.98,
            samples: 2_900.0,
            ..Terms::default()
        };
        assert_eq!((ticket.cause, ticket.usual), (Cause::Queueing, usual));
    }

    /// Each statement is one that the version of that schema made.
    #[test]
    fn an_incident_that_is_open_when_groups_come_has_pages_of_its_own() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &MIGRATIONS[..2], 0).unwrap();
        connection
            .execute_batch(
                "INSERT INTO series VALUES (1, '111122223333', 'us-east-1', 'slow'), (2, '-', 'eu-west-1', 'fine');
                INSERT INTO incidents (key, series_id, onset, opened, resolved, worst, summary, at) VALUES
                    ('otpsd-open', 1, 5973625, 5973627, NULL, 0.625, 'slow is slow', '2026-10-15T18:22:00.000000000Z'),
                    ('otpsd-over', 2, 5973625, 5973627, 5973640, NULL, 'fine again', '2026-10-15T18:22:00.000000000Z');
                INSERT INTO outbox (id, channel, kind, key, summary, body, attributes, created, attempts, state, at) VALUES
                    ('a', 'sns.ops', 'page', 'otpsd-open', '', '', '[]', '2026-10-15T18:22:00.000000000Z', 1, 'delivered', '2026-10-15T18:22:01.000000000Z'),
                    ('b', 'log.all', 'page', 'otpsd-open', '', '', '[[\"k\",\"v\"]]', '2026-10-15T18:22:00.000000000Z', 3, 'due', '2026-10-15T18:23:00.000000000Z'),
                    ('c', 'sns.ops', 'page', 'otpsd-over', '', '', '[]', '2026-10-15T18:22:00.000000000Z', 1, 'delivered', '2026-10-15T18:22:01.000000000Z'),
                    ('d', 'sns.ops', 'resolve', 'otpsd-over', '', '', '[]', '2026-10-15T18:42:00.000000000Z', 0, 'due', '2026-10-15T18:42:00.000000000Z'),
                    ('e', 'sns.tickets', 'ticket_opened', 'otpsd-ticket', '', '', '[]', '2026-10-15T18:42:00.000000000Z', 2, 'refused', '2026-10-15T18:43:00.000000000Z'),
                    ('f', 'log.all', 'ticket_opened', 'otpsd-ticket', '', '', '[]', '2026-10-15T18:42:00.000000000Z', 1, 'delivered', '2026-10-15T18:43:00.000000000Z'),
                    ('g', 'log.all', 'ticket_opened', 'otpsd-closed', '', '', '[]', '2026-10-15T18:42:00.000000000Z', 1, 'delivered', '2026-10-15T18:43:00.000000000Z');
                INSERT INTO source_tickets VALUES ('main', 0, 'otpsd-ticket', 'read', 'denied',
                    '2026-10-15T18:00:00.000000000Z', '2026-10-15T18:42:00.000000000Z', '[]');",
            )
            .unwrap();
        migrate(&mut connection, MIGRATIONS, 2).unwrap();
        assert_eq!(Identity::of(&connection).unwrap(), Identity::Store(newest(MIGRATIONS)));

        let loaded = states::load(&mut connection).unwrap();
        let series = Series::new("111122223333", "us-east-1", "slow");
        let page = |channel: &str| PageState {
            key: Key::from_text("otpsd-open"),
            channel: channel.to_owned(),
            receiver: String::new(),
            group: GroupBy::Series.group(&series),
            opened: Period::from_index(5_973_627),
            told: "2026-10-15T18:22:00Z".parse().unwrap(),
            summary: "slow is slow".to_owned(),
            members: vec![Member {
                incident: Key::from_text("otpsd-open"),
                series: series.clone(),
                onset: Period::from_index(5_973_625),
                opened: Period::from_index(5_973_627),
                joined: "2026-10-15T18:22:00Z".parse().unwrap(),
                worst: Some(0.625),
                recovered: None,
                resolved: None,
            }],
            held_told: false,
            closed: None,
        };
        assert_eq!(loaded.pages, [page("sns.ops"), page("log.all")]);
        let [open] = &loaded.incidents[..] else { panic!("{:?}", loaded.incidents) };
        assert_eq!((open.incident.key.as_str(), &open.evidence), ("otpsd-open", &None));
        let channels = vec!["sns.tickets".to_owned(), "log.all".to_owned()];
        assert_eq!(loaded.filed, [Filed { key: Key::from_text("otpsd-ticket"), channels }]);

        // What was owed still is, in its order.
        let messages = outbox::newest(&connection, 10).unwrap().into_iter().rev();
        let standing: Vec<_> = messages.map(|owed| (owed.message.id, owed.attempts, owed.state)).collect();
        let at = |time: &str| format!("2026-10-15T{time}Z").parse().unwrap();
        let expected = [
            ("a", 1, OwedState::Delivered(at("18:22:01"))),
            ("b", 3, OwedState::Due(at("18:23:00"))),
            ("c", 1, OwedState::Delivered(at("18:22:01"))),
            ("d", 0, OwedState::Due(at("18:42:00"))),
            ("e", 2, OwedState::Refused(at("18:43:00"))),
            ("f", 1, OwedState::Delivered(at("18:43:00"))),
            ("g", 1, OwedState::Delivered(at("18:43:00"))),
        ];
        assert_eq!(standing, expected.map(|(id, attempts, state)| (id.to_owned(), attempts, state)));
        let due = outbox::due(&connection, at("20:00:00"), 9, 9, &[]).unwrap();
        assert_eq!(due[0].message.attributes, [("k".to_owned(), "v".to_owned())]);

        // Its end goes to both: to one that has the page, and to one that may have it and is not paged any more.
        let resolve = |page: &PageState| Message {
            id: format!("resolve to {}", page.channel),
            channel: page.channel.clone(),
            kind: NoticeKind::Resolve,
            key: page.key.clone(),
            summary: String::new(),
            body: String::new(),
            attributes: Vec::new(),
            created: at("19:00:00"),
            standby_for: None,
        };
        let outbox = loaded.pages.iter().map(resolve).collect();
        commit::write(&mut connection, &Commit { outbox, ..Commit::default() }).unwrap();
        let due = outbox::due(&connection, at("20:00:00"), 9, 9, &[]).unwrap();
        let due: Vec<_> = due.into_iter().map(|owed| owed.message.id).collect();
        assert_eq!(due, ["d", "resolve to sns.ops", "resolve to log.all"]);
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
            let sql = (1..5).fold(sql.to_owned(), |sql, number| sql.replace(&format!("?{number}"), "0"));
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let steps = statement.query_map([], |row| row.get::<_, String>("detail")).unwrap();
            steps.map(Result::unwrap).collect::<Vec<_>>().join("\n")
        };
        let history = plan("SELECT * FROM readings WHERE series_id = 1 AND period >= 2 ORDER BY period");
        assert_eq!(history, "SEARCH readings USING PRIMARY KEY (series_id=? AND period>?)");
        let page = plan(
            "SELECT * FROM outbox WHERE key = 'k' AND channel = 'c' AND kind = 'page' AND seq < 9
            ORDER BY seq DESC LIMIT 1",
        );
        assert_eq!(page, "SEARCH outbox USING INDEX outbox_subject (key=? AND channel=? AND seq<?)");
        let standby = plan("SELECT * FROM outbox WHERE standby_for = 'p' AND state = 'standby'");
        assert_eq!(standby, "SEARCH outbox USING INDEX outbox_standby (standby_for=?)");
        let open = plan("SELECT * FROM pages WHERE closed IS NULL ORDER BY told, id");
        assert_eq!(open, "SCAN pages USING INDEX pages_open");
        insta::assert_snapshot!(plan(outbox::CHANNELS), @r"
        CO-ROUTINE owed
        SETUP
        SEARCH outbox USING COVERING INDEX outbox_heads
        RECURSIVE STEP
        SCAN owed
        CORRELATED SCALAR SUBQUERY 2
        SEARCH outbox USING COVERING INDEX outbox_heads (channel>?)
        SCAN owed
        ");
        insta::assert_snapshot!(plan(outbox::HEADS), @r"
        SEARCH outbox USING INDEX outbox_due (channel=? AND turn=? AND at<?)
        CORRELATED SCALAR SUBQUERY 1
        SEARCH older USING COVERING INDEX outbox_heads (channel=? AND key=? AND seq<?)
        ");
        insta::assert_snapshot!(plan(outbox::BACKLOG), @r"
        SCAN outbox USING COVERING INDEX outbox_owed
        SCALAR SUBQUERY 1
        SEARCH outbox USING COVERING INDEX outbox_refused (at>?)
        ");
    }
}
