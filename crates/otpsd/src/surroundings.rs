//! How the rest of a fleet is doing when a page is written.

use std::collections::BTreeMap;

use domain::{Elsewhere, Group, PERIODS_PER_HOUR, Plan, Series, Surroundings};

/// A series that could be judged within so many periods is one that can be seen.
pub(crate) const LATELY: i64 = PERIODS_PER_HOUR / 2;

/// How one series is doing.
pub(crate) struct Look<'a> {
    pub(crate) series: &'a Series,
    /// Its newest ratio to the baseline, if it could be judged lately.
    pub(crate) ratio: Option<f64>,
    /// Whether it has an open incident.
    pub(crate) is_slow: bool,
}

/// What can be seen around a group: how many of its own series, and how other Regions are doing.
pub(crate) fn of_group<'a>(
    group: &Group,
    plan: &Plan,
    looks: impl Iterator<Item = Look<'a>>,
) -> Surroundings {
    let mut around = Surroundings::default();
    let mut regions: BTreeMap<&str, (Vec<f64>, usize)> = BTreeMap::new();
    let mut of_group: Vec<&str> = Vec::new();
    for Look { series, ratio, is_slow } in looks {
        let is_in_group = plan.group_by.group(series) == *group;
        if is_in_group {
            of_group.push(series.region());
        }
        let Some(ratio) = ratio else { continue };
        around.judged += usize::from(is_in_group);
        let (ratios, slow) = regions.entry(series.region()).or_default();
        ratios.push(ratio);
        *slow += usize::from(is_slow);
    }
    around.elsewhere = regions
        .into_iter()
        .filter(|(region, _)| !of_group.contains(region))
        .map(|(region, (mut ratios, slow))| {
            ratios.sort_by(f64::total_cmp);
            Elsewhere {
                region: region.to_owned(),
                series: ratios.len(),
                slow,
                ratio: ratios[ratios.len() / 2],
                worst: ratios[0],
            }
        })
        .collect();
    around
}
