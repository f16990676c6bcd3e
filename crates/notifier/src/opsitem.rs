//! OpsCenter of AWS Systems Manager.
//!
//! A page or ticket is one OpsItem, found again by its key: as the deduplication string, which Systems Manager guards, and as an entry
//! of its operational data, which can be searched. What is wanted and what is there decide what is called:
//!
//! | wanted | no OpsItem | open or in progress | resolved or closed |
//! | --- | --- | --- | --- |
//! | open | created | its text is brought up to date | left alone |
//! | update | created | its text is brought up to date | left alone |
//! | close | nothing | its text is brought up to date, and it is resolved | left alone |
//!
//! Nothing that a human resolved is ever opened again, and there is no second OpsItem of the same key beside it.
//!
//! # Layout
//!
//! - `channel`: what is called when.
//! - `calls`: each call of Systems Manager.
//! - `fields`: a body as the fields of an OpsItem.
//! - `refusal`: what an error of Systems Manager means for the outbox.

mod calls;
mod channel;
mod fields;
mod refusal;

pub(crate) use channel::OpsItemChannel;
