use domain::OpenGap;
use insta::assert_snapshot;
use jiff::Timestamp;

use super::*;
use crate::sample;

const FOUND: &str = "2026-12-03T06:15:00Z";

fn ticket(gap: Gap, figures: GapFigures, action: TicketAction) -> GapTicket {
    let since: Timestamp = FOUND.parse().unwrap();
    let at = match action {
        TicketAction::Opened => since,
        TicketAction::Updated | TicketAction::Closed => "2026-12-05T09:00:00Z".parse().unwrap(),
    };
    GapTicket { source: "main".to_owned(), open: OpenGap::new("main", gap, since), figures, at, action }
}

fn series(model: &str) -> Series {
    Series::new("111122223333", "us-east-1", model)
}

fn missing(known: &[&str], action: TicketAction) -> GapTicket {
    let regions = vec!["eu-west-1".to_owned(), "us-east-1".to_owned()];
    let figures = GapFigures::Missing { regions, known: known.iter().map(|model| series(model)).collect() };
    ticket(Gap::ModelMissing("*nova-pro*".to_owned()), figures, action)
}

fn left_out(series_left: usize, action: TicketAction) -> GapTicket {
    let left_out = (0..series_left)
        .map(|number| LeftOut {
            series: series(&format!("example.small-{number:02}")),
            requests: (number % 7 != 6).then_some((series_left - number) as f64 * 40.0),
        })
        .collect();
    ticket(Gap::SeriesLimit, GapFigures::LeftOut { limit: 1_000, left_out }, action)
}

fn cost(thrift: Thrift, thrifty_usd: f64, action: TicketAction) -> GapTicket {
    let figures = GapFigures::Cost {
        limit_usd: 50.0,
        spent_usd: 31.4,
        full_usd: 57.9,
        thrifty_usd,
        thrift,
        until: "2027-01-01T00:00:00Z".parse().unwrap(),
    };
    ticket(Gap::CostLimit, figures, action)
}

fn told(ticket: &GapTicket) -> String {
    sample::around("2026-12-05T09:00:00Z", |context| text(ticket, context))
}

#[test]
fn a_model_that_never_was_there() {
    assert_snapshot!(told(&missing(&[], TicketAction::Opened)));
}

#[test]
fn a_model_that_vanished() {
    assert_snapshot!(told(&missing(&["us.amazon.nova-pro-v1:0"], TicketAction::Opened)));
}

#[test]
fn more_series_than_may_be_watched() {
    assert_snapshot!(told(&left_out(23, TicketAction::Opened)));
}

#[test]
fn what_explains_is_shed() {
    assert_snapshot!(told(&cost(Thrift::Diagnosis, 49.2, TicketAction::Opened)));
}

#[test]
fn even_polling_is_not_enough() {
    assert_snapshot!(told(&cost(Thrift::Polling, 52.3, TicketAction::Updated)));
}

#[test]
fn how_each_ends() {
    let ends = [
        missing(&["us.amazon.nova-pro-v1:0", "eu.amazon.nova-pro-v1:0"], TicketAction::Closed),
        missing(&[], TicketAction::Closed),
        left_out(0, TicketAction::Closed),
        cost(Thrift::None, 49.0, TicketAction::Closed),
    ];
    let summaries: Vec<String> = ends.iter().map(summary).collect();
    assert_snapshot!(summaries.join("\n"));
    assert!(told(&ends[0]).contains("closed Sat 5 Dec 09:00Z, since Thu 3 Dec 06:15Z"), "{}", told(&ends[0]));
    assert_eq!(
        summary(&left_out(1, TicketAction::Opened)),
        "main: 1 series is not watched, since 1,000 are the most (max-series)"
    );
}
