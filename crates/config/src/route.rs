//! `[[route.page]]` and `[[route.ticket]]`: who gets what. The first route that matches wins.

use domain::{Hours, Matcher, Route};

use crate::channel::Channel;
use crate::matching::{self, Known, covers};
use crate::quote::quoted;
use crate::report::{At, Report};
use crate::schema::{self, Section};
use crate::table::{Node, Table};
use crate::tree::is_name;
use crate::value::word;
use crate::{hint, hours};

/// A route that was read.
#[derive(Debug)]
pub(crate) struct Read {
    /// Its header.
    pub(crate) at: At,
    /// The channels that it names and that there are, each with the place of its name.
    pub(crate) channels: Vec<(String, At)>,
    /// What it takes and when, if that can be used.
    takes: Option<(Matcher, Option<Hours>)>,
    /// The route, if nothing is wrong with it.
    pub(crate) plan: Option<Route>,
}

impl Read {
    /// Whether it is known what it takes.
    pub(crate) fn is_known(&self) -> bool {
        self.takes.is_some()
    }

    /// Whether it takes everything, at any time.
    pub(crate) fn takes_all(&self, is_page: bool) -> bool {
        let all = Matcher::default();
        self.takes.as_ref().is_some_and(|(matcher, hours)| hours.is_none() && covers(matcher, &all, is_page))
    }

    /// Whether it surely takes all that another one takes.
    fn covers(&self, other: &Self, is_page: bool) -> bool {
        let (Some((wide, when)), Some((narrow, then))) = (&self.takes, &other.takes) else { return false };
        (when.is_none() || when == then) && covers(wide, narrow, is_page)
    }
}

/// What routes are read against.
#[derive(Debug)]
pub(crate) struct Surroundings<'k> {
    /// The channels that are declared, or `None` when a file that may declare more cannot be parsed.
    pub(crate) channels: Option<&'k [Channel]>,
    pub(crate) known: &'k Known<'k>,
}

/// Reads the routes of one kind.
pub(crate) fn read(
    report: &mut Report<'_>,
    section: &Section,
    nodes: &[Node<'_>],
    surroundings: &Surroundings<'_>,
) -> Vec<Read> {
    let is_page = !section.keys.contains(&"causes");
    let mut routes: Vec<Read> = Vec::new();
    for node in nodes {
        let table = Table::open(report, section, section.title, &[*node]);
        let Some(route) = one(table, (node.at, is_page), surroundings) else { continue };
        if let Some(first) = routes.iter().find(|first| first.covers(&route, is_page)) {
            let draft = report.warning(route.at, "this route is never reached");
            draft.see(first.at, "this one takes all that it takes").hint("the first route that matches wins");
        }
        routes.push(route);
    }
    routes
}

fn one(
    mut table: Table<'_, '_, '_>,
    (at, is_page): (At, bool),
    surroundings: &Surroundings<'_>,
) -> Option<Read> {
    let example = "[\"log.all\"]";
    let channels = surroundings.channels;
    let matching = matching::read(&mut table);
    let causes = if is_page { Some(Vec::new()) } else { matching::causes(&mut table) };
    let hours = hours::read(&mut table);
    let named = table.list("channels", example, word);
    if let Some(matching) = &matching {
        matching.warn_of_misses(table.report, surroundings.known);
    }
    let matcher = matching.zip(causes).map(|(matching, causes)| Matcher { causes, ..matching.matcher });
    // A key that it does not know may say what it takes.
    let takes = matcher.zip(hours).filter(|_| !table.is_misspelt());
    let mut are_known = true;
    let named = match named.value {
        None => return Some(Read { at, channels: Vec::new(), takes, plan: None }),
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
            table.report.error(at, message).hint(hint_for(&name, channels));
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
    let plan = takes.clone().filter(|_| are_known).map(|(matcher, hours)| Route {
        matcher,
        hours,
        channels: kept.iter().map(|(name, _)| name.clone()).collect(),
    });
    Some(Read { at, channels: kept, takes, plan })
}

fn named_at(table: &Table<'_, '_, '_>, otherwise: At) -> At {
    table.get("channels").map_or(otherwise, |node| node.at)
}

pub(crate) fn hint_for(name: &str, channels: &[Channel]) -> String {
    let can_be_shown = |channel: &&Channel| channel.name.split('.').all(is_name);
    let names = || channels.iter().filter(can_be_shown).map(|channel| channel.name.as_str());
    if let Some(near) = hint::nearest(name, names()) {
        return format!("did you mean \"{near}\"?");
    }
    match names().collect::<Vec<_>>()[..] {
        [] => match name.split_once('.') {
            Some((kind, own)) if schema::CHANNEL_KINDS.contains(&kind) && is_name(own) => {
                format!("add `[channel.{name}]`")
            }
            _ => "there is none: add `[channel.log.all]`".to_owned(),
        },
        ref all => format!("the channels are {}", hint::listed(all, "and")),
    }
}
