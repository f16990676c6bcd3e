//! What every [`Ledger`] must do, as tests that know nothing of SQLite.
//!
//! A backend calls [`cases`] with a way to make an empty ledger, and [`follow`] with random [`steps`] and a way to open
//! the same one again. Both panic at the first difference, as tests do.
//!
//! # Layout
//!
//! - `readings`, `states`, `sources`, `incidents`, `outbox`: cases worked out by hand, one file a subject.
//! - `model`: the same ledger on plain maps, as short as it can be.
//! - `steps`: random steps, after each of which ledger and model must agree.
//! - `samples`: what the cases are made of.

use domain::{Act, Ledger};

mod incidents;
mod model;
mod outbox;
mod readings;
mod samples;
mod sources;
mod states;
mod steps;

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
        a_resolve_waits_for_its_page, a_refused_page_is_in_nobodys_way, a_delivered_page_lets_its_resolve_go,
        the_oldest_goes_first_and_pages_before_tickets, attempts_are_counted_and_the_last_error_stays,
        an_unknown_outcome_changes_nothing, recipients_are_those_who_were_owed_the_page;
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
