-- What is remembered of each page to each channel, open (`closed` is NULL) or not. A receiver of '' is not known.
CREATE TABLE pages (
    id          INTEGER PRIMARY KEY,
    key         TEXT NOT NULL,
    channel     TEXT NOT NULL,
    receiver    TEXT NOT NULL,
    group_name  TEXT NOT NULL,
    opened      INTEGER NOT NULL,
    opened_time TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', opened * 300, 'unixepoch')) VIRTUAL,
    told        TEXT NOT NULL,
    summary     TEXT NOT NULL,
    held_told   INTEGER NOT NULL,
    closed      TEXT,
    UNIQUE (key, channel)
) STRICT;
CREATE INDEX pages_open ON pages (told, id) WHERE closed IS NULL;

-- The incidents of a page, in the order in which they joined.
CREATE TABLE page_members (
    page_id        INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    position       INTEGER NOT NULL,
    incident       TEXT NOT NULL,
    series_id      INTEGER NOT NULL REFERENCES series (id),
    onset          INTEGER NOT NULL,
    onset_time     TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', onset * 300, 'unixepoch')) VIRTUAL,
    opened         INTEGER NOT NULL,
    opened_time    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', opened * 300, 'unixepoch')) VIRTUAL,
    joined         TEXT NOT NULL,
    worst          REAL,
    recovered      INTEGER,
    recovered_time TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', recovered * 300, 'unixepoch')) VIRTUAL,
    resolved       INTEGER,
    resolved_time  TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%SZ', resolved * 300, 'unixepoch')) VIRTUAL,
    PRIMARY KEY (page_id, position)
) WITHOUT ROWID;
CREATE INDEX page_members_incident ON page_members (incident);

-- The channels that were told of a ticket that is not closed, in the order in which they are told.
CREATE TABLE filed (
    key      TEXT NOT NULL,
    position INTEGER NOT NULL,
    channel  TEXT NOT NULL,
    PRIMARY KEY (key, position)
) STRICT, WITHOUT ROWID;

-- Silences. What they are about: JSON arrays of globs and causes, and a JSON object of labels.
CREATE TABLE silences (
    id         TEXT PRIMARY KEY NOT NULL,
    models     TEXT NOT NULL,
    accounts   TEXT NOT NULL,
    regions    TEXT NOT NULL,
    causes     TEXT NOT NULL,
    labels     TEXT NOT NULL,
    author     TEXT NOT NULL,
    comment    TEXT NOT NULL,
    from_time  TEXT NOT NULL,
    until_time TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was done, by whom, and why.
CREATE TABLE audit (
    seq     INTEGER PRIMARY KEY,
    at      TEXT NOT NULL,
    who     TEXT NOT NULL,
    act     TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail  TEXT NOT NULL
) STRICT;
CREATE INDEX audit_at ON audit (at);

-- What shows an incident, as JSON; NULL once it is over.
ALTER TABLE incidents ADD COLUMN evidence TEXT;
CREATE INDEX incidents_open ON incidents (key) WHERE resolved IS NULL;

-- The outbox, with messages that stand by for another one, those that are not owed any more, and what receivers call what they took.
-- `at` is when a message is due, was delivered, refused for good or withdrawn, or, while it stands by, when it was made.
CREATE TABLE outbox_new (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    channel     TEXT NOT NULL,
    kind        TEXT NOT NULL,
    -- 0 for what wakes people, 1 for tickets.
    turn        INTEGER NOT NULL GENERATED ALWAYS AS (kind NOT IN ('page', 'resolve')) VIRTUAL,
    key         TEXT NOT NULL,
    summary     TEXT NOT NULL,
    body        TEXT NOT NULL,
    attributes  TEXT NOT NULL,
    created     TEXT NOT NULL,
    standby_for TEXT,
    attempts    INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('due', 'delivered', 'refused', 'standby', 'withdrawn')),
    at          TEXT NOT NULL,
    last_error  TEXT,
    reference   TEXT
) STRICT;
INSERT INTO outbox_new (seq, id, channel, kind, key, summary, body, attributes, created, attempts, state, at, last_error)
    SELECT seq, id, channel, kind, key, summary, body, attributes, created, attempts, state, at, last_error FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_new RENAME TO outbox;
CREATE INDEX outbox_subject ON outbox (key, channel, seq);
CREATE INDEX outbox_heads ON outbox (channel, key, seq) WHERE state = 'due';
CREATE INDEX outbox_due ON outbox (channel, turn, at, seq) WHERE state = 'due';
CREATE INDEX outbox_owed ON outbox (kind, created) WHERE state = 'due';
CREATE INDEX outbox_refused ON outbox (at) WHERE state = 'refused';
CREATE INDEX outbox_standby ON outbox (standby_for) WHERE state = 'standby';

-- An incident that was open when groups came is a page of its own to each channel that was owed it, under its own key.
INSERT INTO pages (key, channel, receiver, group_name, opened, told, summary, held_told)
    SELECT incidents.key, channel, '', account || '/' || region || '/' || model, opened, min(created), incidents.summary, 0
    FROM incidents JOIN series ON series.id = series_id JOIN outbox ON outbox.key = incidents.key AND kind = 'page'
    WHERE resolved IS NULL
    GROUP BY incidents.key, channel
    ORDER BY min(seq);
INSERT INTO page_members (page_id, position, incident, series_id, onset, opened, joined, worst)
    SELECT pages.id, 0, incidents.key, series_id, onset, incidents.opened, told, worst
    FROM pages JOIN incidents ON incidents.key = pages.key;

-- The tickets that were open when this came: whoever was told that they opened is told what comes next.
INSERT INTO filed (key, position, channel)
    SELECT key, row_number() OVER (PARTITION BY key ORDER BY min(seq)) - 1, channel FROM outbox
    WHERE kind = 'ticket_opened' AND key IN (SELECT key FROM tickets UNION SELECT key FROM source_tickets)
    GROUP BY key, channel;
