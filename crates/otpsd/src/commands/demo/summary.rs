//! How the demo ends: what happened to whom, what was said about it, and whether that is what the story deserves.

use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::Style;
use domain::{ExitCode, NoticeKind, Owed, Series, TicketAction};
use simulator::Event;

use super::moments::Moments;
use super::names::Names;
use super::notice::Notice;
use super::screen::{BOLD, Cell, DIM, RED, Screen, YELLOW};
use crate::figures::counted;

/// What the story deserves: pages opened, pages resolved, tickets.
const DESERVED: Told = Told { pages: 1, resolved: 1, tickets: 1 };

/// How often something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    pages: usize,
    resolved: usize,
    tickets: usize,
}

/// What it all comes to.
pub(super) struct Summary<'a> {
    series: &'a [Series],
    names: &'a Names,
    moments: Moments,
    notices: Vec<Notice<'a>>,
}

impl<'a> Summary<'a> {
    /// Of everything that was said about `series`; `messages` are the newest first.
    pub(super) fn new(
        series: &'a [Series],
        names: &'a Names,
        moments: Moments,
        messages: &'a [Owed],
    ) -> Self {
        Self { series, names, moments, notices: Notice::all(messages) }
    }

    /// After the story. The answer is no where something else was said than it deserves.
    pub(super) fn story<W: Write>(&self, screen: &mut Screen<W>, events: &[Event]) -> io::Result<ExitCode> {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        let mut quiet: Vec<&Series> = self.series.iter().collect();
        for event in events {
            quiet.retain(|series| **series != event.series);
            rows.push(self.row(&event.series, Some(event.describe())));
        }
        rows.extend(quiet.into_iter().map(|series| self.row(series, Some("nothing".to_owned()))));
        screen.plain("")?;
        screen.table(&["MODEL", "WHAT HAPPENED", "WHAT OTPSD SAID"], &rows)?;
        screen.plain("")?;
        let told = self.told();
        screen.paragraph(BOLD, &self.counts(told))?;
        if told == DESERVED {
            screen.paragraph(
                Style::new(),
                "Longer answers, two silent hours and a turned-around mix of requests woke nobody.",
            )?;
            screen.paragraph(
                Style::new(),
                "Next: config/examples/minimal.toml is all it takes to watch your own account.",
            )?;
            Ok(ExitCode::Success)
        } else {
            screen.paragraph(
                RED,
                "This is not what the story deserves: 1 page opened, 1 resolved, 1 ticket.",
            )?;
            Ok(ExitCode::No)
        }
    }

    /// After recordings: only who was said something about.
    pub(super) fn recording<W: Write>(&self, screen: &mut Screen<W>) -> io::Result<ExitCode> {
        let said = |series: &&Series| self.notices.iter().any(|notice| is_about(notice, series));
        let rows: Vec<Vec<Cell>> =
            self.series.iter().filter(said).map(|series| self.row(series, None)).collect();
        screen.plain("")?;
        if !rows.is_empty() {
            screen.table(&["MODEL", "WHAT OTPSD SAID"], &rows)?;
            screen.plain("")?;
        }
        screen.paragraph(BOLD, &self.counts(self.told()))?;
        Ok(ExitCode::Success)
    }

    fn row(&self, series: &Series, happened: Option<String>) -> Vec<Cell> {
        let plain = |text: String| Cell { style: Style::new(), text };
        let mut row = vec![Cell { style: BOLD, text: self.names.name(series).to_owned() }];
        row.extend(happened.map(plain));
        row.push(self.said(series));
        row
    }

    /// `PAGE Mon 02:17, resolved 03:17`
    fn said(&self, series: &Series) -> Cell {
        let mut said = Vec::new();
        let mut style = DIM;
        let mut day = String::new();
        for notice in self.notices.iter().filter(|notice| is_about(notice, series)) {
            let time = self.moments.text(notice.created);
            // The day is said once.
            let (date, clock) = time.split_once(' ').unwrap_or_default();
            let time = if day == date { clock } else { time.as_str() };
            day = date.to_owned();
            said.push(match notice.kind {
                NoticeKind::Page => {
                    style = RED;
                    format!("PAGE {time}")
                }
                NoticeKind::Resolve => format!("resolved {time}"),
                NoticeKind::Ticket(action) => {
                    if style == DIM {
                        style = YELLOW;
                    }
                    let cause = notice.attribute("cause").unwrap_or("unknown");
                    match action {
                        TicketAction::Opened => format!("ticket {cause} {time}"),
                        TicketAction::Updated => format!("{cause} updated {time}"),
                        TicketAction::Closed => format!("{cause} closed {time}"),
                    }
                }
            });
        }
        let text = if said.is_empty() { "nothing".to_owned() } else { said.join(", ") };
        Cell { style, text }
    }

