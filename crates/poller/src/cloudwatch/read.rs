//! What was measured.

use std::collections::BTreeSet;

use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_cloudwatch::types::{Dimension, MessageData, Metric, MetricDataQuery, MetricStat, ScanBy};
use domain::{Failure, MetricSet, PERIOD_SECONDS, Period, ReadAnswer, ReadRequest, SourceError, Span};

use super::answer::{Answer, Misfit, Progress, Rows};
use super::calls::{self, Call};
use super::failure::{self, Operation, Place};
use super::quota::{Take, Turns};
use super::tiers::{Part, Tiers};
use super::{CloudWatch, MAX_PAGES, MODEL_ID, NAMESPACE};

pub(super) async fn read(source: &CloudWatch, request: &ReadRequest) -> Result<ReadAnswer, SourceError> {
    let account = source.own_account().await?;
    let span = Span { from: request.from, until: request.until };
    let tiers = source.tiers();
    let calls = {
        let names = source.names();
        let name = |series: usize, metric| names.of(metric, &request.series[series]);
        let parts = |series: usize| match request.metrics {
            MetricSet::Diagnosis | MetricSet::All => {
                tiers.of(&request.series[series]).iter().map(|part| part.served).collect()
            }
            MetricSet::Decode | MetricSet::Traffic => Vec::new(),
        };
        calls::calls(span, request.series.len(), request.metrics.metrics(), name, parts)
    };
    let mut rows = Rows::new(request);
    let mut answer = ReadAnswer::default();
    let mut incomplete = BTreeSet::new();
    let mut refused = Refused::default();
    for (place, call) in calls.iter().enumerate() {
        match fetch(source, (&account, request, &tiers, call), &mut rows, &mut answer.calls).await {
            Ok(got) => {
                answer.billed_metrics += call.billed_metrics();
                got.note_incomplete(&mut incomplete);
                refused.count(got.progress());
            }
            Err(error) if place == 0 => return Err(error),
            Err(error) => {
                // What the calls before it brought is good. The rest is not asked for: it would most likely fail too.
                let unread = calls[place..].iter().flat_map(|call| &call.queries);
                incomplete.extend(unread.map(|query| query.series));
                answer.error = Some(error);
                break;
            }
        }
    }
    refused.unless_all(source.place(Operation::GetMetricData))?;
    answer.rows = rows.into_rows();
    answer.incomplete = incomplete.into_iter().map(|series| request.series[series].clone()).collect();
    Ok(answer)
}

/// Makes one call and reads all pages of its answer.
async fn fetch<'a>(
    source: &CloudWatch,
    (account, request, tiers, call): (&str, &ReadRequest, &Tiers, &'a Call),
    rows: &mut Rows<'_>,
    made: &mut u64,
) -> Result<Answer<'a>, SourceError> {
    let place = source.place(Operation::GetMetricData);
    let queries = queries(request, tiers, call, source.plan.linked_accounts);
    let mut answer = Answer::new(call);
    let mut doubtful = false;
    let mut unasked = 0;
    let mut token: Option<String> = None;
    let mut take = Take::Data { periods: call.span.until - call.span.from, queries: queries.len() };
    let mut turns = Turns::default();
    for _ in 0..MAX_PAGES {
        source.turn(account, take).await;
        let page = source
            .client
            .get_metric_data()
            .set_metric_data_queries(Some(queries.clone()))
            .start_time(start(call.span.from))
            .end_time(start(call.span.until))
            .scan_by(ScanBy::TimestampAscending)
            .set_next_token(token.clone())
            .send()
            .await;
        let page = match page {
            Ok(page) => page,
            Err(error) => {
                turns.again_after(place.failed(&error))?;
                continue;
            }
        };
        (take, turns) = (Take::Page, Turns::default());
        *made += 1;
        for result in page.metric_data_results() {
            let asked =
                answer.take(result, rows).map_err(|misfit| malformed(place, result.label(), &misfit))?;
            unasked += usize::from(!asked);
        }
        doubtful |= heed(place, page.messages())?;
        match page.next_token.filter(|next| !next.is_empty()) {
            None => {
                if doubtful {
                    answer.doubt_all();
                }
                if unasked > 0 {
                    tracing::warn!(
                        source = place.source,
                        region = place.region,
                        results = unasked,
                        "CloudWatch answered queries that were not asked; they are left out"
                    );
                }
                return Ok(answer);
            }
            Some(next) if token.as_ref() == Some(&next) => break,
            next => token = next,
        }
    }
    Err(place.endless())
}

