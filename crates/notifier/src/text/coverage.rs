//! The text of a ticket about what of a source is not watched as it should be.

use domain::{Gap, GapFigures, GapTicket, LeftOut, Series, Thrift, TicketAction};

use super::{DO_IN_ORDER, heading};
use crate::context::Context;
use crate::cut;
use crate::figures::count;
use crate::moments::{day, day_and_clock};
use crate::sheet::Sheet;

#[cfg(test)]
mod tests;

/// With a name of this many characters, a line still says what is wrong.
const NAME_CHARACTERS: usize = 60;
/// More series are counted, not listed.
const ROWS: usize = 20;

/// One line: which source, and what of it is not watched.
///
/// `main: no model matches *nova-pro*, which must be there`
#[must_use]
pub fn summary(ticket: &GapTicket) -> String {
    let source = name(&ticket.source);
    match ticket.action {
        TicketAction::Opened => format!("{source}: {}", standing(ticket)),
        TicketAction::Updated => format!("Still: {source}: {}", standing(ticket)),
        TicketAction::Closed => format!("Closed: {source}: {}", closed(ticket)),
    }
}

/// The whole text.
#[must_use]
pub fn text(ticket: &GapTicket, context: &Context<'_>) -> String {
    let mut sheet = Sheet::default();
    heading::opening(&mut sheet, &context.marked(summary(ticket)), context);
    let (cause, action) = (ticket.open.gap.cause(), ticket.action.as_str());
    let since = match ticket.action {
        TicketAction::Opened => String::new(),
        TicketAction::Updated | TicketAction::Closed => {
            format!(", since {}", day_and_clock(ticket.open.since))
        }
    };
    sheet.paragraph(&format!(
        "Ticket {cause}, {action} {}{since}. It pages nobody.",
        day_and_clock(ticket.at)
    ));
    sheet.gap();
    if ticket.action == TicketAction::Closed {
        sheet.paragraph("Nothing to do.");
    } else {
        sheet.paragraph(&meaning(ticket));
        table(&mut sheet, ticket);
        sheet.list(DO_IN_ORDER, &steps(ticket));
        sheet.gap();
        sheet.paragraph(end(ticket));
    }
    heading::footer(&mut sheet, context.link(), &ticket.open.key);
    sheet.finish()
}

/// The series that it is about.
pub(crate) fn series(ticket: &GapTicket) -> impl Iterator<Item = &Series> {
    let (known, left_out): (&[Series], &[LeftOut]) = match &ticket.figures {
        GapFigures::Missing { known, .. } => (known, &[]),
        GapFigures::LeftOut { left_out, .. } => (&[], left_out),
        GapFigures::Cost { .. } => (&[], &[]),
    };
    known.iter().chain(left_out.iter().map(|one| &one.series))
}

fn name(text: &str) -> String {
    cut::in_the_middle(&cut::one_line(text), NAME_CHARACTERS, "…")
}

fn standing(ticket: &GapTicket) -> String {
    match (&ticket.open.gap, &ticket.figures) {
        (Gap::ModelMissing(expected), GapFigures::Missing { known, .. }) if !known.is_empty() => {
            format!("{} has vanished, which must be there", name(expected))
        }
        (Gap::ModelMissing(expected), _) => {
            format!("no model matches {}, which must be there", name(expected))
        }
        (Gap::SeriesLimit, GapFigures::LeftOut { limit, left_out }) => {
            let are = if left_out.len() == 1 { "series is" } else { "series are" };
            let (left, limit) = (count(left_out.len() as f64), count(f64::from(*limit)));
            format!("{left} {are} not watched, since {limit} are the most (max-series)")
        }
        (Gap::SeriesLimit, _) => "there are more series than may be watched (max-series)".to_owned(),
        (Gap::CostLimit, GapFigures::Cost { limit_usd, thrifty_usd, thrift, .. }) => {
            let passed = if thrifty_usd > limit_usd {
                format!("; even so the month comes to {}", usd(*thrifty_usd))
            } else {
                String::new()
            };
            format!("{}, to keep to {} a month{passed}", shed(*thrift), usd(*limit_usd))
        }
        (Gap::CostLimit, _) => "less is read, for the sake of what it costs (max-monthly-usd)".to_owned(),
    }
}

/// What is not read.
const fn shed(thrift: Thrift) -> &'static str {
    match thrift {
        Thrift::None => "everything is read",
        Thrift::Diagnosis => "what explains is not read every hour any more",
        Thrift::Polling => "polled every 10 minutes only, so that pages come up to 5 minutes later",
    }
}

