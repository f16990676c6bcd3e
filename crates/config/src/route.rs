//! `[[route.page]]` and `[[route.ticket]]`: who gets what. The first route that matches wins.

use domain::{Glob, Matcher, Route};

use crate::channel::Channel;
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::schema::{self, Section};
use crate::table::{Node, Table};
use crate::tree::is_name;
use crate::value::{glob, word};

/// A route that was read.
#[derive(Debug)]
pub(crate) struct Read {
    /// Its header.
    pub(crate) at: At,
    /// The channels that it names and that there are, each with the place of its name.
    pub(crate) channels: Vec<(String, At)>,
    /// The globs, if they can be used.
    models: Option<Vec<String>>,
    /// The route, if nothing is wrong with it.
    pub(crate) plan: Option<Route>,
}

impl Read {
    /// Whether it takes every model.
    pub(crate) fn takes_all(&self) -> bool {
        self.models.as_ref().is_some_and(|models| {
            models.is_empty() || models.iter().any(|glob| Glob::new(glob).covers(Glob::new("*")))
        })
    }

    /// Whether it surely takes all that another one takes.
    fn covers(&self, other: &Self) -> bool {
        let Some(theirs) = &other.models else { return false };
        let covered =
            |glob: &String| self.models.iter().flatten().any(|wide| Glob::new(wide).covers(Glob::new(glob)));
        self.takes_all() || (!theirs.is_empty() && theirs.iter().all(covered))
    }
}

/// Reads the routes of one kind. `channels` are those that are declared, or `None` when a file that may declare more
/// cannot be parsed.
pub(crate) fn read(
    report: &mut Report<'_>,
    section: &Section,
    nodes: &[Node<'_>],
    channels: Option<&[Channel]>,
) -> Vec<Read> {
    let mut routes: Vec<Read> = Vec::new();
    for node in nodes {
        let table = Table::open(report, section, section.title, Some(*node));
        let Some(route) = one(table, node.at, channels) else { continue };
        if let Some(first) = routes.iter().find(|first| first.covers(&route)) {
            let draft = report.warning(route.at, "this route is never reached");
            draft.see(first.at, "this one takes all of its models").hint("the first route that matches wins");
        }
        routes.push(route);
    }
    routes
}

fn one(mut table: Table<'_, '_, '_>, at: At, channels: Option<&[Channel]>) -> Option<Read> {
    let example = "[\"log.all\"]";
    let models = table.list("models", "[\"*claude*\"]", glob);
    let named = table.list("channels", example, word);
    let models =
        models.value.map(|models| models.unwrap_or_default().into_iter().map(|(glob, _)| glob).collect());
    let mut are_known = true;
    let named = match named.value {
        None => return Some(Read { at, channels: Vec::new(), models, plan: None }),
        Some(None) => {
            table.lacks("channels", example);
            are_known = false;
            Vec::new()
        }
        Some(Some(named)) if named.is_empty() => {
            let message = "`channels` must name at least one channel";
            table.report.error(named_at(&table, at), message).hint(format!("write `channels = {example}`"));
            are_known = false;
            named
        }
        Some(Some(named)) => named,
    };
    let mut kept: Vec<(String, At)> = Vec::new();
    for (name, at) in named {
        if let Some(channels) = channels
            && !channels.iter().any(|channel| channel.name == name)
        {
            let message = format!("there is no channel {}", quoted(&name));
            table.report.error(at, message).hint(hint(&name, channels));
            are_known = false;
        } else if kept.iter().any(|(other, _)| *other == name) {
            table
                .report
                .warning(at, format!("{} is named twice", quoted(&name)))
                .hint("it gets each message once");
        } else {
            kept.push((name, at));
        }
    }
    let plan = models.clone().filter(|_| are_known).map(|models: Vec<String>| Route {
        matcher: Matcher { models, ..Matcher::default() },
        hours: None,
        channels: kept.iter().map(|(name, _)| name.clone()).collect(),
    });
    Some(Read { at, channels: kept, models, plan })
}

fn named_at(table: &Table<'_, '_, '_>, otherwise: At) -> At {
    table.get("channels").map_or(otherwise, |node| node.at)
}

fn hint(name: &str, channels: &[Channel]) -> String {
    let can_be_shown = |channel: &&Channel| channel.name.split('.').all(is_name);
    let names = || channels.iter().filter(can_be_shown).map(|channel| channel.name.as_str());
    if let Some(near) = schema::nearest(name, names()) {
        return format!("did you mean \"{near}\"?");
    }
    match names().collect::<Vec<_>>()[..] {
        [] => match name.split_once('.') {
            Some((kind, own)) if schema::CHANNEL_KINDS.contains(&kind) && is_name(own) => {
                format!("add `[channel.{name}]`")
            }
            _ => "there is none: add `[channel.log.all]`".to_owned(),
        },
        ref all => format!("the channels are {}", schema::listed(all, "and")),
    }
}
