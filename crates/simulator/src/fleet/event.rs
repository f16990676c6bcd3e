//! What can happen to a model, on purpose and with a label.

use domain::{PERIODS_PER_DAY, PERIODS_PER_HOUR, Period, Series, Span};

/// Share of requests that [`EventKind::MostRequestsSlow`] hits.
pub(crate) const MOST: f64 = 0.8;
/// Share of requests that [`EventKind::SlowMinority`] hits.
pub(crate) const MINORITY: f64 = 0.15;

/// A kind of event, with what its magnitude means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// Minutes to hours of slower decoding, for every request; magnitude: share of the speed that is lost.
    Slowdown,
    /// Days of it.
    LongSlowdown,
    /// For good; a negative magnitude is a gain.
    LevelShift,
    /// Most requests decode slower; magnitude: share of their speed that is lost.
    MostRequestsSlow,
    /// Prompts grow evenly over the span; magnitude: by how much at its end.
    PromptGrowth,
    /// First tokens come later and later; magnitude: by how much at the end, as a share of what is usual.
    Queueing,
    /// Days of longer answers; magnitude: by how much.
    LongerResponses,
    /// The prompt cache finds less; magnitude: share of its hits that is lost.
    CacheRegression,
    /// Decoding gets slower evenly over the span, and stays so; magnitude: share of the speed that is lost at its end.
    Erosion,
    /// Days in which many requests do not stream; magnitude: their share.
    StreamingShift,
    /// Days without requests; no magnitude.
    WentSilent,
    /// A slowdown too short to page; magnitude: share of the speed that is lost.
    Dip,
    /// Hours of longer answers; magnitude: by how much.
    ChattySpell,
    /// Hours of longer prompts; magnitude: by how much.
    BigPromptsSpell,
    /// The first class of requests becomes more frequent, or rarer; magnitude: change of the logarithm of its weight.
    MixShift,
    /// Fewer requests; magnitude: share of them that is lost.
    TrafficTrough,
    /// Hours in which many requests do not stream; magnitude: their share.
    NonstreamingBurst,
    /// Minutes to hours without requests; no magnitude.
    Gap,
    /// More requests; magnitude: by how much.
    LoadSurge,
    /// A few requests decode much slower: the tail; magnitude: share of their speed that is lost.
    SlowMinority,
    /// A slowdown around the line: paging is as right as silence; magnitude: share of the speed that is lost.
    Grey,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::Slowdown,
        Self::LongSlowdown,
        Self::LevelShift,
        Self::MostRequestsSlow,
        Self::PromptGrowth,
        Self::Queueing,
        Self::LongerResponses,
        Self::CacheRegression,
        Self::Erosion,
        Self::StreamingShift,
        Self::WentSilent,
        Self::Dip,
        Self::ChattySpell,
        Self::BigPromptsSpell,
        Self::MixShift,
        Self::TrafficTrough,
        Self::NonstreamingBurst,
        Self::Gap,
        Self::LoadSurge,
        Self::SlowMinority,
        Self::Grey,
    ];

    /// As labels write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Slowdown => "slowdown",
            Self::LongSlowdown => "long_slowdown",
            Self::LevelShift => "level_shift",
            Self::MostRequestsSlow => "most_requests_slow",
            Self::PromptGrowth => "prompt_growth",
            Self::Queueing => "queueing",
            Self::LongerResponses => "longer_responses",
            Self::CacheRegression => "cache_regression",
            Self::Erosion => "erosion",
            Self::StreamingShift => "streaming_shift",
            Self::WentSilent => "went_silent",
            Self::Dip => "dip",
            Self::ChattySpell => "chatty_spell",
            Self::BigPromptsSpell => "big_prompts_spell",
            Self::MixShift => "mix_shift",
            Self::TrafficTrough => "traffic_trough",
            Self::NonstreamingBurst => "nonstreaming_burst",
            Self::Gap => "gap",
            Self::LoadSurge => "load_surge",
            Self::SlowMinority => "slow_minority",
            Self::Grey => "grey",
        }
    }
}

/// Something that happens to one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// To whom.
    pub series: Series,
    /// What.
    pub kind: EventKind,
    /// The first period.
    pub from: Period,
    /// The first period after.
    pub until: Period,
    /// How much; see [`EventKind`].
    pub magnitude: f64,
}

impl Event {
    /// From when to when.
    #[must_use]
    pub const fn span(&self) -> Span {
        Span { from: self.from, until: self.until }
    }

    /// How much of the span has passed in the middle of `period`, 0 to 1.
    pub(crate) fn progress(&self, period: Period) -> f64 {
        let length = (self.until - self.from).max(1) as f64;
        (((period - self.from) as f64 + 0.5) / length).clamp(0.0, 1.0)
    }

