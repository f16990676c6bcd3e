//! The tables of all files, each where it belongs. What belongs nowhere is a problem.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::hint;
use crate::quote::{quoted, typed};
use crate::report::{At, Report};
use crate::schema::{self, Section};
use crate::table::{Node, Table};

/// A table with a name of its own: `[source.cloudwatch.main]`, `[override.support]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named<'d> {
    /// `source`, `channel`, `override` or `maintenance`.
    family: &'static str,
    /// Empty where a family has no kinds.
    pub(crate) kind: &'d str,
    pub(crate) name: &'d str,
    pub(crate) node: Node<'d>,
}

impl<'d> Named<'d> {
    /// Opens it, and reports what it cannot have.
    pub(crate) fn open<'r, 't>(self, report: &'r mut Report<'t>, section: &Section) -> Table<'r, 'd, 't> {
        Table::open(report, section, self.title(), &[self.node])
    }

    /// The header.
    pub(crate) fn title(&self) -> String {
        format!("[{}]", self.path())
    }

    /// The header without its brackets.
    pub(crate) fn path(&self) -> String {
        let kind = if self.kind.is_empty() { String::new() } else { format!("{}.", self.kind) };
        format!("{}.{kind}{}", self.family, self.name)
    }
}

/// Everything that was written. A table without a name may have keys in several files.
#[derive(Debug, Default)]
pub(crate) struct Tree<'d> {
    pub(crate) daemon: Vec<Node<'d>>,
    pub(crate) alarm: Vec<Node<'d>>,
    pub(crate) baseline: Vec<Node<'d>>,
    pub(crate) ticket: Vec<Node<'d>>,
    pub(crate) overrides: Vec<Named<'d>>,
    pub(crate) maintenance: Vec<Named<'d>>,
    pub(crate) sources: Vec<Named<'d>>,
    /// What sources share.
    pub(crate) source_defaults: Vec<Node<'d>>,
    pub(crate) heartbeat: Vec<Node<'d>>,
    pub(crate) channels: Vec<Named<'d>>,
    pub(crate) page_routes: Vec<Node<'d>>,
    pub(crate) ticket_routes: Vec<Node<'d>>,
}

impl<'d> Tree<'d> {
    /// Adds what one file has.
    pub(crate) fn add(&mut self, report: &mut Report<'_>, file: usize, table: &'d DeTable<'d>) {
        for (key, value) in table {
            let node = Node::new(file, key, value);
            match key.get_ref().as_ref() {
                "daemon" => whole(report, "daemon", &mut self.daemon, node),
                "alarm" => whole(report, "alarm", &mut self.alarm, node),
                "baseline" => whole(report, "baseline", &mut self.baseline, node),
                "ticket" => whole(report, "ticket", &mut self.ticket, node),
                "override" => plainly_named(report, "override", &mut self.overrides, node),
                "maintenance" => plainly_named(report, "maintenance", &mut self.maintenance, node),
                "heartbeat" => kind_alone(report, HEARTBEAT, &mut self.heartbeat, node),
                "default" => kind_alone(report, DEFAULT, &mut self.source_defaults, node),
                "source" => named(report, ("source", &schema::SOURCE_KINDS), &mut self.sources, node),
                "channel" => named(report, ("channel", &schema::CHANNEL_KINDS), &mut self.channels, node),
                "route" => self.routes(report, node),
                other => unknown(report, other, node),
            }
        }
    }

    fn routes(&mut self, report: &mut Report<'_>, route: Node<'d>) {
        let DeValue::Table(kinds) = route.value else {
            let message = format!("`route` must be a table, not {}", typed(route.value));
            report.error(route.key_at, message).hint("write `[[route.page]]` on a line of its own");
            return;
        };
        for (key, value) in kinds {
            let node = Node::new(route.at.file, key, value);
            let kind = key.get_ref().as_ref();
            let routes = match kind {
                "page" => &mut self.page_routes,
                "ticket" => &mut self.ticket_routes,
                _ => {
                    let message = format!("there is no kind of route {}", quoted(kind));
                    report.error(node.key_at, message).hint(hint::for_kind(kind, &schema::ROUTE_KINDS));
                    continue;
                }
            };
            match node.value {
                DeValue::Array(elements) => {
                    routes.extend(elements.iter().map(|element| Node::element(route.at.file, element)));
                }
                other => {
                    let message = format!("`route.{kind}` must be a list of tables, not {}", typed(other));
                    report
                        .error(node.key_at, message)
                        .hint(format!("write `[[route.{kind}]]`, with two brackets"));
                    if matches!(other, DeValue::Table(_)) {
                        // What is in it may be wrong too, and it is not missing.
                        routes.push(node);
                    }
                }
            }
        }
    }
}

/// A family whose kinds are tables without names, what one of them is called, and its kinds.
type Alone = (&'static str, &'static str, &'static [&'static str]);
const HEARTBEAT: Alone = ("heartbeat", "kind of heartbeat", &schema::HEARTBEAT_KINDS);
const DEFAULT: Alone = ("default", "kind of source", &schema::SOURCE_KINDS);

fn kind_alone<'d>(
    report: &mut Report<'_>,
    (family, what, known): Alone,
    parts: &mut Vec<Node<'d>>,
    node: Node<'d>,
) {
    let example = format!("`[{family}.{}]`", known[0]);
    let DeValue::Table(kinds) = node.value else {
        let message = format!("`{family}` must be a table, not {}", typed(node.value));
        report.error(node.key_at, message).hint(format!("write {example} on a line of its own"));
        return;
    };
    for (key, value) in kinds {
        let node = Node::new(node.at.file, key, value);
        let kind = key.get_ref().as_ref();
        if known.contains(&kind) {
            whole(report, &format!("{family}.{kind}"), parts, node);
            continue;
        }
        let message = format!("there is no {what} {}", quoted(kind));
        report.error(node.key_at, message).hint(match hint::for_kind(kind, known) {
            hint if matches!(node.value, DeValue::Table(_)) => hint,
            hint => format!("{hint}: {example}"),
        });
    }
}

