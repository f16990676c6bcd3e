//! What holds between a channel and its fallback: it is there, it is another one, and the chain ends.

use crate::channel::Channel;
use crate::quote::quoted;
use crate::report::Report;
use crate::route;

/// Reports fallbacks that there are not, and those that lead back.
pub(crate) fn chains_end(report: &mut Report<'_>, channels: &[Channel]) {
    for channel in channels {
        let Some((name, at)) = &channel.fallback else { continue };
        let Some(next) = find(channels, name) else {
            let message = format!("there is no channel {}", quoted(name));
            report.error(*at, message).hint(route::hint_for(name, channels));
            continue;
        };
        if *name == channel.name {
            let draft = report.error(*at, "a channel cannot be its own fallback");
            draft.hint("name another one, such as an SNS topic or the log");
        } else if let Some(circle) = circle(channels, channel) {
            let message = format!("`fallback` goes in a circle: {}", circle.join(" to "));
            let draft = report.error(*at, message);
            draft.hint("what nobody takes must end somewhere, such as in the log");
            if let Some((_, back)) = &next.fallback {
                draft.see(*back, "and on from there");
            }
        }
    }
}

/// The names of a circle that begins and ends at a channel, if it is the first of them.
fn circle(channels: &[Channel], start: &Channel) -> Option<Vec<String>> {
    let mut names = vec![quoted(&start.name)];
    let mut channel = start;
    for _ in channels {
        let (next, _) = channel.fallback.as_ref()?;
        channel = find(channels, next)?;
        names.push(quoted(&channel.name));
        if channel.name == start.name {
            return Some(names);
        }
        // Each circle is told once, at the channel whose name comes first.
        if channel.name < start.name {
            return None;
        }
    }
    None
}

pub(crate) fn find<'c>(channels: &'c [Channel], name: &str) -> Option<&'c Channel> {
    channels.iter().find(|channel| channel.name == name)
}
