//! What is asked for: whoever asks for the same again, soon, goes on with it.

use std::fs;
use std::io;
use std::path::Path;

use domain::CloudWatchPlan;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// What was begun before that is begun anew: the time that was asked for then is not what anybody means any more.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);

/// What is asked for. Two are equal when their recordings would be, however the sources are reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    since_seconds: i64,
    /// RFC 3339, as the other times here.
    until: Option<String>,
    sources: Vec<AskedSource>,
}

/// What decides of a source which series are read, and of which time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AskedSource {
    name: String,
    regions: Vec<String>,
    endpoint_url: Option<String>,
    role: Option<String>,
    profile: Option<String>,
    account_id: Option<String>,
    linked_accounts: bool,
    include: Vec<String>,
    ignore: Vec<String>,
    settle_seconds: u64,
}

/// The file of it.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    begun: String,
    asked: Asked,
}

impl Asked {
    pub(super) fn of(sources: &[CloudWatchPlan], since: SignedDuration, until: Option<Timestamp>) -> Self {
        let source = |plan: &CloudWatchPlan| AskedSource {
            name: plan.name.clone(),
            regions: plan.regions.clone(),
            endpoint_url: plan.endpoint_url.clone(),
            role: plan.role.as_ref().map(|role| role.arn.clone()),
            profile: plan.profile.clone(),
            account_id: plan.account_id.clone(),
            linked_accounts: plan.linked_accounts,
            include: plan.include.clone(),
            ignore: plan.ignore.clone(),
            settle_seconds: plan.settle_delay.as_secs(),
        };
        Self {
            since_seconds: since.as_secs(),
            until: until.map(|until| until.to_string()),
            sources: sources.iter().map(source).collect(),
        }
    }

    /// When the same was begun, if that is not too long ago.
    pub(super) fn begun_before(&self, file: &Path) -> Option<Timestamp> {
        let begun: Begun = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        let since: Timestamp = begun.begun.parse().ok()?;
        let age = Timestamp::now().duration_since(since);
        (begun.asked == *self && (SignedDuration::ZERO..LONGEST).contains(&age)).then_some(since)
    }

    /// Notes that it is begun now.
    pub(super) fn begin(&self, file: &Path) -> io::Result<Timestamp> {
        let begun = Timestamp::now();
        let text = serde_json::to_vec_pretty(&Begun { begun: begun.to_string(), asked: self.clone() })?;
        fs::write(file, text).map(|()| begun)
    }
}
