//! The subject of a message: one line of ASCII, shorter than 100 characters.
//!
//! Source: SNS API reference, Publish: no line breaks or control characters, less than 100 characters; older texts
//! say ASCII only. Consumers of CloudWatch alarms discard a message whose subject does not begin with its state.

use domain::{AlarmState, SourceTicket, Ticket, TicketAction};

use super::{Names, region};
use crate::cut;

/// The longest subject that SNS takes.
const CHARACTERS: usize = 99;

/// `ALARM: "otpsd us-east-1 example.large-v1:0 OTPS" in US East (N. Virginia)`, as CloudWatch writes it. What does not
/// fit is taken from the end first, then from the middle of the model, and the quote is closed in any case.
pub(super) fn alarm(state: AlarmState, names: &Names) -> String {
    let (name, place) = (cut::ascii(&names.alarm()), cut::ascii(region::name(&names.region)));
    let whole = format!("{state}: \"{name}\" in {place}");
    if whole.len() <= CHARACTERS {
        return whole;
    }
    let model = cut::ascii(&names.model);
    // What is left for the model in `{state}: "otpsd {region} {model} OTPS"`.
    let frame = name.len() - model.len() + format!("{state}: \"\"").len();
    let model = cut::in_the_middle(&model, CHARACTERS.saturating_sub(frame), "...");
    let region = cut::ascii(&names.region);
    at_most(&format!("{state}: \"otpsd {region} {model} OTPS\""))
}

/// `TICKET: prompt growth, us-east-1 example.large-v1:0 (closed)`
pub(super) fn ticket(ticket: &Ticket, names: &Names) -> String {
    let cause = ticket.cause.as_str().replace('_', " ");
    let action = match ticket.action {
        TicketAction::Opened => "",
        TicketAction::Updated => " (still)",
        TicketAction::Closed => " (closed)",
    };
    let region = cut::ascii(&names.region);
    let frame = format!("TICKET: {cause}, {region} {action}").len();
    let model = cut::in_the_middle(&cut::ascii(&names.model), CHARACTERS.saturating_sub(frame), "...");
    at_most(&format!("TICKET: {cause}, {region} {model}{action}"))
}

/// `TICKET: source failing, main (closed)`
pub(super) fn source_ticket(ticket: &SourceTicket) -> String {
    let action = if ticket.action() == TicketAction::Closed { " (closed)" } else { "" };
    let frame = format!("TICKET: source failing, {action}").len();
    let source = cut::in_the_middle(&cut::ascii(&ticket.source), CHARACTERS.saturating_sub(frame), "...");
    at_most(&format!("TICKET: source failing, {source}{action}"))
}

/// For Regions of recordings, which may have any name.
fn at_most(subject: &str) -> String {
    subject.chars().take(CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Series;
    use proptest::prelude::*;

    fn subject(region: &str, model: &str) -> String {
        alarm(AlarmState::Alarm, &Names::of(&Series::new("111122223333", region, model)))
    }

    #[test]
    fn it_reads_as_one_of_cloudwatch() {
        assert_eq!(
            subject("us-east-1", "us.example.large-v1:0"),
            "ALARM: \"otpsd us-east-1 us.example.large-v1:0 OTPS\" in US East (N. Virginia)"
        );
    }

    #[test]
    fn a_long_one_loses_the_place_and_then_the_middle_of_the_model() {
        assert_eq!(
            subject("us-east-1", "us.anthropic.claude-3-5-sonnet-20241022-v2:0-and-more"),
            "ALARM: \"otpsd us-east-1 us.anthropic.claude-3-5-sonnet-20241022-v2:0-and-more OTPS\""
        );
        let arn = "arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/a1b2c3d4e5f6";
        let cut = subject("us-east-1", arn);
        assert_eq!(
            cut,
            "ALARM: \"otpsd us-east-1 arn:aws:bedrock:us-east-1:1111222...on-inference-profile/a1b2c3d4e5f6 OTPS\""
        );
        assert_eq!(cut.len(), 99);
    }

    #[test]
    fn accents_emoji_and_line_ends_become_ascii_on_one_line() {
        assert_eq!(
            subject("eu-west-1", " modèle – 🐢\nlarge"),
            "ALARM: \"otpsd eu-west-1  mod_le _ _ large OTPS\" in Europe (Ireland)"
        );
    }

    proptest! {
        #[test]
        fn any_series_has_a_subject_that_sns_takes(region in "\\PC{0,120}", model in any::<String>()) {
            let subject = subject(&region, &model);
            prop_assert!(subject.len() < 100);
            prop_assert!(subject.chars().all(|c| c == ' ' || c.is_ascii_graphic()), "{}", subject);
            prop_assert!(subject.starts_with("ALARM: \""));
        }
    }
}
