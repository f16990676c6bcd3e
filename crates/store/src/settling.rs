//! What the outbox does by itself, in the transaction in which something became owed or was recorded: it withdraws what need not be
//! said any more, and lets go what stood by for something that was refused.

use domain::{AuditRecord, Message, NoticeKind, Outcome, OwedState};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};

use crate::columns::{Name, Time};
use crate::outbox::Standing;
use crate::{audit, pages};

/// A message, as far as it matters here.
struct Line {
    seq: i64,
    id: String,
    channel: String,
    kind: NoticeKind,
    key: String,
    standby_for: Option<String>,
    attempts: u32,
    standing: Standing,
}

const COLUMNS: &str = "seq, id, channel, kind, key, standby_for, attempts, state";

impl Line {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            id: row.get("id")?,
            channel: row.get("channel")?,
            kind: row.get::<_, Name<_>>("kind")?.0,
            key: row.get("key")?,
            standby_for: row.get("standby_for")?,
            attempts: row.get("attempts")?,
            standing: row.get("state")?,
        })
    }

    fn find(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<Self>> {
        let sql = format!("SELECT {COLUMNS} FROM outbox WHERE id = ?1");
        tx.prepare_cached(&sql)?.query_one([id], Self::read).optional()
    }

    /// The pages that this resolve ends: those of its key to its channel since the resolve before it.
    fn pages(&self, tx: &Transaction<'_>) -> rusqlite::Result<Vec<Self>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM outbox WHERE key = ?1 AND channel = ?2 AND kind = 'page' AND seq < ?3 AND seq > ?4
            ORDER BY seq"
        );
        let of = (&self.key, &self.channel, self.seq, self.resolve_before(tx)?.unwrap_or(i64::MIN));
        tx.prepare_cached(&sql)?.query_map(of, Self::read)?.collect()
    }

    /// Where the last resolve before this message stands, of its key to its channel.
    fn resolve_before(&self, tx: &Transaction<'_>) -> rusqlite::Result<Option<i64>> {
        let sql = "SELECT max(seq) FROM outbox
            WHERE key = ?1 AND channel = ?2 AND kind = 'resolve' AND state <> 'standby' AND seq < ?3";
        tx.prepare_cached(sql)?.query_one((&self.key, &self.channel, self.seq), |row| row.get(0))
    }

    /// The resolve that ends this page, if nobody has begun to send it.
    fn unsent_resolve(&self, tx: &Transaction<'_>, standing: Standing) -> rusqlite::Result<Option<Self>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM outbox
            WHERE key = ?1 AND channel = ?2 AND kind = 'resolve' AND state <> 'standby' AND seq > ?3
            ORDER BY seq LIMIT 1"
        );
        let of = (&self.key, &self.channel, self.seq);
        let resolve = tx.prepare_cached(&sql)?.query_one(of, Self::read).optional()?;
        Ok(resolve.filter(|resolve| resolve.standing == standing && resolve.attempts == 0))
    }

    /// Whether the receiver may have it.
    fn may_have_arrived(&self) -> bool {
        self.standing == Standing::Delivered
            || self.attempts > 0 && matches!(self.standing, Standing::Due | Standing::Withdrawn)
    }

    /// What stands by for this message.
    fn standbys(&self, tx: &Transaction<'_>) -> rusqlite::Result<Vec<Self>> {
        let sql =
            format!("SELECT {COLUMNS} FROM outbox WHERE standby_for = ?1 AND state = 'standby' ORDER BY seq");
        tx.prepare_cached(&sql)?.query_map([&self.id], Self::read)?.collect()
    }

    fn put(&self, tx: &Transaction<'_>, standing: Standing, at: Timestamp) -> rusqlite::Result<()> {
        let sql = "UPDATE outbox SET state = ?2, at = ?3 WHERE seq = ?1";
        tx.prepare_cached(sql)?.execute((self.seq, standing, Time(at)))?;
        Ok(())
    }

    fn withdraw(&self, tx: &Transaction<'_>, at: Timestamp, why: &str) -> rusqlite::Result<()> {
        self.put(tx, Standing::Withdrawn, at)?;
        let record = AuditRecord {
            at,
            who: "otpsd".to_owned(),
            act: "withdrawn".to_owned(),
            subject: self.key.clone(),
            detail: format!("the {} to {}: {why}", self.kind.as_str(), self.channel),
        };
        audit::add(tx, &record)
    }
}

