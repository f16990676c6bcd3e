//! How it looks: one column for the time, one for what it is about, and the rest.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::wrap::{Paragraph, paragraphs, width};

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const RED: Style = AnsiColor::Red.on_default().bold();
pub(super) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const CYAN: Style = AnsiColor::Cyan.on_default();

/// Narrower than this, lines are longer than the terminal.
pub(super) const NARROWEST: usize = 60;
/// Wider than this, lines are hard to read. A message fits as it was written.
const WIDEST: usize = 104;
/// Where nobody says how wide it is, such as in a pipe.
const USUAL: usize = 100;
/// Messages are written for this many columns.
const MESSAGE_COLUMNS: usize = 100;
/// What stands to the left of a message,
const GUTTER: &str = "  │ ";
/// and on a screen that is narrower than this, so that its tables still fit.
const NARROW_GUTTER: (usize, &str) = (72, "│ ");

/// Where everything is printed.
#[derive(Debug)]
pub(super) struct Screen<W> {
    out: W,
    columns: fn() -> Option<usize>,
}

impl<W: Write> Screen<W> {
    /// `columns` is asked before each line, since a terminal can be resized.
    pub(super) fn new(out: W, columns: fn() -> Option<usize>) -> Self {
        Self { out, columns }
    }

    /// Columns that are there to be used.
    pub(super) fn columns(&self) -> usize {
        (self.columns)().unwrap_or(USUAL).clamp(NARROWEST, WIDEST)
    }

    /// Columns of a terminal that is too narrow.
    pub(super) fn too_narrow(&self) -> Option<usize> {
        (self.columns)().filter(|columns| *columns < NARROWEST)
    }

