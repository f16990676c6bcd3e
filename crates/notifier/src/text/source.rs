//! The text of a ticket about a source that cannot be read.

use domain::{Failure, SourceAct, SourceClosed, SourceTicket, TicketAction};

use super::{DO_IN_ORDER, heading};
use crate::context::Context;
use crate::cut;
use crate::moments::{clock_beside, day_and_clock};
use crate::sheet::Sheet;

#[cfg(test)]
mod tests;

/// With a name of this many characters, a line still says what is wrong.
const SOURCE_CHARACTERS: usize = 60;

/// One line: which source, how it fails, since when, and how much is blind.
///
/// `main cannot be read: cloudwatch:GetMetricData denied since 05:52Z; 41 series in 4 Regions are not judged`
#[must_use]
pub fn summary(ticket: &SourceTicket) -> String {
    let source = cut::in_the_middle(&cut::one_line(&ticket.source), SOURCE_CHARACTERS, "…");
    let Some(why) = ticket.closed else {
        let since = clock_beside(ticket.since, ticket.at);
        return format!("{source} {}: {} since {since}; {}", cannot(ticket), failing(ticket), blind(ticket));
    };
    let (from, until) = (clock_beside(ticket.since, ticket.at), clock_beside(ticket.at, ticket.at));
    match (why, ticket.act) {
        (SourceClosed::Recovered, SourceAct::Read) => {
            format!(
                "Closed: {source} can be read again, after failing {from}-{until}; {} judged",
                series_are(ticket)
            )
        }
        (SourceClosed::Recovered, SourceAct::Discover) if ticket.failure == Failure::Empty => {
            format!("Closed: {source} has models to watch, after none {from}-{until}")
        }
        (SourceClosed::Recovered, SourceAct::Discover) => {
            format!("Closed: new models of {source} are found again, after failing {from}-{until}")
        }
        (SourceClosed::FailsOtherwise, _) => {
            format!("Closed: {source} fails in another way now, which has a ticket of its own")
        }
        (SourceClosed::NotConfigured, _) => {
            format!("Closed: {source} in {} is not configured any more", places(ticket))
        }
    }
}

/// The whole text.
#[must_use]
pub fn text(ticket: &SourceTicket, context: &Context<'_>) -> String {
    let mut sheet = Sheet::default();
    heading::opening(&mut sheet, &context.marked(summary(ticket)), context);
    let action = ticket.action().as_str();
    sheet.paragraph(&format!(
        "Ticket source_failing, {action} {}. It pages nobody.",
        day_and_clock(ticket.at)
    ));
    sheet.gap();
    match ticket.action() {
        TicketAction::Closed => sheet.paragraph(ended(ticket)),
        TicketAction::Opened | TicketAction::Updated => stands(&mut sheet, ticket),
    }
    heading::footer(&mut sheet, context.link(), &ticket.key);
    sheet.finish()
}

fn stands(sheet: &mut Sheet, ticket: &SourceTicket) {
    if let Some(error) = &ticket.error {
        sheet.paragraph(&format!("It answered: {}", cut::one_line(&error.message)));
    }
    sheet.paragraph(&worked(ticket));
    sheet.gap();
    sheet.paragraph(&meaning(ticket));
    if ticket.regions.len() > 1 {
        let regions: Vec<_> = ticket.regions.iter().map(|region| cut::one_line(region)).collect();
        sheet.paragraph(&format!("Regions: {}.", regions.join(", ")));
    }
    sheet.list(DO_IN_ORDER, &steps(ticket));
    sheet.gap();
    if ticket.act == SourceAct::Read {
        sheet.paragraph(
            "When it answers again, the gap is read from CloudWatch, which keeps five-minute data for 63 days: incidents \
             that still go on page then, ended ones are only written down.",
        );
    }
    sheet.paragraph("It closes by itself after two good polls in every Region.");
}

/// What cannot be done with the source.
const fn cannot(ticket: &SourceTicket) -> &'static str {
    match (ticket.failure, ticket.act) {
        (Failure::Empty, _) => "has nothing to watch",
        (_, SourceAct::Read) => "cannot be read",
        (_, SourceAct::Discover) => "cannot be asked for new models",
    }
}

/// How it fails: `cloudwatch:GetMetricData denied`.
fn failing(ticket: &SourceTicket) -> String {
    let action = ticket.error.as_ref().and_then(|error| error.action.as_deref());
    let tried = cut::one_line(action.unwrap_or("CloudWatch"));
    match ticket.failure {
        Failure::Credentials => "no valid credentials".to_owned(),
        Failure::Denied => format!("{tried} denied"),
        Failure::Throttled => format!("{tried} throttled"),
        Failure::Network => "no connection to CloudWatch".to_owned(),
        Failure::Timeout => "no answer in time".to_owned(),
        Failure::ClockSkew => "refused because of this machine's clock".to_owned(),
        Failure::Server => "CloudWatch fails on its side".to_owned(),
        Failure::Malformed => "answers that make no sense".to_owned(),
        Failure::Partial => "CloudWatch answers some series only in part".to_owned(),
        Failure::Empty => "CloudWatch lists no model that it may watch".to_owned(),
    }
}

