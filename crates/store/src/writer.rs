//! The one thread that touches the database.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::lock::Lock;
use crate::wal::Watch;

/// Jobs that may wait. Whoever hands in another one waits too.
const JOBS_MAX: usize = 64;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// The thread and the way to it. Dropping it lets the thread finish what waits, close the database, and end.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    patience: Duration,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Hands a connection to a thread of its own. A job waits for the locks of other programs until `patience` after it was handed
    /// in, so that those behind it do not wait for as long again. The lock is let go after the connection has been closed.
    pub(crate) fn start(
        connection: Connection,
        patience: Duration,
        watch: Option<Watch>,
        lock: Option<Lock>,
    ) -> io::Result<Self> {
        let (jobs, waiting) = mpsc::channel(JOBS_MAX);
        let work = move || {
            work(connection, waiting, watch);
            drop(lock);
        };
        let thread = std::thread::Builder::new().name("store".to_owned()).spawn(work)?;
        Ok(Self { jobs: Some(jobs), patience, thread: Some(thread) })
    }

    /// Does one job after those that wait. `None` when it did not end as jobs do.
    ///
    /// Once handed in, a job is done even if the caller goes away.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Connection) -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let (handed_in, patience) = (Instant::now(), self.patience);
        let job = move |connection: &mut Connection| {
            // It only sets a number, and does not fail on an open connection.
            let _ = connection.busy_timeout(patience.saturating_sub(handed_in.elapsed()));
            // Nobody may be waiting any more.
            let _ = answer.send(job(connection));
        };
        self.jobs.as_ref()?.send(Box::new(job)).await.ok()?;
        answered.await.ok()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // It catches the panics of its jobs, and has none of its own.
            let _ = thread.join();
        }
    }
}

fn work(mut connection: Connection, mut jobs: mpsc::Receiver<Job>, mut watch: Option<Watch>) {
    while let Some(job) = jobs.blocking_recv() {
        // A job that panics leaves nothing behind, its transaction is rolled back: the next ones are not to suffer.
        if catch_unwind(AssertUnwindSafe(|| job(&mut connection))).is_err() {
            tracing::error!("a job of the store panicked; this is a bug");
        }
        if let Some(watch) = &mut watch {
            watch.look(&connection);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_panics_fails_alone() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (n INTEGER)").unwrap();
        let writer = Writer::start(connection, Duration::ZERO, None, None).unwrap();
        let panics = |connection: &mut Connection| {
            let tx = connection.transaction().unwrap();
            tx.execute("INSERT INTO t VALUES (1)", []).unwrap();
            panic!("as the test wants it");
        };
        assert_eq!(writer.run::<()>(panics).await, None);
        let count = |connection: &mut Connection| {
            connection.query_one("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(writer.run(count).await, Some(0), "the transaction of the panic was rolled back");
    }

    #[tokio::test]
    async fn more_callers_than_the_queue_holds_are_all_served_in_turn() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (n INTEGER PRIMARY KEY)").unwrap();
        let writer = std::sync::Arc::new(Writer::start(connection, Duration::ZERO, None, None).unwrap());
        let mut callers = tokio::task::JoinSet::new();
        for n in 0..JOBS_MAX * 3 {
            let writer = writer.clone();
            let insert = move |connection: &mut Connection| {
                connection.execute("INSERT INTO t VALUES (?1)", [i64::try_from(n).unwrap()]).unwrap()
            };
            callers.spawn(async move { writer.run(insert).await });
        }
        let answers = callers.join_all().await;
        assert_eq!(answers, vec![Some(1); JOBS_MAX * 3]);
    }
}
