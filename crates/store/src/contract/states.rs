//! States: whole, replaced, and by series.

use domain::{AlarmState, Commit, Ledger};

use super::samples::{bare_state, period, series, state};

pub(super) async fn a_state_comes_back_with_every_field(ledger: &dyn Ledger) {
    let [series, ..] = series();
    let mut state = state(&series);
    ledger.commit(Commit { states: vec![state.clone()], ..Commit::default() }).await.unwrap();
    assert_eq!(ledger.load().await.unwrap().states, [state.clone()]);

    // What is no number equals nothing, not even itself; its text does.
    state.tickets[0].usual.latency_ms = f64::NAN;
    state.tickets[0].usual.cache_read_share = Some(f64::NAN);
    state.incident.as_mut().unwrap().worst = Some(f64::NAN);
    ledger.commit(Commit { states: vec![state.clone()], ..Commit::default() }).await.unwrap();
    assert_eq!(format!("{:?}", ledger.load().await.unwrap().states), format!("{:?}", [state]));
}

pub(super) async fn a_state_replaces_the_one_before(ledger: &dyn Ledger) {
    let [series, ..] = series();
    let before = state(&series);
    let mut after = before.clone();
    after.state = AlarmState::Ok;
    after.judged_through = period(8);
    after.incident = None;
    after.tickets.remove(0);
    after.untrained.reverse();
    ledger.commit(Commit { states: vec![before], ..Commit::default() }).await.unwrap();
    ledger
        .commit(Commit { states: vec![bare_state(&series), after.clone()], ..Commit::default() })
        .await
        .unwrap();
    assert_eq!(ledger.load().await.unwrap().states, [after]);
}

pub(super) async fn states_come_by_series(ledger: &dyn Ledger) {
    let [first, second, third] = series();
    let states = [bare_state(&third), state(&second), bare_state(&first)];
    ledger.commit(Commit { states: states.to_vec(), ..Commit::default() }).await.unwrap();
    let loaded = ledger.load().await.unwrap().states;
    assert_eq!(loaded, [bare_state(&first), state(&second), bare_state(&third)]);
}

pub(super) async fn diagnosed_is_the_newest(ledger: &dyn Ledger) {
    let [first, second, _] = series();
    let diagnosed = vec![(second.clone(), period(3)), (first.clone(), period(9))];
    ledger.commit(Commit { diagnosed, ..Commit::default() }).await.unwrap();
    ledger
        .commit(Commit { diagnosed: vec![(second.clone(), period(4))], ..Commit::default() })
        .await
        .unwrap();
    assert_eq!(ledger.load().await.unwrap().diagnosed, [(first, period(9)), (second, period(4))]);
}
