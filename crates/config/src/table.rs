//! Reading one table: unknown keys, wrong types and wrong values become problems, all of them at once.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::hint;
use crate::quote::{quoted, typed};
use crate::report::{At, Report};
use crate::schema::Section;

/// A value of the document and where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'d> {
    /// The key, or the header's last part.
    pub(crate) key_at: At,
    /// The value, or the whole header.
    pub(crate) at: At,
    pub(crate) value: &'d DeValue<'d>,
}

impl<'d> Node<'d> {
    pub(crate) fn new<K>(file: usize, key: &Spanned<K>, value: &'d Spanned<DeValue<'d>>) -> Self {
        Self { key_at: At::new(file, key.span()), at: At::new(file, value.span()), value: value.get_ref() }
    }

    /// An element of an array.
    pub(crate) fn element(file: usize, element: &'d Spanned<DeValue<'d>>) -> Self {
        Self::new(file, element, element)
    }
}

/// A setting as it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting<T> {
    /// What holds, or `None` when what is written cannot be used; a problem says why.
    pub(crate) value: Option<T>,
    /// Where it is written, or `None` when it is not.
    pub(crate) at: Option<At>,
}

impl<T> Setting<T> {
    /// `" (the default)"` when it is not written.
    pub(crate) fn whence(&self) -> &'static str {
        if self.at.is_some() { "" } else { " (the default)" }
    }
}

/// Why a value cannot be used: a predicate of its key, such as "must be an integer, not a string".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) predicate: String,
    pub(crate) hint: Option<String>,
}

