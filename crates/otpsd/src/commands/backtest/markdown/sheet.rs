//! Lists that are cut with a count, each at a budget of its own.

/// How much room a list has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Budget {
    /// Pages, or those that differ.
    Pages,
    /// Pages that moved, where they are many.
    Moved,
    /// What changes.
    Changes,
    /// Tickets, or those that differ.
    Tickets,
    /// What is folded away; there are three of them at most.
    Folded,
}

impl Budget {
    #[cfg(test)]
    pub(super) const ALL: [Self; 7] =
        [Self::Pages, Self::Moved, Self::Changes, Self::Tickets, Self::Folded, Self::Folded, Self::Folded];

    /// In characters.
    pub(super) const fn characters(self) -> usize {
        match self {
            Self::Pages => 20_000,
            Self::Moved => 5_000,
            Self::Changes => 12_000,
            Self::Tickets => 6_000,
            Self::Folded => 4_000,
        }
    }
}

/// A comment as it grows.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    text: String,
}

impl Sheet {
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A table with its title; nothing where it has no rows.
    pub(super) fn table(&mut self, title: &str, head: &str, rows: &[String], budget: Budget) {
        if rows.is_empty() {
            return;
        }
        self.line(&format!("{title}\n"));
        self.line(head);
        self.list(rows, budget);
    }

    /// A table that is folded away.
    pub(super) fn folded(&mut self, summary: &str, head: &str, rows: &[String], budget: Budget) {
        if rows.is_empty() {
            return;
        }
        self.line(&format!("<details><summary>{summary}</summary>\n\n{head}"));
        self.list(rows, budget);
        self.line("</details>\n");
    }

    /// A block of text as it is, folded away.
    pub(super) fn block(&mut self, summary: &str, lines: &[String], budget: Budget) {
        if lines.is_empty() {
            return;
        }
        self.line(&format!("<details><summary>{summary}</summary>\n\n```text"));
        let kept = fitting(lines, budget);
        // A text must not end the block that it stands in.
        lines[..kept].iter().for_each(|line| self.line(&line.replace("```", "'''")));
        self.line("```");
        self.rest(lines.len() - kept);
        self.line("\n</details>\n");
    }

    /// Lines, as many as there is room for, and how many more there are.
    pub(super) fn list(&mut self, rows: &[String], budget: Budget) {
        let kept = fitting(rows, budget);
        rows[..kept].iter().for_each(|row| self.line(row));
        self.rest(rows.len() - kept);
        self.line("");
    }

    fn rest(&mut self, more: usize) {
        if more > 0 {
            self.line(&format!("\n…and {more} more; `--format jsonl` has all."));
        }
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

/// How many lines there is room for.
fn fitting(rows: &[String], budget: Budget) -> usize {
    let mut left = budget.characters();
    rows.iter()
        .take_while(|row| {
            let needed = row.chars().count() + 1;
            let fits = needed <= left;
            left = left.saturating_sub(needed);
            fits
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_with_a_count() {
        let rows: Vec<String> = (0..100).map(|place| format!("| {place:0>996} |")).collect();
        let mut sheet = Sheet::default();
        sheet.table("**Tickets**", "| a |\n| --- |", &rows, Budget::Tickets);
        let text = sheet.text();
        // A row is 1,000 characters and the end of its line; of 6,000 there is room for five.
        assert_eq!(text.matches("| 0").count(), 5);
        assert!(text.ends_with("\n…and 95 more; `--format jsonl` has all.\n\n"), "{text}");
    }

    #[test]
    fn an_empty_list_is_not_there() {
        let mut sheet = Sheet::default();
        sheet.table("**Tickets**", "| a |", &[], Budget::Tickets);
        sheet.folded("none", "| a |", &[], Budget::Folded);
        sheet.block("none", &[], Budget::Folded);
        assert_eq!(sheet.text(), "");
    }
}
