//! What holds whatever happens, in whatever order.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Filed, Key, PAGE_CAUSE, PageState, TicketAction};
use evaluator::{Effect, Notice, Paging, Untold};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::script::{Written, acts, moments, told};

/// The page that an incident is in, by channel.
fn memberships(states: impl Iterator<Item = PageState>) -> BTreeMap<(Key, String), Key> {
    states
        .flat_map(|state| {
            let (channel, key) = (state.channel, state.key);
            state.members.into_iter().map(move |member| ((member.incident, channel.clone()), key.clone()))
        })
        .collect()
}

/// The stories must reach everything that can be said, or they prove nothing.
#[test]
fn stories_reach_every_notice() {
    let mut runner = TestRunner::deterministic();
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..200 {
        let acts = acts(true).new_tree(&mut runner).unwrap().current();
        let mut paging = Paging::default();
        for moment in moments(&acts) {
            for notice in moment.step(&mut paging, &moment.effects) {
                let name = match notice {
                    Notice::Page(page) if page.state.key != first_key(&page.state) => "page with a later key",
                    Notice::Page(_) => "page",
                    Notice::Changed(_) => "changed",
                    Notice::Resolve(_) => "resolve",
                    Notice::Held { .. } => "held",
                    Notice::HeldOver { .. } => "held over",
                    Notice::Ticket { ticket, .. } => ticket.action.as_str(),
                    Notice::Untold { why: Untold::Observe, .. } => "observe",
                    Notice::Untold { why: Untold::Silenced(_), .. } => "silenced",
                    Notice::Untold { why: Untold::Maintenance(_), .. } => "maintenance",
                    Notice::Untold { why: Untold::NoRoute, .. } => "no route",
                    Notice::Forgotten { .. } => "forgotten",
                };
                *said.entry(name).or_default() += 1;
            }
        }
    }
    assert_eq!(said.len(), 14, "{said:?}");
}

