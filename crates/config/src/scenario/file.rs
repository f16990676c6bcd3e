//! The whole file.

use toml::de::{DeTable, DeValue};

use super::{Scenarios, Test, schema, test};
use crate::quote::{quoted, typed};
use crate::report::Report;
use crate::table::{Node, Table};
use crate::text::{File, Text};
use crate::{document, hint};

/// Reads a file of tests. Every problem is told, from top to bottom; there are tests when there is none.
pub fn read(file: &File) -> Scenarios {
    // No key of such a file holds a secret.
    let mut report = Report::new(vec![Text::without_secrets(file)]);
    let document = document::parse(&mut report, 0);
    let tests = document.as_ref().map(|document| all(&mut report, document)).unwrap_or_default();
    let problems = report.finish();
    Scenarios { tests: if problems.is_empty() { tests } else { Vec::new() }, problems }
}

fn all(report: &mut Report<'_>, document: &DeTable<'_>) -> Vec<Test> {
    let mut config = None;
    let mut nodes = None;
    for (key, value) in document {
        let node = Node::new(0, key, value);
        match key.get_ref().as_ref() {
            "config" => config = Some(node),
            "test" => nodes = Some(tables(report, "[[test]]", node)),
            other => {
                let message = format!("unknown key {} outside of any table", quoted(other));
                let draft = report.error(node.key_at, message);
                draft.hint(if crate::schema::TOP.contains(&other) {
                    "this is a file of tests; `config = \"otpsd.toml\"` names the configuration".to_owned()
                } else {
                    hint::for_key(other, &schema::TOP)
                });
            }
        }
    }
    let config = config.and_then(|node| test::config(report, node));
    let Some(nodes) = nodes else {
        if !report.has_errors() {
            let whole = crate::report::At::new(0, 0..0);
            report.error(whole, "there is no test in this file").hint("begin one with `[[test]]`");
        }
        return Vec::new();
    };
    let mut tests: Vec<(Test, Node<'_>)> = Vec::new();
    for node in nodes {
        let Some(mut one) = test::read(report, node) else { continue };
        if let Some((_, first)) = tests.iter().find(|(other, _)| other.name == one.name) {
            let message = format!("two tests have the name {}", quoted(&one.name));
            report.error(node.at, message).see(first.at, "it is here already");
        }
        one.config = one.config.or_else(|| config.clone());
        tests.push((one, node));
    }
    tests.into_iter().map(|(test, _)| test).collect()
}

/// The tables of a list of them.
pub(super) fn tables<'d>(report: &mut Report<'_>, title: &str, node: Node<'d>) -> Vec<Node<'d>> {
    match node.value {
        DeValue::Array(elements) => {
            elements.iter().map(|element| Node::element(node.at.file, element)).collect()
        }
        other => {
            let name = title.trim_matches(['[', ']']);
            let message = format!("`{name}` must be a list of tables, not {}", typed(other));
            report.error(node.key_at, message).hint(format!("write `{title}`, with two brackets"));
            Vec::new()
        }
    }
}

/// The tables under a key of a test, of which there must be one.
pub(super) fn tables_of<'d>(
    table: &mut Table<'_, 'd, '_>,
    test: Node<'_>,
    key: &str,
    title: &str,
) -> Vec<Node<'d>> {
    if let Some(node) = table.get(key) {
        return tables(table.report, title, node);
    }
    if !table.is_misspelt() {
        let draft = table.report.error(test.at, format!("`[[test]]` needs `{title}`"));
        draft.hint(format!("add `{title}` below it"));
    }
    Vec::new()
}
