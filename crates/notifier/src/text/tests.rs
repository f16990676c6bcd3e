//! Every text as a person reads it.

use domain::{
    Cause, Check, Estimator, Evidence, Otps, Resolve, Rule, Series, Subject, Terms, TicketAction,
    UNKNOWN_ACCOUNT, Verdict,
};
use insta::assert_snapshot;

use super::*;
use crate::sample;
use crate::sheet::COLUMNS;

const JUDGED: &str = "2026-12-03T06:17:02Z";

fn page_text(page: &domain::Page, rule: &Rule) -> String {
    bearable(sample::with_context(rule, JUDGED, |context| {
        page::text(&sample::paged_of(page.clone()), context)
    }))
}

fn ticket_text(ticket: &domain::Ticket) -> String {
    bearable(sample::with_context(&Rule::default(), "2026-12-07T00:02:00Z", |context| {
        ticket::text(ticket, context)
    }))
}

/// The widest row of a table.
const TABLE_COLUMNS: usize = 120;

/// No line is too wide, and none ends in a blank.
fn bearable(text: String) -> String {
    for line in text.lines() {
        assert_eq!(line, line.trim_end());
        if line.starts_with("Chart and figures: ") {
            continue; // An address is one word.
        }
        let limit = if line.starts_with("  ") { TABLE_COLUMNS } else { COLUMNS };
        assert!(line.chars().count() <= limit, "{} columns: {line}", line.chars().count());
    }
    text
}

#[test]
fn a_page() {
    assert_snapshot!(page_text(&sample::page(), &Rule::default()));
}

#[test]
fn a_page_with_labels_and_surroundings() {
    assert_snapshot!(bearable(sample::around(JUDGED, |context| page::text(&sample::paged(), context))));
}

#[test]
fn a_page_of_a_new_model_says_whose_history_it_was_judged_by() {
    let evidence = Evidence {
        learned_from: Some("us.anthropic.claude-sonnet-4-20250514-v1:0".to_owned()),
        ..sample::evidence()
    };
    let page = sample::page_of(sample::series(), &Rule::default(), evidence);
    let text = page_text(&page, &Rule::default());
    let line = "The model is new and has no history of its own yet: its baseline is that of\n\
                us.anthropic.claude-sonnet-4-20250514-v1:0 (`learn-from`).\n";
    assert!(text.contains(line), "{text}");
}

/// Most of what is usually latency-optimized came to the slow series.
#[test]
fn a_page_of_traffic_that_fell_back() {
    let (plan, mut around) = (sample::labelled(), sample::surroundings());
    around.fell_back = vec![sample::fell_back()];
    let context = crate::Context::new(&plan, JUDGED.parse().unwrap(), &around);
    assert_snapshot!(bearable(page::text(&sample::paged(), &context)));
    assert!(page::text(&sample::paged_group(), &context).contains("Fell back to Standard latency: "));
}

#[test]
fn a_page_of_a_group() {
    assert_snapshot!(bearable(sample::around(JUDGED, |context| page::text(&sample::paged_group(), context))));
}

/// Fourteen series of one account: some are only counted, throttles rose in one, the prompt of one was not read, one has a rule of its own,
/// other Regions are slow too, and it was told late.
#[test]
fn a_page_of_a_large_group_that_is_not_sure() {
    let mut group = sample::paged_group();
    for index in 0..10_u8 {
        let mut evidence = group.pages[0].evidence().clone();
        evidence.now.samples = 700.0 - f64::from(index) * 50.0;
        evidence.now.otps_p50 = Some(74.0);
        match index {
            0 => evidence.findings[4] = sample::finding(Subject::Throttles, Check::Moved, 0.001, 0.12),
            1 => drop(evidence.findings.remove(0)),
            2 => evidence.line = Some(0.7),
            _ => {}
        }
        let series = Series::new("111122223333", "us-east-1", &format!("example.large-{index}"));
        group.pages.push(sample::page_of(series, &Rule::default(), evidence));
    }
    group.pages.retain(|page| page.drop().series().account() == "111122223333");
    let mut around = sample::surroundings();
    around.judged = 0;
    around.unseen.clear();
    for region in &mut around.elsewhere {
        (region.slow, region.ratio) = (region.series - 2, 0.71);
    }
    let plan = sample::plan(&Rule::default());
    let context = crate::Context::new(&plan, "2026-12-03T07:02:00Z".parse().unwrap(), &around);
    assert_snapshot!(bearable(page::text(&group, &context)));
}

