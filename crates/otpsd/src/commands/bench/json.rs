//! The figures for machines. docs/reference/bench.md describes it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::{Delay, Figures, GOALS, Pages};
use super::intervals::Estimate;
use super::labelled::Tier;
use super::tally::Tally;
use super::wrong::Wrong;

/// The whole answer.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    pub(super) fleets: Vec<String>,
    pub(super) models: usize,
    pub(super) months: f64,
    pub(super) otpsd: Detector<'a>,
    pub(super) recipe: Detector<'a>,
    pub(super) goals: Goals,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrong: Option<Vec<WrongLine<'a>>>,
}

/// The figures of one detector.
#[derive(Debug, Serialize)]
pub(super) struct Detector<'a> {
    /// By requests a period.
    tiers: BTreeMap<&'static str, PagesJson>,
    all: PagesJson,
    slow_minorities: u32,
    slow_minorities_paged: u32,
    slow_minorities_share: Option<Figure>,
    repeated_pages: u32,
    never_resolved: u32,
    resolved: u32,
    resolved_early: u32,
    resolved_early_share: Option<Figure>,
    resolve_delay_minutes: Option<Minutes>,
    tickets_owed: u32,
    tickets_right: u32,
    tickets_right_share: Option<Figure>,
    tickets_extra: u32,
    tickets_false: u32,
    tickets_false_per_month: Option<Figure>,
    false_pages_during: &'a BTreeMap<String, u32>,
}

#[derive(Debug, Serialize)]
struct PagesJson {
    months: f64,
    owed: u32,
    came: u32,
    recall: Option<Figure>,
    false_pages: u32,
    false_pages_per_month: Option<Figure>,
    delay_minutes: Option<Minutes>,
}

/// A figure and the 95 % interval around it.
#[derive(Debug, Serialize)]
struct Figure {
    value: f64,
    low: f64,
    high: f64,
}

#[derive(Debug, Serialize)]
struct Minutes {
    median: f64,
    p95: f64,
}

/// What the figures should reach.
#[derive(Debug, Serialize)]
pub(super) struct Goals {
    recall: BTreeMap<&'static str, f64>,
    false_pages_per_month: BTreeMap<&'static str, f64>,
    slow_minorities_share: f64,
    repeated_pages: u32,
    never_resolved: u32,
    resolved_early_share: f64,
    delay_minutes: Minutes,
    resolve_delay_minutes: Minutes,
    tickets_right_share: f64,
    tickets_extra: u32,
    tickets_false_per_month: f64,
}

/// One thing that was wrong.
#[derive(Debug, Serialize)]
pub(super) struct WrongLine<'a> {
    fleet: &'a str,
    model: &'a str,
    what: &'static str,
    cause: Option<&'static str>,
    time: String,
    during: Option<&'a str>,
    minutes: Option<i64>,
    magnitude: Option<f64>,
}

impl<'a> Detector<'a> {
    pub(super) fn of(tally: &'a Tally) -> Self {
        let figures = Figures::of(tally);
        let tiers = Tier::ALL.iter().zip(&figures.tiers);
        Self {
            tiers: tiers.map(|(tier, pages)| (tier.as_str(), PagesJson::of(pages))).collect(),
            all: PagesJson::of(&figures.all),
            slow_minorities: figures.tails,
            slow_minorities_paged: figures.tails_paged,
            slow_minorities_share: figures.tail_share.map(Figure::of),
            repeated_pages: figures.repeats,
            never_resolved: figures.never_resolved,
            resolved: figures.resolved,
            resolved_early: figures.resolved_early,
            resolved_early_share: figures.early_share.map(Figure::of),
            resolve_delay_minutes: figures.resolve_delay.map(Minutes::of),
            tickets_owed: figures.tickets_owed,
            tickets_right: figures.tickets_right,
            tickets_right_share: figures.ticket_share.map(Figure::of),
            tickets_extra: figures.tickets_extra,
            tickets_false: figures.tickets_false,
            tickets_false_per_month: figures.tickets_false_per_month.map(Figure::of),
            false_pages_during: &tally.false_pages_during,
        }
    }
}

impl PagesJson {
    fn of(pages: &Pages) -> Self {
        Self {
            months: pages.months,
            owed: pages.owed,
            came: pages.came,
            recall: pages.recall.map(Figure::of),
            false_pages: pages.false_pages,
            false_pages_per_month: pages.false_per_month.map(Figure::of),
            delay_minutes: pages.delay.map(Minutes::of),
        }
    }
}

impl Figure {
    fn of(estimate: Estimate) -> Self {
        Self { value: estimate.value, low: estimate.low, high: estimate.high }
    }
}

impl Minutes {
    fn of(delay: Delay) -> Self {
        Self { median: delay.median, p95: delay.p95 }
    }
}

impl Goals {
    pub(super) fn all() -> Self {
        let by_tier =
            |goals: [f64; Tier::ALL.len()]| Tier::ALL.map(Tier::as_str).into_iter().zip(goals).collect();
        Self {
            recall: by_tier(GOALS.recall),
            false_pages_per_month: by_tier(GOALS.false_pages_per_month),
            slow_minorities_share: GOALS.tail_share,
            repeated_pages: GOALS.repeats,
            never_resolved: GOALS.never_resolved,
            resolved_early_share: GOALS.early_share,
            delay_minutes: Minutes::of(GOALS.delay),
            resolve_delay_minutes: Minutes::of(GOALS.resolve_delay),
            tickets_right_share: GOALS.ticket_share,
            tickets_extra: GOALS.tickets_extra,
            tickets_false_per_month: GOALS.tickets_false_per_month,
        }
    }
}

impl<'a> WrongLine<'a> {
    pub(super) fn of(wrong: &'a Wrong) -> Self {
        let during = wrong.during.as_ref();
        Self {
            fleet: &wrong.fleet,
            model: &wrong.model,
            what: wrong.kind.as_str(),
            cause: wrong.kind.cause().map(domain::Cause::as_str),
            time: wrong.at.to_string(),
            during: during.map(|during| during.kind.as_str()),
            minutes: during.map(|during| during.minutes),
            magnitude: during.map(|during| during.magnitude),
        }
    }
}
