//! What was read and what could not be, and how that is said.

use domain::{ExitCode, Row, Series, SourceError, Span};

use super::part::Part;
use crate::commands::complain;

/// Series that are named where some could not be read.
const NAMED: usize = 5;

/// What became of everything that was wanted.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Each Region of each source, in the order of the configuration.
    pub(crate) regions: Vec<RegionOutcome>,
}

/// What became of one Region of one source.
#[derive(Debug)]
pub(crate) struct RegionOutcome {
    pub(crate) source: String,
    pub(crate) region: String,
    /// Whose series they are, once that was answered.
    pub(crate) account: Option<String>,
    pub(crate) span: Span,
    /// Who was read whole, in order; also those that had nothing.
    pub(crate) whole: Vec<Series>,
    /// How many of these were there before.
    pub(crate) kept: usize,
    /// Who was not, and of whom nothing was handed over.
    pub(crate) left_out: Vec<Series>,
    /// What kept them, or everything, from being read.
    pub(crate) error: Option<SourceError>,
    /// Calls of GetMetricData, and metrics as CloudWatch bills them.
    pub(crate) calls: u64,
    pub(crate) billed_metrics: u64,
}

impl RegionOutcome {
    /// Notes what became of the series that were `asked`, and gives those that are whole, with their rows.
    pub(super) fn take(&mut self, asked: &[Series], part: Part) -> (Vec<Series>, Vec<Row>) {
        let whole: Vec<Series> =
            asked.iter().filter(|series| !part.left_out.contains(series)).cloned().collect();
        self.whole.extend_from_slice(&whole);
        self.left_out.extend(part.left_out);
        if self.error.is_none() {
            self.error = part.error;
        }
        self.calls += part.calls;
        self.billed_metrics += part.billed_metrics;
        (whole, part.rows)
    }

    /// Whether nothing of it is there.
    fn failed(&self) -> bool {
        self.error.is_some() && self.whole.is_empty()
    }

    /// What there is to complain of: what failed, and what to do about it.
    fn complaint(&self) -> Option<(String, Option<&str>)> {
        let Self { source, region, whole, left_out, error, .. } = self;
        let why = error.as_ref()?;
        let hint = why.hint.as_deref();
        if self.failed() {
            return Some((format!("nothing was read of source `{source}` in {region}: {why}"), hint));
        }
        if left_out.is_empty() {
            let series = whole.len();
            let what = format!(
                "source `{source}` in {region} could not be asked for its models, of which {series} were read before: {why}"
            );
            return Some((what, hint));
        }
        let named: Vec<&str> = left_out.iter().take(NAMED).map(Series::model).collect();
        let more = match left_out.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let what = format!(
            "{} of {} series of source `{source}` in {region} left out, since not read whole ({}{more}): {why}",
            left_out.len(),
            left_out.len() + whole.len(),
            named.join(", ")
        );
        Some((what, hint))
    }
}

impl Outcome {
    /// Says what could not be read, on standard error.
    pub(crate) fn complain(&self) {
        for region in &self.regions {
            match region.complaint() {
                Some((what, hint)) => complain(&what, hint),
                None if region.whole.is_empty() => {
                    let RegionOutcome { source, region, .. } = region;
                    anstream::eprintln!("note: source `{source}` has no model in {region}");
                }
                None => {}
            }
        }
    }

    /// Whether nothing at all was read.
    pub(crate) fn has_nothing(&self) -> bool {
        self.regions.iter().all(|region| region.whole.is_empty())
    }

    /// Whether something that is there could not be read.
    pub(crate) fn has_gaps(&self) -> bool {
        self.regions.iter().any(|region| region.error.is_some())
    }

    /// [`ExitCode::Success`] when everything was read, and [`ExitCode::CannotRun`] when something could not be, or when there
    /// is nothing.
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.has_nothing() || self.has_gaps() { ExitCode::CannotRun } else { ExitCode::Success }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Failure, Period};

    fn series(number: usize) -> Series {
        Series::new("111122223333", "us-east-1", &format!("us.example.model-{number}-v1:0"))
    }

    fn region(whole: usize, left_out: usize, fails: bool) -> RegionOutcome {
        let error = fails.then(|| SourceError {
            failure: Failure::Throttled,
            action: None,
            message: "GetMetricData of source `main` in us-east-1 failed: Throttling: Rate exceeded"
                .to_owned(),
            hint: Some("ask AWS for a higher quota".to_owned()),
        });
        RegionOutcome {
            source: "main".to_owned(),
            region: "us-east-1".to_owned(),
            account: Some("111122223333".to_owned()),
            span: Span { from: Period::from_index(0), until: Period::from_index(1) },
            whole: (0..whole).map(series).collect(),
            kept: 0,
            left_out: (whole..whole + left_out).map(series).collect(),
            error,
            calls: 0,
            billed_metrics: 0,
        }
    }

    #[test]
    fn who_was_left_out_is_named_up_to_a_number() {
        let said = |whole, left_out| region(whole, left_out, true).complaint().unwrap().0;
        let why = "GetMetricData of source `main` in us-east-1 failed: Throttling: Rate exceeded";
        let model = |number| format!("us.example.model-{number}-v1:0");
        assert_eq!(
            said(10, 1),
            format!(
                "1 of 11 series of source `main` in us-east-1 left out, since not read whole ({}): {why}",
                model(10)
            )
        );
        let named: Vec<String> = (10..15).map(model).collect();
        let named = named.join(", ");
        assert_eq!(
            said(10, 7),
            format!(
                "7 of 17 series of source `main` in us-east-1 left out, since not read whole ({named} and 2 more): {why}"
            )
        );
        assert_eq!(said(0, 7), format!("nothing was read of source `main` in us-east-1: {why}"));
        assert_eq!(
            said(3, 0),
            format!(
                "source `main` in us-east-1 could not be asked for its models, of which 3 were read before: {why}"
            )
        );
        assert_eq!(region(10, 0, false).complaint(), None);
    }

    #[test]
    fn the_exit_code_says_whether_it_is_everything() {
        let code = |regions: Vec<RegionOutcome>| Outcome { regions }.exit_code();
        assert_eq!(code(vec![region(1, 0, false), region(0, 0, false)]), ExitCode::Success);
        assert_eq!(code(vec![region(1, 0, false), region(0, 0, true)]), ExitCode::CannotRun);
        assert_eq!(code(vec![region(1, 1, true)]), ExitCode::CannotRun);
        assert_eq!(code(vec![region(0, 3, true)]), ExitCode::CannotRun);
        assert_eq!(code(vec![region(0, 0, false)]), ExitCode::CannotRun);
    }
}