impl Fault {
    pub(crate) fn new(predicate: impl Into<String>) -> Self {
        Self { predicate: predicate.into(), hint: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// A table that is being read.
#[derive(Debug)]
pub(crate) struct Table<'r, 'd, 't> {
    pub(crate) report: &'r mut Report<'t>,
    /// Its header, with its own name.
    title: String,
    /// Where it is, unless it is not written at all.
    at: Option<At>,
    /// Whether some of what is written is no table.
    is_broken: bool,
    /// The files that have keys of it, and those keys.
    entries: Vec<(usize, &'d DeTable<'d>)>,
    /// How many of those are its own. The keys of the others hold where it has none.
    own: usize,
    /// Keys that a misspelt one stands for: they are not missing as well.
    misspelt: Vec<&'static str>,
}

impl<'r, 'd, 't> Table<'r, 'd, 't> {
    /// Opens a table and reports what it cannot have. One that is not written has its defaults; one of several files has the keys
    /// of all of them.
    pub(crate) fn open(
        report: &'r mut Report<'t>,
        section: &Section,
        title: impl Into<String>,
        nodes: &[Node<'d>],
    ) -> Self {
        let title = title.into();
        let mut entries = Vec::new();
        let mut misspelt = Vec::new();
        let mut is_broken = false;
        for node in nodes {
            match node.value {
                DeValue::Table(table) => {
                    misspelt.extend(unknown_keys(report, section, &title, node.at.file, table));
                    entries.push((node.at.file, table));
                }
                other => {
                    is_broken = true;
                    let message = format!("{} must be a table, not {}", quoted(&title), typed(other));
                    report.error(node.key_at, message).hint(match other {
                        _ if !title.starts_with('[') => {
                            format!("write `{title} = {{ {} = … }}`", section.keys.first().unwrap_or(&""))
                        }
                        DeValue::Array(_) => format!("write `{title}`, with one bracket"),
                        _ => format!("write `{title}` on a line of its own"),
                    });
                }
            }
        }
        let own = entries.len();
        Self { report, title, at: nodes.first().map(|node| node.at), is_broken, entries, own, misspelt }
    }

    /// The same, with the keys of other tables where it has none of its own.
    pub(crate) fn over(mut self, others: impl IntoIterator<Item = Node<'d>>) -> Self {
        let tables = others.into_iter().filter_map(|node| Some((node.at.file, node.value.as_table()?)));
        self.entries.extend(tables);
        self
    }

    /// Whether it stands in a file.
    pub(crate) fn is_written(&self) -> bool {
        self.at.is_some()
    }

    /// Whether one of its keys stands for one that it may have, so that the latter is not missing as well.
    pub(crate) fn is_misspelt(&self) -> bool {
        !self.misspelt.is_empty()
    }

    /// Whether this is a table at all.
    pub(crate) fn is_table(&self) -> bool {
        !self.is_broken
    }

    /// A setting that has a default.
    pub(crate) fn setting<T>(
        &mut self,
        key: &str,
        default: T,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, Fault>,
    ) -> Setting<T> {
        let Some(node) = self.get(key) else { return Setting { value: Some(default), at: None } };
        let value = read(node.value).map_err(|fault| self.fault(key, node.at, fault)).ok();
        Setting { value, at: Some(node.at) }
    }

    /// A setting that need not be there.
    pub(crate) fn optional<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, Fault>,
    ) -> Setting<Option<T>> {
        self.setting(key, None, |value| read(value).map(Some))
    }

    /// A setting that must be there. `example` is a value.
    pub(crate) fn required<T>(
        &mut self,
        key: &str,
        example: &str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, Fault>,
    ) -> Setting<T> {
        if self.get(key).is_none() {
            self.lacks(key, example);
            return Setting { value: None, at: None };
        }
        let read = self.setting(key, None, |value| read(value).map(Some));
        Setting { value: read.value.flatten(), at: read.at }
    }

    /// An array of strings, each with its place; `None` when it is not there.
    pub(crate) fn list<T>(
        &mut self,
        key: &str,
        example: &str,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Setting<Option<Vec<(T, At)>>> {
        let Some(node) = self.get(key) else { return Setting { value: Some(None), at: None } };
        let DeValue::Array(elements) = node.value else {
            let fault = Fault::new(format!("must be an array, not {}", typed(node.value)));
            self.fault(key, node.at, fault.hint(format!("write `{key} = {example}`")));
            return Setting { value: None, at: Some(node.at) };
        };
        let elements = elements.iter().map(|element| Node::element(node.at.file, element));
        let values = self.strings(key, example, elements, read);
        Setting { value: values.map(Some), at: Some(node.at) }
    }

    /// A string or an array of strings, each with its place; `None` when it is not there.
    pub(crate) fn one_or_more<T>(
        &mut self,
        key: &str,
        example: &str,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Setting<Option<Vec<(T, At)>>> {
        match self.get(key) {
            Some(node) if matches!(node.value, DeValue::String(_)) => {
                let value = self.strings(key, example, std::iter::once(node), read);
                Setting { value: value.map(Some), at: Some(node.at) }
            }
            _ => self.list(key, example, read),
        }
    }

    fn strings<T>(
        &mut self,
        key: &str,
        example: &str,
        nodes: impl Iterator<Item = Node<'d>>,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Option<Vec<(T, At)>> {
        let mut values = Some(Vec::new());
        for element in nodes {
            let read = match element.value {
                DeValue::String(text) => read(text),
                other => Err(Fault::new(format!("must hold strings, not {}", typed(other)))
                    .hint(format!("write `{key} = {example}`"))),
            };
            match (read, &mut values) {
                (Ok(value), Some(values)) => values.push((value, element.at)),
                (Ok(_), None) => {}
                (Err(fault), _) => {
                    self.fault(key, element.at, fault);
                    values = None;
                }
            }
        }
        values
    }

    /// Reports that a key must be there, unless a misspelt one is.
    pub(crate) fn lacks(&mut self, key: &str, example: &str) {
        if let Some(at) = self.at.filter(|_| !self.is_broken && !self.misspelt.contains(&key)) {
            let message = format!("{} needs `{key}`", quoted(&self.title));
            self.report.error(at, message).hint(format!("add `{key} = {example}`"));
        }
    }

    /// Whether it has a key itself.
    pub(crate) fn owns(&self, key: &str) -> bool {
        self.entries.iter().take(self.own).any(|(_, table)| table.contains_key(key))
    }

    /// The value of a key, if the table has it.
    pub(crate) fn get(&self, key: &str) -> Option<Node<'d>> {
        self.entries.iter().find_map(|(file, table)| {
            let (key, value) = table.get_key_value(key)?;
            Some(Node::new(*file, key, value))
        })
    }

    /// Reports what is wrong with a value of a key, or with a part of it.
    pub(crate) fn fault(&mut self, key: &str, at: At, fault: Fault) {
        let draft = self.report.error(at, format!("`{key}` {}", fault.predicate));
        if let Some(hint) = fault.hint {
            draft.hint(hint);
        }
    }
}

/// Reports them, and returns what they most likely stand for.
fn unknown_keys(
    report: &mut Report<'_>,
    section: &Section,
    title: &str,
    file: usize,
    table: &DeTable<'_>,
) -> Vec<&'static str> {
    let mut misspelt = Vec::new();
    for key in table.keys().filter(|key| !section.keys.contains(&key.get_ref().as_ref())) {
        let message = format!("unknown key {} in {}", quoted(key.get_ref()), quoted(title));
        report.error(At::new(file, key.span()), message).hint(hint::for_key(key.get_ref(), section));
        misspelt.extend(section.near(key.get_ref()));
    }
    misspelt
}
