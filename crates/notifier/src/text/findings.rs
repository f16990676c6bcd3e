//! What was ruled out, what moved, and what nobody could look at.

use domain::{Check, Finding, Page, Subject};

use crate::figures::{count, share};
use crate::sheet::Sheet;

/// All that can be looked at.
const SUBJECTS: [Subject; 8] = [
    Subject::PromptLength,
    Subject::ResponseLength,
    Subject::StreamingShare,
    Subject::CacheReads,
    Subject::Throttles,
    Subject::QuotaUsage,
    Subject::ServerErrors,
    Subject::ServiceTier,
];

/// Tiers that most traffic has nothing of: where they are looked at, they are told.
const RARE: [Subject; 2] = [Subject::ReservedTier, Subject::FlexTier];

/// What came of the look at one subject. One that is not among the findings was not looked at.
pub(super) fn check(findings: &[Finding], subject: Subject) -> Check {
    findings
        .iter()
        .find(|finding| finding.subject == subject)
        .map_or(Check::NotChecked, |finding| finding.check)
}

/// Whether anything moved.
pub(super) fn any_moved(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.check == Check::Moved)
}

/// What came of the look at one subject in several series.
pub(super) struct Across {
    /// The finding of the first series in which it moved, else of the first in which it was looked at.
    pub(super) finding: Finding,
    /// In how many series that came of it.
    series: usize,
}

/// Each subject over all series: one that moved anywhere has moved.
pub(super) fn across(pages: &[&Page]) -> Vec<Across> {
    let of = |subject: Subject| {
        let found: Vec<&Finding> = pages
            .iter()
            .filter_map(|page| page.evidence().findings.iter().find(|finding| finding.subject == subject))
            .collect();
        let first = |check: Check| {
            let of_check = found.iter().filter(|finding| finding.check == check);
            Some(Across { finding: **of_check.clone().next()?, series: of_check.count() })
        };
        let unseen = Finding { subject, check: Check::NotChecked, usual: None, now: None };
        first(Check::Moved)
            .or_else(|| first(Check::RuledOut))
            .unwrap_or(Across { finding: unseen, series: pages.len() })
    };
    let rare = RARE.into_iter().map(of).filter(|across| across.finding.check != Check::NotChecked);
    SUBJECTS.into_iter().map(of).chain(rare).collect()
}

/// The groups of a page about so many series, saying in how many of them where it is not all.
pub(super) fn of_several(sheet: &mut Sheet, all: &[Across], series: usize) {
    let shown = all.iter().map(|across| {
        let in_some =
            if across.series < series { format!(" in {} of {series}", across.series) } else { String::new() };
        (across.finding, format!("{}{in_some}", name(&across.finding)))
    });
    groups(sheet, "Moved too", &shown.collect::<Vec<_>>());
}

/// The three groups of a page, where silence about a subject would be taken for good news.
pub(super) fn all(sheet: &mut Sheet, findings: &[Finding]) {
    let unseen = SUBJECTS
        .into_iter()
        .filter(|subject| !findings.iter().any(|finding| finding.subject == *subject))
        .map(|subject| Finding { subject, check: Check::NotChecked, usual: None, now: None });
    groups(sheet, "Moved too", &named(findings.iter().copied().chain(unseen)));
}

/// The groups of a ticket, whose cause decides what is worth looking at.
pub(super) fn given(sheet: &mut Sheet, findings: &[Finding]) {
    groups(sheet, "Moved", &named(findings.iter().copied()));
}

fn named(findings: impl Iterator<Item = Finding>) -> Vec<(Finding, String)> {
    findings.map(|finding| (finding, name(&finding))).collect()
}