fn closed(ticket: &GapTicket) -> String {
    match (&ticket.open.gap, &ticket.figures) {
        (Gap::ModelMissing(expected), GapFigures::Missing { known, .. }) => match &known[..] {
            [] => format!("{} is not expected any more", name(expected)),
            [one] => format!("{} is there: {}", name(expected), heading::model(one)),
            [one, rest @ ..] => {
                format!("{} is there: {} and {} more", name(expected), heading::model(one), rest.len())
            }
        },
        (Gap::ModelMissing(expected), _) => format!("{} is not expected any more", name(expected)),
        (Gap::SeriesLimit, _) => "nothing is left out any more".to_owned(),
        (Gap::CostLimit, _) => "everything is read again".to_owned(),
    }
}

fn meaning(ticket: &GapTicket) -> String {
    match &ticket.figures {
        GapFigures::Missing { regions, known } => {
            let regions: Vec<String> = regions.iter().map(|region| cut::one_line(region)).collect();
            let asked = format!(
                "CloudWatch was asked in {}, and lists nothing of that name that streams.",
                regions.join(", ")
            );
            if known.is_empty() {
                format!("{asked} Nobody is paged for a model that is not there.")
            } else {
                format!(
                    "{asked} It lists what had data in the last two weeks, so that nobody has called the model for so long. \
                     Its history is kept, and it is read all the same."
                )
            }
        }
        GapFigures::LeftOut { .. } => "These series are not read, so nobody is paged for them. What is watched already stays \
                                       watched; of what is new, the models of `expect` come first, then those with the most requests."
            .to_owned(),
        GapFigures::Cost { spent_usd, full_usd, thrifty_usd, thrift, until, .. } => {
            let how = match thrift {
                Thrift::None => "",
                Thrift::Diagnosis => {
                    " Pages are decided as ever. What explains them (prompts, cache, throttles, errors, quota, tiers) is still read \
                      while a series breaches; tickets that need it every hour may come later, or not."
                }
                Thrift::Polling => {
                    " Every period is judged as ever, two at a time. What explains a breach is still read. More is not shed: a model that \
                      is looked at more rarely is not watched."
                }
            };
            format!(
                "{} of this month were asked for so far. With everything read the month would come to {}, like this to {}.{how} On {} it \
                 begins anew.",
                usd(*spent_usd),
                usd(*full_usd),
                usd(*thrifty_usd),
                day(*until)
            )
        }
    }
}

/// The series that are left out, those with the most requests first.
fn table(sheet: &mut Sheet, ticket: &GapTicket) {
    let GapFigures::LeftOut { left_out, .. } = &ticket.figures else { return };
    sheet.gap();
    sheet.line(&format!("  {:>10}  series, those with the most requests first", "a day"));
    for one in left_out.iter().take(ROWS) {
        let requests = one.requests.map_or_else(|| "not known".to_owned(), count);
        let series = cut::in_the_middle(&cut::one_line(&one.series.to_string()), 100, "…");
        sheet.line(&format!("  {requests:>10}  {series}"));
    }
    if left_out.len() > ROWS {
        sheet.line(&format!("  and {} more", left_out.len() - ROWS));
    }
}

/// What to do, in the order in which it helps.
pub(crate) fn steps(ticket: &GapTicket) -> Vec<String> {
    let steps: &[&str] = match ticket.open.gap {
        Gap::ModelMissing(_) => &[
            "Compare the name with what is there: otpsd discover",
            "Ask whoever calls the model whether they have stopped, moved to another model, profile or Region, or do not stream.",
            "If it is not meant to be there any more, take it out of `expect`.",
        ],
        Gap::SeriesLimit => &[
            "Leave out what nobody should be paged for: `ignore`, or `min-daily-requests`.",
            "If all of it is to be watched, raise `max-series`; `otpsd plan` says what that costs.",
        ],
        Gap::CostLimit => &[
            "See what costs: otpsd plan",
            "Leave out what nobody should be paged for: `ignore`, or `min-daily-requests`.",
            "If all of it is worth it, raise `max-monthly-usd`.",
        ],
    };
    steps.iter().map(|step| (*step).to_owned()).collect()
}

const fn end(ticket: &GapTicket) -> &'static str {
    match ticket.open.gap {
        Gap::ModelMissing(_) => "It closes by itself once a model of that name is listed.",
        Gap::SeriesLimit => "It closes by itself once nothing is left out.",
        Gap::CostLimit => {
            "It closes by itself once everything is read again, at the latest with the next month."
        }
    }
}

/// `$50`, `$4.20`
fn usd(value: f64) -> String {
    if value >= 100.0 || (value - value.round()).abs() < 0.005 {
        format!("${}", count(value))
    } else {
        format!("${value:.2}")
    }
}
