//! The figures for people: beside the goals, and beside what the plain recipe reaches on the same fleets.

use std::fmt::Write as _;

use super::figures::{Delay, Figures, GOALS, Pages};
use super::intervals::Estimate;
use super::labelled::Tier;
use super::tally::Tally;

/// A line of the table.
struct Line {
    what: &'static str,
    goal: String,
    /// Whether the goal is reached; `None` where there is none, or nothing was counted.
    reached: Option<bool>,
    otpsd: String,
    recipe: String,
}

/// A line about pages: its name, its goal, and both detectors.
type PagesLine<'a> = dyn Fn(&'static str, Option<f64>, &Pages, &Pages) -> Line + 'a;

/// The table. `what` says what was measured.
pub(super) fn table(what: &str, otpsd: &Tally, recipe: &Tally) -> String {
    let (one, other) = (Figures::of(otpsd), Figures::of(recipe));
    let mut text = format!("{what}: {:.1} model-months\n\n", one.all.months);
    row(&mut text, "", "GOAL", " ", "OTPSD", "PLAIN RECIPE");
    let mut missed = false;
    for (title, lines) in sections(&one, &other) {
        if !title.is_empty() {
            let _ = writeln!(text, "{title}");
        }
        for line in lines {
            missed |= line.reached == Some(false);
            let mark = if line.reached == Some(false) { "!" } else { " " };
            row(&mut text, line.what, &line.goal, mark, &line.otpsd, &line.recipe);
        }
    }
    text.push('\n');
    for (name, tally) in [("otpsd", otpsd), ("the recipe", recipe)] {
        let mut kinds: Vec<(&String, &u32)> = tally.false_pages_during.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let during: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let during = if during.is_empty() { "none".to_owned() } else { during.join(", ") };
        text.push_str(&wrapped(&format!("False pages of {name} during: {during}")));
    }
    text.push_str("Intervals are 95 %: Wilson's for shares, Byar's for rates.\n");
    if missed {
        text.push_str("! = the goal is not reached\n");
    }
    text
}

fn row(text: &mut String, what: &str, goal: &str, mark: &str, otpsd: &str, recipe: &str) {
    let line = format!("{what:<38} {goal:<12} {mark} {otpsd:<28} {recipe}");
    let _ = writeln!(text, "{}", line.trim_end());
}

/// The widest that a line may be.
const WIDTH: usize = 100;

fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = " ".to_owned();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
    out
}

const TIERS: [&str; Tier::ALL.len()] = ["  60 requests a period and more", "  20 to 59", "  below 20"];
const ALL: &str = "  all";

fn sections(otpsd: &Figures, recipe: &Figures) -> Vec<(&'static str, Vec<Line>)> {
    let recall = |what, goal: Option<f64>, otpsd: &Pages, recipe: &Pages| Line {
        what,
        goal: goal.map(|goal| format!(">= {goal}")).unwrap_or_default(),
        reached: goal.zip(otpsd.recall).map(|(goal, recall)| recall.value >= goal),
        otpsd: share_of(otpsd.recall, otpsd.owed),
        recipe: share_alone(recipe.recall),
    };
    let false_pages = |what, goal, otpsd: &Pages, recipe: &Pages| {
        rate_line(what, goal, otpsd.false_per_month, recipe.false_per_month)
    };
    let each = |line: &PagesLine<'_>, goals: [f64; TIERS.len()]| {
        let tiers = otpsd.tiers.iter().zip(&recipe.tiers).zip(TIERS).zip(goals);
        let mut lines: Vec<Line> =
            tiers.map(|(((one, other), what), goal)| line(what, Some(goal), one, other)).collect();
        lines.push(line(ALL, None, &otpsd.all, &recipe.all));
        lines
    };
    vec![
        ("Owed pages that came", each(&recall, GOALS.recall)),
        ("False pages a model-month", each(&false_pages, GOALS.false_pages_per_month)),
        ("", others(otpsd, recipe)),
    ]
}

