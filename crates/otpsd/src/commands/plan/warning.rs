//! What is valid and probably not meant, as the series show it.

use std::collections::BTreeMap;

use config::{Conflict, Origins, conflicts};
use domain::{CloudWatchPlan, EstimatorChoice, Glob, Labelling, Plan, Series, SourcePlan};

use super::cost::{self, PlaceBill};
use super::telling::{Kind, Told};
use super::watching::{Watching, Why};
use super::words::{dollars, series_that};
use crate::figures::counted;

/// Something to look at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Warning {
    /// As JSON writes it.
    pub(crate) kind: &'static str,
    pub(crate) words: String,
    /// Whom it is about, in their order; empty for what is about none of them.
    pub(crate) series: Vec<Series>,
    /// Where to look, as `file:line`.
    pub(crate) places: Vec<String>,
}

/// What warnings are drawn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Basis<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) origins: &'p Origins,
    pub(crate) watching: &'p Watching<'p>,
    pub(crate) bills: &'p [PlaceBill],
    pub(crate) pages: &'p [(Told, Vec<Series>)],
    pub(crate) tickets: &'p [(Told, Vec<Series>)],
}

/// All of them, those first that keep somebody from being woken.
pub(crate) fn warnings(basis: &Basis<'_>) -> Vec<Warning> {
    let mut all = Vec::new();
    basis.untold(&mut all);
    basis.inputs(&mut all);
    basis.overrides(&mut all);
    basis.labels(&mut all);
    basis.windows(&mut all);
    basis.sources(&mut all);
    all
}

