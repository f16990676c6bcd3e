//! A text of lines that fit a terminal, a mail and a phone turned sideways.

/// No line is wider, unless a single word is.
pub(crate) const COLUMNS: usize = 100;

/// Words that stay on the line of the number before them.
const UNITS: [&str; 7] = ["%", "s", "h", "min", "d", "tok/s", "tokens"];

/// Lines under construction.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    out: String,
}

impl Sheet {
    /// A line as it is.
    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// An empty line, unless there is one already.
    pub(crate) fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Words over as many lines as they need.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.wrapped("", "", text);
    }

    /// Words after a lead, with the further lines below the first word: `1. …`.
    pub(crate) fn item(&mut self, lead: &str, text: &str) {
        self.wrapped(lead, &" ".repeat(lead.chars().count()), text);
    }

    /// A numbered list below a title.
    pub(crate) fn list(&mut self, title: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.gap();
        self.line(title);
        for (number, item) in (1..).zip(items) {
            self.item(&format!("{number}. "), item);
        }
    }

    /// The text, without an empty line at its end.
    pub(crate) fn finish(self) -> String {
        self.out.trim_end().to_owned()
    }

    fn wrapped(&mut self, lead: &str, indent: &str, text: &str) {
        let mut line = lead.to_owned();
        let mut empty = true;
        for word in words(text) {
            let width = line.chars().count() + usize::from(!empty) + word.chars().count();
            if !empty && width > COLUMNS {
                self.line(&line);
                line = indent.to_owned();
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(&word);
            empty = false;
        }
        self.line(&line);
    }
}

/// The words of a text, a number and its unit being one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
        match words.last_mut() {
            Some(last) if UNITS.contains(&bare) && last.ends_with(|c: char| c.is_ascii_digit()) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrap_below_their_first_word_and_keep_units() {
        let mut sheet = Sheet::default();
        sheet.item("1. ", &format!("{} 34 % slower", "x".repeat(93)));
        assert_eq!(sheet.finish(), format!("1. {}\n   34 % slower", "x".repeat(93)));
    }

    #[test]
    fn a_word_that_does_not_fit_stands_alone() {
        let mut sheet = Sheet::default();
        sheet.paragraph(&format!("a {} b", "x".repeat(120)));
        assert_eq!(sheet.finish(), format!("a\n{}\nb", "x".repeat(120)));
    }

    #[test]
    fn gaps_do_not_add_up() {
        let mut sheet = Sheet::default();
        sheet.gap();
        sheet.line("a");
        sheet.gap();
        sheet.gap();
        sheet.list("Do", &["b".to_owned(), "c".to_owned()]);
        sheet.list("Nothing", &[]);
        assert_eq!(sheet.finish(), "a\n\nDo\n1. b\n2. c");
    }
}
