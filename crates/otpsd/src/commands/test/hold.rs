//! What was said against what was expected.

use std::collections::BTreeSet;

use config::scenario::{Expectation, Expected, Test};
use domain::{About, Labels, Matcher, Period, Series};

use super::play::Played;
use super::said::{Said, What};

/// What was expected beside what was got.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) holds: bool,
    /// The line of the expectation.
    pub(super) line: Option<usize>,
    pub(super) expected: Option<String>,
    pub(super) got: Option<String>,
    /// After which period, and whose.
    pub(super) period: Period,
    pub(super) series: Series,
}

/// One row for each expectation, and for each thing that was said besides; in order of time.
pub(super) fn hold(test: &Test, played: &Played) -> Vec<Row> {
    let mut rows = Vec::new();
    let said: Vec<&Said> = played.said.iter().collect();
    let asked: Vec<&Expectation> = test.expectations.iter().filter(|one| kind(one.what).is_some()).collect();
    let matched = pairs(&asked, &said);
    let mut free: BTreeSet<usize> = (0..said.len()).filter(|at| !matched.contains(&Some(*at))).collect();

    for expectation in &test.expectations {
        match expectation.what {
            Expected::State(state) => rows.extend(states(test, played, expectation, state)),
            Expected::Silence => {
                let broken: Vec<usize> =
                    (0..said.len()).filter(|at| is_meant(expectation, said[*at])).collect();
                for at in &broken {
                    free.remove(at);
                    rows.push(row(test, false, Some(expectation), Some(said[*at])));
                }
                if broken.is_empty() {
                    rows.push(row(test, true, Some(expectation), None));
                }
            }
            _ => {}
        }
    }
    for (expectation, at) in asked.iter().zip(&matched) {
        if let Some(at) = at {
            rows.push(row(test, true, Some(expectation), Some(said[*at])));
            continue;
        }
        // Side by side with what was said instead, if there is such a thing.
        let like = |at: &&usize| {
            Some(said[**at].what) == kind(expectation.what)
                && takes_any(&expectation.matcher, &said[**at].series)
        };
        let near = free
            .iter()
            .filter(like)
            .min_by_key(|at| (said[**at].period - expectation.within.0).abs())
            .copied();
        let mut row = row(test, false, Some(expectation), near.map(|at| said[at]));
        match near {
            Some(at) => {
                free.remove(&at);
            }
            None => row.got = why_not(test, played, expectation),
        }
        rows.push(row);
    }
    if test.only_expected {
        rows.extend(free.iter().map(|at| row(test, false, None, Some(said[*at]))));
    }
    rows.sort_by_key(|row| (row.period, row.line));
    rows
}

/// What must be said for an expectation to hold, if anything must.
fn kind(expected: Expected) -> Option<What> {
    match expected {
        Expected::Page => Some(What::Page),
        Expected::Resolve => Some(What::Resolve),
        Expected::Ticket(cause) => Some(What::Ticket(cause)),
        Expected::TicketClosed(cause) => Some(What::TicketClosed(cause)),
        Expected::State(_) | Expected::Silence => None,
    }
}

/// Whether something was said when and of whom an expectation speaks.
fn is_meant(expectation: &Expectation, said: &Said) -> bool {
    let (from, to) = expectation.within;
    from <= said.period && said.period <= to && takes_any(&expectation.matcher, &said.series)
}

fn fits(expectation: &Expectation, said: &Said) -> bool {
    let told = |channels: &Vec<String>| channels.iter().cloned().collect::<BTreeSet<_>>() == said.channels;
    kind(expectation.what) == Some(said.what)
        && is_meant(expectation, said)
        && expectation.channels.as_ref().is_none_or(told)
}

fn takes_any(matcher: &Matcher, series: &[Series]) -> bool {
    series.iter().any(|one| takes(matcher, one))
}

fn takes(matcher: &Matcher, series: &Series) -> bool {
    let (labels, regions) = (Labels::new(), [series.region()]);
    matcher.takes(&About { series: Some(series), regions: &regions, cause: "", labels: &labels })
}

