//! `kill -9` at any moment loses nothing that was acknowledged, and leaves no half of anything.
//!
//! The test starts itself as a child that commits numbered batches and prints the number of each after the commit has
//! returned. It kills the child somewhere in the next batch, opens the store, and looks. Then the next child goes on.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use domain::{
    AlarmState, AuditRecord, Commit, Evidence, Filed, Group, Incident, IncidentRecord, Ledger, Member,
    Message, Metric, NoticeKind, Owed, PageState, Period, Reading, RegionState, Row, Series, SeriesState,
    SourceState, Statistic, Terms,
};
use store::Sqlite;
use tempfile::TempDir;

const CHILD: &str = "OTPSD_TEST_KILL_STORE";
const KILLS: u64 = 100;
const SERIES: usize = 8;
/// Longer than a commit takes.
const BEYOND_A_COMMIT: u64 = 20_000;

#[tokio::test]
async fn a_kill_loses_nothing_that_was_acknowledged() {
    if let Some(path) = std::env::var_os(CHILD) {
        return commit_forever(&PathBuf::from(path)).await;
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("otpsd.db");
    let seed = RandomState::new();
    let mut whole = 0;
    for kill in 0..KILLS {
        let random = |what: &str| seed.hash_one((kill, what));
        let last = run_and_kill(
            &path,
            random("batches") % 3,
            Duration::from_micros(random("delay") % BEYOND_A_COMMIT),
        );
        let before = whole;
        whole = batches(&path).await;
        // The child may have been killed between the commit and the word about it.
        assert!(
            last.max(before) <= whole && whole <= last.max(before) + 1,
            "kill {kill}: {last} told, {whole} there"
        );
    }
    assert!(whole >= KILLS, "the children got to work: {whole} batches");
}

async fn commit_forever(path: &Path) {
    let ledger = Sqlite::open(path).unwrap();
    let mut number = ledger.messages(1).await.unwrap().first().map_or(0, number_of);
    loop {
        number += 1;
        ledger.commit(batch(number)).await.unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "committed {number}").unwrap();
        out.flush().unwrap();
    }
}

