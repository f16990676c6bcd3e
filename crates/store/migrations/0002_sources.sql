-- How the polls of each source went, Region by Region: what a ticket about a source rests on.
CREATE TABLE source_regions (
    source         TEXT NOT NULL,
    region         TEXT NOT NULL,
    last_good      TEXT,
    good_polls     INTEGER NOT NULL,
    -- These five are NULL unless the last poll failed.
    act            TEXT,
    failure        TEXT,
    since          TEXT,
    this_way_since TEXT,
    last           TEXT,
    PRIMARY KEY (source, region)
) STRICT, WITHOUT ROWID;

-- The open tickets about sources, in the order in which they opened. `regions` is a JSON array of names.
CREATE TABLE source_tickets (
    source   TEXT NOT NULL,
    position INTEGER NOT NULL,
    key      TEXT NOT NULL,
    act      TEXT NOT NULL,
    failure  TEXT NOT NULL,
    since    TEXT NOT NULL,
    opened   TEXT NOT NULL,
    regions  TEXT NOT NULL,
    PRIMARY KEY (source, position)
) STRICT, WITHOUT ROWID;