/// Adds what one file has of a table. Each of its keys stands in one file.
fn whole<'d>(report: &mut Report<'_>, name: &str, parts: &mut Vec<Node<'d>>, node: Node<'d>) {
    for key in node.value.as_table().into_iter().flat_map(DeTable::keys) {
        let same = |part: &Node<'d>| {
            let (first, _) = part.value.as_table()?.get_key_value(key.get_ref().as_ref())?;
            Some(At::new(part.at.file, first.span()))
        };
        if let Some(first) = parts.iter().find_map(same) {
            let message = format!("{} of `[{name}]` is in two files", quoted(key.get_ref()));
            report.error(At::new(node.at.file, key.span()), message).see(first, "it is here already");
        }
    }
    parts.push(node);
}

fn named<'d>(
    report: &mut Report<'_>,
    (family, known): (&'static str, &[&str]),
    all: &mut Vec<Named<'d>>,
    node: Node<'d>,
) {
    let DeValue::Table(kinds) = node.value else {
        let message = format!("`{family}` must be a table, not {}", typed(node.value));
        report
            .error(node.key_at, message)
            .hint(format!("write `[{family}.{}.NAME]` on a line of its own", known[0]));
        return;
    };
    for (kind_key, value) in kinds {
        let kind = kind_key.get_ref().as_ref();
        let kind_at = At::new(node.at.file, kind_key.span());
        if !known.contains(&kind) {
            let message = format!("there is no kind of {family} {}", quoted(kind));
            report.error(kind_at, message).hint(hint_for_family(kind, family, known, value.get_ref()));
        }
        match value.get_ref() {
            DeValue::Table(names) => {
                each_name(report, (family, kind, known.contains(&kind)), all, node.at.file, names);
            }
            other if known.contains(&kind) => {
                let message = format!("`{family}.{kind}` must hold tables with names, not {}", typed(other));
                report
                    .error(kind_at, message)
                    .hint(format!("write `[{family}.{kind}.NAME]` on a line of its own"));
            }
            _ => {}
        }
    }
}

/// Adds the tables of a family without kinds.
fn plainly_named<'d>(
    report: &mut Report<'_>,
    family: &'static str,
    all: &mut Vec<Named<'d>>,
    node: Node<'d>,
) {
    match node.value {
        DeValue::Table(names) => each_name(report, (family, "", true), all, node.at.file, names),
        other => {
            let message = format!("`{family}` must hold tables with names, not {}", typed(other));
            report.error(node.key_at, message).hint(format!("write `[{family}.NAME]`, with one bracket"));
        }
    }
}

fn each_name<'d>(
    report: &mut Report<'_>,
    (family, kind, is_known): (&'static str, &'d str, bool),
    all: &mut Vec<Named<'d>>,
    file: usize,
    names: &'d DeTable<'d>,
) {
    let mut is_told = !is_known;
    for (key, value) in names {
        let named = Named { family, kind, name: key.get_ref(), node: Node::new(file, key, value) };
        // An override has tables of its own, so that one without a name is not seen by its values.
        let is_own = kind.is_empty() && schema::OVERRIDE.keys.contains(&named.name);
        if is_own || !is_table(value) {
            // A table without a name has one problem, not one for each of its keys.
            if !is_told {
                let message = format!("{} stands in a table without a name", quoted(named.name));
                let own = match family {
                    "source" => "main",
                    "maintenance" => "weekly",
                    _ => "ops",
                };
                let what = match family {
                    "override" => "an override",
                    "maintenance" => "a maintenance window",
                    "source" => "a source",
                    _ => "a channel",
                };
                let title = Named { name: own, ..named }.title();
                let draft = report.error(named.node.key_at, message);
                draft.hint(format!("{what} has a name of your own: `{title}`"));
            }
            is_told = true;
            continue;
        }
        if !is_name(named.name) {
            let message = format!("a name cannot be {}", quoted(named.name));
            report.error(named.node.key_at, message).hint("it has up to 64 letters, digits, `-` and `_`");
        }
        match all.iter().find(|other| (other.kind, other.name) == (kind, named.name)) {
            Some(first) => {
                let message = format!("{} is in two files", quoted(&named.title()));
                report.error(named.node.key_at, message).see(first.node.key_at, "it is here already");
            }
            None => all.push(named),
        }
    }
}

/// Whether a text can be a name without quotes.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

/// The hint for a kind that there is not. A source often lacks nothing but its kind.
fn hint_for_family(kind: &str, family: &str, known: &[&str], value: &DeValue<'_>) -> String {
    let hint = hint::for_kind(kind, known);
    let lacks_kind = value.as_table().is_some_and(|entries| !entries.values().any(is_table));
    match known {
        [only] if lacks_kind && is_name(kind) => format!("{hint}: `[{family}.{only}.{kind}]`"),
        _ => hint,
    }
}

fn unknown(report: &mut Report<'_>, key: &str, node: Node<'_>) {
    let what = match node.value {
        DeValue::Table(_) => "table",
        DeValue::Array(elements) if elements.iter().all(is_table) => "table",
        _ => "key",
    };
    let where_to = if what == "key" { " outside of any table" } else { "" };
    let message = format!("unknown {what} {}{where_to}", quoted(key));
    report.error(node.key_at, message).hint(hint::for_top(key));
}

fn is_table(value: &Spanned<DeValue<'_>>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_))
}