#[test]
fn a_test_says_so_first() {
    let plan = sample::labelled();
    let around = sample::surroundings();
    let context =
        crate::Context { test: true, ..crate::Context::new(&plan, JUDGED.parse().unwrap(), &around) };
    let ticket = sample::ticket(Cause::Queueing, TicketAction::Opened, now(Cause::Queueing), Vec::new());
    for text in [
        page::text(&sample::paged(), &context),
        page::text(&sample::paged_group(), &context),
        resolve::text(&sample::resolved_group(), &context),
        held::text(&sample::held(), false, &context),
        ticket::text(&ticket, &context),
        source::text(&sample::source_ticket(), &context),
    ] {
        assert!(text.starts_with("This is a test of otpsd: nothing is slow.\n[TEST] "), "{text}");
    }
}

/// LEARNING: no baseline, nothing else was read, and an absolute floor decided.
#[test]
fn a_page_by_the_floor() {
    let rule = Rule { page_below_otps: Some(45.0), ..Rule::default() };
    let mut evidence = sample::evidence();
    evidence.line = None;
    evidence.usual = Terms::default();
    evidence.findings.clear();
    for slot in &mut evidence.slots {
        slot.baseline = None;
        slot.noise = None;
    }
    let page = sample::page_of(sample::series(), &rule, evidence);
    assert_snapshot!(page_text(&page, &rule));
}

/// The p50 is within, the account of a recording is not known, requests are few, and the prompt moved too.
#[test]
fn a_page_that_is_not_sure() {
    let mut evidence = sample::evidence();
    for (slot, requests) in evidence.slots.iter_mut().zip([31.0, 27.0, 0.0, 24.0, 22.0]) {
        slot.estimator = Estimator::TokenWeighted;
        slot.samples = requests;
        slot.window = 3;
        slot.noise = Some(0.15);
    }
    evidence.slots[0].verdict = Verdict::Within;
    evidence.slots[0].otps = Some(Otps { p50: None, token_weighted: Some(48.0) });
    evidence.now.otps_p50 = Some(56.4);
    evidence.now.output_tokens = 420.0;
    evidence.findings = vec![
        sample::finding(Subject::PromptLength, Check::Moved, 3_080.0, 5_900.0),
        sample::finding(Subject::Throttles, Check::Moved, 0.001, 0.12),
    ];
    let series = Series::new(UNKNOWN_ACCOUNT, "us-east-1", sample::MODEL);
    let page = sample::page_of(series, &Rule::default(), evidence);
    assert_snapshot!(page_text(&page, &Rule::default()));
}

#[test]
fn a_page_without_the_p50_says_so() {
    let mut evidence = sample::evidence();
    for slot in &mut evidence.slots {
        slot.estimator = Estimator::TokenWeighted;
        slot.otps = slot.otps.map(|otps| Otps { p50: None, ..otps });
    }
    evidence.now.otps_p50 = None;
    evidence.usual.otps_p50 = None;
    let text = page_text(&sample::page_of(sample::series(), &Rule::default(), evidence), &Rule::default());
    assert!(text.contains("  p50             not known, its inputs were not read\n"), "{text}");
    assert!(text.contains("only the token-weighted estimator could be compared"), "{text}");
    assert!(text.contains("  now        9.85 s = 0.85 s + 9.00 s for 369 tokens\n"), "{text}");
}

#[test]
fn no_link_is_made_up() {
    let mut plan = sample::plan(&Rule::default());
    plan.daemon.public_url = None;
    let around = domain::Surroundings::default();
    let context = crate::Context::new(&plan, JUDGED.parse().unwrap(), &around);
    let text = page::text(&sample::paged(), &context);
    assert!(!text.contains("http"), "{text}");
    assert!(text.ends_with(&format!("Key: {}", sample::paged().state.key)), "{text}");
}