fn first_key(state: &PageState) -> Key {
    Key::of_page(&state.group, state.opened)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A channel is told of a key once, and then of its end once, to where it led; and nobody is told while muted.
    #[test]
    fn one_page_and_one_resolve_for_a_key_and_a_channel(acts in acts(true)) {
        let story = moments(&acts);
        let mut paging = Paging::default();
        let mut receivers: BTreeMap<(Key, String), String> = BTreeMap::new();
        let mut over: BTreeSet<(Key, String)> = BTreeSet::new();
        let mut inside: BTreeMap<(Key, String), Key> = BTreeMap::new();
        for moment in &story {
            for notice in moment.step(&mut paging, &moment.effects) {
                match notice {
                    Notice::Page(page) => {
                        let id = (page.state.key.clone(), page.state.channel.clone());
                        prop_assert!(receivers.insert(id, page.state.receiver.clone()).is_none(), "told twice");
                        prop_assert!(page.state.members.iter().all(|member| !moment.mutes(&member.series, PAGE_CAUSE)));
                        prop_assert!(page.state.open().count() == page.pages.len());
                    }
                    Notice::Changed(state) => {
                        for member in state.members.iter().filter(|member| member.joined == moment.now()) {
                            prop_assert!(!moment.mutes(&member.series, PAGE_CAUSE));
                        }
                        prop_assert!(state.open().count() > 0);
                    }
                    Notice::Resolve(resolve) => {
                        let state = resolve.state;
                        let id = (state.key.clone(), state.channel.clone());
                        prop_assert_eq!(receivers.get(&id), Some(&state.receiver));
                        prop_assert!(over.insert(id), "resolved twice");
                        prop_assert!(state.open().next().is_none());
                        prop_assert_eq!(state.closed, Some(moment.now()));
                    }
                    Notice::Ticket { ticket, channels } => {
                        let muted = moment.mutes(&ticket.series, ticket.cause.as_str());
                        prop_assert!(ticket.action == TicketAction::Closed || !muted);
                        prop_assert!(!channels.is_empty());
                    }
                    Notice::Held { held, channels } => {
                        prop_assert!(!channels.is_empty());
                        let first = held.state.open().next().map(|member| &member.series);
                        prop_assert!(first.is_some_and(|series| !moment.mutes(series, "no_data")));
                    }
                    Notice::HeldOver { channels, .. } => prop_assert!(!channels.is_empty()),
                    Notice::Untold { incident, .. } => {
                        let muted = moment.mutes(&incident.series, PAGE_CAUSE);
                        prop_assert!(muted || moment.routed(&incident.series).is_empty());
                    }
                    Notice::Forgotten { incident } => {
                        prop_assert!(!inside.keys().any(|(key, _)| *key == incident.key), "somebody was told");
                    }
                }
            }
            // Whoever is in a page stays in it, and in no other to the same channel.
            let now = memberships(paging.pages().cloned());
            for (of, key) in &now {
                prop_assert_eq!(inside.get(of).unwrap_or(key), key);
            }
            inside.extend(now);
        }
    }

    /// Every incident that is open, routed and not muted is in an open page to each channel of its route, and in no other.
    #[test]
    fn whoever_should_know_knows(acts in acts(false)) {
        let story = moments(&acts);
        let mut paging = Paging::default();
        for moment in &story {
            moment.step(&mut paging, &moment.effects);
            let inside: BTreeSet<(Key, String)> = memberships(paging.pages().cloned())
                .into_keys()
                .filter(|(incident, _)| moment.standing.contains_key(incident))
                .collect();
            for (key, page) in &moment.standing {
                let series = &page.incident().series;
                let channels: BTreeSet<String> =
                    inside.iter().filter(|(of, _)| of == key).map(|(_, channel)| channel.clone()).collect();
                let untold = paging.untold().any(|(untold, _)| untold.incident().key == *key);
                prop_assert!(untold == channels.is_empty());
                prop_assert!(!untold || moment.mutes(series, PAGE_CAUSE));
                // The third series has a route of its own in office hours, and keeps the channels it was told through.
                if !untold && series.model() != "c" {
                    prop_assert_eq!(channels, moment.routed(series).into_iter().collect::<BTreeSet<_>>());
                }
            }
            for page in paging.pages() {
                for member in page.open() {
                    prop_assert!(moment.standing.contains_key(&member.incident));
                }
            }
        }
    }

    /// A second step for the same moment says nothing.
    #[test]
    fn nothing_is_said_twice(acts in acts(true)) {
        let story = moments(&acts);
        let mut paging = Paging::default();
        for moment in &story {
            moment.step(&mut paging, &moment.effects);
            prop_assert_eq!(moment.step(&mut paging, &[]), []);
        }
    }

    /// What was written down is enough to go on.
    #[test]
    fn a_restart_changes_nothing_that_is_said(acts in acts(true), restart in any::<prop::sample::Index>()) {
        let story = moments(&acts);
        let restart = restart.index(story.len());
        let (mut one, mut other) = (Paging::default(), Paging::default());
        let mut written = Written::default();
        let said = |notices: Vec<Notice>| -> Vec<Notice> {
            // Why somebody is not told is not remembered over a restart.
            notices.into_iter().filter(|notice| !matches!(notice, Notice::Untold { .. })).collect()
        };
        for (index, moment) in story.iter().enumerate() {
            let notices = moment.step(&mut one, &moment.effects);
            let again = moment.step(&mut other, &moment.effects);
            prop_assert_eq!(said(notices), said(again.clone()));
            written.write(&other, &again);
            if index == restart {
                other = written.restored(moment);
                prop_assert_eq!(other.pages().collect::<Vec<_>>(), one.pages().collect::<Vec<_>>());
                prop_assert_eq!(other.filed().collect::<Vec<_>>(), one.filed().collect::<Vec<_>>());
            }
        }
    }

    /// Accounts are read one after the other: that may change which page somebody is told in, and not who is told.
    #[test]
    fn splitting_a_moment_changes_only_the_pages(acts in acts(false)) {
        let story = moments(&acts);
        let (mut at_once, mut split) = (Paging::default(), Paging::default());
        for moment in &story {
            let one = moment.step(&mut at_once, &moment.effects);
            let (first, second): (Vec<Effect>, Vec<Effect>) =
                moment.effects.iter().cloned().partition(|effect| effect.series().model() == "a");
            let mut other = moment.step(&mut split, &first);
            other.extend(moment.step(&mut split, &second));
            let open = |told: BTreeSet<(Key, String)>| -> BTreeSet<(Key, String)> {
                told.into_iter().filter(|(incident, _)| moment.standing.contains_key(incident)).collect()
            };
            let inside = |paging: &Paging| open(memberships(paging.pages().cloned()).into_keys().collect());
            prop_assert_eq!(inside(&at_once), inside(&split));
            let news = |notices: &[Notice]| -> BTreeSet<(Key, String)> {
                told(notices).into_iter().filter(|(incident, _)| {
                    moment.effects.iter().any(|effect| matches!(effect, Effect::Page(page) if page.incident().key == *incident))
                }).collect()
            };
            prop_assert_eq!(news(&one), news(&other));
            let filed = |paging: &Paging| -> Vec<Filed> {
                paging.filed().filter(|filed| moment.tickets.contains_key(&filed.key)).collect()
            };
            prop_assert_eq!(filed(&at_once), filed(&split));
        }
    }
}
