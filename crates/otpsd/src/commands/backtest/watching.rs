//! Looks over the shoulder of an engine: how far each series was judged, and its incidents period by period.

use std::collections::VecDeque;

use domain::{
    Metric, MissingReason, Period, Plan, Reading, Row, Rule, Series, Slot, Span, Statistic, Verdict,
};
use evaluator::{Effect, Engine};

use super::hindsight::{Closest, Counts, Episode, Measured, Moment, Never, Ratios, Seen, Sight};
use crate::replay::Step;

/// The most periods that a chart shows before the onset of an incident.
const BEFORE: usize = 12 * domain::PERIODS_PER_HOUR as usize;

/// What is found of one series while its engine is driven.
#[derive(Debug)]
pub(super) struct Watching {
    series: Series,
    rule: Rule,
    /// The whole history.
    span: Span,
    charts: bool,
    counts: Counts,
    judged_from: Option<Period>,
    /// What belongs to an incident that ended cannot open the next one.
    fresh_from: Period,
    near: Vec<Closest>,
    /// The breaching periods that may still become a page.
    run: Option<Closest>,
    /// The last periods, for charts.
    before: VecDeque<Moment>,
    episodes: Vec<Episode>,
    /// The ratio of each period that had one: pages say how the rest of the fleet was.
    ratios: Ratios,
}

impl Watching {
    /// `charts` asks for what an incident looked like before and after, too.
    pub(super) fn new(series: Series, plan: &Plan, span: Span, charts: bool) -> Self {
        Self {
            rule: plan.rule_of(&series),
            series,
            span,
            charts,
            counts: Counts::default(),
            judged_from: None,
            fresh_from: Period::from_index(i64::MIN),
            near: Vec::new(),
            run: None,
            before: VecDeque::new(),
            episodes: Vec::new(),
            ratios: Ratios::default(),
        }
    }

    /// Takes in what the engine said of the series in a step, and how it is now.
    pub(super) fn look(&mut self, step: &Step, effects: &[Effect], engine: &Engine) {
        let slots = engine.slots(&self.series);
        let newest = slots.last().filter(|slot| slot.period == step.through);
        if let Some(slot) = newest {
            self.count(slot);
            if self.charts {
                self.ratios.add(slot);
            }
        }
        for effect in effects.iter().filter(|effect| *effect.series() == self.series) {
            match effect {
                Effect::Page(page) => {
                    self.run = None;
                    let moments = self.moments_before(slots, page.incident().onset, step.through);
                    self.episodes.push(Episode {
                        page: page.as_ref().clone(),
                        resolve: None,
                        tellings: Vec::new(),
                        untold: None,
                        fell_back: engine.fell_back(page.incident()),
                        moments,
                    });
                }
                Effect::Resolve(resolve) => {
                    if let Some(episode) = self.episodes.last_mut() {
                        episode.resolve = Some(resolve.as_ref().clone());
                    }
                    self.fresh_from = resolve.resolved + 1;
                }
                Effect::Ended(_) | Effect::Ticket(_) | Effect::Transition(_) | Effect::Diagnose(_) => {}
            }
        }
        if let Some(slot) = newest {
            self.follow(slot, &step.rows);
            self.look_for_closest(slots);
        }
    }

    fn count(&mut self, slot: &Slot) {
        match slot.verdict {
            Verdict::Breaching | Verdict::Within => {
                if self.judged_from.is_none() {
                    self.judged_from = Some(slot.period);
                    self.counts.before = self.counts.with_requests();
                }
                self.counts.judged += 1;
            }
            // A source that was not read is no part of a recording.
            Verdict::Missing(MissingReason::NoData | MissingReason::NotSeen) => {}
            Verdict::Missing(reason) => {
                if let Some(place) = MissingReason::ALL.iter().position(|one| *one == reason) {
                    self.counts.missing[place] += 1;
                }
            }
        }
    }

    /// What led to an incident, without the period that decided.
    fn moments_before(&self, slots: &[Slot], onset: Period, through: Period) -> Vec<Moment> {
        if self.charts {
            return self.before.iter().copied().collect();
        }
        let of_incident = slots.iter().filter(|slot| onset <= slot.period && slot.period < through);
        of_incident.map(|slot| Moment { slot: *slot, measured: None }).collect()
    }

