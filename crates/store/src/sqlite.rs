//! The ledger itself: each act is one job of the writer.

use std::path::{Path, PathBuf};

use domain::{
    Act, AuditRecord, Backlog, Commit, IncidentRecord, Ledger, LedgerError, Loaded, Outcome, Owed, Period,
    Row, Series,
};
use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};

use crate::aside::SetAside;
use crate::commit::{self, COMMIT_ROWS_MAX};
use crate::failure::failure;
use crate::forget::{self, Forgot};
use crate::open::{self, Opened};
use crate::open_error::OpenError;
use crate::wal::Watch;
use crate::writer::Writer;
use crate::{audit, incidents, outbox, readings, settling, states};

/// Rows of an answer that has a limit; a higher limit is taken as this one.
pub const ANSWER_ROWS_MAX: usize = 10_000;

/// A ledger in one SQLite file, or in memory.
///
/// Only one may be open on a file, in any process. Dropping it waits until everything that was handed in is on the
/// disk. An act whose caller goes away is still done, in its turn.
#[derive(Debug)]
pub struct Sqlite {
    pub(crate) writer: Writer,
    store: PathBuf,
    fresh: bool,
    set_aside: Option<SetAside>,
}

impl Sqlite {
    /// Opens the store at `path`, and makes one (mode 0600, its folder 0700) where there is none. It is looked over as a whole and brought
    /// to the schema of this version. This blocks: a second or two for a million readings.
    ///
    /// A store that is damaged is set aside ([`Self::set_aside`]), and a new one takes its place.
    ///
    /// # Errors
    ///
    /// [`OpenError`] tells what is wrong, and what to do about it. A file that is refused is left as it was.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let opened = open::file(path, Timestamp::now(), None)?;
        Self::start(path, Some(Watch::new(path)), opened)
    }

    /// Sets whatever is at `path` aside, and opens a new store in its place. It is for a store that an error called damaged
    /// ([`LedgerError::damaged`]), once it has been dropped; `why` is what the error said.
    ///
    /// # Errors
    ///
    /// [`OpenError`] tells what is wrong, and what to do about it.
    pub fn open_anew(path: &Path, why: &str) -> Result<Self, OpenError> {
        let opened = open::file(path, Timestamp::now(), Some(why.to_owned()))?;
        Self::start(path, Some(Watch::new(path)), opened)
    }

    /// Opens the store at `path` to look at what is in it: every act that would change it fails. A daemon may use it at the same time.
    ///
    /// # Errors
    ///
    /// [`OpenError`] tells what is wrong, and what to do about it. Nothing is made, changed or set aside.
    pub fn look_at(path: &Path) -> Result<Self, OpenError> {
        Self::start(path, None, open::to_look_at(path)?)
    }

    /// A ledger that is gone when it is dropped.
    ///
    /// # Errors
    ///
    /// Only when the system has no memory or no thread left.
    pub fn open_in_memory() -> Result<Self, OpenError> {
        Self::start(Path::new(":memory:"), None, open::memory()?)
    }

    fn start(path: &Path, watch: Option<Watch>, opened: Opened) -> Result<Self, OpenError> {
        let patience = open::PATIENCE;
        let Opened { connection, lock, fresh, set_aside } = opened;
        let writer =
            Writer::start(connection, patience, watch, lock).map_err(|source| OpenError::Failed {
                path: path.to_owned(),
                act: "start its thread",
                source: source.into(),
                hint: None,
            })?;
        Ok(Self { writer, store: path.to_owned(), fresh, set_aside })
    }

    /// Whether there was nothing at its path before, so that everything is to be learned anew.
    #[must_use]
    pub const fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The damaged store that was at its path before, if there was one. Somebody should be told.
    #[must_use]
    pub const fn set_aside(&self) -> Option<&SetAside> {
        self.set_aside.as_ref()
    }

    /// Forgets part after part, so that other jobs have their turn in between.
    async fn forget(
        &self,
        act: &'static str,
        part: impl Fn(&Connection) -> rusqlite::Result<Forgot> + Copy + Send + 'static,
    ) -> Result<(), LedgerError> {
        while self.run(act, move |connection| part(connection)).await? == Forgot::Part {}
        Ok(())
    }

    async fn run<T: Send + 'static>(
        &self,
        act: &'static str,
        job: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, LedgerError> {
        match self.writer.run(job).await {
            Some(answer) => answer.map_err(|error| failure(act, &self.store, &error)),
            None => Err(LedgerError {
                message: format!("cannot {act} the store {}: the job broke off", self.store.display()),
                hint: Some("this is a bug of otpsd; its log has the panic".to_owned()),
                damaged: false,
            }),
        }
    }
}