#[test]
fn the_first_150_characters_name_model_region_and_ratio() {
    let model = format!("arn:aws:bedrock:ap-southeast-2:111122223333:inference-profile/{}", "é".repeat(90));
    let series = Series::new("111122223333", "ap-southeast-2", &model);
    let evidence = Evidence { line: Some(0.8), ..sample::evidence() };
    let summary = page::of_series(&sample::page_of(series, &Rule::default(), evidence), &Rule::default());
    assert_snapshot!(summary, @"ap-southeast-2 arn:aws:bedrock:ap-southeast-2:11112222…éééééééééééééééééééééééééééééééééééééééé decodes 34 % slower: 41.0 of 62.0 tok/s (0.66)");
    assert!(summary.chars().count() <= 150);
}

#[test]
fn a_model_cannot_break_a_line() {
    let series = Series::new("111122223333", "us-east-1", "evil\nALL IS WELL\u{1b}[2J");
    let page = sample::page_of(series, &Rule::default(), sample::evidence());
    let text = page_text(&page, &Rule::default());
    assert!(text.contains("\nModel:   evil ALL IS WELL [2J\n"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn a_resolve() {
    let text = sample::with_context(&Rule::default(), "2026-12-03T09:02:00Z", |context| {
        resolve::text(&sample::resolved(), context)
    });
    assert_snapshot!(bearable(text));
}

#[test]
fn a_resolve_of_a_group() {
    let text =
        sample::around("2026-12-03T09:02:00Z", |context| resolve::text(&sample::resolved_group(), context));
    assert_snapshot!(bearable(text));
}

#[test]
fn a_resolve_of_what_is_not_watched_any_more() {
    let mut over = sample::resolved();
    over.last.unwatched = true;
    over.last.slots = sample::evidence().slots;
    let text = sample::with_context(&Rule::default(), "2026-12-03T09:02:00Z", |context| {
        resolve::text(&over, context)
    });
    assert_snapshot!(bearable(text));
}

#[test]
fn a_resolve_of_a_level_that_was_accepted() {
    let mut over = sample::resolved();
    over.last.accepted = Some(domain::Acceptance {
        who: "ana".to_owned(),
        why: "AWS confirmed the slower hosts\nuntil January".to_owned(),
    });
    over.last.slots = sample::evidence().slots;
    let mut of_group = sample::resolved_group();
    of_group.last = over.last.clone();
    let (text, line) = sample::with_context(&Rule::default(), "2026-12-03T09:02:00Z", |context| {
        (resolve::text(&over, context), resolve::summary(&of_group, context))
    });
    assert_snapshot!(bearable(text));
    assert_snapshot!(line);
}

#[test]
fn a_page_that_is_held_open_by_what_cannot_be_seen() {
    let text = |held: &domain::HeldPage, over| {
        bearable(sample::around("2026-12-03T13:35:00Z", |context| held::text(held, over, context)))
    };
    let held = sample::held();
    let mut over = held.clone();
    over.state.closed = Some(over.at);
    assert_snapshot!("held_open", text(&held, false));
    assert_snapshot!(
        "held_open_no_more",
        [text(&held, true), text(&over, true)].join("\n\n================\n\n")
    );
}

#[test]
fn a_resolve_of_the_next_day_without_a_baseline() {
    let mut over = sample::resolve();
    over.incident.worst = None;
    over.recovered = sample::period("2026-12-04T10:00:00Z");
    for slot in &mut over.slots {
        slot.baseline = None;
        slot.period = slot.period + 303;
    }
    let silent = Resolve { slots: Vec::new(), ..over.clone() };
    let over = domain::GroupResolve { last: over, ..sample::resolved() };
    let (text, summary) = sample::with_context(&Rule::default(), "2026-12-04T10:17:00Z", |context| {
        (resolve::text(&over, context), resolve::of_series(&silent))
    });
    assert_snapshot!(bearable(text));
    assert_snapshot!(summary, @"Recovered: us-east-1 us.anthropic.claude-sonnet-4-5-20250929-v1:0 decodes as usual again; slow for 1 d 4 h");
}

#[test]
fn a_ticket_about_longer_prompts() {
    let of = |action| {
        ticket_text(&sample::ticket(
            Cause::PromptGrowth,
            action,
            sample::longer_prompt(),
            sample::prompt_findings(),
        ))
    };
    assert_snapshot!("prompt_growth_opened", of(TicketAction::Opened));
    assert_snapshot!("prompt_growth_updated", of(TicketAction::Updated));
    let closed = sample::ticket(Cause::PromptGrowth, TicketAction::Closed, back(), Vec::new());
    assert_snapshot!("prompt_growth_closed", ticket_text(&closed));
}

#[test]
fn a_ticket_about_queueing() {
    let findings = vec![
        sample::finding(Subject::PromptLength, Check::RuledOut, 3_080.0, 3_110.0),
        sample::finding(Subject::CacheReads, Check::RuledOut, 0.61, 0.61),
        sample::finding(Subject::Throttles, Check::Moved, 0.001, 0.063),
    ];
    assert_snapshot!(ticket_text(&sample::ticket(
        Cause::Queueing,
        TicketAction::Opened,
        now(Cause::Queueing),
        findings
    )));
}

#[test]
fn a_ticket_about_longer_responses() {
    let findings = vec![
        sample::finding(Subject::ResponseLength, Check::Moved, 372.0, 496.0),
        sample::finding(Subject::PromptLength, Check::RuledOut, 3_080.0, 3_080.0),
    ];
    assert_snapshot!(ticket_text(&sample::ticket(
        Cause::LongerResponses,
        TicketAction::Opened,
        now(Cause::LongerResponses),
        findings
    )));
}

/// What each cause sees: one thing moves, the rest is as usual.
fn now(cause: Cause) -> Terms {
    let usual = sample::usual();
    let late = Terms { ttft_ms: 1_130.0, latency_ms: 7_130.0, ..usual };
    match cause {
        Cause::PromptGrowth => sample::longer_prompt(),
        Cause::CacheRegression => Terms { cache_read_share: Some(0.12), ..late },
        Cause::Queueing => Terms { throttle_share: Some(0.063), input_tokens: Some(3_110.0), ..late },
        Cause::LongerResponses => Terms { output_tokens: 496.0, latency_ms: 8_800.0, ..usual },
        Cause::SlowTail => Terms { otps_token_weighted: Some(43.0), ..usual },
        Cause::StreamingMix => Terms { streaming_share: 0.61, ..usual },
        Cause::DecodeErosion | Cause::LevelShift => sample::slow(),
        Cause::NoData | Cause::LowConfidence => Terms::default(),
        Cause::SourceFailing | Cause::ModelMissing | Cause::SeriesLimit | Cause::CostLimit => {
            Terms::default()
        }
    }
}

/// Near the reference again.
fn back() -> Terms {
    Terms {
        ttft_ms: 830.0,
        latency_ms: 6_870.0,
        output_tokens: 374.0,
        otps_p50: Some(61.9),
        ..sample::usual()
    }
}

/// The causes that have figures of their own.
#[test]
fn tickets_of_the_other_causes() {
    let all: Vec<String> = [
        Cause::CacheRegression,
        Cause::SlowTail,
        Cause::StreamingMix,
        Cause::DecodeErosion,
        Cause::LevelShift,
    ]
    .into_iter()
    .map(|cause| {
        let mut ticket = sample::ticket(cause, TicketAction::Opened, now(cause), Vec::new());
        ticket.days = match cause {
            Cause::SlowTail => (0, 0),
            Cause::StreamingMix => (1, 1),
            Cause::LevelShift => (3, 3),
            _ => (4, 5),
        };
        ticket_text(&ticket)
    })
    .collect();
    assert_snapshot!(all.join("\n\n================\n\n"));
}

/// The causes about what is not known: no figure is made up.
#[test]
fn tickets_without_figures() {
    let all: Vec<String> = [Cause::NoData, Cause::LowConfidence, Cause::PromptGrowth]
        .into_iter()
        .map(|cause| {
            let mut ticket = sample::ticket(cause, TicketAction::Opened, Terms::default(), Vec::new());
            ticket.usual = Terms::default();
            ticket.days = (0, 0);
            ticket_text(&ticket)
        })
        .collect();
    assert_snapshot!(all.join("\n\n================\n\n"));
}

#[test]
fn the_lines_of_all_causes() {
    let mut lines = Vec::new();
    for action in [TicketAction::Opened, TicketAction::Updated, TicketAction::Closed] {
        // A source has tickets of its own.
        for cause in Cause::ALL.into_iter().filter(|cause| !cause.is_of_source()) {
            let now = if action == TicketAction::Closed { back() } else { now(cause) };
            lines.push(ticket::summary(&sample::ticket(cause, action, now, Vec::new())));
        }
    }
    assert_snapshot!(lines.join("\n"));
}
