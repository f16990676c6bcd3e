//! How a channel is used, whatever its kind.

use domain::DeliveryPlan;

use crate::report::At;
use crate::table::Table;
use crate::value::{integer, text, word};

/// What was read. The fallback is known even when the rest cannot be used.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) fallback: Option<(String, At)>,
    pub(crate) plan: Option<DeliveryPlan>,
}

pub(crate) fn read(table: &mut Table<'_, '_, '_>) -> Delivery {
    let fallback = table.optional("fallback", text(word));
    let in_flight = table.setting("in-flight", DeliveryPlan::DEFAULT.in_flight, integer(1..=64));
    let plan = fallback
        .value
        .clone()
        .zip(in_flight.value)
        .map(|(fallback, in_flight)| DeliveryPlan { fallback, in_flight });
    Delivery { fallback: fallback.value.flatten().zip(fallback.at), plan }
}
