//! Lines that fit a terminal and a mail.

/// No line is wider, unless a single word is.
const COLUMNS: usize = 100;
/// A blank at which no line ends.
const HELD: char = '\u{a0}';

#[derive(Debug, Default)]
pub(super) struct Sheet {
    out: String,
}

impl Sheet {
    /// A line as it is.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(&text.trim_end().replace(HELD, " "));
        self.out.push('\n');
    }

    /// An empty line, unless there is one.
    pub(super) fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    pub(super) fn title(&mut self, text: &str) {
        self.gap();
        self.line(text);
    }

    /// Words over as many lines as they need, each after so many blanks. A number stays with its unit.
    pub(super) fn paragraph(&mut self, indent: usize, text: &str) {
        let blank = " ".repeat(indent);
        let mut line = blank.clone();
        for word in text.replace(" %", "\u{a0}%").replace(" tok/s", "\u{a0}tok/s").split(' ') {
            let width = line.chars().count() + 1 + word.chars().count();
            if line.len() > indent && width > COLUMNS {
                self.line(&line);
                line.clone_from(&blank);
            }
            if line.len() > indent {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(&line);
    }

    pub(super) fn finish(self) -> String {
        format!("{}\n", self.out.trim_end())
    }
}