fn others(otpsd: &Figures, recipe: &Figures) -> Vec<Line> {
    let counted = |what, goal: u32, of: &dyn Fn(&Figures) -> u32| Line {
        what,
        goal: goal.to_string(),
        reached: Some(of(otpsd) <= goal),
        otpsd: of(otpsd).to_string(),
        recipe: of(recipe).to_string(),
    };
    vec![
        Line {
            what: "Slow minorities that paged",
            goal: format!("<= {}", GOALS.tail_share),
            reached: otpsd.tail_share.map(|share| share.value <= GOALS.tail_share),
            otpsd: share_of(otpsd.tail_share, otpsd.tails),
            recipe: share_alone(recipe.tail_share),
        },
        counted("Pages repeated for one thing", GOALS.repeats, &|figures| figures.repeats),
        delay_line("Page after, median / p95", GOALS.delay, otpsd.all.delay, recipe.all.delay),
        delay_line(
            "Resolve after, median / p95",
            GOALS.resolve_delay,
            otpsd.resolve_delay,
            recipe.resolve_delay,
        ),
        Line {
            what: "Resolved early",
            goal: format!("<= {}", GOALS.early_share),
            reached: otpsd.early_share.map(|share| share.value <= GOALS.early_share),
            otpsd: share_of(otpsd.early_share, otpsd.resolved),
            recipe: share_alone(recipe.early_share),
        },
        counted("Never resolved", GOALS.never_resolved, &|figures| figures.never_resolved),
        Line {
            what: "Owed tickets with the right cause",
            goal: format!(">= {}", GOALS.ticket_share),
            reached: otpsd.ticket_share.map(|share| share.value >= GOALS.ticket_share),
            otpsd: share_of(otpsd.ticket_share, otpsd.tickets_owed),
            recipe: share_alone(recipe.ticket_share),
        },
        counted("Extra tickets for one thing", GOALS.tickets_extra, &|figures| figures.tickets_extra),
        rate_line(
            "False tickets a model-month",
            Some(GOALS.tickets_false_per_month),
            otpsd.tickets_false_per_month,
            recipe.tickets_false_per_month,
        ),
    ]
}

fn rate_line(
    what: &'static str,
    goal: Option<f64>,
    otpsd: Option<Estimate>,
    recipe: Option<Estimate>,
) -> Line {
    let plain = |rate: Option<Estimate>| rate.map_or_else(nothing, |rate| format!("{:.3}", rate.value));
    Line {
        what,
        goal: goal.map(|goal| format!("<= {goal}")).unwrap_or_default(),
        reached: goal.zip(otpsd).map(|(goal, rate)| rate.value <= goal),
        otpsd: otpsd
            .map_or_else(nothing, |rate| format!("{:.3} ({:.3}-{:.3})", rate.value, rate.low, rate.high)),
        recipe: plain(recipe),
    }
}

fn delay_line(what: &'static str, goal: Delay, otpsd: Option<Delay>, recipe: Option<Delay>) -> Line {
    let text = |delay: Delay| format!("{:.0} / {:.0} min", delay.median, delay.p95);
    Line {
        what,
        goal: text(goal),
        reached: otpsd.map(|delay| delay.median <= goal.median && delay.p95 <= goal.p95),
        otpsd: otpsd.map_or_else(nothing, text),
        recipe: recipe.map_or_else(nothing, text),
    }
}

fn share_of(share: Option<Estimate>, all: u32) -> String {
    share.map_or_else(nothing, |share| {
        format!("{:.4} ({:.3}-{:.3}) of {all}", share.value, share.low, share.high)
    })
}

fn share_alone(share: Option<Estimate>) -> String {
    share.map_or_else(nothing, |share| format!("{:.4}", share.value))
}

/// Nothing was counted.
fn nothing() -> String {
    "-".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::tally::TierTally;

    #[test]
    fn it_is_read_by_people() {
        let mut otpsd = Tally::default();
        *otpsd.of(Tier::Busy) = TierTally {
            months: 12.6,
            owed: 250,
            missed: 2,
            false_pages: 1,
            tails: 40,
            tails_paged: 3,
            delays: vec![3; 240],
            resolve_delays: vec![3; 240],
            resolved_early: 1,
            ..TierTally::default()
        };
        *otpsd.of(Tier::Quiet) =
            TierTally { months: 8.4, owed: 90, missed: 2, delays: vec![5; 88], ..TierTally::default() };
        otpsd.tickets.owed = 20;
        otpsd.tickets.right = 19;
        otpsd.false_pages_during.insert("nothing".to_owned(), 1);
        let mut recipe = otpsd.clone();
        recipe.of(Tier::Quiet).false_pages = 1_234;
        recipe.of(Tier::Busy).repeats = 77;
        recipe.false_pages_during.insert("load_surge".to_owned(), 1_234);
        let text = table("1 fleet, 24 models", &otpsd, &recipe);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        insta::assert_snapshot!(text);
    }
}