/// For each expectation a thing of its own that fits it, for as many as possible (augmenting paths).
fn pairs(asked: &[&Expectation], said: &[&Said]) -> Vec<Option<usize>> {
    fn find(
        one: usize,
        asked: &[&Expectation],
        said: &[&Said],
        tried: &mut BTreeSet<usize>,
        owner: &mut [Option<usize>],
    ) -> bool {
        for at in 0..said.len() {
            if !fits(asked[one], said[at]) || !tried.insert(at) {
                continue;
            }
            if owner[at].is_none_or(|other| find(other, asked, said, tried, owner)) {
                owner[at] = Some(one);
                return true;
            }
        }
        false
    }
    let mut owner = vec![None; said.len()];
    for one in 0..asked.len() {
        find(one, asked, said, &mut BTreeSet::new(), &mut owner);
    }
    (0..asked.len()).map(|one| owner.iter().position(|of| *of == Some(one))).collect()
}

/// The series of an expectation whose state is another one, or one row that says that all hold.
fn states(test: &Test, played: &Played, expectation: &Expectation, state: domain::AlarmState) -> Vec<Row> {
    let mut rows = Vec::new();
    for course in test.series.iter().filter(|course| takes(&expectation.matcher, &course.series)) {
        let (from, to) = expectation.within;
        let mut wrong = None;
        for index in 0..=(to - from) {
            let was = played.states.get(&(from + index, course.series.clone()));
            if was != Some(&state) {
                wrong = Some((from + index, was));
                break;
            }
        }
        let mut row = row(test, wrong.is_none(), Some(expectation), None);
        row.series = course.series.clone();
        row.period = wrong.map_or(to, |(period, _)| period);
        let is = wrong.map_or(state.as_str(), |(_, was)| was.map_or("not judged", |was| was.as_str()));
        row.got = Some(format!("{is} at {}", after(test, row.period)));
        rows.push(row);
    }
    rows
}

/// Why what is expected was said to nobody, if it would have been.
fn why_not(test: &Test, played: &Played, expectation: &Expectation) -> Option<String> {
    let (from, to) = expectation.within;
    let meant = played.unsaid.iter().find(|one| {
        Some(one.what) == kind(expectation.what)
            && from <= one.period
            && one.period <= to
            && takes(&expectation.matcher, &one.series)
    })?;
    Some(format!("nothing at {}: {}", after(test, meant.period), meant.why))
}

fn row(test: &Test, holds: bool, expectation: Option<&Expectation>, said: Option<&Said>) -> Row {
    let several = test.series.len() > 1;
    let of_series = |series: &[Series]| {
        let names: Vec<_> = series.iter().map(|one| format!("{} {}", one.region(), one.model())).collect();
        if several { format!(" of {}", names.join(", ")) } else { String::new() }
    };
    let expected = expectation.map(|one| {
        let (from, to) = (after(test, one.within.0), after(test, one.within.1));
        let when = if from == to { format!("at {from}") } else { format!("from {from} to {to}") };
        let parts = [&one.matcher.accounts, &one.matcher.regions, &one.matcher.models];
        let parts: Vec<_> = parts.into_iter().flatten().map(String::as_str).collect();
        let whose = if parts.is_empty() { String::new() } else { format!(" of {}", parts.join(" ")) };
        let told = one.channels.as_ref().map(|all| told_to(all.iter())).unwrap_or_default();
        format!("{} {when}{whose}{told}", expected_name(one.what))
    });
    let got = said.map(|said| {
        let asks_whom = expectation.is_some_and(|one| one.channels.is_some());
        let told = if asks_whom { told_to(said.channels.iter()) } else { String::new() };
        let named =
            format!("{} at {}{}{told}", name(said.what), after(test, said.period), of_series(&said.series));
        if holds { named } else { format!("{named}: {}", said.summary) }
    });
    let expected_series = || {
        let courses = test.series.iter().map(|course| &course.series);
        let mut meant = courses.filter(|series| expectation.is_none_or(|one| takes(&one.matcher, series)));
        meant.next().or_else(|| test.series.first().map(|course| &course.series)).cloned()
    };
    let series = said.and_then(|said| said.series.first().cloned()).or_else(expected_series);
    Row {
        holds,
        line: expectation.map(|one| one.line),
        expected,
        got,
        period: match (said, expectation) {
            (Some(said), Some(one)) if holds || is_meant(one, said) => said.period,
            (_, Some(one)) => one.within.1,
            (Some(said), None) => said.period,
            (None, None) => test.start,
        },
        series: series.expect("a test has a series"),
    }
}

