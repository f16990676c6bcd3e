//! The services, as the real SDKs see them.

mod by_hand;
mod cases;
mod faults;
mod messages;
mod receivers;
mod scenario;
mod stalls;