    /// A line as it is.
    pub(super) fn plain(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Words over as many lines as they need, in one style.
    pub(super) fn paragraph(&mut self, style: Style, text: &str) -> io::Result<()> {
        for line in Paragraph::hanging(text, 0).lines(self.columns()) {
            writeln!(self.out, "{style}{line}{style:#}")?;
        }
        Ok(())
    }

    /// `Mon 02:00 story   sonnet-large: every request …`, with further lines below the text.
    pub(super) fn line(
        &mut self,
        time: &str,
        word: (Style, &str),
        subject: &str,
        text: &str,
    ) -> io::Result<()> {
        let (style, word) = word;
        let left = width(time) + 9;
        let all = if subject.is_empty() { text.to_owned() } else { format!("{subject}: {text}") };
        let hang = " ".repeat(left);
        write!(self.out, "{DIM}{time}{DIM:#} {style}{word:<7}{style:#} ")?;
        for (number, line) in Paragraph::hanging(&all, 0).lines(self.columns() - left).iter().enumerate() {
            let after = line.strip_prefix(subject).filter(|_| number == 0 && !subject.is_empty());
            match (number, after) {
                (0, Some(after)) => writeln!(self.out, "{BOLD}{subject}{BOLD:#}{after}")?,
                (0, None) => writeln!(self.out, "{line}")?,
                _ => writeln!(self.out, "{hang}{line}")?,
            }
        }
        Ok(())
    }

    /// The text of a message, in a frame of its colour, the first paragraph bold.
    pub(super) fn message(&mut self, style: Style, text: &str) -> io::Result<()> {
        let columns = self.columns();
        let gutter = if columns < NARROW_GUTTER.0 { NARROW_GUTTER.1 } else { GUTTER };
        let columns = columns - width(gutter);
        for (number, paragraph) in paragraphs(text, MESSAGE_COLUMNS).iter().enumerate() {
            let lines = paragraph.lines(columns);
            // What breaches is marked at the end of its line.
            let breaches = lines.last().is_some_and(|line| line.starts_with("  ") && line.ends_with(" X"));
            let inner = match number {
                0 => BOLD,
                _ if breaches => RED,
                _ => Style::new(),
            };
            for line in lines {
                let gutter = if paragraph.is_empty() { gutter.trim_end() } else { gutter };
                writeln!(self.out, "{style}{gutter}{style:#}{inner}{line}{inner:#}")?;
            }
        }
        Ok(())
    }

    /// Rows of cells below a title each. All columns but the last are as wide as they must be, up to their share.
    pub(super) fn table(&mut self, titles: &[&str], rows: &[Vec<Cell>]) -> io::Result<()> {
        let widths = widths(titles, rows, self.columns());
        let titles = titles.iter().map(|title| Cell { style: DIM, text: (*title).to_owned() }).collect();
        for row in std::iter::once(&titles).chain(rows) {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| Paragraph::hanging(&cell.text, 0).lines(*width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let mut text = String::new();
                for ((cell, lines), columns) in row.iter().zip(&cells).zip(&widths) {
                    let part = lines.get(line).map_or("", String::as_str);
                    let style = if part.is_empty() { Style::new() } else { cell.style };
                    let blanks = " ".repeat(columns.saturating_sub(width(part)) + 2);
                    text.push_str(&format!("{style}{part}{style:#}{blanks}"));
                }
                writeln!(self.out, "{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}

/// One cell of a table.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) style: Style,
    pub(super) text: String,
}

/// Widths of columns with two blanks between them. The first is as wide as its longest cell, the rest share what is left.
fn widths(titles: &[&str], rows: &[Vec<Cell>], columns: usize) -> Vec<usize> {
    let natural: Vec<usize> = (0..titles.len())
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| width(&cell.text));
            cells.chain([width(titles[column])]).max().unwrap_or(0)
        })
        .collect();
    let mut left = columns;
    let mut widths = Vec::with_capacity(natural.len());
    for (column, wanted) in natural.iter().enumerate() {
        let later: usize = natural[column + 1..].iter().map(|wanted| wanted + 2).sum();
        let waiting = natural.len() - column;
        let share = if column == 0 { left } else { left / waiting };
        let granted = (*wanted).min(share.max(left.saturating_sub(later))).max(1);
        widths.push(granted);
        left = left.saturating_sub(granted + 2);
    }
    widths
}

/// The columns of the terminal; where there is none, those that `COLUMNS` names.
pub(super) fn terminal_columns() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let named = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.filter(|columns| *columns > 0).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed on a screen of so many columns, without colour.
    fn shown(
        columns: fn() -> Option<usize>,
        print: impl Fn(&mut Screen<&mut Vec<u8>>) -> io::Result<()>,
    ) -> String {
        let mut text = Vec::new();
        print(&mut Screen::new(&mut text, columns)).unwrap();
        anstream::adapter::strip_str(std::str::from_utf8(&text).unwrap()).to_string()
    }

    const PAGE: &str = "\
us-east-1 us.example.sonnet-large-v1:0 decodes 39 % slower: 37.8 of 61.2 tok/s (0.61)

The model host makes output tokens more slowly (OTPS, output tokens per second, fell). That is a
change on the side of the service: the responses did not change.
Since Mon 2 Nov 02:00Z.

Last 5 periods, newest last (X = below 0.80 of its baseline):
  01:55Z    59.4 of   61.1 tok/s     107 requests  0.97
  02:00Z    40.6 of   61.2 tok/s     109 requests  0.66 X

How sure: both estimators are below the line.
  p50               40.6 of   61.2 tok/s  0.66   this one decided

Do now
1. Move interactive callers to another Region or model that you have ready. A cross-Region profile
   (us., eu., global.) may still reach the same hosts: look at its OTPS again after 10 minutes.
2. Escalate to AWS Support with this text.";

    #[test]
    fn a_message_fits_every_width() {
        for (columns, width) in
            [((|| Some(60)) as fn() -> Option<usize>, 60), (|| Some(80), 80), (|| None, 100)]
        {
            let text = shown(columns, |screen| screen.message(RED, PAGE));
            assert!(text.lines().all(|line| super::width(line) <= width), "{text}");
            assert!(text.contains("│   02:00Z    40.6 of   61.2 tok/s     109 requests  0.66 X\n"), "{text}");
        }
        insta::assert_snapshot!(shown(|| Some(80), |screen| screen.message(RED, PAGE)));
    }

    #[test]
    fn lines_hang_below_their_text() {
        let print = |screen: &mut Screen<&mut Vec<u8>>| {
            screen.line("Mon 02:00", (CYAN, "story"), "sonnet-large", "every request decodes 35 % slower")?;
            screen.line("Mon 02:00", (CYAN, "polled"), "", "nothing")
        };
        assert_eq!(
            shown(|| Some(60), print),
            "Mon 02:00 story   sonnet-large: every request decodes 35 %\n                  slower\n\
             Mon 02:00 polled  nothing\n"
        );
    }

    #[test]
    fn a_table_shares_what_room_there_is() {
        let cell = |text: &str| Cell { style: Style::new(), text: text.to_owned() };
        let row = vec![
            cell("sonnet-large"),
            cell("every request decodes 35 % slower for 1 hour"),
            cell("page Mon 02:17, resolved Mon 03:17"),
        ];
        let print = |screen: &mut Screen<&mut Vec<u8>>| {
            screen.table(&["MODEL", "WHAT HAPPENED", "WHAT OTPSD SAID"], std::slice::from_ref(&row))
        };
        assert_eq!(
            shown(|| Some(60), print),
            "\
MODEL         WHAT HAPPENED            WHAT OTPSD SAID
sonnet-large  every request decodes    page Mon 02:17,
              35 % slower for 1 hour   resolved Mon 03:17
"
        );
        assert_eq!(
            shown(|| None, print),
            "\
MODEL         WHAT HAPPENED                                 WHAT OTPSD SAID
sonnet-large  every request decodes 35 % slower for 1 hour  page Mon 02:17, resolved Mon 03:17
"
        );
    }
}
