//! Labelled fleets, and what detectors say of them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::AddAssign;
use std::path::PathBuf;

use baseline::median;
use domain::{Metric, Period, Reading, Row, Series, Statistic};
use evaluator::{Engine, Settings};
use poller::Recording;
use simulator::{Fleet, FleetOptions, labels};

use super::files;
use super::labelled::{Label, Model};
use super::recipe;
use super::said::Said;
use super::score::score;
use super::tally::Tally;
use crate::replay::replay;

/// Where a labelled fleet comes from.
#[derive(Debug, Clone)]
pub(super) enum Labelled {
    /// The simulator makes it.
    Seed(u64, FleetOptions),
    /// A recording, with files that say what happened in it.
    Files { recording: PathBuf, labels: PathBuf, models: PathBuf },
}

/// What was counted of a fleet.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) models: usize,
    pub(super) otpsd: Tally,
    pub(super) recipe: Tally,
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        self.models += other.models;
        self.otpsd += other.otpsd;
        self.recipe += other.recipe;
    }
}

/// Why a fleet cannot be scored.
#[derive(Debug)]
pub(super) struct Unscored {
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Labelled {
    /// As output writes it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Seed(seed, _) => format!("seed {seed}"),
            Self::Files { recording, .. } => recording.display().to_string(),
        }
    }

    /// Drives the engine and the recipe through the fleet, and scores both.
    pub(super) fn count(&self, settings: &Settings) -> Result<Counted, Unscored> {
        match self {
            Self::Seed(seed, options) => Ok(simulated(&self.name(), *seed, options, settings)),
            Self::Files { recording, labels, models } => {
                let models = files::read(labels, models).map_err(|error| Unscored {
                    message: error.to_string(),
                    hint: error.hint.map(str::to_owned),
                })?;
                let recording = Recording::read(&[recording])
                    .map_err(|error| Unscored { message: error.to_string(), hint: error.hint })?;
                recorded(&self.name(), &recording, &models, settings)
            }
        }
    }
}

fn simulated(name: &str, seed: u64, options: &FleetOptions, settings: &Settings) -> Counted {
    let fleet = Fleet::random(seed, options);
    let mut by_series: BTreeMap<Series, Vec<Label>> = BTreeMap::new();
    for label in labels::of(&fleet, options.learn_days) {
        by_series.entry(label.series).or_default().push(Label {
            kind: label.kind.to_owned(),
            span: label.span,
            evident: label.evident,
            expect: label.expect,
            magnitude: label.magnitude,
        });
    }
    let span = fleet.span();
    let mut counted = Counted::default();
    // A model at a time: nothing that is said of one depends on another, and a fleet at once would take much memory.
    for spec in fleet.specs() {
        let series = &spec.series;
        let readings: Vec<(Period, Reading)> = (span.from.index()..span.until.index())
            .map(Period::from_index)
            .filter_map(|period| Some((period, fleet.reading(series, period)?)))
            .collect();
        let mut samples: Vec<f64> = readings.iter().filter_map(|row| requests(&row.1)).collect();
        let model = Model::new(
            series.model(),
            median(&mut samples).unwrap_or(0.0).round() as u32,
            span.from,
            options.days,
            options.learn_days,
            by_series.remove(series).unwrap_or_default(),
        );
        let ratios: Vec<(Period, f64)> = readings
            .iter()
            .filter_map(|(period, reading)| Some((*period, recipe::ratio_of_medians(reading)?)))
            .collect();
        let rows = readings
            .into_iter()
            .map(|(period, reading)| (period, vec![Row { series: series.clone(), period, reading }]));
        let mut said = Vec::new();
        hear(settings, std::slice::from_ref(series), rows, span.until, |_, one| said.push(one));
        score(name, &model, said, &mut counted.otpsd);
        score(name, &model, recipe::say(&ratios, model.begin, span.until), &mut counted.recipe);
        counted.models += 1;
    }
    counted
}

fn requests(reading: &Reading) -> Option<f64> {
    reading.get(Metric::InvocationLatency, Statistic::SampleCount).filter(|requests| *requests > 0.0)
}

fn recorded(
    name: &str,
    recording: &Recording,
    models: &[Model],
    settings: &Settings,
) -> Result<Counted, Unscored> {
    let series = recording.series();
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, one) in series.iter().enumerate() {
        if let Some(other) = place.insert(one.model(), index) {
            return Err(Unscored {
                message: format!("{name} has both {} and {one}, and labels only name models", series[other]),
                hint: Some("score the recording of one Region of one account at a time".to_owned()),
            });
        }
    }
    let until = recording.span().map_or(Period::from_index(0), |span| span.until);
    let mut ratios: Vec<Vec<(Period, f64)>> = vec![Vec::new(); series.len()];
    let rows = recording.periods().map(|rows| {
        let period = rows.period();
        let rows = rows.rows().map(|(index, reading)| {
            ratios[index].extend(recipe::ratio_of_medians(&reading).map(|ratio| (period, ratio)));
            Row { series: series[index].clone(), period, reading }
        });
        (period, rows.collect())
    });
    let mut said: Vec<Vec<Said>> = vec![Vec::new(); series.len()];
    hear(settings, series, rows, until, |model, one| {
        if let Some(&index) = place.get(model) {
            said[index].push(one);
        }
    });
    let mut counted = Counted::default();
    for model in models {
        let index = place.get(model.name.as_str()).copied();
        let heard = index.map(|index| std::mem::take(&mut said[index])).unwrap_or_default();
        let ratios = index.map_or(&[][..], |index| &ratios[index]);
        score(name, model, heard, &mut counted.otpsd);
        score(name, model, recipe::say(ratios, model.begin, until), &mut counted.recipe);
        counted.models += 1;
    }
    Ok(counted)
}

/// Drives the engine as `backtest` does.
fn hear(
    settings: &Settings,
    series: &[Series],
    rows: impl Iterator<Item = (Period, Vec<Row>)>,
    until: Period,
    mut tell: impl FnMut(&str, Said),
) {
    let mut engine = Engine::new(settings.clone());
    let heard = replay(&mut engine, series, rows, until, |effect| {
        if let (Some(series), Some(said)) = (whose(&effect), Said::of(&effect)) {
            tell(series.model(), said);
        }
        Ok::<(), Infallible>(())
    });
    match heard {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

fn whose(effect: &evaluator::Effect) -> Option<&Series> {
    use evaluator::Effect;
    match effect {
        Effect::Page(page) => Some(&page.incident().series),
        Effect::Resolve(resolve) => Some(&resolve.incident.series),
        Effect::Ticket(ticket) => Some(&ticket.series),
        Effect::Ended(_) | Effect::Transition(_) | Effect::Diagnose(_) => None,
    }
}