    /// One clause in plain words, without the name of the model and the time: `every request decodes 35 % slower for
    /// 1 hour`.
    #[must_use]
    pub fn describe(&self) -> String {
        let magnitude = self.magnitude;
        let lasts = duration(self.until - self.from);
        match self.kind {
            EventKind::Slowdown
            | EventKind::LongSlowdown
            | EventKind::LevelShift
            | EventKind::Dip
            | EventKind::Grey => {
                let faster = if magnitude < 0.0 { "faster" } else { "slower" };
                format!("every request decodes {} {faster} for {lasts}", percent(magnitude.abs()))
            }
            EventKind::MostRequestsSlow => {
                format!("{} of the requests decode {} slower for {lasts}", percent(MOST), percent(magnitude))
            }
            EventKind::SlowMinority => {
                format!(
                    "{} of the requests decode {} slower for {lasts}",
                    percent(MINORITY),
                    percent(magnitude)
                )
            }
            EventKind::Erosion => format!("decoding loses {} of its speed over {lasts}", percent(magnitude)),
            EventKind::PromptGrowth => format!("prompts grow by {} over {lasts}", percent(magnitude)),
            EventKind::BigPromptsSpell => format!("prompts are {} longer for {lasts}", percent(magnitude)),
            EventKind::Queueing => {
                format!("the first token comes later and later, {} over {lasts}", percent(magnitude))
            }
            EventKind::LongerResponses | EventKind::ChattySpell => {
                format!("answers are {} longer for {lasts}", percent(magnitude))
            }
            EventKind::CacheRegression => {
                format!("the prompt cache loses {} of its hits for {lasts}", percent(magnitude))
            }
            EventKind::StreamingShift | EventKind::NonstreamingBurst => {
                format!("{} of the requests do not stream for {lasts}", percent(magnitude))
            }
            EventKind::WentSilent | EventKind::Gap => format!("no requests for {lasts}"),
            EventKind::TrafficTrough => format!("{} fewer requests for {lasts}", percent(magnitude)),
            EventKind::LoadSurge => format!("{} more requests for {lasts}", percent(magnitude)),
            EventKind::MixShift => {
                let often = if magnitude < 0.0 { "rare" } else { "frequent" };
                let times = decimal(magnitude.abs().exp());
                format!("one kind of request is {times} times as {often} against the others for {lasts}")
            }
        }
    }
}

/// `35 %`.
fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// One decimal, and none where it is zero.
fn decimal(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// `35 minutes`, `1.5 hours`, `3 days`.
fn duration(periods: i64) -> String {
    let (count, unit) = if periods < PERIODS_PER_HOUR {
        (decimal(periods as f64 * 5.0), "minute")
    } else if periods < 2 * PERIODS_PER_DAY {
        (decimal(periods as f64 / PERIODS_PER_HOUR as f64), "hour")
    } else {
        (decimal(periods as f64 / PERIODS_PER_DAY as f64), "day")
    };
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, periods: i64, magnitude: f64) -> Event {
        let from = Period::from_index(1_000);
        Event { series: Series::new("", "us-east-1", "m"), kind, from, until: from + periods, magnitude }
    }

    #[test]
    fn events_are_told_in_plain_words() {
        let told = [
            (event(EventKind::Slowdown, 12, 0.35), "every request decodes 35 % slower for 1 hour"),
            (event(EventKind::Dip, 2, 0.5), "every request decodes 50 % slower for 10 minutes"),
            (event(EventKind::LevelShift, 2_880, -0.4), "every request decodes 40 % faster for 10 days"),
            (
                event(EventKind::MostRequestsSlow, 18, 0.4),
                "80 % of the requests decode 40 % slower for 1.5 hours",
            ),
            (event(EventKind::SlowMinority, 24, 0.7), "15 % of the requests decode 70 % slower for 2 hours"),
            (event(EventKind::PromptGrowth, 1_440, 0.95), "prompts grow by 95 % over 5 days"),
            (
                event(EventKind::Queueing, 2_304, 0.6),
                "the first token comes later and later, 60 % over 8 days",
            ),
            (event(EventKind::ChattySpell, 120, 0.6), "answers are 60 % longer for 10 hours"),
            (
                event(EventKind::CacheRegression, 2_016, 0.9),
                "the prompt cache loses 90 % of its hits for 7 days",
            ),
            (event(EventKind::Erosion, 5_184, 0.24), "decoding loses 24 % of its speed over 18 days"),
            (event(EventKind::StreamingShift, 1_152, 0.5), "50 % of the requests do not stream for 4 days"),
            (event(EventKind::Gap, 24, 1.0), "no requests for 2 hours"),
            (event(EventKind::TrafficTrough, 12, 0.9), "90 % fewer requests for 1 hour"),
            (event(EventKind::LoadSurge, 12, 2.0), "200 % more requests for 1 hour"),
            (
                event(EventKind::MixShift, 24, -3.0_f64.ln()),
                "one kind of request is 3 times as rare against the others for 2 hours",
            ),
        ];
        for (event, text) in told {
            assert_eq!(event.describe(), text);
        }
    }

    #[test]
    fn progress_is_that_of_the_middle_of_the_period() {
        let growth = event(EventKind::PromptGrowth, 4, 1.0);
        let of = |offset| growth.progress(growth.from + offset);
        assert_eq!([of(0), of(1), of(3), of(4), of(-1)], [0.125, 0.375, 0.875, 1.0, 0.0]);
    }

    #[test]
    fn names_differ() {
        for (at, kind) in EventKind::ALL.iter().enumerate() {
            assert!(EventKind::ALL[at + 1..].iter().all(|other| other.as_str() != kind.as_str()));
        }
    }
}
