//! Random steps, after each of which a ledger and the model must agree.

use std::fmt::Debug;

use domain::{Commit, Ledger, Outcome, Period};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;

use super::model::Model;
use super::random::{all_series, commit, id, outcome, period, time};
use super::samples;

/// One thing that is done to a ledger.
#[derive(Debug, Clone)]
pub enum Step {
    /// It takes a commit.
    Commit(Box<Commit>),
    /// It is told that messages are about to be sent.
    Begin(Vec<String>),
    /// It takes what came of deliveries.
    Record(Vec<Outcome>),
    /// It forgets readings before the period.
    ForgetReadings(Period),
    /// It forgets what was over before the time.
    ForgetClosed(Timestamp),
    /// It is closed and opened again.
    Reopen,
}

/// Up to twelve steps that meet often: few series, periods, keys, channels and ids.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => commit().prop_map(|commit| Step::Commit(Box::new(commit))),
        2 => vec(id(), 1..4).prop_map(Step::Begin),
        3 => vec(outcome(), 1..4).prop_map(Step::Record),
        1 => period().prop_map(Step::ForgetReadings),
        1 => time().prop_map(Step::ForgetClosed),
        1 => Just(Step::Reopen),
    ];
    vec(step, 1..12)
}

/// Takes the steps with an empty ledger and the model, and compares all they say after each. `open` opens the ledger
/// for the first time and, after it has been dropped, again.
///
/// # Panics
///
/// When they differ.
pub async fn follow<L: Ledger>(steps: Vec<Step>, mut open: impl FnMut() -> L) {
    let mut model = Model::default();
    let mut ledger = open();
    for step in steps {
        match step {
            Step::Commit(commit) => {
                ledger.commit((*commit).clone()).await.unwrap();
                model.commit(*commit);
            }
            Step::Record(outcomes) => {
                ledger.record(outcomes.clone()).await.unwrap();
                model.record(outcomes);
            }
            Step::Begin(ids) => {
                ledger.begin(ids.clone()).await.unwrap();
                model.begin(&ids);
            }
            Step::ForgetReadings(horizon) => {
                ledger.forget_readings(horizon).await.unwrap();
                model.forget_readings(horizon);
            }
            Step::ForgetClosed(horizon) => {
                ledger.forget_closed(horizon).await.unwrap();
                model.forget_closed(horizon);
            }
            Step::Reopen => {
                drop(ledger);
                ledger = open();
            }
        }
        agree(&ledger, &model).await;
    }
}

async fn agree(ledger: &dyn Ledger, model: &Model) {
    same(&ledger.load().await.unwrap(), &model.load());
    for series in all_series() {
        for from in [i64::MIN, samples::period(2).index()].map(Period::from_index) {
            same(&ledger.history(&series, from).await.unwrap(), &model.history(&series, from));
        }
    }
    for seconds in [-1, 0, 1, 2, 3, 1_000] {
        let now = samples::time(seconds);
        let all =
            |channels: &[&str]| channels.iter().map(|channel| (*channel).to_owned()).collect::<Vec<_>>();
        for (limit, each, except) in [(1_000, 1_000, &[][..]), (3, 2, &[]), (0, 1, &[]), (9, 1, &["log.all"])]
        {
            let except = all(except);
            let due = ledger.due(now, limit, each, &except).await.unwrap();
            assert_eq!(due, model.due(now, limit, each, &except), "{limit}, {each} due at {now}");
        }
        assert_eq!(ledger.backlog(now).await.unwrap(), model.backlog(now));
    }
    assert_eq!(ledger.next_due().await.unwrap(), model.next_due());
    for limit in [0, 2, 1_000] {
        assert_eq!(ledger.messages(limit).await.unwrap(), model.messages(limit));
        assert_eq!(ledger.audit(limit).await.unwrap(), model.audit(limit));
    }
    let mut records = ledger.incidents(1_000).await.unwrap();
    assert!(records.is_sorted_by_key(|record| std::cmp::Reverse(record.incident.opened)));
    records.sort_by(|a, b| (b.incident.opened, &a.incident.key).cmp(&(a.incident.opened, &b.incident.key)));
    same(&records, &model.incidents());
}

/// By text, since what is no number equals nothing.
fn same(ledger: &impl Debug, model: &impl Debug) {
    assert_eq!(format!("{ledger:#?}"), format!("{model:#?}"));
}
