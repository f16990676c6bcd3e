//! Readings: laid over, kept exactly, and forgotten.

use domain::{Commit, Ledger, Metric, Reading, Row, Statistic, Tier};

use super::samples::{bare_state, period, rows, series, time};

fn row(index: i64, values: &[(Metric, Statistic, f64)]) -> Row {
    let mut reading = Reading::default();
    for (metric, statistic, value) in values {
        reading.of_mut(*metric).set(*statistic, Some(*value));
    }
    let [_, series, _] = series();
    Row { series, period: period(index), reading }
}

const LATENCY: Metric = Metric::InvocationLatency;
const INPUT: Metric = Metric::InputTokenCount;
use Statistic::{P50, Sum};

pub(super) async fn an_empty_ledger_has_nothing(ledger: &dyn Ledger) {
    let loaded = ledger.load().await.unwrap();
    assert!(loaded.states.is_empty() && loaded.diagnosed.is_empty());
    assert_eq!(ledger.history(&series()[0], period(-1_000_000)).await.unwrap(), []);
    assert_eq!(ledger.due(time(1_000_000), 10, 10, &[]).await.unwrap(), []);
    assert_eq!(ledger.next_due().await.unwrap(), None);
    assert_eq!(ledger.messages(10).await.unwrap(), []);
    assert_eq!(ledger.incidents(10).await.unwrap(), []);
    ledger.commit(Commit::default()).await.unwrap();
    ledger.record(Vec::new()).await.unwrap();
    ledger.forget_readings(period(0)).await.unwrap();
}

pub(super) async fn newer_readings_are_laid_over_older_ones(ledger: &dyn Ledger) {
    ledger.commit(rows(vec![row(0, &[(LATENCY, P50, 1.5), (LATENCY, Sum, 2.0)])])).await.unwrap();
    // Twice in one commit as well: the later one wins.
    let newer = [row(0, &[(LATENCY, P50, 9.0), (INPUT, Sum, 4.0)]), row(0, &[(LATENCY, P50, 3.5)])];
    ledger.commit(rows(newer.to_vec())).await.unwrap();
    let merged = row(0, &[(LATENCY, P50, 3.5), (LATENCY, Sum, 2.0), (INPUT, Sum, 4.0)]);
    assert_eq!(ledger.history(&merged.series, period(0)).await.unwrap(), [merged]);
}

pub(super) async fn figures_come_back_exactly(ledger: &dyn Ledger) {
    let figures = [
        0.1 + 0.2,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        9_007_199_254_740_992.0,
        140_737_488_355_329.0,
        -1.0 / 3.0,
        0.0,
        65_102.3,
    ];
    let mut reading = Reading::default();
    let mut cells =
        Metric::ALL.into_iter().flat_map(|metric| Statistic::ALL.map(|statistic| (metric, statistic)));
    for (figure, (metric, statistic)) in figures.into_iter().zip(cells.by_ref()) {
        reading.of_mut(metric).set(statistic, Some(figure));
    }
    for (figure, tier) in figures.into_iter().rev().zip(Tier::ALL) {
        reading.set_served(tier, Some(figure));
    }
    let [series, ..] = series();
    ledger.commit(rows(vec![Row { series: series.clone(), period: period(0), reading }])).await.unwrap();
    let history = ledger.history(&series, period(0)).await.unwrap();
    let bits = |reading: &Reading| {
        let cells =
            Metric::ALL.into_iter().flat_map(|metric| Statistic::ALL.map(|statistic| (metric, statistic)));
        let served = Tier::ALL.into_iter().map(|tier| reading.served(tier));
        let figures = cells.map(|(metric, statistic)| reading.get(metric, statistic)).chain(served);
        figures.map(|figure| figure.map(f64::to_bits)).collect::<Vec<_>>()
    };
    assert_eq!(bits(&history[0].reading), bits(&reading));
}

pub(super) async fn history_is_of_one_series_and_in_order_of_time(ledger: &dyn Ledger) {
    let values = |index: i64| row(index, &[(LATENCY, P50, index as f64)]);
    let other = Row { series: series()[2].clone(), ..values(1) };
    ledger.commit(rows(vec![values(2), other, values(0), values(-1)])).await.unwrap();
    ledger.commit(rows(vec![values(1)])).await.unwrap();
    let history = ledger.history(&values(0).series, period(0)).await.unwrap();
    assert_eq!(history, [values(0), values(1), values(2)]);
}

pub(super) async fn readings_before_the_horizon_are_forgotten(ledger: &dyn Ledger) {
    let [first, second, _] = series();
    let of =
        |series: &domain::Series, index| Row { series: series.clone(), ..row(index, &[(LATENCY, P50, 1.0)]) };
    let all = [of(&first, -1), of(&first, 0), of(&second, -2), of(&second, -1), of(&second, 1)];
    let state = bare_state(&first);
    ledger.commit(Commit { states: vec![state.clone()], ..rows(all.to_vec()) }).await.unwrap();
    ledger.forget_readings(period(0)).await.unwrap();
    assert_eq!(ledger.history(&first, period(-10)).await.unwrap(), [of(&first, 0)]);
    assert_eq!(ledger.history(&second, period(-10)).await.unwrap(), [of(&second, 1)]);
    assert_eq!(ledger.load().await.unwrap().states, [state]);
}