/// Who is told, by name.
fn told_to<'c>(channels: impl Iterator<Item = &'c String>) -> String {
    let names: BTreeSet<&str> = channels.map(String::as_str).collect();
    if names.is_empty() {
        return ", to nobody".to_owned();
    }
    format!(", to {}", names.into_iter().collect::<Vec<_>>().join(" and "))
}

fn expected_name(what: Expected) -> String {
    match what {
        Expected::State(state) => state.to_string(),
        Expected::Silence => "silence".to_owned(),
        other => kind(other).map(name).unwrap_or_default(),
    }
}

fn name(what: What) -> String {
    match what {
        What::Page => "page".to_owned(),
        What::Resolve => "resolve".to_owned(),
        What::Ticket(cause) => format!("ticket {cause}"),
        What::TicketClosed(cause) => format!("ticket {cause} closed"),
    }
}

/// The end of a period, as a file of tests would write it.
pub(super) fn after(test: &Test, period: Period) -> String {
    let minutes = (period + 1 - test.start) * domain::PERIOD_SECONDS / 60;
    let (days, hours, minutes) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let mut text = "+".to_owned();
    for (number, unit) in [(days, "d"), (hours, "h"), (minutes, "m")] {
        if number != 0 {
            text.push_str(&format!("{number}{unit}"));
        }
    }
    if text == "+" { "+0m".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use config::{File, scenario};

    use super::*;

    /// A test of an hour with these expectations, and pages that end so many minutes after the start.
    fn pairs_of(expectations: &str, pages: &[i64]) -> Vec<Option<usize>> {
        let text = format!("[[test]]\nname = \"one\"\n[[test.series]]\notps = \"100x11\"\n{expectations}");
        let file = File { path: "one.test.toml".into(), text };
        let test = scenario::read(&file).tests.remove(0);
        let said: Vec<Said> = pages
            .iter()
            .map(|minutes| Said {
                what: What::Page,
                period: test.start + minutes / 5 - 1,
                series: vec![test.series[0].series.clone()],
                channels: BTreeSet::from(["log.all".to_owned()]),
                summary: String::new(),
            })
            .collect();
        pairs(&test.expectations.iter().collect::<Vec<_>>(), &said.iter().collect::<Vec<_>>())
    }

    const EARLY: &str = "[[test.expect]]\nat = \"+15m\"\npage = true\n";
    const EITHER: &str = "[[test.expect]]\nwithin = [\"+10m\", \"+40m\"]\npage = true\n";

    #[test]
    fn each_thing_fulfils_one_expectation_so_that_as_many_as_can_hold_do() {
        // The wide one comes first and could take either page; the narrow one only the first.
        assert_eq!(pairs_of(&format!("{EITHER}{EARLY}"), &[15, 40]), [Some(1), Some(0)]);
        assert_eq!(pairs_of(&format!("{EARLY}{EITHER}"), &[15, 40]), [Some(0), Some(1)]);
        // One page is not two.
        assert_eq!(pairs_of(&format!("{EARLY}{EARLY}"), &[15]), [Some(0), None]);
        assert_eq!(pairs_of(EITHER, &[5, 45]), [None], "both ends are included, and nothing beyond");
        assert_eq!(pairs_of(EITHER, &[10]), [Some(0)]);
    }

    #[test]
    fn who_is_told_is_asked_in_full() {
        let asked = |channels: &str| pairs_of(&format!("{EARLY}channels = {channels}\n"), &[15]);
        assert_eq!(asked("[\"log.all\"]"), [Some(0)]);
        assert_eq!(asked("[\"log.all\", \"sns.ops\"]"), [None]);
        assert_eq!(asked("[]"), [None]);
    }
}