/// The queries of a call. `of_accounts` names the account of each: nobody else's metrics come in its place.
fn queries(request: &ReadRequest, tiers: &Tiers, call: &Call, of_accounts: bool) -> Vec<MetricDataQuery> {
    let query = |(place, query): (usize, &calls::Query)| {
        let series = &request.series[query.series];
        let part = query.tier.and_then(|(place, _)| tiers.of(series).get(place));
        let dimensions =
            [(MODEL_ID, series.model())].into_iter().chain(part.into_iter().flat_map(Part::dimensions));
        let dimension = |(name, value): (&str, &str)| Dimension::builder().name(name).value(value).build();
        let metric = Metric::builder()
            .namespace(NAMESPACE)
            .metric_name(query.name)
            .set_dimensions(Some(dimensions.map(dimension).collect()))
            .build();
        // Without a unit: one that does not fit what was published yields nothing.
        let statistic = MetricStat::builder()
            .metric(metric)
            .period(PERIOD_SECONDS as i32)
            .stat(query.statistic.name())
            .build();
        MetricDataQuery::builder()
            .id(Answer::id(place))
            .metric_stat(statistic)
            .set_account_id(of_accounts.then(|| series.account().to_owned()))
            .build()
    };
    call.queries.iter().enumerate().map(query).collect()
}

fn start(period: Period) -> DateTime {
    DateTime::from_secs(period.start().as_second())
}

/// What CloudWatch says of a call as a whole: that as much of it was done as could be. Whether it said anything.
fn heed(place: Place<'_>, messages: &[MessageData]) -> Result<bool, SourceError> {
    for message in messages {
        let (code, text) = (message.code().unwrap_or_default(), message.value().unwrap_or_default());
        if failure::names_a_refusal(code) || failure::names_a_refusal(text) {
            return Err(place.refused(code, text));
        }
        tracing::warn!(
            source = place.source,
            region = place.region,
            code,
            "CloudWatch did not do all of a call: {text}"
        );
    }
    Ok(!messages.is_empty())
}

fn malformed(place: Place<'_>, label: Option<&str>, misfit: &Misfit) -> SourceError {
    let label = label.unwrap_or("a result");
    let what = match misfit {
        Misfit::Pairs { timestamps, values } => {
            format!("{label} has {timestamps} timestamps and {values} values")
        }
        Misfit::NoPeriod(second) => {
            format!("{label} has a value at {second} (Unix time), where no five-minute period starts")
        }
    };
    place.error(Failure::Malformed, &what, failure::MALFORMED_HINT)
}

/// Whether there is anything but refusals in a read.
#[derive(Debug, Default)]
struct Refused {
    queries: usize,
    forbidden: usize,
    failed: usize,
}

impl Refused {
    fn count(&mut self, progress: &[Progress]) {
        let of = |kind| progress.iter().filter(|progress| **progress == kind).count();
        self.queries += progress.len();
        self.forbidden += of(Progress::Forbidden);
        self.failed += of(Progress::Failed);
    }

    /// When no query at all was answered, the source is what fails, and not some of its series.
    fn unless_all(&self, place: Place<'_>) -> Result<(), SourceError> {
        if self.queries == 0 || self.forbidden + self.failed < self.queries {
            Ok(())
        } else if self.forbidden > 0 {
            Err(place.refused("Forbidden", "no metric may be read"))
        } else {
            Err(place.error(Failure::Server, "InternalError for every metric", failure::SERVER_HINT))
        }
    }
}