impl Ledger for Sqlite {
    fn load(&self) -> Act<'_, Result<Loaded, LedgerError>> {
        Box::pin(self.run("load the states from", states::load))
    }

    fn history<'a>(&'a self, series: &'a Series, from: Period) -> Act<'a, Result<Vec<Row>, LedgerError>> {
        let series = series.clone();
        Box::pin(self.run("read the history of a series from", move |connection| {
            readings::history(connection, &series, from)
        }))
    }

    fn commit(&self, commit: Commit) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            if commit.rows.len() > COMMIT_ROWS_MAX {
                return Err(LedgerError {
                    message: format!(
                        "cannot commit to the store {}: {} rows are more than {COMMIT_ROWS_MAX}",
                        self.store.display(),
                        commit.rows.len()
                    ),
                    hint: Some("commit the rows in parts: laying a row twice changes nothing".to_owned()),
                    damaged: false,
                });
            }
            self.run("commit to", move |connection| commit::write(connection, &commit)).await
        })
    }

    fn due<'a>(
        &'a self,
        now: Timestamp,
        limit: usize,
        each: usize,
        except: &'a [String],
    ) -> Act<'a, Result<Vec<Owed>, LedgerError>> {
        let except = except.to_vec();
        Box::pin(self.run("read the outbox of", move |connection| {
            // One snapshot over all channels, even when somebody else writes.
            let tx = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
            outbox::due(&tx, now, rows(limit), rows(each), &except)
        }))
    }

    fn begin(&self, ids: Vec<String>) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(self.run("write down attempts in", move |connection| {
            let tx = connection.transaction()?;
            for id in &ids {
                settling::begin(&tx, id)?;
            }
            tx.commit()
        }))
    }

    fn next_due(&self) -> Act<'_, Result<Option<Timestamp>, LedgerError>> {
        Box::pin(self.run("read the outbox of", |connection| outbox::next_due(connection)))
    }

    fn record(&self, outcomes: Vec<Outcome>) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(self.run("record deliveries in", move |connection| {
            let tx = connection.transaction()?;
            for outcome in &outcomes {
                settling::record(&tx, outcome)?;
            }
            tx.commit()
        }))
    }

    fn backlog(&self, now: Timestamp) -> Act<'_, Result<Backlog, LedgerError>> {
        Box::pin(self.run("read the outbox of", move |connection| outbox::backlog(connection, now)))
    }

    fn messages(&self, limit: usize) -> Act<'_, Result<Vec<Owed>, LedgerError>> {
        Box::pin(self.run("read the outbox of", move |connection| outbox::newest(connection, rows(limit))))
    }

    fn incidents(&self, limit: usize) -> Act<'_, Result<Vec<IncidentRecord>, LedgerError>> {
        Box::pin(
            self.run("read the incidents of", move |connection| incidents::newest(connection, rows(limit))),
        )
    }

    fn audit(&self, limit: usize) -> Act<'_, Result<Vec<AuditRecord>, LedgerError>> {
        Box::pin(self.run("read the audit log of", move |connection| audit::newest(connection, rows(limit))))
    }

    fn forget_readings(&self, horizon: Period) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(
            self.forget("forget old readings in", move |connection| forget::readings(connection, horizon)),
        )
    }

    fn forget_closed(&self, horizon: Timestamp) -> Act<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            for kind in forget::CLOSED {
                self.forget(kind.act, move |connection| forget::closed(connection, kind, horizon)).await?;
            }
            Ok(())
        })
    }
}

/// A limit as SQLite takes it.
fn rows(limit: usize) -> i64 {
    i64::try_from(limit.min(ANSWER_ROWS_MAX)).unwrap_or(i64::MAX)
}
