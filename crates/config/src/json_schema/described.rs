//! What the reference says of each key: its comment, and its value.

use serde_json::Value;

use crate::schema::Section;

/// The tables and keys of the reference, in its order.
#[derive(Debug)]
pub(super) struct Described {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    /// Of the table, as the reference writes it.
    header: String,
    /// `None` for the header itself.
    key: Option<String>,
    value: String,
    text: String,
}

impl Described {
    pub(super) fn of(reference: &str) -> Self {
        let mut lines: Vec<Line> = Vec::new();
        let mut header = String::new();
        for line in reference.lines() {
            if let Some(more) = line.trim_start().strip_prefix("# ").filter(|_| line.starts_with("  ")) {
                if let Some(last) = lines.last_mut() {
                    last.text = format!("{} {more}", last.text);
                }
                continue;
            }
            let plain = line.strip_prefix("# ").unwrap_or(line);
            let (written, text) = comment(plain);
            if written.starts_with('[') {
                header = written.to_owned();
                lines.push(Line { header: header.clone(), key: None, value: String::new(), text });
            } else if let Some((key, value)) =
                written.split_once(" = ").filter(|(key, _)| !header.is_empty() && !key.contains(' '))
            {
                let (key, value) = (Some(key.to_owned()), value.to_owned());
                lines.push(Line { header: header.clone(), key, value, text });
            }
        }
        Self { lines }
    }

    /// What a table is.
    pub(super) fn title(&self, section: &Section) -> Option<String> {
        let mut own = self.lines.iter().filter(|line| line.key.is_none() && is_of(line, section));
        own.find_map(|line| said(&line.text))
    }

    /// What a key is: as its own table says, else as the first other one does.
    pub(super) fn text(&self, section: &Section, key: &str) -> Option<String> {
        let is_inline = !section.title.starts_with('[');
        let same = |line: &&Line| line.key.as_deref() == Some(key) && !is_inline;
        let own = self.lines.iter().filter(same).filter(|line| is_of(line, section));
        // What tables say of keys that are at home elsewhere is about all of those.
        let is_home =
            |line: &&Line| !line.header.starts_with("[override.") && !line.header.starts_with("[default.");
        own.chain(self.lines.iter().filter(same).filter(is_home)).find_map(|line| said(&line.text))
    }

    /// The value that the reference shows.
    pub(super) fn default(&self, section: &Section, key: &str) -> Option<Value> {
        let is_it = |line: &&Line| line.key.as_deref() == Some(key) && is_of(line, section);
        let value = &self.lines.iter().find(is_it)?.value;
        let table: toml::Table = format!("value = {value}").parse().ok()?;
        serde_json::to_value(table.get("value")?).ok()
    }
}

/// Without what the schema says in its own way.
fn said(text: &str) -> Option<String> {
    let text = text.strip_prefix("required").map_or(text, |rest| rest.trim_start_matches([':', ';', ' ']));
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a line belongs to a section, whose name in the reference is an example.
fn is_of(line: &Line, section: &Section) -> bool {
    match section.title.strip_suffix("NAME]") {
        Some(family) => line.header.starts_with(family),
        None => line.header == section.title,
    }
}

/// A line without its comment, and the comment.
fn comment(line: &str) -> (&str, String) {
    let mut in_string = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => in_string = !in_string,
            '#' if !in_string => {
                let text = line[at..].trim_start_matches('#').trim();
                return (line[..at].trim_end(), text.to_owned());
            }
            _ => {}
        }
    }
    (line.trim_end(), String::new())
}