/// Settles what has just been written into the outbox.
pub(crate) fn committed(tx: &Transaction<'_>, messages: &[&Message]) -> rusqlite::Result<()> {
    for message in messages {
        let Some(line) = Line::find(tx, &message.id)? else { continue };
        match (line.standing, &line.standby_for) {
            (Standing::Due, None) if line.kind == NoticeKind::Resolve => {
                owe_resolve(tx, &line, message.created)?;
            }
            (Standing::Standby, Some(other)) => {
                if let Some(other) = Line::find(tx, other)?
                    && is_refused(tx, &other)?
                {
                    let_go(tx, &line, &other, message.created)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Counts an attempt that is about to be made. From now on the receiver may have the message.
pub(crate) fn begin(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
    if let Some(line) = Line::find(tx, id)? {
        tx.prepare_cached("UPDATE outbox SET attempts = attempts + 1 WHERE seq = ?1")?.execute([line.seq])?;
        first_attempt(tx, &line)?;
    }
    Ok(())
}

/// Writes down what came of one attempt. What was delivered or refused for good stays so, and what was withdrawn is not tried again.
/// The error of the last failed attempt stays when a later one succeeds.
pub(crate) fn record(tx: &Transaction<'_>, outcome: &Outcome) -> rusqlite::Result<()> {
    let Some(line) = Line::find(tx, &outcome.id)? else { return Ok(()) };
    if !matches!(line.standing, Standing::Due | Standing::Withdrawn) {
        return Ok(());
    }
    let sql = "UPDATE outbox SET attempts = max(attempts, 1), last_error = coalesce(?2, last_error),
            reference = coalesce(?3, reference)
        WHERE seq = ?1";
    tx.prepare_cached(sql)?.execute((line.seq, &outcome.error, &outcome.reference))?;
    first_attempt(tx, &line)?;
    match outcome.state {
        OwedState::Due(at) if line.standing == Standing::Due => line.put(tx, Standing::Due, at),
        OwedState::Delivered(at) => line.put(tx, Standing::Delivered, at),
        OwedState::Withdrawn(at) => line.put(tx, Standing::Withdrawn, at),
        OwedState::Refused(at) => {
            line.put(tx, Standing::Refused, at)?;
            refused(tx, &line, at)
        }
        OwedState::Due(_) | OwedState::Standby => Ok(()),
    }
}

/// A page that was withdrawn while somebody was about to send it may be with its receiver, so that its resolve is owed after all.
fn first_attempt(tx: &Transaction<'_>, line: &Line) -> rusqlite::Result<()> {
    if line.kind == NoticeKind::Page
        && line.standing == Standing::Withdrawn
        && line.attempts == 0
        && let Some(resolve) = line.unsent_resolve(tx, Standing::Withdrawn)?
    {
        let sql = "UPDATE outbox SET state = 'due', at = created WHERE seq = ?1";
        tx.prepare_cached(sql)?.execute([resolve.seq])?;
    }
    Ok(())
}

/// A resolve has become owed. Its pages are not sent any more, and it is withdrawn itself where nobody can have one.
fn owe_resolve(tx: &Transaction<'_>, resolve: &Line, at: Timestamp) -> rusqlite::Result<()> {
    let pages = resolve.pages(tx)?;
    if pages.is_empty() {
        return match resolve.resolve_before(tx)? {
            Some(_) => resolve.withdraw(tx, at, "its end was told before"),
            None => Ok(()),
        };
    }
    for page in &pages {
        match page.standing {
            Standing::Due if page.attempts > 0 => {
                page.withdraw(tx, at, "it had not arrived when the incident was over; its resolve is sent")?;
            }
            Standing::Due => page.withdraw(tx, at, "the incident was over before it was sent")?,
            Standing::Standby => {
                page.withdraw(
                    tx,
                    at,
                    "the incident was over, and what it stood by for had not been refused",
                )?;
            }
            Standing::Delivered | Standing::Refused | Standing::Withdrawn => {}
        }
    }
    if pages.iter().any(Line::may_have_arrived) {
        return Ok(());
    }
    if !pages.iter().any(|page| page.standing == Standing::Refused) {
        return resolve.withdraw(tx, at, "its page was not sent");
    }
    resolve.withdraw(tx, at, "its page was refused for good")?;
    let_go_standbys(tx, resolve, at)
}

/// A message was refused for good.
fn refused(tx: &Transaction<'_>, line: &Line, at: Timestamp) -> rusqlite::Result<()> {
    let_go_standbys(tx, line, at)?;
    if line.kind == NoticeKind::Page
        && let Some(resolve) = line.unsent_resolve(tx, Standing::Due)?
        && !resolve.pages(tx)?.iter().any(Line::may_have_arrived)
    {
        resolve.withdraw(tx, at, "its page was refused for good")?;
        let_go_standbys(tx, &resolve, at)?;
    }
    Ok(())
}

/// Whether what stands by for this message is to go: it was refused for good, or it is the resolve of a page that was.
fn is_refused(tx: &Transaction<'_>, line: &Line) -> rusqlite::Result<bool> {
    Ok(match line.standing {
        Standing::Refused => true,
        Standing::Withdrawn if line.kind == NoticeKind::Resolve => {
            line.pages(tx)?.iter().any(|page| page.standing == Standing::Refused)
        }
        _ => false,
    })
}

fn let_go_standbys(tx: &Transaction<'_>, line: &Line, at: Timestamp) -> rusqlite::Result<()> {
    for standby in line.standbys(tx)? {
        let_go(tx, &standby, line, at)?;
    }
    Ok(())
}

/// What stood by for `other` becomes owed, unless its incident is over or its channel has the page already.
fn let_go(tx: &Transaction<'_>, standby: &Line, other: &Line, at: Timestamp) -> rusqlite::Result<()> {
    if standby.kind == NoticeKind::Page {
        if is_over(tx, standby, other)? {
            return standby.withdraw(tx, at, "the incident was over when what it stood by for was refused");
        }
        if is_paged(tx, standby)? {
            return standby.withdraw(tx, at, "it goes there already");
        }
    }
    standby.put(tx, Standing::Due, at)?;
    if standby.kind == NoticeKind::Resolve {
        owe_resolve(tx, standby, at)?;
    }
    Ok(())
}

/// Whether the channel of a page that stood by is owed the page, or has it, for another reason.
fn is_paged(tx: &Transaction<'_>, standby: &Line) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM outbox
        WHERE key = ?1 AND channel = ?2 AND kind = 'page' AND state IN ('due', 'delivered') AND seq <> ?3 AND seq > ?4)";
    let of = (&standby.key, &standby.channel, standby.seq, standby.resolve_before(tx)?.unwrap_or(i64::MIN));
    tx.prepare_cached(sql)?.query_one(of, |row| row.get(0))
}

/// Whether the incident of a page that stood by for `other` is over.
fn is_over(tx: &Transaction<'_>, standby: &Line, other: &Line) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM outbox
        WHERE key = ?1 AND channel IN (?2, ?3) AND kind = 'resolve' AND seq > ?4)";
    let of = (&standby.key, &standby.channel, &other.channel, other.seq);
    let resolved: bool = tx.prepare_cached(sql)?.query_one(of, |row| row.get(0))?;
    Ok(resolved
        || pages::is_closed(tx, &standby.key, &other.channel)?
        || pages::is_closed(tx, &standby.key, &standby.channel)?)
}
