//! What every [`Ledger`] must do, as tests that know nothing of SQLite.
//!
//! A backend calls [`cases`] with a way to make an empty ledger, [`follow`] with random [`steps`] and a way to open the same one
//! again, and [`live`] with random [`lives`] and an empty one. All panic at the first difference, as tests do.
//!
//! # Layout
//!
//! - `readings`, `states`, `sources`, `incidents`, `remembered`, `outbox`, `withdrawal`: cases worked out by hand, one file a
//!   subject.
//! - `model`, `outbox_model`: the same ledger on plain maps and a list, as short as it can be.
//! - `lives`: random lives of a page, and what every receiver may rely on.
//! - `random`, `steps`: random values, and random steps, after each of which ledger and model must agree.
//! - `samples`: what the cases are made of.

use domain::{Act, Ledger};

mod incidents;
mod lives;
mod model;
mod outbox;
mod outbox_model;
pub(crate) mod random;
mod readings;
mod remembered;
mod samples;
mod sources;
mod states;
mod steps;
mod withdrawal;

pub use lives::{Act as LifeAct, live, lives};
pub use steps::{Step, follow, steps};

type Case = (&'static str, for<'a> fn(&'a dyn Ledger) -> Act<'a, ()>);

macro_rules! list {
    ($($file:ident: $($case:ident),+;)+) => {
        &[$($((stringify!($case), |ledger| Box::pin($file::$case(ledger)))),+),+]
    };
}

const CASES: &[Case] = list! {
    readings: an_empty_ledger_has_nothing, newer_readings_are_laid_over_older_ones, figures_come_back_exactly,
        history_is_of_one_series_and_in_order_of_time, readings_before_the_horizon_are_forgotten;
    states: a_state_comes_back_with_every_field, a_state_replaces_the_one_before, states_come_by_series,
        diagnosed_is_the_newest;
    sources: a_source_comes_back_with_every_field, a_source_replaces_the_one_before, an_empty_source_is_forgotten;
    incidents: an_incident_is_one_record, incidents_come_newest_first;
    outbox: a_message_comes_back_with_every_field, a_known_message_is_left_as_it_is, messages_come_newest_first,
        of_a_key_to_a_channel_only_the_oldest_goes, what_wakes_people_goes_first_then_the_oldest,
        a_beginning_is_an_attempt_and_the_last_error_stays, an_outcome_without_a_beginning_was_an_attempt,
        a_reference_is_handed_to_what_comes_later, the_backlog_is_what_is_owed_and_what_was_refused_lately,
        only_messages_that_are_owed_are_recorded;
    withdrawal: neither_is_sent_when_the_page_was_not_begun,
        a_page_that_may_have_arrived_is_resolved_and_not_repeated,
        what_was_sent_before_it_could_be_written_is_resolved, a_page_that_arrives_late_is_delivered,
        a_page_withdrawn_while_it_is_taken_up_is_resolved_after_all, a_delivered_page_is_resolved,
        what_was_refused_goes_to_what_stood_by,
        a_resolve_addressed_to_what_stood_by_goes_there_only_after_its_page,
        nothing_stands_in_for_a_page_whose_incident_is_over, nothing_stands_in_for_a_page_that_is_closed,
        a_standby_refused_hands_on_to_its_own, what_stands_by_for_something_refused_long_ago_is_owed,
        a_resolve_ends_the_pages_since_the_one_before, a_channel_that_also_stands_by_is_told_once,
        a_channel_that_also_stands_by_in_vain_is_resolved, a_standby_of_two_is_let_go_once,
        a_refusal_withdraws_no_resolve_that_somebody_needs, a_resolve_whose_page_nobody_knows_is_sent;
    remembered: a_page_comes_back_with_every_field, a_page_replaces_the_one_of_its_key_and_channel,
        pages_are_loaded_oldest_first_and_those_that_are_over_too, open_incidents_are_loaded_by_key,
        filed_tickets_keep_their_channels_in_order, a_silence_replaces_the_one_of_its_id,
        the_audit_log_comes_newest_first, what_is_over_is_forgotten, what_is_open_or_owed_is_not_forgotten;
};

/// Runs every case on a ledger of its own that `empty` makes. The name of each is printed before it runs.
///
/// # Panics
///
/// When a case fails.
pub async fn cases<L: Ledger>(mut empty: impl FnMut() -> L) {
    for (name, case) in CASES {
        println!("{name}");
        case(&empty()).await;
    }
}
