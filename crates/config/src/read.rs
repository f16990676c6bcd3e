//! The whole: files in, a plan or problems out.

use domain::{ChannelPlan, GroupBy, Plan, Routes, SourcePlan};

use crate::environment::Environment;
use crate::report::Report;
use crate::table::Table;
use crate::text::{File, Text};
use crate::tree::Tree;
use crate::{
    Outcome, Purpose, alarm, baseline, channel, daemon, document, recipients, route, schema, source, ticket,
};

/// Reads the files of one configuration: tables may stand in any of them, each in one. Every problem is in the outcome,
/// in the order of the files; there is a plan when none of them is an error.
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
    let plan = plan(&mut report, tree, is_whole, (purpose, environment));
    let plan = plan.filter(|_| !report.has_errors());
    Outcome { plan, problems: report.finish(), unreadable: false }
}

/// `is_whole` says that nothing is missing because its file cannot be parsed.
fn plan(
    report: &mut Report<'_>,
    tree: Tree<'_>,
    is_whole: bool,
    surroundings: (Purpose, &dyn Environment),
) -> Option<Plan> {
    let daemon = daemon::read(Table::open(report, &schema::DAEMON, "[daemon]", tree.daemon));
    let (rule, mode) = alarm::read(Table::open(report, &schema::ALARM, "[alarm]", tree.alarm));
    let periods = rule.as_ref().map_or(5, |rule| rule.evaluation_periods);
    let learning =
        baseline::read(Table::open(report, &schema::BASELINE, "[baseline]", tree.baseline), periods);
    let ticket_rule = ticket::read(Table::open(report, &schema::TICKET, "[ticket]", tree.ticket));

    let mut sources = Some(Vec::new());
    let known = |kind: &str| schema::SOURCE_KINDS.contains(&kind);
    for source in tree.sources.iter().filter(|source| known(source.kind)) {
        let table = Table::open(report, &schema::CLOUDWATCH, source.title(), Some(source.node));
        let plan = source::read(table, source.name).map(SourcePlan::CloudWatch);
        sources = sources.zip(plan).map(|(mut sources, plan)| {
            sources.push(plan);
            sources
        });
    }
    let channels: Vec<_> =
        tree.channels.into_iter().map(|channel| channel::read(report, channel, surroundings)).collect();
    let known_channels = is_whole.then_some(&channels[..]);
    let pages = route::read(report, &schema::PAGE_ROUTE, &tree.page_routes, known_channels);
    let tickets = route::read(report, &schema::TICKET_ROUTE, &tree.ticket_routes, known_channels);

    if is_whole {
        recipients::tickets_wake_nobody(report, &channels, &pages, &tickets);
        let purpose = (surroundings.0, mode);
        recipients::somebody_is_told(report, purpose, tree.sources.len(), &channels, (&pages, &tickets));
    }
    let routes =
        |read: Vec<route::Read>| read.into_iter().map(|route| route.plan).collect::<Option<Vec<_>>>();
    Some(Plan {
        daemon: daemon?,
        rule: rule?,
        learning: learning?,
        ticket_rule: ticket_rule?,
        group_by: GroupBy::Region,
        labels: Vec::new(),
        maintenance: Vec::new(),
        heartbeat: None,
        sources: sources?,
        channels: channels.into_iter().map(|channel| channel.plan).collect::<Option<Vec<ChannelPlan>>>()?,
        routes: Routes { page: routes(pages)?, ticket: routes(tickets)? },
    })
}