/// Starts a child, waits for some batches and a moment more, and kills it. The last number that it told.
fn run_and_kill(path: &Path, batches: u64, moment: Duration) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["a_kill_loses_nothing_that_was_acknowledged", "--exact", "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut told = lines.filter_map(|line| line.unwrap().strip_prefix("committed ")?.parse().ok());
    let mut last = 0;
    for number in told.by_ref().take(1 + batches as usize) {
        last = number;
    }
    let then = Instant::now();
    while then.elapsed() < moment {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    told.last().unwrap_or(last)
}

/// How many batches the store has, each of them whole.
async fn batches(path: &Path) -> u64 {
    let ledger = Sqlite::open(path).unwrap();
    assert_eq!(ledger.set_aside(), None);
    let messages = ledger.messages(10_000).await.unwrap();
    let count = messages.first().map_or(0, number_of);
    let expected: Vec<Message> = (1..=count).rev().flat_map(|n| batch(n).outbox.into_iter().rev()).collect();
    assert_eq!(messages.into_iter().map(|owed| owed.message).collect::<Vec<_>>(), expected);

    let records: Vec<IncidentRecord> = (1..=count).rev().flat_map(|n| batch(n).incidents).collect();
    assert_eq!(ledger.incidents(10_000).await.unwrap(), records);

    let loaded = ledger.load().await.unwrap();
    let last = if count == 0 { Commit::default() } else { batch(count) };
    assert_eq!(
        (loaded.states, loaded.diagnosed, loaded.sources),
        (last.states, last.diagnosed, last.sources)
    );
    let open: Vec<_> = loaded.pages.iter().filter(|page| page.closed.is_none()).cloned().collect();
    assert_eq!(open, last.pages.into_iter().skip(1).collect::<Vec<_>>(), "the one before is closed");
    // The first batch closes the page of one that was never written.
    let all = if count == 0 { 0 } else { count as usize + 1 };
    assert_eq!(loaded.pages.len(), all, "and their keys are remembered");
    assert_eq!((loaded.incidents.len(), loaded.filed.len()), (count as usize, count as usize));
    let audit: Vec<_> = (1..=count).rev().flat_map(|n| batch(n).audit).collect();
    assert_eq!(ledger.audit(10_000).await.unwrap(), audit);
    for index in 0..SERIES {
        let rows: Vec<Row> = (1..=count).map(|n| batch(n).rows.swap_remove(index)).collect();
        assert_eq!(ledger.history(&series(index), Period::from_index(0)).await.unwrap(), rows);
    }
    count
}

fn number_of(owed: &Owed) -> u64 {
    owed.message.summary.parse().unwrap()
}

fn series(index: usize) -> Series {
    Series::new("111122223333", "us-east-1", &format!("m{index}"))
}

fn period(number: u64) -> Period {
    Period::from_index(5_973_627 + number as i64)
}

fn incident(number: u64) -> Incident {
    Incident::new(series(0), period(number) - 1, period(number))
}

fn page(number: u64) -> PageState {
    let Incident { series, onset, opened, key, worst } = incident(number);
    let joined = opened.end();
    let member = Member {
        incident: key.clone(),
        series,
        onset,
        opened,
        joined,
        worst,
        recovered: None,
        resolved: None,
    };
    PageState {
        key,
        channel: "sns.ops".to_owned(),
        receiver: "sns arn:aws:sns:us-east-1:111122223333:pages".to_owned(),
        group: Group::from_text("us-east-1"),
        opened,
        told: joined,
        summary: number.to_string(),
        members: vec![member],
        held_told: false,
        closed: None,
    }
}

/// Something of everything, all of it a function of its number. The page of the number before is closed.
fn batch(number: u64) -> Commit {
    let period = period(number);
    let mut reading = Reading::default();
    for metric in Metric::ALL {
        reading.of_mut(metric).set(Statistic::Sum, Some(number as f64));
    }
    let row = |index| Row { series: series(index), period, reading };
    let incident = incident(number);
    let state = SeriesState {
        series: series(0),
        state: AlarmState::Alarm,
        since: period,
        judged_through: period,
        incident: Some(incident.clone()),
        tickets: Vec::new(),
        untrained: Vec::new(),
    };
    let message = |channel: &str| Message {
        id: format!("{number} to {channel}"),
        channel: channel.to_owned(),
        kind: NoticeKind::Page,
        key: incident.key.clone(),
        summary: number.to_string(),
        body: "a body longer than a page of the database ".repeat(110),
        attributes: Vec::new(),
        created: period.end(),
        standby_for: None,
    };
    let region = RegionState {
        region: "us-east-1".to_owned(),
        last_good: Some(period.end()),
        good_polls: 2,
        trouble: None,
    };
    let evidence = Evidence {
        now: Terms { latency_ms: number as f64, ..Terms::default() },
        usual: Terms::default(),
        slots: Vec::new(),
        line: Some(0.8),
        m_of_n: (3, 5),
        findings: Vec::new(),
        learned_from: None,
    };
    let closed = PageState { closed: Some(period.end()), ..page(number - 1) };
    let audit = AuditRecord {
        at: period.end(),
        who: "ana".to_owned(),
        act: "accept".to_owned(),
        subject: String::new(),
        detail: number.to_string(),
    };
    Commit {
        rows: (0..SERIES).map(row).collect(),
        states: vec![state],
        incidents: vec![IncidentRecord::opened(incident.clone(), number.to_string(), evidence, period.end())],
        outbox: vec![message("sns.ops"), message("log.all")],
        begun: Vec::new(),
        diagnosed: vec![(series(1), period)],
        sources: vec![SourceState {
            source: "main".to_owned(),
            regions: vec![region],
            ..SourceState::default()
        }],
        pages: vec![closed, page(number)],
        filed: vec![Filed { key: incident.key.clone(), channels: vec![format!("jira.{number}")] }],
        silences: Vec::new(),
        audit: vec![audit],
    }
}
