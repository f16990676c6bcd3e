//! What nobody can tell, and how other Regions are doing.

use domain::{Elsewhere, Failure, Surroundings, Unseen};
use jiff::Timestamp;

use super::heading;
use crate::cut;
use crate::figures::ratio;
use crate::moments::clock_beside;
use crate::sheet::Sheet;

/// More Regions or sources are counted, not named.
const NAMED: usize = 8;

/// What cannot be seen: it is unknown, not healthy.
pub(super) fn unseen(sheet: &mut Sheet, region: &str, around: &Surroundings, now: Timestamp) {
    let (here, there): (Vec<&Unseen>, Vec<&Unseen>) =
        around.unseen.iter().partition(|unseen| unseen.region == region);
    for (title, blind) in [("NOT SEEN: ", here), ("Not seen elsewhere: ", there)] {
        if blind.is_empty() {
            continue;
        }
        let mut named: Vec<String> = blind.iter().take(NAMED).map(|one| source(one, region, now)).collect();
        if blind.len() > NAMED {
            named.push(format!("and {} more", blind.len() - NAMED));
        }
        sheet.item(title, &format!("{}. Unknown, not healthy.", named.join("; ")));
    }
}

/// `prod-b, 11 series here, access denied since 05:52Z (ticket otpsd-3925bcb7a3588559)`
fn source(unseen: &Unseen, region: &str, now: Timestamp) -> String {
    let place = if unseen.region == region {
        "here".to_owned()
    } else {
        format!("in {}", heading::region(&unseen.region))
    };
    let ticket = unseen.ticket.as_ref().map(|key| format!(" (ticket {key})")).unwrap_or_default();
    format!(
        "{}, {} series {place}, {} since {}{ticket}",
        name(unseen),
        unseen.series,
        failing(unseen.failure),
        clock_beside(unseen.since, now)
    )
}

/// The name of a source for a line.
pub(super) fn name(unseen: &Unseen) -> String {
    cut::in_the_middle(&cut::one_line(&unseen.source), 60, "…")
}

/// How a source fails, in a few words.
const fn failing(failure: Failure) -> &'static str {
    match failure {
        Failure::Credentials => "no valid credentials",
        Failure::Denied => "access denied",
        Failure::Throttled => "throttled",
        Failure::Network => "no connection",
        Failure::Timeout => "no answer in time",
        Failure::ClockSkew => "refused because of this machine's clock",
        Failure::Server => "CloudWatch failing",
        Failure::Malformed => "answers that make no sense",
        Failure::Partial => "answers that are not whole",
        Failure::Empty => "no model to watch",
    }
}

/// How other Regions are doing.
pub(super) fn elsewhere(sheet: &mut Sheet, around: &Surroundings) {
    let (slow, normal): (Vec<&Elsewhere>, Vec<&Elsewhere>) =
        around.elsewhere.iter().partition(|region| region.slow > 0);
    if around.elsewhere.is_empty() {
        sheet.line("Elsewhere: no other Region could be judged.");
    }
    let named = |regions: &[&Elsewhere], shown: fn(&Elsewhere) -> String| {
        let mut named: Vec<String> = regions.iter().take(NAMED).map(|region| shown(region)).collect();
        if regions.len() > NAMED {
            named.push(format!("and {} more", regions.len() - NAMED));
        }
        named.join(", ")
    };
    if !normal.is_empty() {
        let shown = |at: &Elsewhere| {
            format!("{} {} ({} series)", heading::region(&at.region), ratio(at.ratio, None), at.series)
        };
        sheet.item("Elsewhere normal: ", &format!("{}.", named(&normal, shown)));
    }
    if !slow.is_empty() {
        let shown = |at: &Elsewhere| {
            format!(
                "{} {} ({} of {} series)",
                heading::region(&at.region),
                ratio(at.ratio, None),
                at.slow,
                at.series
            )
        };
        sheet.item("Elsewhere slow too: ", &format!("{}.", named(&slow, shown)));
    }
}

/// The Region to move to: none of its series is slow, and its lowest ratio is the highest.
pub(super) fn healthiest(around: &Surroundings) -> Option<&Elsewhere> {
    around
        .elsewhere
        .iter()
        .filter(|region| region.slow == 0 && region.series > 0 && region.worst.is_finite())
        .max_by(|a, b| a.worst.total_cmp(&b.worst).then(a.series.cmp(&b.series)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn one_moves_to_where_even_the_lowest_is_well() {
        let mut around = sample::surroundings();
        assert_eq!(healthiest(&around).unwrap().region, "us-west-2");
        around.elsewhere[0].slow = 1;
        assert_eq!(healthiest(&around).unwrap().region, "eu-central-1");
        around.elsewhere.clear();
        assert_eq!(healthiest(&around), None);
    }

    #[test]
    fn a_long_list_is_counted() {
        let mut around = sample::surroundings();
        around.elsewhere = vec![around.elsewhere[0].clone(); 30];
        around.unseen = vec![around.unseen[0].clone(); 30];
        let mut sheet = Sheet::default();
        unseen(&mut sheet, "us-east-1", &around, sample::told());
        elsewhere(&mut sheet, &around);
        let text = sheet.finish().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("; and 22 more. Unknown, not healthy."), "{text}");
        assert!(text.ends_with(", and 22 more."), "{text}");
    }
}
