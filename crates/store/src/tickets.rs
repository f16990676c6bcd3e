//! The table `tickets`: the open tickets of a series, in the order of the engine.

use domain::{Key, OpenTicket, Terms, TierShares};
use rusqlite::{Connection, Row, Transaction, named_params};

use crate::columns::{Name, Number, Real};

/// Replaces the open tickets of a series. Most steps leave them as they are: then nothing is written.
pub(crate) fn replace(tx: &Transaction<'_>, id: i64, tickets: &[OpenTicket]) -> rusqlite::Result<()> {
    if read(tx, id)? == tickets {
        return Ok(());
    }
    tx.prepare_cached("DELETE FROM tickets WHERE series_id = ?1")?.execute([id])?;
    for (position, ticket) in (0..).zip(tickets) {
        insert(tx, id, position, ticket)?;
    }
    Ok(())
}

fn insert(tx: &Transaction<'_>, id: i64, position: i64, ticket: &OpenTicket) -> rusqlite::Result<()> {
    let sql = "INSERT INTO tickets (series_id, position, key, cause, opened, told_day,
            usual_otps_p50, usual_otps_token_weighted, usual_latency_ms, usual_ttft_ms, usual_output_tokens,
            usual_input_tokens, usual_cache_read_share, usual_streaming_share, usual_throttle_share,
            usual_server_error_share, usual_samples, usual_quota_tokens, usual_reserved_share,
            usual_priority_share, usual_flex_share)
        VALUES (:series_id, :position, :key, :cause, :opened, :told_day,
            :otps_p50, :otps_token_weighted, :latency_ms, :ttft_ms, :output_tokens,
            :input_tokens, :cache_read_share, :streaming_share, :throttle_share,
            :server_error_share, :samples, :quota_tokens, :reserved_share, :priority_share, :flex_share)";
    // Taken apart by name, so that a new term cannot be forgotten here.
    let Terms {
        otps_p50,
        otps_token_weighted,
        latency_ms,
        ttft_ms,
        output_tokens,
        input_tokens,
        cache_read_share,
        streaming_share,
        throttle_share,
        server_error_share,
        quota_tokens,
        tiers,
        samples,
    } = ticket.usual;
    let share = |of: fn(&TierShares) -> f64| tiers.as_ref().map(of).map(Real);
    tx.prepare_cached(sql)?.execute(named_params! {
        ":series_id": id,
        ":position": position,
        ":key": ticket.key.as_str(),
        ":cause": Name(ticket.cause),
        ":opened": Number(ticket.opened),
        ":told_day": ticket.told_day,
        ":otps_p50": otps_p50.map(Real),
        ":otps_token_weighted": otps_token_weighted.map(Real),
        ":latency_ms": Real(latency_ms),
        ":ttft_ms": Real(ttft_ms),
        ":output_tokens": Real(output_tokens),
        ":input_tokens": input_tokens.map(Real),
        ":cache_read_share": cache_read_share.map(Real),
        ":streaming_share": Real(streaming_share),
        ":throttle_share": throttle_share.map(Real),
        ":server_error_share": server_error_share.map(Real),
        ":samples": Real(samples),
        ":quota_tokens": quota_tokens.map(Real),
        ":reserved_share": share(|tiers| tiers.reserved),
        ":priority_share": share(|tiers| tiers.priority),
        ":flex_share": share(|tiers| tiers.flex),
    })?;
    Ok(())
}

/// The open tickets of a series.
pub(crate) fn read(connection: &Connection, id: i64) -> rusqlite::Result<Vec<OpenTicket>> {
    let mut statement =
        connection.prepare_cached("SELECT * FROM tickets WHERE series_id = ?1 ORDER BY position")?;
    let tickets = statement.query_map([id], |row| {
        Ok(OpenTicket {
            cause: row.get::<_, Name<_>>("cause")?.0,
            opened: row.get::<_, Number>("opened")?.0,
            key: Key::from_text(row.get::<_, String>("key")?),
            usual: terms(row)?,
            told_day: row.get("told_day")?,
        })
    })?;
    tickets.collect()
}

fn terms(row: &Row<'_>) -> rusqlite::Result<Terms> {
    let figure = |column| row.get::<_, Real>(column).map(|real| real.0);
    let where_read = |column| row.get::<_, Option<Real>>(column).map(|real| real.map(|real| real.0));
    let (reserved, priority, flex) = (
        where_read("usual_reserved_share")?,
        where_read("usual_priority_share")?,
        where_read("usual_flex_share")?,
    );
    let tiers = reserved.zip(priority).zip(flex);
    Ok(Terms {
        otps_p50: where_read("usual_otps_p50")?,
        otps_token_weighted: where_read("usual_otps_token_weighted")?,
        latency_ms: figure("usual_latency_ms")?,
        ttft_ms: figure("usual_ttft_ms")?,
        output_tokens: figure("usual_output_tokens")?,
        input_tokens: where_read("usual_input_tokens")?,
        cache_read_share: where_read("usual_cache_read_share")?,
        streaming_share: figure("usual_streaming_share")?,
        throttle_share: where_read("usual_throttle_share")?,
        server_error_share: where_read("usual_server_error_share")?,
        quota_tokens: where_read("usual_quota_tokens")?,
        tiers: tiers.map(|((reserved, priority), flex)| TierShares { reserved, priority, flex }),
        samples: figure("usual_samples")?,
    })
}
