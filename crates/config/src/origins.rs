//! Where each value of a configuration is written, for those who ask why something holds.

use std::collections::BTreeMap;
use std::fmt;

use toml::de::{DeTable, DeValue};

use crate::canonical;
use crate::report::{At, Report};
use crate::schema;
use crate::table::Node;
use crate::tree::Tree;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file, as its path was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Where the keys of all tables are written. Tables are called by their headers without brackets: `alarm`,
/// `default.cloudwatch`, `source.cloudwatch.main`, `override.support`, `channel.sns.ops`, `heartbeat.cloudwatch`. Routes are
/// counted from 0 in the order of the plan: `route.page.0`. The keys of a table in a table have its key before them:
/// `labels.owner`, `match.model`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    tables: BTreeMap<String, Written>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Written {
    header: Origin,
    keys: BTreeMap<String, Key>,
}

/// A key that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    origin: Origin,
    /// Its value on one line, written in one way. Nothing in it is a secret: a configuration that holds one is invalid.
    value: String,
    /// Whether that is a table, whose keys are there by themselves.
    is_table: bool,
}

impl Origins {
    /// Where a key of a table is written; `None` when it is not, so that its default holds.
    #[must_use]
    pub fn of(&self, table: &str, key: &str) -> Option<&Origin> {
        self.tables.get(table)?.keys.get(key).map(|written| &written.origin)
    }

    /// What is written for a key of a table, in one way of writing TOML on one line.
    #[must_use]
    pub fn value(&self, table: &str, key: &str) -> Option<&str> {
        self.tables.get(table)?.keys.get(key).map(|written| written.value.as_str())
    }

    /// The tables that are written, in the order of their names.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// The keys that a table has, in their order: those whose values are tables by the keys of these.
    pub fn keys(&self, table: &str) -> impl Iterator<Item = &str> {
        let keys = self.tables.get(table).map(|written| &written.keys);
        keys.into_iter().flatten().filter(|(_, key)| !key.is_table).map(|(name, _)| name.as_str())
    }

    /// Where a table begins, in the first of the files that have keys of it.
    #[must_use]
    pub fn table(&self, table: &str) -> Option<&Origin> {
        self.tables.get(table).map(|written| &written.header)
    }

    /// Where a key of a source is written: in its own table, or in that of what sources share.
    #[must_use]
    pub fn of_source(&self, name: &str, key: &str) -> Option<&Origin> {
        schema::SOURCE_KINDS.iter().find_map(|kind| {
            self.table(&format!("source.{kind}.{name}"))?;
            self.of(&format!("source.{kind}.{name}"), key)
                .or_else(|| self.of(&format!("default.{kind}"), key))
        })
    }

    /// Those of what was written.
    pub(crate) fn new(report: &Report<'_>, tree: &Tree<'_>) -> Self {
        let mut origins = Self::default();
        let whole = [
            ("daemon", &tree.daemon),
            ("alarm", &tree.alarm),
            ("baseline", &tree.baseline),
            ("ticket", &tree.ticket),
            ("default.cloudwatch", &tree.source_defaults),
            ("heartbeat.cloudwatch", &tree.heartbeat),
        ];
        for (table, parts) in whole {
            for part in parts {
                origins.add(report, table, part);
            }
        }
        for named in [&tree.overrides, &tree.maintenance, &tree.sources, &tree.channels].into_iter().flatten()
        {
            origins.add(report, &named.path(), &named.node);
        }
        for (kind, routes) in [("page", &tree.page_routes), ("ticket", &tree.ticket_routes)] {
            for (index, route) in routes.iter().enumerate() {
                origins.add(report, &format!("route.{kind}.{index}"), route);
            }
        }
        origins
    }

    /// Adds what one file has of a table.
    fn add(&mut self, report: &Report<'_>, table: &str, node: &Node<'_>) {
        let header = || Written { header: report.origin(node.key_at), keys: BTreeMap::new() };
        let written = self.tables.entry(table.to_owned()).or_insert_with(header);
        if let DeValue::Table(entries) = node.value {
            keys(report, node.at.file, "", entries, &mut written.keys);
        }
    }
}

fn keys(
    report: &Report<'_>,
    file: usize,
    before: &str,
    entries: &DeTable<'_>,
    found: &mut BTreeMap<String, Key>,
) {
    for (key, value) in entries {
        let path = format!("{before}{}", key.get_ref());
        let is_table = value.get_ref().is_table();
        if let DeValue::Table(inner) = value.get_ref() {
            keys(report, file, &format!("{path}."), inner, found);
        }
        let origin = report.origin(At::new(file, key.span()));
        found.insert(path, Key { origin, value: canonical::text(value.get_ref()), is_table });
    }
}