    fn told(&self) -> Told {
        let of = |kind: NoticeKind| {
            let keys: BTreeSet<_> =
                self.notices.iter().filter(|notice| notice.kind == kind).map(|notice| notice.key).collect();
            keys.len()
        };
        Told {
            pages: of(NoticeKind::Page),
            resolved: of(NoticeKind::Resolve),
            tickets: of(NoticeKind::Ticket(TicketAction::Opened)),
        }
    }

    fn counts(&self, told: Told) -> String {
        let all = self.series.len();
        let told_of = |series: &&Series| self.notices.iter().any(|notice| is_about(notice, series));
        let silence = match all - self.series.iter().filter(told_of).count() {
            0 => String::new(),
            silent if silent == all => format!(", and silence for {}", counted(all, "model")),
            silent => format!(", and silence for the other {silent} of {}", counted(all, "model")),
        };
        format!(
            "{} opened, {} resolved, {}{silence}.",
            counted(told.pages, "page"),
            told.resolved,
            counted(told.tickets, "ticket"),
        )
    }
}

/// Whether a notice is about a series, as far as its attributes tell.
fn is_about(notice: &Notice<'_>, series: &Series) -> bool {
    notice.attribute("model") == Some(series.model()) && notice.attribute("region") == Some(series.region())
}

#[cfg(test)]
mod tests {
    use domain::{OwedState, Period};
    use simulator::EventKind;

    use super::super::notice::tests::{owed, time};
    use super::*;

    fn series(model: &str) -> Series {
        Series::new("111122223333", "us-east-1", model)
    }

    fn said() -> Vec<Owed> {
        let taken = OwedState::Delivered(time("2026-11-03T00:00:00Z"));
        // Newest first, as the ledger has them.
        vec![
            owed("sns.pages", NoticeKind::Resolve, "2026-11-02T03:17:00Z", taken.clone()),
            owed("sns.pages", NoticeKind::Page, "2026-11-02T02:17:00Z", taken),
        ]
    }

    fn shown(
        print: impl Fn(&Summary<'_>, &mut Screen<&mut Vec<u8>>) -> io::Result<ExitCode>,
    ) -> (String, ExitCode) {
        let (fleet, messages) = ([series("m"), series("n")], said());
        let names = Names::of(fleet.iter());
        let summary = Summary::new(&fleet, &names, Moments::Weekday, &messages);
        let mut text = Vec::new();
        let code = print(&summary, &mut Screen::new(&mut text, || Some(80))).unwrap();
        (anstream::adapter::strip_str(std::str::from_utf8(&text).unwrap()).to_string(), code)
    }

    #[test]
    fn a_story_that_did_not_get_what_it_deserves_is_a_no() {
        let from = Period::containing(time("2026-11-02T02:00:00Z"));
        let event =
            Event { series: series("m"), kind: EventKind::Slowdown, from, until: from + 12, magnitude: 0.35 };
        let (text, code) = shown(|summary, screen| summary.story(screen, std::slice::from_ref(&event)));
        assert_eq!(code, ExitCode::No, "there is no ticket");
        assert_eq!(
            text,
            "
MODEL  WHAT HAPPENED                              WHAT OTPSD SAID
m      every request decodes 35 % slower for 1    PAGE Mon 02:17, resolved 03:17
       hour
n      nothing                                    nothing

1 page opened, 1 resolved, 0 tickets, and silence for the other 1 of 2 models.
This is not what the story deserves: 1 page opened, 1 resolved, 1 ticket.
"
        );
    }

    #[test]
    fn a_recording_is_whatever_it_is() {
        fn print(summary: &Summary<'_>, screen: &mut Screen<&mut Vec<u8>>) -> io::Result<ExitCode> {
            summary.recording(screen)
        }
        let (text, code) = shown(print);
        assert_eq!(code, ExitCode::Success);
        assert_eq!(
            text,
            "
MODEL  WHAT OTPSD SAID
m      PAGE Mon 02:17, resolved 03:17

1 page opened, 1 resolved, 0 tickets, and silence for the other 1 of 2 models.
"
        );
    }
}
