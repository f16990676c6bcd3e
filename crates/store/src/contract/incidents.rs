//! The record of incidents.

use domain::{Commit, IncidentRecord, Ledger};

use super::samples::{period, record_of, series, time};

async fn write(ledger: &dyn Ledger, incidents: &[IncidentRecord]) {
    ledger.commit(Commit { incidents: incidents.to_vec(), ..Commit::default() }).await.unwrap();
}

pub(super) async fn an_incident_is_one_record(ledger: &dyn Ledger) {
    let opened = [record_of(&series()[1], period(3))];
    write(ledger, &opened).await;
    assert_eq!(ledger.incidents(10).await.unwrap(), opened);

    let [mut resolved] = opened;
    resolved.resolved = Some(period(9));
    resolved.incident.worst = Some(0.61);
    resolved.at = time(3_000);
    write(ledger, std::slice::from_ref(&resolved)).await;
    assert_eq!(ledger.incidents(10).await.unwrap(), [resolved]);
}

pub(super) async fn incidents_come_newest_first(ledger: &dyn Ledger) {
    let [first, second, third] = series();
    let [old, newer, newest] =
        [record_of(&first, period(1)), record_of(&third, period(2)), record_of(&second, period(5))];
    write(ledger, &[newer.clone(), newest.clone()]).await;
    write(ledger, std::slice::from_ref(&old)).await;
    assert_eq!(ledger.incidents(10).await.unwrap(), [newest.clone(), newer.clone(), old]);
    assert_eq!(ledger.incidents(2).await.unwrap(), [newest, newer]);
    assert_eq!(ledger.incidents(0).await.unwrap(), []);
}
