//! Who is told of which series, by which routes.

use std::collections::BTreeMap;

use config::Origins;
use domain::{About, Labels, Matcher, Mode, PAGE_CAUSE, Plan, Route, Series};

use super::words;

/// What people are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Page,
    Ticket,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Page, Self::Ticket];

    /// As routes and JSON write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Ticket => "ticket",
        }
    }

    /// The routes of a kind, in the order in which they are asked.
    pub(crate) fn routes(self, plan: &Plan) -> &[Route] {
        match self {
            Self::Page => &plan.routes.page,
            Self::Ticket => &plan.routes.ticket,
        }
    }
}

/// One route that may take what is told of a series.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    /// `file:line` of its header.
    pub(crate) origin: String,
    pub(crate) channels: Vec<String>,
    /// When it takes it; `None` means always.
    pub(crate) hours: Option<String>,
    /// Of which causes; empty means of all.
    pub(crate) causes: Vec<String>,
}

impl Step {
    /// In words, without the place: `jira.llm (22:00–07:00 UTC)`.
    pub(crate) fn words(&self) -> String {
        let causes = (!self.causes.is_empty()).then(|| format!("of {}", self.causes.join(", ")));
        let conditions: Vec<String> = causes.into_iter().chain(self.hours.clone()).collect();
        let channels = self.channels.join(" + ");
        if conditions.is_empty() { channels } else { format!("{channels} ({})", conditions.join(", ")) }
    }

    /// Whether nothing goes past it.
    fn takes_all(&self) -> bool {
        self.hours.is_none() && self.causes.is_empty()
    }
}

/// Who is told of a series: the routes that may take it, up to the first that surely does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Told {
    /// `mode = "observe"`: nobody.
    Observed,
    By(Vec<Step>),
}

impl Told {
    pub(crate) fn of(plan: &Plan, origins: &Origins, series: &Series, kind: Kind) -> Self {
        if plan.rule_of(series).mode == Mode::Observe {
            return Self::Observed;
        }
        Self::of_routes(plan, origins, series, kind)
    }

    /// Who the routes would have told, whatever the mode of the rule is.
    pub(crate) fn of_routes(plan: &Plan, origins: &Origins, series: &Series, kind: Kind) -> Self {
        let (labels, regions) = (plan.labels_of(series), [series.region()]);
        let about = About { series: Some(series), regions: &regions, cause: PAGE_CAUSE, labels: &labels };
        Self::By(steps(plan, origins, kind, &about, |causes| {
            // A series has every cause but that of a source.
            causes.is_empty() || causes.iter().any(|cause| cause != SOURCE_CAUSE)
        }))
    }

    /// Who is told that a source in these Regions cannot be read.
    pub(crate) fn of_source(plan: &Plan, origins: &Origins, regions: &[String]) -> Self {
        let (labels, regions) = (Labels::new(), regions.iter().map(String::as_str).collect::<Vec<_>>());
        let about = About { series: None, regions: &regions, cause: SOURCE_CAUSE, labels: &labels };
        let mut steps = steps(plan, origins, Kind::Ticket, &about, |causes| {
            causes.is_empty() || causes.iter().any(|cause| cause == SOURCE_CAUSE)
        });
        for step in &mut steps {
            step.causes.clear();
        }
        Self::By(steps)
    }

    /// Whether somebody is told at any hour, of any cause.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Observed => true,
            Self::By(steps) => steps.last().is_some_and(Step::takes_all),
        }
    }

    /// Whether nobody is told at all, though somebody could be.
    pub(crate) fn is_nobody(&self) -> bool {
        matches!(self, Self::By(steps) if steps.is_empty())
    }

    /// The routes that lead to the daemon's own log alone.
    pub(crate) fn only_logged(&self) -> Vec<&Step> {
        let is_log = |channel: &String| channel.starts_with("log.");
        match self {
            Self::Observed => Vec::new(),
            Self::By(steps) => steps.iter().filter(|step| step.channels.iter().all(is_log)).collect(),
        }
    }

    /// In words, without the places: `jira.llm (22:00–07:00 UTC), else pagerduty.oncall`.
    pub(crate) fn words(&self) -> String {
        self.shown(|_| String::new())
    }

    /// In words, with the place of each route.
    pub(crate) fn words_with_places(&self) -> String {
        self.shown(|step| format!(" [{}]", step.origin))
    }
    fn shown(&self, place: impl Fn(&Step) -> String) -> String {
        let Self::By(steps) = self else { return "nobody (`mode = \"observe\"`)".to_owned() };
        let mut parts: Vec<String> =
            steps.iter().map(|step| format!("{}{}", step.words(), place(step))).collect();
        if !self.is_whole() {
            parts.push("nobody".to_owned());
        }
        parts.join(", else ")
    }

    /// The places of the routes.
    pub(crate) fn origins(&self) -> Vec<String> {
        match self {
            Self::Observed => Vec::new(),
            Self::By(steps) => steps.iter().map(|step| step.origin.clone()).collect(),
        }
    }

    /// The same without the places: who is told, when and of what.
    pub(crate) fn without_places(&self) -> Self {
        match self {
            Self::Observed => Self::Observed,
            Self::By(steps) => {
                Self::By(steps.iter().map(|step| Step { origin: String::new(), ..step.clone() }).collect())
            }
        }
    }
}

/// The cause of the tickets of sources.
const SOURCE_CAUSE: &str = "source_failing";

fn steps(
    plan: &Plan,
    origins: &Origins,
    kind: Kind,
    about: &About<'_>,
    concerns: impl Fn(&[String]) -> bool,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for (index, route) in kind.routes(plan).iter().enumerate() {
        let matcher = Matcher { causes: Vec::new(), ..route.matcher.clone() };
        if !matcher.takes(about) || !concerns(&route.matcher.causes) {
            continue;
        }
        let table = format!("route.{}.{index}", kind.as_str());
        let step = Step {
            origin: origins.table(&table).map(ToString::to_string).unwrap_or_default(),
            channels: route.channels.clone(),
            hours: route.hours.as_ref().map(words::hours),
            causes: if kind == Kind::Page { Vec::new() } else { route.matcher.causes.clone() },
        };
        let ends = step.takes_all();
        steps.push(step);
        if ends {
            break;
        }
    }
    steps
}

/// The series by who is told of them: the largest group first.
pub(crate) fn groups<'s>(
    plan: &Plan,
    origins: &Origins,
    kind: Kind,
    series: impl Iterator<Item = &'s Series>,
) -> Vec<(Told, Vec<Series>)> {
    let mut groups: BTreeMap<Told, Vec<Series>> = BTreeMap::new();
    for one in series {
        groups.entry(Told::of(plan, origins, one, kind)).or_default().push(one.clone());
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by(|(_, one), (_, other)| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    groups
}
