//! Two overrides that set one key for one series, which is known once there is a series: of patterns that may meet, such as
//! `us.*` and `*haiku*`, nobody can say before that whether they do.

use std::fmt;

use domain::{Override, Plan, Series};

use crate::overriding::is_one_part;
use crate::{Origin, Origins};

/// A key of the rule that two overrides set for one series.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// The one that holds: it comes first in the order of the files.
    pub holds: Setter,
    /// The one that does not.
    pub other: Setter,
}

/// Who sets it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setter {
    /// The name of the `[override.NAME]`.
    pub name: String,
    /// The key, which may be another one of the same part: `method` and `anomaly-below` are one.
    pub key: String,
    /// Where it is written.
    pub origin: Origin,
}

impl fmt::Display for Setter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `[override.{}]` at {}", self.key, self.name, self.origin)
    }
}

impl fmt::Display for Conflict {
    /// `` `page-below` of `[override.a]` at otpsd.toml:12 holds, not `page-below` of `[override.b]` at otpsd.toml:20 ``
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} holds, not {}", self.holds, self.other)
    }
}

/// What two overrides both set for a series, in the order of those that do not hold and of their keys. `origins` are those of the plan.
/// A label is not among them: of two values the first is meant to hold.
#[must_use]
pub fn conflicts(plan: &Plan, origins: &Origins, series: &Series) -> Vec<Conflict> {
    let about: Vec<&Override> = plan.overrides.iter().filter(|one| one.is_about(series)).collect();
    let mut found = Vec::new();
    for (index, other) in about.iter().enumerate().skip(1) {
        for other in setters(origins, other) {
            let earlier = about.iter().take(index).flat_map(|first| setters(origins, first));
            if let Some(holds) = earlier.into_iter().find(|first| is_one_part(&first.key, &other.key)) {
                found.push(Conflict { holds, other });
            }
        }
    }
    found
}

/// The keys that an override has and that only one may set, each with its place.
fn setters(origins: &Origins, one: &Override) -> Vec<Setter> {
    let table = format!("override.{}", one.name);
    let sets_once = |key: &&str| !key.starts_with("labels.") && !key.starts_with("match.");
    let setter = |key: &str| {
        let origin = origins.of(&table, key)?.clone();
        Some(Setter { name: one.name.clone(), key: key.to_owned(), origin })
    };
    origins.keys(&table).filter(sets_once).filter_map(setter).collect()
}
