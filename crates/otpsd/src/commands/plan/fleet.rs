//! Which series there are: those of recordings, those that the sources have, or none that are known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use domain::{
    ExitCode, Failure, Metric, PERIODS_PER_DAY, Plan, Reading, Series, Source as _, SourceError, SourcePlan,
    Statistic,
};
use poller::{CloudWatch, Recording};
use tokio::task::JoinSet;

use crate::cli::PlanArgs;
use crate::commands::{complain, failed};
use crate::history::interruptible;

/// However many places there are, which are all asked at once: a plan is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A series that is there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    pub(crate) series: Series,
    /// Whether it ever streamed: what does not has no OTPS.
    pub(crate) streams: bool,
    /// Whether any period has the sums that token-weighted OTPS is computed from. Sources read them of every model.
    pub(crate) has_sums: bool,
    /// Its requests in the last day of the recordings; `None` where no recording has it.
    pub(crate) daily_requests: Option<f64>,
}

/// A Region of a source that did not answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unanswered {
    pub(crate) source: String,
    pub(crate) region: String,
    /// How it failed, as output formats write it.
    pub(crate) failure: &'static str,
    pub(crate) message: String,
    hint: Option<String>,
}

/// The series that a plan is made for.
#[derive(Debug, Default)]
pub(crate) struct Fleet {
    /// In their order, each once.
    pub(crate) seen: Vec<Seen>,
    /// The accounts of sources that were asked, by the names of the sources.
    pub(crate) accounts: BTreeMap<String, String>,
    /// The names of the recordings, without their folders.
    pub(crate) recordings: Vec<String>,
    /// Whether sources were asked, and answered.
    pub(crate) is_live: bool,
    /// The places that did not answer.
    pub(crate) unanswered: Vec<Unanswered>,
}

impl Fleet {
    /// Reads the recordings, and asks the sources of both plans where that is wanted.
    pub(crate) fn read(args: &PlanArgs, plans: &[&Plan]) -> Result<Self, ExitCode> {
        let mut fleet = Self::recorded(&args.recordings)?;
        if args.live || (args.recordings.is_empty() && !args.offline) {
            fleet.ask(plans)?;
        }
        if args.live && !fleet.unanswered.is_empty() {
            for one in &fleet.unanswered {
                complain(&one.message, one.hint.as_deref());
            }
            return Err(failed(
                &"not every source answers",
                Some("without --live the plan is made all the same"),
            ));
        }
        Ok(fleet)
    }

    /// The series of a recording, which is called by these names.
    pub(crate) fn of_recording(recording: &Recording, names: Vec<String>) -> Self {
        Self { seen: seen(recording), recordings: names, ..Self::default() }
    }

    /// Whether any series is known.
    pub(crate) fn is_known(&self) -> bool {
        self.is_live || !self.recordings.is_empty()
    }
    /// What is not known, a line for each source and kind of failure.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let alike = |one: &Unanswered, other: &Unanswered| {
            (&one.source, one.failure) == (&other.source, other.failure)
        };
        let line = |group: &[Unanswered]| {
            let regions: Vec<_> = group.iter().map(|one| one.region.as_str()).collect();
            let (source, failure) = (&group[0].source, group[0].failure);
            format!("not known: what source {source} has in {} ({failure})", regions.join(", "))
        };
        self.unanswered.chunk_by(alike).map(line).collect()
    }

    fn recorded(files: &[PathBuf]) -> Result<Self, ExitCode> {
        if files.is_empty() {
            return Ok(Self::default());
        }
        let recording = Recording::read(files).map_err(|error| failed(&error, error.hint.as_deref()))?;
        let name = |file: &PathBuf| {
            file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into())
        };
        Ok(Self::of_recording(&recording, files.iter().map(name).collect()))
    }

    /// Asks every source for its account and its series. A source that both plans have is asked once.
    fn ask(&mut self, plans: &[&Plan]) -> Result<(), ExitCode> {
        let mut asked = BTreeSet::new();
        let sources: Vec<_> = plans
            .iter()
            .flat_map(|plan| &plan.sources)
            .filter(|source| asked.insert(format!("{source:?}")))
            .cloned()
            .collect();
        if sources.is_empty() {
            return Ok(());
        }
        let answers = interruptible(async {
            let mut asking = JoinSet::new();
            let deadline = tokio::time::Instant::now() + PATIENCE;
            for SourcePlan::CloudWatch(source) in &sources {
                for place in CloudWatch::open_all(source).await {
                    let (turn, name) = (asking.len(), source.name.clone());
                    asking.spawn(async move {
                        let answer = tokio::time::timeout_at(deadline, found(&place)).await;
                        (turn, name, place.region().to_owned(), answer)
                    });
                }
            }
            let mut answers = asking.join_all().await;
            answers.sort_by_key(|(turn, ..)| *turn);
            answers
        });
        let answers = answers.map_err(|error| failed(&error, None))??;
        for (_, source, region, answer) in answers {
            let error = match answer {
                Ok(Ok((account, found))) => {
                    self.is_live = true;
                    self.accounts.insert(source, account);
                    self.add(found);
                    continue;
                }
                Ok(Err(error)) => error,
                Err(_) => SourceError {
                    failure: Failure::Timeout,
                    action: None,
                    message: format!("source `{source}` in {region} did not answer in time"),
                    hint: None,
                },
            };
            let failure = error.failure.as_str();
            let (message, hint) = (error.message, error.hint);
            self.unanswered.push(Unanswered { source, region, failure, message, hint });
        }
        Ok(())
    }

    fn add(&mut self, found: Vec<Seen>) {
        for one in found {
            match self.seen.binary_search_by(|seen| seen.series.cmp(&one.series)) {
                Ok(place) => self.seen[place].streams |= one.streams,
                Err(place) => self.seen.insert(place, one),
            }
        }
    }
}

/// Whose a place is, and everybody who is there: those that stream and that the source watches, and the others.
async fn found(source: &CloudWatch) -> Result<(String, Vec<Seen>), SourceError> {
    let account = source.account().await?;
    let of = |series, streams| Seen { series, streams, has_sums: true, daily_requests: None };
    let mut all: Vec<_> = source.discover().await?.into_iter().map(|series| of(series, true)).collect();
    all.extend(source.survey().await?.into_iter().map(|series| of(series, false)));
    Ok((account, all))
}

/// Everybody in a recording.
fn seen(recording: &Recording) -> Vec<Seen> {
    let of = |series: &Series| Seen {
        series: series.clone(),
        streams: false,
        has_sums: false,
        daily_requests: Some(0.0),
    };
    let mut seen: Vec<_> = recording.series().iter().map(of).collect();
    let Some(span) = recording.span() else { return seen };
    for rows in recording.periods() {
        let is_of_last_day = span.until - rows.period() <= PERIODS_PER_DAY;
        for (index, reading) in rows.rows() {
            let one = &mut seen[index];
            let ttft = reading.of(Metric::TimeToFirstToken);
            one.streams |= ttft.p50.is_some() || ttft.sample_count.is_some();
            one.has_sums |= has_sums(&reading);
            if is_of_last_day {
                let requests = reading.get(Metric::InvocationLatency, Statistic::SampleCount);
                one.daily_requests = Some(one.daily_requests.unwrap_or(0.0) + requests.unwrap_or(0.0));
            }
        }
    }
    seen
}

fn has_sums(reading: &Reading) -> bool {
    [Metric::InvocationLatency, Metric::TimeToFirstToken, Metric::OutputTokenCount]
        .into_iter()
        .all(|metric| reading.get(metric, Statistic::Sum).is_some())
}