/// How much is blind.
fn blind(ticket: &SourceTicket) -> String {
    match (ticket.act, ticket.series) {
        _ if ticket.failure == Failure::Empty => "nothing of it can page".to_owned(),
        (SourceAct::Read, 0) => format!("none of its new series in {} is judged yet", places(ticket)),
        (SourceAct::Read, _) => format!("{} not judged", series_are(ticket)),
        (SourceAct::Discover, _) => format!("{} judged all the same", series_are(ticket)),
    }
}

/// `41 series in 4 Regions are`
fn series_are(ticket: &SourceTicket) -> String {
    let verb = if ticket.series == 1 { "is" } else { "are" };
    format!("{} series in {} {verb}", ticket.series, places(ticket))
}

fn places(ticket: &SourceTicket) -> String {
    match &ticket.regions[..] {
        [region] => cut::one_line(region),
        regions => format!("{} Regions", regions.len()),
    }
}

/// The last time that it was well: what has changed since is where to look.
fn worked(ticket: &SourceTicket) -> String {
    match ticket.worked_until {
        None => "It has not worked before, as far as this daemon knows.".to_owned(),
        Some(until) => {
            let until = clock_beside(until, ticket.at);
            match ticket.failure {
                Failure::Credentials | Failure::Denied | Failure::Malformed => {
                    format!("It worked until {until}, so look at what changed.")
                }
                _ => format!("It worked until {until}."),
            }
        }
    }
}

fn meaning(ticket: &SourceTicket) -> String {
    let incidents = match ticket.incidents {
        0 => "None of its incidents is open.".to_owned(),
        1 => "One of its incidents is open, and stays so.".to_owned(),
        open => format!("{open} of its incidents are open, and stay so."),
    };
    match ticket.act {
        SourceAct::Read => format!(
            "Until it answers, no page and no resolve can come from it: its series are unknown, not healthy. {incidents} \
             No other source's data is shown in their place."
        ),
        SourceAct::Discover if ticket.failure == Failure::Empty => {
            "A source that watches nothing looks healthy, and can never page.".to_owned()
        }
        SourceAct::Discover => {
            "The models that are known are read and judged. A new one would not be noticed.".to_owned()
        }
    }
}

/// The hint of the failure, and what its kind suggests beyond that.
pub(crate) fn steps(ticket: &SourceTicket) -> Vec<String> {
    let hint = ticket.error.as_ref().and_then(|error| error.hint.as_deref()).map(sentence);
    let further = match ticket.failure {
        Failure::Credentials => {
            "See where the credentials of the daemon come from (the role of its task, pod or instance, the environment, \
             or the profile of the source), and whether they are still given out there."
        }
        Failure::Denied => {
            "Look at the role's policy and trust policy, at its external id, and at policies of the organization. Needed \
             are cloudwatch:GetMetricData and cloudwatch:ListMetrics."
        }
        Failure::Throttled => {
            "Leave the daemon as it is: while it is throttled it asks less and less often, down to once a period."
        }
        Failure::Network => {
            "From the daemon's machine, try the address of CloudWatch: monitoring.REGION.amazonaws.com, port 443."
        }
        Failure::Timeout => {
            "If only some Regions are slow, leave the others as they are: each is read on its own."
        }
        Failure::ClockSkew => "AWS takes a signature for a few minutes around its time, by its own clock.",
        Failure::Server => "Nothing here can be repaired: the daemon asks again every minute.",
        Failure::Malformed => {
            "Compare with what `aws cloudwatch list-metrics --namespace AWS/Bedrock` says from the daemon's machine."
        }
        Failure::Partial => {
            "The other series of the source are judged. Those that are not are shown as not seen on the status page."
        }
        Failure::Empty => {
            "A metric is listed for two weeks after its last data, and a new one after up to 15 minutes."
        }
    };
    hint.into_iter().chain([further.to_owned()]).collect()
}

/// Hints are fragments in lower case; in a list they are sentences.
fn sentence(hint: &str) -> String {
    let hint = cut::one_line(hint);
    let mut rest = hint.chars();
    let capital: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if hint.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{capital}{}{end}", rest.as_str())
}

const fn ended(ticket: &SourceTicket) -> &'static str {
    match (ticket.closed, ticket.act) {
        (Some(SourceClosed::Recovered), SourceAct::Read) => {
            "What happened meanwhile was read from CloudWatch: incidents that still go on page now, ended ones are only \
             written down. Nothing to do."
        }
        (Some(SourceClosed::FailsOtherwise), _) => "It is still blind. Go on with the newer ticket.",
        (Some(SourceClosed::NotConfigured), _) => {
            "Nobody reads it any more, so nothing will be said of it. If that was not meant, configure it again."
        }
        _ => "Nothing to do.",
    }
}
