//! How the demo ends: what was said of whom, and whether that is what the story deserves.

use std::collections::BTreeSet;

use anstream::println;
use domain::{ExitCode, NoticeKind, Owed, TicketAction};

use super::narrator::BOLD;
use super::stage::Stage;

/// What the story deserves: pages opened, pages resolved, tickets.
const DESERVED: (usize, usize, usize) = (1, 1, 1);

/// Prints the summary. The answer is no where something else was said than the story deserves.
pub(super) fn print(stage: &Stage, messages: &[Owed]) -> ExitCode {
    let of = |kind: NoticeKind| -> usize {
        let keys: BTreeSet<_> =
            messages.iter().filter(|owed| owed.message.kind == kind).map(|owed| &owed.message.key).collect();
        keys.len()
    };
    let told = (of(NoticeKind::Page), of(NoticeKind::Resolve), of(NoticeKind::Ticket(TicketAction::Opened)));
    let loud = told.0.max(told.1) + told.2;
    let silent = stage.series().len().saturating_sub(loud);
    println!();
    println!(
        "{BOLD}{} page opened, {} resolved, {} ticket, and silence for the other {silent} of {} models.{BOLD:#}",
        told.0,
        told.1,
        told.2,
        stage.series().len()
    );
    if told == DESERVED {
        println!("Longer answers, two silent hours and a turned-around mix of requests woke nobody.");
        println!("Next: config/examples/minimal.toml is all it takes to watch your own account.");
        ExitCode::Success
    } else {
        println!("This is not what the story deserves: 1 page opened, 1 resolved, 1 ticket.");
        ExitCode::No
    }
}
