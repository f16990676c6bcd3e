-- What of each source is not watched as it should be, in the order in which that was found.
CREATE TABLE source_gaps (
    source   TEXT NOT NULL,
    position INTEGER NOT NULL,
    key      TEXT NOT NULL,
    cause    TEXT NOT NULL,
    -- The name or glob that it is about; empty where it is about the source.
    subject  TEXT NOT NULL,
    since    TEXT NOT NULL,
    PRIMARY KEY (source, position)
) STRICT, WITHOUT ROWID;

-- What was asked of each source in a month: the year times twelve and the month from zero, in UTC.
CREATE TABLE source_spending (
    source         TEXT PRIMARY KEY NOT NULL,
    month          INTEGER NOT NULL,
    billed_metrics INTEGER NOT NULL,
    thrift         TEXT NOT NULL
) STRICT, WITHOUT ROWID;
