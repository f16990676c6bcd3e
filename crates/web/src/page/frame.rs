//! What every page has around its content, and the way of its links.

use std::fmt;

use domain::Mode;
use jiff::Timestamp;

use crate::figures::{percent, speed};
use crate::headers::{SCRIPT, STYLE};
use crate::snapshot::Snapshot;
use crate::times::{When, full};

/// The way from a page to the status page, which all its links begin with: whoever serves the daemon below a path of their own
/// needs to tell it nothing.
pub(crate) struct Root(String);

impl Root {
    /// The way from `path`, as the daemon was asked for it. An encoded slash is none to whoever resolves a link.
    pub(crate) fn from(path: &str) -> Self {
        let depth = path.matches('/').count().saturating_sub(1);
        Self(if depth == 0 { "./".to_owned() } else { "../".repeat(depth) })
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What every page has.
pub(super) struct Frame {
    pub(super) root: Root,
    pub(super) title: String,
    /// The class of the worst that the page has to say, for its icon.
    pub(super) tone: &'static str,
    pub(super) style: &'static str,
    pub(super) script: &'static str,
    pub(super) refresh: u32,
    pub(super) version: String,
    pub(super) started: When,
    pub(super) as_of: String,
    pub(super) rule: RuleText,
}

/// The rule in figures.
pub(super) struct RuleText {
    pub(super) line: String,
    pub(super) floor: Option<String>,
    pub(super) datapoints: u8,
    pub(super) periods: u8,
    pub(super) observe: bool,
}

impl Frame {
    /// What a page of that title has.
    pub(super) fn new(
        snapshot: &Snapshot,
        root: Root,
        now: Timestamp,
        title: String,
        tone: &'static str,
    ) -> Self {
        let rule = &snapshot.rule;
        Self {
            root,
            title,
            tone,
            style: STYLE,
            script: SCRIPT,
            refresh: snapshot.refresh_seconds,
            version: snapshot.version.clone(),
            started: When::new(snapshot.started, now),
            as_of: full(now),
            rule: RuleText {
                line: percent(Some(rule.page_below)),
                floor: rule.page_below_otps.map(|floor| speed(Some(floor))),
                datapoints: rule.datapoints_to_alarm,
                periods: rule.evaluation_periods,
                observe: rule.mode == Mode::Observe
                    && !snapshot.overrides.iter().any(|one| one.patch.mode == Some(Mode::Page)),
            },
        }
    }
}
