//! The subject of a message: one line of ASCII, shorter than 100 characters.
//!
//! Source: SNS API reference, Publish: no line breaks or control characters, less than 100 characters; older texts
//! say ASCII only. Consumers of CloudWatch alarms discard a message whose subject does not begin with its state.

use domain::{AlarmState, NoticeKind, TicketAction};

use super::alarm::About;
use super::region;
use crate::context::TEST;
use crate::cut;
use crate::notice::Notice;

/// The longest subject that SNS takes.
const CHARACTERS: usize = 99;

/// `ALARM: "otpsd us-east-1 example.large-v1:0 OTPS" in US East (N. Virginia)`, as CloudWatch writes it. What does not
/// fit is taken from the end first, then from the middle of the model, and the quote is closed in any case.
pub(super) fn alarm(state: AlarmState, test: bool, about: &About) -> String {
    let place = cut::ascii(region::name(&about.named.region));
    // The state stays first, also of a test: consumers discard what does not begin with it.
    let mark = if test { format!("{TEST} ") } else { String::new() };
    let (region, what) = about.name_parts();
    let named = |what: &str| format!("{state}: \"{mark}otpsd {}{what} OTPS\"", cut::ascii(&region));
    let what = cut::ascii(what);
    let whole = format!("{} in {place}", named(&what));
    if whole.len() <= CHARACTERS {
        return whole;
    }
    let room = CHARACTERS.saturating_sub(named("").len());
    at_most(&named(&cut::in_the_middle(&what, room, "...")))
}

/// Of what is no alarm: `TICKET: prompt growth, us-east-1 example.large-v1:0 (closed)`, `PAGE: ` and `RESOLVED: ` with as much of the
/// line as fits.
pub(super) fn plain(notice: &Notice) -> String {
    let mark = if notice.test { format!("{TEST} ") } else { String::new() };
    let NoticeKind::Ticket(action) = notice.kind else {
        let word = if notice.kind == NoticeKind::Page { "PAGE" } else { "RESOLVED" };
        let line = notice.summary.strip_prefix(TEST).unwrap_or(&notice.summary).trim_start();
        let line = line.strip_prefix("Recovered: ").unwrap_or(line);
        return at_most(&words(&format!("{mark}{word}: {}", cut::ascii(line))));
    };
    let action = match action {
        TicketAction::Opened => "",
        TicketAction::Updated => " (still)",
        TicketAction::Closed => " (closed)",
    };
    let cause = match notice.is_held {
        true => "page held open".to_owned(),
        false => notice.cause.replace('_', " "),
    };
    let (place, what) = match (&notice.source, &notice.group, notice.series.first()) {
        (Some(source), _, _) => (String::new(), source.source.as_str()),
        (None, Some(group), _) => (String::new(), group.as_str()),
        (None, None, Some(series)) => (format!("{} ", series.named.region), series.named.model.as_str()),
        (None, None, None) => (String::new(), "-"),
    };
    let named = |what: &str| format!("{mark}TICKET: {cause}, {}{what}{action}", cut::ascii(&place));
    let room = CHARACTERS.saturating_sub(named("").len());
    at_most(&named(&cut::in_the_middle(&cut::ascii(what), room, "...")))
}

/// Whole words, with `...` for those that do not fit.
fn words(line: &str) -> String {
    if line.len() <= CHARACTERS {
        return line.to_owned();
    }
    let room: String = line.chars().take(CHARACTERS - 3).collect();
    let whole = room.rfind(' ').filter(|end| *end >= CHARACTERS / 2).unwrap_or(room.len());
    format!("{}...", room[..whole].trim_end())
}

/// For Regions of recordings, which may have any name.
fn at_most(subject: &str) -> String {
    subject.chars().take(CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Group, Series};
    use proptest::prelude::*;

    fn subject(region: &str, model: &str) -> String {
        alarm(AlarmState::Alarm, false, &About::of_series(&Series::new("111122223333", region, model), false))
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

    #[test]
    fn a_group_is_named_by_itself_and_a_test_is_marked_behind_the_state() {
        let named = Series::new("111122223333", "us-east-1", "m");
        let group = |name: &str, test| {
            let about = About::of_group(&Group::from_text(name), &named, test);
            alarm(AlarmState::Ok, test, &about)
        };
        assert_eq!(group("us-east-1", false), "OK: \"otpsd us-east-1 OTPS\" in US East (N. Virginia)");
        assert_eq!(
            group("111122223333/us-east-1", true),
            "OK: \"[TEST] otpsd 111122223333/us-east-1 OTPS\" in US East (N. Virginia)"
        );
        assert_eq!(group(&"x".repeat(300), true).len(), 99);
    }

    #[test]
    fn a_line_is_cut_between_words() {
        let line = format!("PAGE: us-east-1 {} decodes", "m".repeat(63));
        assert_eq!(words(&line).len(), line.len());
        let cut = words(&format!("{line} 34 % slower: 41.0 of 62.0 tok/s"));
        assert_eq!(cut, format!("{line} 34 %..."));
        assert!(cut.len() < 100);
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
