//! Text that was wrapped at one width, wrapped at another.

/// Words that stay on the line of the number before them.
const UNITS: [&str; 8] = ["%", "s", "ms", "h", "min", "d", "tok/s", "tokens"];
/// A label before a colon, under whose end the further lines stand, is no longer than this.
const LONGEST_LABEL: usize = 12;

/// A line as it was meant, however long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph {
    text: String,
    /// Columns before its second line and those after it.
    hang: usize,
}

/// Lines that were wrapped at `columns`, word by word, are joined again. Tables and lists stay what they are.
pub(super) fn paragraphs(text: &str, columns: usize) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        match paragraphs.last_mut() {
            Some(last) if continues(before, line, columns) && last.may_hang(indent(line)) => {
                last.hang = indent(line);
                last.text.push(' ');
                last.text.push_str(line.trim_start());
            }
            _ => paragraphs.push(Paragraph::new(line)),
        }
        before = line;
    }
    paragraphs
}

/// Whether the first word of `line` had no room on the line before.
fn continues(before: &str, line: &str, columns: usize) -> bool {
    let Some(word) = glued(line.trim_start()).next() else { return false };
    !before.trim().is_empty() && width(before) + 1 + width(word.1) > columns
}

impl Paragraph {
    pub(super) fn new(line: &str) -> Self {
        let indent = indent(line);
        let text = line.trim_end().to_owned();
        let rest = text.trim_start();
        let hang = match lead(rest) {
            Some(lead) => indent + lead,
            None if is_table(rest) => indent + 4,
            None => indent + label(rest).unwrap_or(0),
        };
        Self { text, hang }
    }

    /// A line whose further lines stand below `hang`.
    pub(super) fn hanging(text: &str, hang: usize) -> Self {
        Self { text: text.trim_end().to_owned(), hang }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether a line with this indent can be a further one of the paragraph.
    fn may_hang(&self, indent_of_next: usize) -> bool {
        let own = indent(&self.text);
        let rest = self.text.trim_start();
        match lead(rest) {
            Some(lead) => indent_of_next == own + lead,
            None if is_table(rest) => false,
            None => indent_of_next == own || label(rest).is_some_and(|label| indent_of_next == own + label),
        }
    }

    /// The lines of it in `columns`. A word that does not fit stands alone.
    pub(super) fn lines(&self, columns: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = " ".repeat(indent(&self.text));
        let mut empty = true;
        for (gap, word) in glued(self.text.trim_start()) {
            if !empty && width(&line) + gap + width(word) > columns {
                lines.push(std::mem::replace(&mut line, " ".repeat(self.hang)));
                empty = true;
            }
            if !empty {
                line.extend(std::iter::repeat_n(' ', gap));
            }
            line.push_str(word);
            empty = false;
        }
        lines.push(line);
        lines
    }
}

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

fn indent(line: &str) -> usize {
    width(line) - width(line.trim_start())
}

/// The width of `12. `.
fn lead(text: &str) -> Option<usize> {
    let (number, _) = text.split_once(". ")?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    digits.then_some(number.len() + 2)
}

/// The width of `Moved: `.
fn label(text: &str) -> Option<usize> {
    let (label, _) = text.split_once(": ")?;
    (width(label) <= LONGEST_LABEL).then(|| width(label) + 2)
}

/// Whether things stand below each other.
fn is_table(text: &str) -> bool {
    text.contains("  ")
}

/// The words with the blanks before each; a number and its unit are one word.
fn glued(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = rest.trim_start_matches(' ');
        let gap = rest.len() - word.len();
        if word.is_empty() {
            return None;
        }
        let mut end = word.find(' ').unwrap_or(word.len());
        if word[..end].ends_with(|last: char| last.is_ascii_digit())
            && let Some(after) = word[end..].strip_prefix(' ')
        {
            let unit = after.split(' ').next().unwrap_or_default();
            if UNITS.contains(&unit.trim_end_matches(['.', ',', ';', ':', ')'])) {
                end += 1 + unit.len();
            }
        }
        rest = &word[end..];
        Some((gap, &word[..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str, from: usize, to: usize) -> String {
        let lines: Vec<String> = paragraphs(text, from).iter().flat_map(|one| one.lines(to)).collect();
        lines.join("\n")
    }

    #[test]
    fn what_was_wrapped_is_joined_and_wrapped_anew() {
        // 20 columns: "one two three four" has 18, and "five" no room.
        let wrapped = "one two three four\nfive six\n\nseven";
        assert_eq!(again(wrapped, 20, 40), "one two three four five six\n\nseven");
        assert_eq!(again(wrapped, 20, 9), "one two\nthree\nfour five\nsix\n\nseven");
        // "six" had room after "five", so it is another paragraph.
        assert_eq!(again("one two three four\nfive\nsix", 20, 40), "one two three four five\nsix");
    }

    #[test]
    fn lists_and_labels_hang() {
        let list = "Do now\n1. Move callers to\n   another Region.\n2. Escalate.";
        assert_eq!(again(list, 20, 16), "Do now\n1. Move callers\n   to another\n   Region.\n2. Escalate.");
        assert_eq!(again(list, 20, 80), "Do now\n1. Move callers to another Region.\n2. Escalate.");
        let label = "Ruled out: a, b, cc,\n           d.\nMoved: nothing.";
        assert_eq!(again(label, 20, 80), "Ruled out: a, b, cc, d.\nMoved: nothing.");
        assert_eq!(again(label, 20, 16), "Ruled out: a, b,\n           cc,\n           d.\nMoved: nothing.");
    }

    #[test]
    fn a_full_line_before_the_next_item_is_not_joined() {
        let list = "1. abcdefghij klmnop\n2. abc";
        assert_eq!(again(list, 20, 80), list);
    }

    #[test]
    fn tables_keep_their_blanks() {
        let row = "  02:00Z    40.6 of   61.2 tok/s";
        assert_eq!(again(row, 100, 80), row);
        assert_eq!(again(row, 100, 20), "  02:00Z    40.6 of\n      61.2 tok/s");
    }

    #[test]
    fn a_number_keeps_its_unit() {
        assert_eq!(again("slower by 34 % now", 100, 12), "slower by\n34 % now");
        // "by" ends at column 9; "34" would have fitted 12 columns, "34 %," did not.
        assert_eq!(again("slower by\n34 %, now", 13, 80), "slower by 34 %, now");
    }
}
