-- The ledger of otpsd.
--
-- A period is its number: Unix seconds of its start, divided by 300. Beside each stands the same as text, computed when
-- it is read and never stored. Every other time is RFC 3339 in UTC with nine digits, so that text sorts as time does.
-- Tables with figures are not STRICT, because one that is not a number is written as the text 'NaN': NULL means that
-- there is none.

-- Who is watched.
CREATE TABLE series (
    id      INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    region  TEXT NOT NULL,
    model   TEXT NOT NULL,
    UNIQUE (account, region, model)
) STRICT;

-- What was read of a series in a period: the statistics of CloudWatch under its own names. NUMERIC keeps whole figures
-- in one to four bytes instead of eight, which saves a third of the file; to divide two of them, write `1.0 * a / b`.
CREATE TABLE readings (
    series_id INTEGER NOT NULL REFERENCES series (id),
    period    INTEGER NOT NULL,
    time      TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', period * 300, 'unixepoch')) VIRTUAL,
    invocation_latency_p50                NUMERIC,
    invocation_latency_p95                NUMERIC,
    invocation_latency_sum                NUMERIC,
    invocation_latency_sample_count       NUMERIC,
    time_to_first_token_p50               NUMERIC,
    time_to_first_token_p95               NUMERIC,
    time_to_first_token_sum               NUMERIC,
    time_to_first_token_sample_count      NUMERIC,
    output_token_count_p50                NUMERIC,
    output_token_count_p95                NUMERIC,
    output_token_count_sum                NUMERIC,
    output_token_count_sample_count       NUMERIC,
    input_token_count_p50                 NUMERIC,
    input_token_count_p95                 NUMERIC,
    input_token_count_sum                 NUMERIC,
    input_token_count_sample_count        NUMERIC,
    cache_read_input_tokens_p50           NUMERIC,
    cache_read_input_tokens_p95           NUMERIC,
    cache_read_input_tokens_sum           NUMERIC,
    cache_read_input_tokens_sample_count  NUMERIC,
    cache_write_input_tokens_p50          NUMERIC,
    cache_write_input_tokens_p95          NUMERIC,
    cache_write_input_tokens_sum          NUMERIC,
    cache_write_input_tokens_sample_count NUMERIC,
    invocation_throttles_p50              NUMERIC,
    invocation_throttles_p95              NUMERIC,
    invocation_throttles_sum              NUMERIC,
    invocation_throttles_sample_count     NUMERIC,
    invocation_server_errors_p50          NUMERIC,
    invocation_server_errors_p95          NUMERIC,
    invocation_server_errors_sum          NUMERIC,
    invocation_server_errors_sample_count NUMERIC,
    PRIMARY KEY (series_id, period)
) WITHOUT ROWID;

-- Up to where the metrics that only explain have been read.
CREATE TABLE diagnosed (
    series_id    INTEGER PRIMARY KEY REFERENCES series (id),
    through      INTEGER NOT NULL,
    through_time TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', through * 300, 'unixepoch')) VIRTUAL
) STRICT;

-- What the engine remembers of a series, with its open incident.
CREATE TABLE states (
    series_id           INTEGER PRIMARY KEY REFERENCES series (id),
    state               TEXT NOT NULL,
    since               INTEGER NOT NULL,
    since_time          TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', since * 300, 'unixepoch')) VIRTUAL,
    judged_through      INTEGER NOT NULL,
    judged_through_time TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', judged_through * 300, 'unixepoch')) VIRTUAL,
    incident_key        TEXT,
    incident_onset      INTEGER,
    incident_opened     INTEGER,
    incident_worst      REAL,
    CHECK ((incident_key IS NULL) = (incident_opened IS NULL) AND (incident_key IS NULL) = (incident_onset IS NULL))
);

-- The open tickets of a series, in the order of the engine, with the reference level that was frozen when they opened.
CREATE TABLE tickets (
    series_id                  INTEGER NOT NULL REFERENCES series (id),
    position                   INTEGER NOT NULL,
    key                        TEXT NOT NULL,
    cause                      TEXT NOT NULL,
    opened                     INTEGER NOT NULL,
    opened_time                TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', opened * 300, 'unixepoch')) VIRTUAL,
    told_day                   INTEGER NOT NULL,
    usual_otps_p50             REAL,
    usual_otps_token_weighted  REAL,
    usual_latency_ms           REAL NOT NULL,
    usual_ttft_ms              REAL NOT NULL,
    usual_output_tokens        REAL NOT NULL,
    usual_input_tokens         REAL,
    usual_cache_read_share     REAL,
    usual_streaming_share      REAL NOT NULL,
    usual_throttle_share       REAL,
    usual_server_error_share   REAL,
    usual_samples              REAL NOT NULL,
    PRIMARY KEY (series_id, position)
) WITHOUT ROWID;

-- Periods that never train a baseline: `from_period` is inside, `until_period` is not.
CREATE TABLE untrained (
    series_id    INTEGER NOT NULL REFERENCES series (id),
    position     INTEGER NOT NULL,
    from_period  INTEGER NOT NULL,
    from_time    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', from_period * 300, 'unixepoch')) VIRTUAL,
    until_period INTEGER NOT NULL,
    until_time   TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', until_period * 300, 'unixepoch')) VIRTUAL,
    PRIMARY KEY (series_id, position)
) STRICT, WITHOUT ROWID;

-- Every incident, open (`resolved` is NULL) or not.
CREATE TABLE incidents (
    key           TEXT PRIMARY KEY NOT NULL,
    series_id     INTEGER NOT NULL REFERENCES series (id),
    onset         INTEGER NOT NULL,
    onset_time    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', onset * 300, 'unixepoch')) VIRTUAL,
    opened        INTEGER NOT NULL,
    opened_time   TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', opened * 300, 'unixepoch')) VIRTUAL,
    resolved      INTEGER,
    resolved_time TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', resolved * 300, 'unixepoch')) VIRTUAL,
    worst         REAL,
    summary       TEXT NOT NULL,
    at            TEXT NOT NULL
);
CREATE INDEX incidents_opened ON incidents (opened);

-- Every message to every channel. `at` is when it is due, when it was delivered, or when it was refused for good.
CREATE TABLE outbox (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    channel    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    key        TEXT NOT NULL,
    summary    TEXT NOT NULL,
    body       TEXT NOT NULL,
    attributes TEXT NOT NULL,
    created    TEXT NOT NULL,
    attempts   INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('due', 'delivered', 'refused')),
    at         TEXT NOT NULL,
    last_error TEXT
) STRICT;
CREATE INDEX outbox_heads ON outbox (channel, key, seq) WHERE state = 'due';
CREATE INDEX outbox_due ON outbox (at) WHERE state = 'due';
CREATE INDEX outbox_pages ON outbox (key, seq) WHERE kind = 'page';