fn groups(sheet: &mut Sheet, moved: &str, findings: &[(Finding, String)]) {
    // Where nothing was looked at, "nothing moved" would be a lie.
    let looked = findings.iter().any(|(finding, _)| finding.check != Check::NotChecked);
    if findings.is_empty() {
        return;
    }
    sheet.gap();
    for (title, check) in
        [("Ruled out", Check::RuledOut), (moved, Check::Moved), ("Not checked", Check::NotChecked)]
    {
        let of_check = findings.iter().filter(|(finding, _)| finding.check == check);
        let named: Vec<&str> = of_check.map(|(_, name)| name.as_str()).collect();
        if !named.is_empty() {
            sheet.item(&format!("{title}: "), &format!("{}.", named.join(", ")));
        } else if looked && check != Check::NotChecked {
            sheet.line(&format!("{title}: nothing."));
        }
    }
}

fn name(finding: &Finding) -> String {
    let (name, unit, of): (&str, fn(f64) -> String, &str) = match finding.subject {
        Subject::PromptLength => ("prompt length", count, " tokens"),
        Subject::ResponseLength => ("response length", count, " tokens"),
        Subject::StreamingShare => ("streaming share", share, ""),
        Subject::CacheReads => ("cache reads", share, " of the prompt"),
        Subject::Throttles => ("throttles", share, ""),
        Subject::ServerErrors => ("server errors", share, ""),
        Subject::QuotaUsage => ("quota use", count, " tokens a minute"),
        Subject::ServiceTier if finding.check == Check::NotChecked => ("service tier", share, ""),
        Subject::ServiceTier => ("priority tier", share, " of requests"),
        Subject::ReservedTier => ("reserved tier", share, " of requests"),
        Subject::FlexTier => ("flex tier", share, " of requests"),
    };
    match (finding.usual, finding.now) {
        _ if finding.check == Check::NotChecked => name.to_owned(),
        (Some(usual), Some(now)) => format!("{name} ({} -> {}{of})", unit(usual), unit(now)),
        (None, Some(now)) => format!("{name} (now {}{of})", unit(now)),
        (Some(usual), None) => format!("{name} (usually {}{of})", unit(usual)),
        (None, None) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: Finding = Finding {
        subject: Subject::PromptLength,
        check: Check::RuledOut,
        usual: Some(3_120.0),
        now: Some(3_095.0),
    };

    #[test]
    fn what_a_page_does_not_mention_was_not_checked() {
        let mut sheet = Sheet::default();
        all(&mut sheet, &[PROMPT]);
        assert_eq!(
            sheet.finish(),
            "Ruled out: prompt length (3,120 -> 3,095 tokens).\n\
             Moved too: nothing.\n\
             Not checked: response length, streaming share, cache reads, throttles, quota use, server errors,\n\
             \u{20}            service tier."
        );
        assert_eq!(check(&[PROMPT], Subject::PromptLength), Check::RuledOut);
        assert_eq!(check(&[PROMPT], Subject::Throttles), Check::NotChecked);
    }

    #[test]
    fn figures_that_are_not_known_are_left_out() {
        assert_eq!(name(&Finding { usual: None, ..PROMPT }), "prompt length (now 3,095 tokens)");
        assert_eq!(name(&Finding { now: None, ..PROMPT }), "prompt length (usually 3,120 tokens)");
        assert_eq!(name(&Finding { usual: None, now: None, ..PROMPT }), "prompt length");
        let throttles =
            Finding { subject: Subject::Throttles, check: Check::Moved, usual: Some(0.0), now: Some(0.123) };
        assert_eq!(name(&throttles), "throttles (0.0 % -> 12 %)");
        let tier = Finding { subject: Subject::ServiceTier, usual: Some(0.62), now: Some(0.04), ..throttles };
        assert_eq!(name(&tier), "priority tier (62 % -> 4.0 % of requests)");
        let quota =
            Finding { subject: Subject::QuotaUsage, usual: Some(210_000.0), now: Some(215_000.0), ..PROMPT };
        assert_eq!(name(&quota), "quota use (210,000 -> 215,000 tokens a minute)");
    }

    #[test]
    fn where_nothing_was_looked_at_nothing_is_claimed() {
        let mut sheet = Sheet::default();
        given(&mut sheet, &[]);
        assert_eq!(sheet.finish(), "");
        let mut sheet = Sheet::default();
        all(&mut sheet, &[]);
        assert!(sheet.finish().starts_with("Not checked: prompt length, "));
    }
}
