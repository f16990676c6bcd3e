//! Jira Cloud.
//!
//! A page or ticket is one issue. It carries the key as a label, in its description and in an issue property `otpsd`, so that it is
//! found again whichever of the three a site drops. A ticket also carries its subject: what the same condition of the same series is
//! called whenever it comes back. What is wanted and what is there decide what is done:
//!
//! | wanted | open | nobody wants it | closed by hand | closed by the daemon | no issue |
//! | --- | --- | --- | --- | --- | --- |
//! | open | comment | nothing | nothing | opened again with a comment, or filed anew once `reopen-within` has passed | below |
//! | update | comment | nothing | nothing | nothing | below |
//! | close | comment, then done | nothing | nothing | nothing | nothing |
//!
//! Where there is no issue of the key, one of the same subject decides: an open one is told, one that nobody wants keeps another from
//! being filed, one that the daemon closed within `reopen-within` is opened again. In all other cases an issue is filed: what a human
//! closed as done and what came back is news.
//!
//! - *Nobody wants it*: it is done, with a resolution (or a status) that `wont-fix` names.
//! - *Closed by the daemon*: the property says when, and the status has not changed since. A human who opens it again and closes it
//!   closes it by hand. Without leave to edit issues nothing is written down, and all look closed by hand.
//! - *Close* moves an issue to a done status only while it is still to do. Once somebody works on it, it is told that it is over, and
//!   left to them.
//! - A comment carries the id of its message as a property, so that a repeat after a lost answer is not said twice.
//!
//! # Layout
//!
//! - `channel`: what is done when.
//! - `standing`: what an issue that is there means.
//! - `issue`: reading an issue.
//! - `site`: each call. `answer`: what a refusal means for the outbox.
//! - `document`: texts as Jira has them. `words`: labels and searches.

mod answer;
mod channel;
mod document;
mod issue;
mod site;
mod standing;
mod words;

pub(crate) use channel::JiraChannel;

/// The name of the issue property and of the comment property.
const PROPERTY: &str = "otpsd";