impl Basis<'_> {
    fn series(&self) -> impl Iterator<Item = &Series> {
        self.watching.watched.iter().map(|(seen, _)| &seen.series)
    }

    fn place(&self, table: &str, key: &str) -> Vec<String> {
        let place = self.origins.of(table, key).or_else(|| self.origins.table(table));
        place.map(ToString::to_string).into_iter().collect()
    }

    fn of_source(&self, source: &CloudWatchPlan, key: &str) -> Vec<String> {
        let place = self.origins.of_source(&source.name, key);
        place.map(ToString::to_string).into_iter().collect()
    }

    fn untold(&self, all: &mut Vec<Warning>) {
        for (kind, groups) in [(Kind::Page, self.pages), (Kind::Ticket, self.tickets)] {
            for (told, series) in groups.iter().filter(|(told, _)| !told.is_whole()) {
                let route = kind.as_str();
                let (name, words) = if told.is_nobody() {
                    let name = if kind == Kind::Page { "no_page_route" } else { "no_ticket_route" };
                    (name, format!("no `[[route.{route}]]` takes {}: nobody is told", their(series, route)))
                } else {
                    let name = if kind == Kind::Page { "page_route_in_part" } else { "ticket_route_in_part" };
                    let words = format!("nobody is told of some {}: {}", their(series, route), told.words());
                    (name, words)
                };
                all.push(Warning { kind: name, words, series: series.clone(), places: told.origins() });
            }
            if kind == Kind::Page {
                all.extend(groups.iter().filter_map(|(told, series)| only_logged(told, series)));
            }
        }
    }

    /// What OTPS of some series cannot be computed from.
    fn inputs(&self, all: &mut Vec<Warning>) {
        let silent = self.watching.unwatched.iter().filter(|(_, why)| *why == Why::NeverStreams);
        let silent: Vec<_> = silent.map(|(seen, _)| seen.series.clone()).collect();
        if !silent.is_empty() {
            let words = format!(
                "{} without a time to first token: there is no OTPS of what never streams, so it is not watched. \
                 `ignore` says that this is known",
                series_that(silent.len(), "is", "are")
            );
            all.push(Warning { kind: "never_streams", words, series: silent, places: Vec::new() });
        }
        let without = self.watching.watched.iter().filter(|(seen, _)| !seen.has_sums);
        let whose = |choice: EstimatorChoice| -> Vec<Series> {
            let series = without.clone().map(|(seen, _)| &seen.series);
            series.filter(|series| self.plan.rule_of(series).estimator == choice).cloned().collect()
        };
        let (unjudged, by_p50) = (whose(EstimatorChoice::TokenWeighted), whose(EstimatorChoice::Auto));
        if !unjudged.is_empty() {
            let words = format!(
                "{} no sums in the recording, and `estimator = \"token-weighted\"`: a backtest of it cannot judge that",
                series_that(unjudged.len(), "has", "have")
            );
            all.push(Warning { kind: "cannot_be_judged", words, series: unjudged, places: Vec::new() });
        }
        if !by_p50.is_empty() {
            let words = format!(
                "{} no sums in the recording: a backtest of it goes by the p50 alone, the daemon by both estimators",
                series_that(by_p50.len(), "has", "have")
            );
            all.push(Warning { kind: "p50_only", words, series: by_p50, places: Vec::new() });
        }
    }

    fn overrides(&self, all: &mut Vec<Warning>) {
        let overrides = &self.plan.overrides;
        let place = |name: &str| overrides.iter().position(|one| one.name == name);
        let mut twice: BTreeMap<_, Vec<Series>> = BTreeMap::new();
        for series in self.series() {
            for conflict in conflicts(self.plan, self.origins, series) {
                let places = (place(&conflict.holds.name), place(&conflict.other.name));
                twice.entry((places, conflict)).or_default().push(series.clone());
            }
        }
        for ((_, Conflict { holds, other }), series) in twice {
            let words = format!(
                "`{}` is set twice for {}: that of `[override.{}]` holds, not that of `[override.{}]`",
                other.key,
                counted(series.len(), "series"),
                holds.name,
                other.name
            );
            let places = vec![holds.origin.to_string(), other.origin.to_string()];
            all.push(Warning { kind: "override_twice", words, series, places });
        }
        if self.watching.watched.is_empty() {
            return;
        }
        let labels_alone = |one: &&Labelling| !self.plan.overrides.iter().any(|other| other.name == one.name);
        let unmatched = overrides.iter().filter(|one| !self.series().any(|series| one.is_about(series)));
        let mut names: Vec<&str> = unmatched.map(|one| one.name.as_str()).collect();
        for one in self.plan.labels.iter().filter(labels_alone) {
            let alone = std::slice::from_ref(one);
            if self.series().all(|series| Labelling::of(alone, series).is_empty()) {
                names.push(&one.name);
            }
        }
        for name in names {
            let table = format!("override.{name}");
            let words = format!("`[{table}]` matches no series");
            let places = self.place(&table, "match");
            all.push(Warning { kind: "override_matches_nothing", words, series: Vec::new(), places });
        }
    }

    fn labels(&self, all: &mut Vec<Warning>) {
        let mut twice: BTreeMap<(usize, usize, &str), Vec<Series>> = BTreeMap::new();
        let labels = &self.plan.labels;
        for series in self.series() {
            let gives = |one: &Labelling| !Labelling::of(std::slice::from_ref(one), series).is_empty();
            let about: Vec<_> = labels.iter().enumerate().filter(|(_, one)| gives(one)).collect();
            for (place, (index, one)) in about.iter().enumerate() {
                for (key, value) in &one.labels {
                    let earlier = |(_, first): &&(usize, &Labelling)| first.labels.contains_key(key);
                    if let Some((first, other)) = about[..place].iter().find(earlier)
                        && other.labels.get(key) != Some(value)
                    {
                        twice.entry((*first, *index, key)).or_default().push(series.clone());
                    }
                }
            }
        }
        for ((first, second, key), series) in twice {
            let tables = [first, second].map(|index| format!("override.{}", labels[index].name));
            let words = format!(
                "the label `{key}` is given twice to {}: that of `[{}]` holds, not that of `[{}]`",
                counted(series.len(), "series"),
                tables[0],
                tables[1]
            );
            let key = format!("labels.{key}");
            let places = tables.iter().flat_map(|table| self.place(table, &key)).collect();
            all.push(Warning { kind: "label_twice", words, series, places });
        }
    }

    fn windows(&self, all: &mut Vec<Warning>) {
        if self.watching.watched.is_empty() {
            return;
        }
        for window in &self.plan.maintenance {
            let is_about = |series: &Series| window.is_about_series(series, &self.plan.labels_of(series));
            if !self.series().any(is_about) {
                let table = format!("maintenance.{}", window.name);
                let words = format!("`[{table}]` is about no series");
                let places = self.place(&table, "");
                all.push(Warning { kind: "window_matches_nothing", words, series: Vec::new(), places });
            }
        }
    }

    fn sources(&self, all: &mut Vec<Warning>) {
        let is_known = !self.watching.watched.is_empty();
        for (index, SourcePlan::CloudWatch(source)) in self.plan.sources.iter().enumerate() {
            let own = || self.watching.watched.iter().filter(move |(_, of)| *of == Some(index));
            for glob in source.expect.iter().filter(|_| is_known) {
                if !own().any(|(seen, _)| Glob::new(glob).matches(seen.series.model())) {
                    let words = format!("source {} expects `{glob}`, and no series is that", source.name);
                    let places = self.of_source(source, "expect");
                    all.push(Warning { kind: "expected_not_there", words, series: Vec::new(), places });
                }
            }
            let over = |(seen, why): &(&super::fleet::Seen, Why)| {
                matches!(why, Why::OverMost { source: name, .. } if *name == source.name)
                    .then(|| seen.series.clone())
            };
            let over: Vec<_> = self.watching.unwatched.iter().filter_map(over).collect();
            if !over.is_empty() {
                let words = format!(
                    "source {} watches {} at most: {} not watched, with fewer requests than those",
                    source.name,
                    counted(source.max_series as usize, "series"),
                    series_that(over.len(), "is", "are")
                );
                let places = self.of_source(source, "max-series");
                all.push(Warning { kind: "over_max_series", words, series: over, places });
            }
            let bill = cost::by_source(self.bills).into_iter().find(|(name, _)| *name == source.name);
            if let (Some(most), Some((_, total))) = (source.max_monthly_usd, bill)
                && total.month.usd() > most
            {
                let words = format!(
                    "source {} costs {} a month, over `max-monthly-usd = {most}`: it will read less",
                    source.name,
                    dollars(total.month.usd())
                );
                let places = self.of_source(source, "max-monthly-usd");
                all.push(Warning { kind: "over_max_monthly_usd", words, series: Vec::new(), places });
            }
            for region in source.regions.iter().filter(|_| is_known) {
                if !own().any(|(seen, _)| seen.series.region() == region) {
                    let words = format!(
                        "no series of source {} in {region} is known: what it will watch, and cost, is not in here",
                        source.name
                    );
                    let places = self.of_source(source, "regions");
                    all.push(Warning { kind: "region_without_series", words, series: Vec::new(), places });
                }
            }
        }
        for ((first, second), count) in &self.watching.doubtful {
            let words = format!(
                "{} may be of source {first} or of {second}, and is taken for {first}'s: an `account-id` tells",
                counted(*count, "series")
            );
            all.push(Warning { kind: "source_unknown", words, series: Vec::new(), places: Vec::new() });
        }
    }
}

/// A page that stands in the log and nowhere else wakes nobody.
fn only_logged(told: &Told, series: &[Series]) -> Option<Warning> {
    let steps = told.only_logged();
    let first = steps.first()?;
    let words = format!(
        "{} go to {} and nowhere else: nobody is woken",
        their(series, Kind::Page.as_str()),
        first.words()
    );
    let places = steps.iter().map(|step| step.origin.clone()).collect();
    Some(Warning { kind: "page_only_logged", words, series: series.to_vec(), places })
}

fn their(series: &[Series], what: &str) -> String {
    format!("{what}s of {}", counted(series.len(), "series"))
}
