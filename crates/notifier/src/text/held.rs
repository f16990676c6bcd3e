//! The text about a page that is held open only by series that cannot be seen.

use domain::HeldPage;

use super::{DO_IN_ORDER, around, heading};
use crate::context::Context;
use crate::cut;
use crate::moments::{clock_beside, day_and_clock, lasting};
use crate::notice::held_key;
use crate::sheet::Sheet;

/// More series are counted, not listed.
const ROWS: usize = 10;

/// One line: which page, how many series hold it open, and since when nobody knows. `over` says that this has ended.
///
/// `Page of us-east-1 is held open only by 3 series that cannot be seen since 07:35Z; whether it is over is not known`
#[must_use]
pub fn summary(held: &HeldPage, over: bool, context: &Context<'_>) -> String {
    let place = cut::in_the_middle(&cut::one_line(held.state.group.as_str()), 60, "…");
    context.marked(match (over, held.state.closed) {
        (true, Some(_)) => format!("Closed: the page of {place}, which was held open by what could not be seen, is over"),
        (true, None) => format!("Closed: the series that hold the page of {place} open can be judged again"),
        (false, _) => format!(
            "Page of {place} is held open only by {} series that cannot be seen{}; whether it is over is not known",
            held.state.open().count(),
            since(held)
        ),
    })
}

/// The whole text.
#[must_use]
pub fn text(held: &HeldPage, over: bool, context: &Context<'_>) -> String {
    let mut sheet = Sheet::default();
    heading::opening(&mut sheet, &summary(held, over, context), context);
    let (action, opened) = (if over { "closed" } else { "opened" }, held.state.opened.end());
    sheet.paragraph(&format!("Ticket about a page, {action} {}. It pages nobody.", day_and_clock(held.at)));
    sheet.gap();
    sheet.paragraph(&format!(
        "The page (key {}) began {}, {} ago: {}",
        held.state.key,
        day_and_clock(opened),
        lasting(opened, held.at),
        cut::one_line(&held.state.summary)
    ));
    if over {
        sheet.gap();
        sheet.paragraph(match held.state.closed {
            Some(_) => "It was resolved to whoever got it. Nothing to do.",
            None => "It goes on by the ordinary rule, and is resolved to whoever got it when the last of them is back.",
        });
    } else {
        standing(&mut sheet, held, context);
    }
    heading::footer(&mut sheet, context.link_to_page(&held.state.key), &held_key(&held.state.key));
    sheet.finish()
}

fn standing(sheet: &mut Sheet, held: &HeldPage, context: &Context<'_>) {
    let (members, open) = (&held.state.members, held.state.open().count());
    sheet.paragraph(&format!(
        "{} of its {} series are back. The others were slow when they were last seen, and have not been judged since.",
        members.len() - open,
        members.len()
    ));
    sheet.gap();
    for member in held.state.open().take(ROWS) {
        sheet.line(&format!(
            "  slow since {}  {}/{}",
            clock_beside(member.onset.start(), held.at),
            heading::account(&member.series),
            heading::place(&member.series).replacen(' ', "/", 1)
        ));
    }
    if open > ROWS {
        sheet.line(&format!("  and {} more", open - ROWS));
    }
    sheet.gap();
    let region = held.state.members.first().map(|member| member.series.region()).unwrap_or_default();
    around::unseen(sheet, region, context.surroundings, held.at);
    sheet.list(DO_IN_ORDER, &steps());
    sheet.gap();
    sheet.paragraph("It closes by itself once one of them can be judged again, or the page is over.");
}

/// What to do while it stands.
pub(crate) fn steps() -> [String; 3] {
    [
        "Make them visible again: the ticket about the source says how. What happened meanwhile is then read from CloudWatch \
         and judged.",
        "Until then ask their callers whether they are still slow. Silence is no answer: nothing here can tell.",
        "If they have no traffic any more, resolve the page where you got it. It is not sent again.",
    ]
    .map(str::to_owned)
}

/// ` since 07:35Z`: the end of the last period that could be judged.
fn since(held: &HeldPage) -> String {
    held.seen.map(|seen| format!(" since {}", clock_beside(seen.end(), held.at))).unwrap_or_default()
}
