//! The whole: files in, a plan or problems out.

use domain::{Learning, Mode, Plan, Routes, SourcePlan};

use crate::environment::Environment;
use crate::matching::Known;
use crate::reach::Reach;
use crate::report::Report;
use crate::table::Table;
use crate::text::{File, Text};
use crate::tree::{Named, Tree};
use crate::{
    Origins, Outcome, Purpose, alarm, baseline, channel, daemon, document, fallback, heartbeat, maintenance,
    overriding, recipients, route, schema, source, ticket,
};

/// Reads the files of one configuration: tables may stand in any of them, each of their keys in one, and each table with a name
/// of its own in one. Every problem is in the outcome, in the order of the files; there is a plan when none of them is an error.
pub fn read(files: &[File], purpose: Purpose, environment: &dyn Environment) -> Outcome {
    let mut report = Report::new(files.iter().map(Text::new).collect());
    let documents: Vec<_> = (0..files.len()).map(|file| document::parse(&mut report, file)).collect();
    let mut tree = Tree::default();
    for (file, document) in documents.iter().enumerate() {
        if let Some(document) = document {
            tree.add(&mut report, file, document);
        }
    }
    let is_whole = documents.iter().all(Option::is_some);
    let origins = Origins::new(&report, &tree);
    let plan = plan(&mut report, tree, is_whole, (purpose, environment));
    let plan = plan.filter(|_| !report.has_errors());
    // Nobody asks for them without a plan, and a key that nobody knows may be a secret in the wrong place.
    let origins = if plan.is_some() { origins } else { Origins::default() };
    Outcome { plan, origins, problems: report.finish(), unreadable: false, files: files.len() }
}

/// `is_whole` says that nothing is missing because its file cannot be parsed.
fn plan(
    report: &mut Report<'_>,
    tree: Tree<'_>,
    is_whole: bool,
    surroundings: (Purpose, &dyn Environment),
) -> Option<Plan> {
    let (purpose, environment) = surroundings;
    let daemon = daemon::read(Table::open(report, &schema::DAEMON, "[daemon]", &tree.daemon), surroundings);
    let alarm = alarm::read(Table::open(report, &schema::ALARM, "[alarm]", &tree.alarm));
    let periods = alarm.rule.as_ref().map_or(5, |rule| rule.evaluation_periods);
    let learning =
        baseline::read(Table::open(report, &schema::BASELINE, "[baseline]", &tree.baseline), periods);
    let ticket_rule = ticket::read(Table::open(report, &schema::TICKET, "[ticket]", &tree.ticket));
    let heartbeat = Table::open(report, &schema::HEARTBEAT, schema::HEARTBEAT.title, &tree.heartbeat);
    let heartbeat = heartbeat::read(heartbeat);

    source::check_shared(Table::open(report, &schema::SHARED, schema::SHARED.title, &tree.source_defaults));
    let known = |source: &&Named<'_>| schema::SOURCE_KINDS.contains(&source.kind);
    let read: Vec<_> = tree
        .sources
        .iter()
        .filter(known)
        .map(|source| {
            let table = source.open(report, &schema::CLOUDWATCH).over(tree.source_defaults.iter().copied());
            (source, source::read(table, source.name, surroundings))
        })
        .collect();
    let known: Vec<_> = read
        .iter()
        .map(|(source, plan)| source::Known {
            name: source.name,
            at: source.node.key_at,
            plan: plan.as_ref(),
        })
        .collect();
    source::read_apart(report, &known);
    let sources = all(read.iter().map(|(_, plan)| plan.clone()).collect());
    // A recording may be of others.
    let reach = sources.as_deref().filter(|_| is_whole && purpose != Purpose::Backtest).and_then(Reach::of);
    let beside = overriding::Surroundings {
        sources: is_whole.then_some(&known),
        reach,
        alarm: &tree.alarm,
        rule: alarm.rule.as_ref(),
    };
    let overrides = overriding::read(report, &tree.overrides, &beside);
    if is_whole {
        source::shared_is_used(report, &tree.source_defaults, &known);
    }
    let known = Known { reach, labels: overrides.as_ref().filter(|_| is_whole).map(labels) };
    let unread = Learning::default();
    let history_days = learning.as_ref().unwrap_or(&unread).history_days;
    let beside = maintenance::Surroundings { known: &known, now: environment.now(), history_days };
    let maintenance = tree
        .maintenance
        .iter()
        .map(|window| maintenance::read(window.open(report, &schema::MAINTENANCE), window.name, &beside));
    let maintenance = all(maintenance.collect());

    let channels: Vec<_> =
        tree.channels.into_iter().map(|channel| channel::read(report, channel, surroundings)).collect();
    let beside = route::Surroundings { channels: is_whole.then_some(&channels[..]), known: &known };
    let pages = route::read(report, &schema::PAGE_ROUTE, &tree.page_routes, &beside);
    let tickets = route::read(report, &schema::TICKET_ROUTE, &tree.ticket_routes, &beside);

    if is_whole {
        fallback::chains_end(report, &channels);
        recipients::receivers_differ(report, &channels);
        recipients::tickets_wake_nobody(report, &channels, &pages, &tickets);
        let is_paging = overrides.as_ref().is_some_and(|overrides| overrides.pages);
        let purpose = (purpose, if is_paging { Mode::Page } else { alarm.mode });
        recipients::somebody_is_told(report, purpose, tree.sources.len(), &channels, (&pages, &tickets));
    }
    let routes = |read: Vec<route::Read>| all(read.into_iter().map(|route| route.plan).collect());
    let overrides = overrides?;
    Some(Plan {
        daemon: daemon?,
        rule: alarm.rule?,
        overrides: overrides.overrides,
        learning: learning?,
        ticket_rule: ticket_rule?,
        group_by: alarm.group_by?,
        labels: overrides.labellings,
        maintenance: maintenance?,
        heartbeat: heartbeat?,
        sources: sources?.into_iter().map(SourcePlan::CloudWatch).collect(),
        channels: all(channels.into_iter().map(|channel| channel.plan).collect())?,
        routes: Routes { page: routes(pages)?, ticket: routes(tickets)? },
    })
}

/// All of them, unless one is missing.
fn all<T>(found: Vec<Option<T>>) -> Option<Vec<T>> {
    found.into_iter().collect()
}

fn labels(overrides: &overriding::Read) -> Vec<(String, String)> {
    overrides.labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect()
}
