//! `[[test]]`

use domain::{PERIOD_SECONDS, Period};

use super::{Course, Named, Test, course, expectation, file, moment, open, schema};
use crate::duration;
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::table::{Fault, Node};
use crate::value::{boolean, text, word};

/// A Monday at noon: hours of the week matter to what is learned, so that they are the same every time.
const START: i64 = 1_773_662_400 / PERIOD_SECONDS;
/// Two weeks of periods.
const HISTORY: u32 = 14 * 288;
/// CloudWatch keeps five-minute data for 63 days.
const HISTORY_BOUNDS: duration::Bounds = duration::Bounds { least: 0, most: 63 * 86_400, unit: 'd' };

pub(super) fn read<'d>(report: &mut Report<'_>, node: Node<'d>) -> Option<Test> {
    let line = open::line(report, node.at);
    let mut table = open::table(report, &schema::TEST, node);
    if !table.is_table() {
        return None;
    }
    let name = table.required("name", "\"a slow host pages once\"", text(word));
    let start = table.setting("start", Period::from_index(START), moment::boundary(None));
    let history = table.setting("history", HISTORY, |value| {
        let seconds = HISTORY_BOUNDS.read(value)?.as_secs();
        let period = PERIOD_SECONDS.unsigned_abs();
        match u32::try_from(seconds / period) {
            Ok(periods) if seconds.is_multiple_of(period) => Ok(periods),
            _ => Err(Fault::new(format!(
                "must be whole periods of five minutes, not {}",
                duration::shown(seconds)
            ))),
        }
    });
    let only_expected = table.setting("only-expected", true, boolean);
    let config_node = table.get("config");
    let courses = file::tables_of(&mut table, node, "series", schema::SERIES.title);
    let expected = file::tables_of(&mut table, node, "expect", schema::EXPECT.title);
    let config = config_node.map(|node| config(report, node));
    let series = all_courses(report, &courses);
    // Times can only be told apart once it is known when the test begins and ends.
    let (start, series) = (start.value?, series?);
    let length = series.iter().map(Course::len).max()?;
    let during = expectation::During { start, until: start + i64::from(length), series: &series };
    let expectations: Vec<_> =
        expected.iter().map(|node| expectation::read(report, *node, &during)).collect();
    Some(Test {
        name: name.value?,
        line,
        config: match config {
            None => None,
            Some(config) => Some(config?),
        },
        start,
        history: history.value?,
        length,
        only_expected: only_expected.value?,
        series,
        expectations: expectations.into_iter().collect::<Option<_>>()?,
    })
}

fn all_courses(report: &mut Report<'_>, nodes: &[Node<'_>]) -> Option<Vec<Course>> {
    let mut all: Vec<(Course, At)> = Vec::new();
    let mut complete = !nodes.is_empty();
    for node in nodes {
        let Some(course) = course::read(report, *node) else {
            complete = false;
            continue;
        };
        if let Some((_, first)) = all.iter().find(|(other, _)| other.series == course.series) {
            let message = format!("the series {} is there twice", quoted(&course.series.to_string()));
            let draft = report.error(node.at, message);
            draft
                .hint("a `model`, `region` or `account` tells two series apart")
                .see(*first, "it is here already");
        }
        all.push((course, node.at));
    }
    complete.then(|| all.into_iter().map(|(course, _)| course).collect())
}

/// The path of a configuration, from the folder of the file that names it.
pub(super) fn config(report: &mut Report<'_>, node: Node<'_>) -> Option<Named> {
    match text(word)(node.value) {
        Ok(path) => {
            Some(Named { path: report.folder(node.at.file).join(path), place: open::place(report, node.at) })
        }
        Err(fault) => {
            let draft = report.error(node.at, format!("`config` {}", fault.predicate));
            draft.hint("write the path of a configuration, such as \"otpsd.toml\"");
            None
        }
    }
}
