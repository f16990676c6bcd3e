//! The services, as the real SDKs see them.

mod cases;
mod faults;
mod messages;
mod scenario;
