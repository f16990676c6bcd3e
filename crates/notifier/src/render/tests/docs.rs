//! The examples of the reference are what is really sent.

use super::formats::{jira, tickets, webhook};
use super::json::without_texts;
use super::*;
use crate::text;

const REFERENCE: &str = include_str!("../../../../../docs/reference/messages.md");

/// Each example by its name in the reference.
fn examples() -> Vec<(&'static str, String)> {
    let at = |now: &str, read: &dyn Fn(&Context<'_>) -> String| sample::around(now, |context| read(context));
    let (page_at, over_at) = ("2026-12-03T06:17:02Z", "2026-12-03T09:02:00Z");
    let group = |plan: &ChannelPlan| {
        at(page_at, &|context| without_texts(&page(&sample::paged_group(), plan, context).body))
    };
    let about = |plan: &ChannelPlan| {
        at("2026-12-07T00:02:00Z", &|context| {
            let message = ticket(&tickets(TicketAction::Opened), plan, context).unwrap();
            without_texts(&message.body)
        })
    };
    vec![
        ("text-page", at(page_at, &|context| text::page::text(&sample::paged_group(), context))),
        ("text-resolve", at(over_at, &|context| text::resolve::text(&sample::resolved_group(), context))),
        (
            "text-held",
            at("2026-12-03T13:35:00Z", &|context| text::held::text(&sample::held(), false, context)),
        ),
        (
            "text-ticket",
            at("2026-12-07T00:02:00Z", &|context| {
                text::ticket::text(&tickets(TicketAction::Opened), context)
            }),
        ),
        ("sns-alarm", group(&sns())),
        ("sns-chatbot", group(&topic(SnsFormat::Chatbot, TOPIC))),
        (
            "pagerduty",
            at(page_at, &|context| without_texts(&page(&sample::paged(), &pagerduty(), context).body)),
        ),
        ("json-page", group(&webhook())),
        (
            "json-resolve",
            at(over_at, &|context| {
                without_texts(&resolve(&sample::resolved_group(), &webhook(), context).body)
            }),
        ),
        ("json-ticket", about(&webhook())),
        (
            "json-source",
            at("2026-12-03T06:02:00Z", &|context| {
                without_texts(&source_ticket(&sample::source_ticket(), &webhook(), context).unwrap().body)
            }),
        ),
        ("item", about(&jira())),
    ]
}

/// The block after `<!-- example: NAME -->`.
fn block(name: &str) -> Option<&'static str> {
    let (_, after) = REFERENCE.split_once(&format!("<!-- example: {name} -->\n"))?;
    let (_, body) = after.split_once('\n')?;
    Some(body.split_once("\n```")?.0)
}

#[test]
fn the_examples_of_the_reference_are_what_is_sent() {
    for (name, example) in examples() {
        assert_eq!(block(name), Some(example.as_str()), "example {name}: the block should be\n{example}");
    }
}
