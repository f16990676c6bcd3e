//! Some series at a time, asked again until they are whole.

use std::time::Duration;

use domain::{Failure, MetricSet, ReadRequest, Row, Series, Source, SourceError, Span};

use super::patience::Patience;

/// What was read of some series.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// In order of series, and of time for each.
    pub(super) rows: Vec<Row>,
    /// Those that are not whole. There are no rows of them.
    pub(super) left_out: Vec<Series>,
    /// What kept them from being read.
    pub(super) error: Option<SourceError>,
    /// Whether it was the source that failed, and not some of its series.
    pub(super) failed: bool,
    pub(super) billed_metrics: u64,
    pub(super) calls: u64,
}

/// Reads some series. What was read whole is not asked again.
pub(super) async fn read(
    source: &impl Source,
    series: Vec<Series>,
    span: Span,
    metrics: MetricSet,
    note: &(impl Fn(&SourceError, Duration) + Sync),
) -> Part {
    let mut part = Part::default();
    let mut patience = Patience::default();
    let mut request = ReadRequest { series, from: span.from, until: span.until, metrics };
    loop {
        part.failed = false;
        let error = match source.read(&request).await {
            Ok(answer) => {
                part.billed_metrics += answer.billed_metrics;
                part.calls += answer.calls;
                let lacking = answer.incomplete;
                part.rows.extend(answer.rows.into_iter().filter(|row| !lacking.contains(&row.series)));
                if lacking.is_empty() {
                    break;
                }
                if lacking.len() < request.series.len() {
                    patience.renew();
                }
                let error = answer.error.unwrap_or_else(|| not_whole(source));
                request.series = lacking;
                error
            }
            Err(error) => {
                part.failed = true;
                error
            }
        };
        let Some(pause) = patience.pause(error.failure) else {
            part.left_out = request.series;
            part.error = Some(error);
            break;
        };
        note(&error, pause);
        tokio::time::sleep(pause).await;
    }
    part.rows.sort_by(|a, b| (&a.series, a.period).cmp(&(&b.series, b.period)));
    part
}

/// CloudWatch answered, and said that this was not all.
fn not_whole(source: &impl Source) -> SourceError {
    SourceError {
        failure: Failure::Server,
        action: Some("cloudwatch:GetMetricData".to_owned()),
        message: format!(
            "GetMetricData of source `{}` in {} does not answer whole, however often it is asked",
            source.name(),
            source.region()
        ),
        hint: Some("try again later; if it stays, look at the AWS Health Dashboard of the Region".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use domain::{Act, Period, ReadAnswer, Reading};

    use super::*;

    /// Answers in turn, and notes whom it was asked for.
    struct Scripted {
        answers: Mutex<Vec<Result<ReadAnswer, SourceError>>>,
        asked: Mutex<Vec<Vec<String>>>,
    }

    impl Source for Scripted {
        fn name(&self) -> &str {
            "main"
        }

        fn region(&self) -> &str {
            "us-east-1"
        }

        fn account(&self) -> Act<'_, Result<String, SourceError>> {
            Box::pin(async { Ok("111122223333".to_owned()) })
        }

        fn discover(&self) -> Act<'_, Result<Vec<Series>, SourceError>> {
            Box::pin(async { Ok(Vec::new()) })
        }

        fn read<'a>(&'a self, request: &'a ReadRequest) -> Act<'a, Result<ReadAnswer, SourceError>> {
            let models = request.series.iter().map(|series| series.model().to_owned()).collect();
            self.asked.lock().unwrap().push(models);
            let answer = self.answers.lock().unwrap().remove(0);
            Box::pin(async { answer })
        }
    }

    fn series(model: &str) -> Series {
        Series::new("111122223333", "us-east-1", model)
    }

    fn row(model: &str, period: i64) -> Row {
        Row { series: series(model), period: Period::from_index(period), reading: Reading::default() }
    }

    fn throttled() -> SourceError {
        let message = "Throttling".to_owned();
        SourceError { failure: Failure::Throttled, action: None, message, hint: None }
    }

    async fn read_two(answers: Vec<Result<ReadAnswer, SourceError>>) -> (Part, Vec<Vec<String>>) {
        let source = Scripted { answers: Mutex::new(answers), asked: Mutex::default() };
        let span = Span { from: Period::from_index(1), until: Period::from_index(3) };
        let both = vec![series("a"), series("b")];
        let part = read(&source, both, span, MetricSet::All, &|_, _| {}).await;
        (part, source.asked.into_inner().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_read_whole_is_not_asked_again_and_stands_in_order() {
        let half = ReadAnswer {
            rows: vec![row("b", 2), row("a", 1), row("b", 1)],
            incomplete: vec![series("a")],
            error: Some(throttled()),
            calls: 2,
            billed_metrics: 9,
        };
        let rest = ReadAnswer {
            rows: vec![row("a", 2), row("a", 1)],
            calls: 1,
            billed_metrics: 8,
            ..ReadAnswer::default()
        };
        let (part, asked) = read_two(vec![Err(throttled()), Ok(half), Ok(rest)]).await;
        assert_eq!(asked, [vec!["a", "b"], vec!["a", "b"], vec!["a"]]);
        assert_eq!(part.rows, [row("a", 1), row("a", 2), row("b", 1), row("b", 2)]);
        assert!(part.left_out.is_empty() && part.error.is_none());
        assert_eq!((part.calls, part.billed_metrics), (3, 17));
    }

    #[tokio::test(start_paused = true)]
    async fn what_stays_half_is_left_out_whole() {
        let half = ReadAnswer {
            rows: vec![row("b", 1), row("a", 1)],
            incomplete: vec![series("a")],
            ..ReadAnswer::default()
        };
        let none =
            ReadAnswer { rows: vec![row("a", 1)], incomplete: vec![series("a")], ..ReadAnswer::default() };
        let mut answers = vec![Ok(half)];
        answers.extend(std::iter::repeat_n(Ok(none), 8));
        let (part, asked) = read_two(answers).await;
        assert_eq!(asked.len(), 9);
        assert_eq!((part.rows, part.left_out), (vec![row("b", 1)], vec![series("a")]));
        assert!(part.error.unwrap().message.contains("does not answer whole"));
        assert!(!part.failed, "others may well be answered");
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_is_not_asked_again() {
        let denied = SourceError { failure: Failure::Denied, ..throttled() };
        let (part, asked) = read_two(vec![Err(denied.clone())]).await;
        assert_eq!((asked.len(), part.left_out.len(), part.failed), (1, 2, true));
        assert_eq!(part.error, Some(denied));
    }
}
