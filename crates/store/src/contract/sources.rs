//! Sources: whole, replaced, forgotten, and by name.

use domain::{Commit, Ledger, SourceState};

use super::samples::source;

fn commit(sources: Vec<SourceState>) -> Commit {
    Commit { sources, ..Commit::default() }
}

pub(super) async fn a_source_comes_back_with_every_field(ledger: &dyn Ledger) {
    assert!(!commit(vec![source("main")]).is_empty());
    ledger.commit(commit(vec![source("prod-b"), source("main")])).await.unwrap();
    assert_eq!(ledger.load().await.unwrap().sources, [source("main"), source("prod-b")]);
}

pub(super) async fn a_source_replaces_the_one_before(ledger: &dyn Ledger) {
    let mut after = source("main");
    after.regions.remove(0);
    after.tickets.remove(1);
    after.tickets[0].regions.pop();
    after.gaps.remove(0);
    after.spending.billed_metrics += 41;
    ledger.commit(commit(vec![source("main"), source("prod-b")])).await.unwrap();
    ledger.commit(commit(vec![after.clone()])).await.unwrap();
    assert_eq!(ledger.load().await.unwrap().sources, [after, source("prod-b")]);
}

pub(super) async fn an_empty_source_is_forgotten(ledger: &dyn Ledger) {
    ledger.commit(commit(vec![source("main"), source("prod-b")])).await.unwrap();
    let empty = SourceState { source: "main".to_owned(), ..SourceState::default() };
    ledger.commit(commit(vec![empty])).await.unwrap();
    assert_eq!(ledger.load().await.unwrap().sources, [source("prod-b")]);
}