    /// The period belongs to an incident, or to what its chart shows around it.
    fn follow(&mut self, slot: &Slot, rows: &[Row]) {
        let charts = self.charts;
        let last = self.episodes.last_mut().filter(|last| {
            let until = if charts { shown(last, self.span).until } else { last.over(self.span.until) };
            slot.period < until
        });
        if !charts && last.is_none() {
            return;
        }
        let reading = rows.iter().find(|row| charts && row.series == self.series).map(|row| &row.reading);
        let moment = Moment { slot: *slot, measured: reading.map(Measured::of) };
        if let Some(episode) = last {
            episode.moments.push(moment);
        }
        if charts {
            if self.before.len() == BEFORE {
                self.before.pop_front();
            }
            self.before.push_back(moment);
        }
    }

    fn look_for_closest(&mut self, slots: &[Slot]) {
        let is_open = self.episodes.last().is_some_and(|last| last.resolve.is_none());
        let is_breaching = slots.last().is_some_and(|slot| slot.verdict == Verdict::Breaching);
        if is_open || (!is_breaching && self.run.is_none()) {
            return;
        }
        let looked_at = slots.iter().rev().take(self.rule.evaluation_periods.into());
        let breaching =
            looked_at.filter(|slot| slot.verdict == Verdict::Breaching && slot.period >= self.fresh_from);
        let now = breaching.fold(None, |now: Option<Closest>, slot| {
            let (period, lowest) = match now {
                Some(now) => (now.period, [now.lowest, slot.ratio()].into_iter().flatten().reduce(f64::min)),
                None => (slot.period, slot.ratio()),
            };
            let breaching = now.map_or(0, |now| now.breaching) + 1;
            let (needed, of) = (self.rule.datapoints_to_alarm, self.rule.evaluation_periods);
            Some(Closest { period, breaching, of, needed, lowest })
        });
        match (now, self.run) {
            (None, _) => self.give_up(),
            (Some(now), Some(run)) if now.order(&run).is_ge() => {}
            (Some(now), _) => self.run = Some(now),
        }
    }

    /// What was below the line cannot become a page any more.
    fn give_up(&mut self) {
        self.near.extend(self.run.take());
    }

    /// What was found by the end.
    pub(super) fn finish(mut self, engine: &Engine) -> (Seen, Vec<Episode>) {
        self.give_up();
        let sight = match self.judged_from {
            Some(period) => Sight::From(period),
            None => Sight::Never(self.why_never(engine)),
        };
        let Self { series, rule, counts, near, mut episodes, span, ratios, .. } = self;
        for episode in episodes.iter_mut().filter(|_| self.charts) {
            let from = shown(episode, span).from;
            episode.moments.retain(|moment| from <= moment.slot.period);
        }
        (Seen { series, rule, sight, counts, near, ratios }, episodes)
    }

    fn why_never(&self, engine: &Engine) -> Never {
        let learning = &engine.settings_of(&self.series).learning;
        let progress = engine.progress(&self.series);
        match self.counts.main_reason() {
            None => Never::NoRequests,
            Some(MissingReason::NoTimeToFirstToken) => Never::NotStreaming,
            Some(MissingReason::TooFewSamples | MissingReason::NoBaseline)
                if !progress.is_enough(learning) =>
            {
                Never::TooLittleHistory { progress, learning: learning.clone() }
            }
            Some(MissingReason::TooFewSamples) => Never::TooFewRequests,
            Some(reason) => Never::Other(reason),
        }
    }
}

/// What the chart of an incident shows, as far as it is known.
fn shown(episode: &Episode, span: Span) -> Span {
    web::report::shown(episode.onset(), episode.resolve.as_ref().map(|resolve| resolve.resolved), span)
}

impl Measured {
    fn of(reading: &Reading) -> Self {
        let get = |metric, statistic| reading.get(metric, statistic).filter(|value| value.is_finite());
        let both = |metric| (get(metric, Statistic::P50), get(metric, Statistic::P95));
        let (ttft_p50, ttft_p95) = both(Metric::TimeToFirstToken);
        let (latency_p50, latency_p95) = both(Metric::InvocationLatency);
        let (output_p50, output_p95) = both(Metric::OutputTokenCount);
        let requests = get(Metric::InvocationLatency, Statistic::SampleCount);
        Self { ttft_p50, ttft_p95, latency_p50, latency_p95, output_p50, output_p95, requests }
    }
}
