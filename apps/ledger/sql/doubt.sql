-- What the guard could not find out at the last start, in sentences. Not a record: the next start says it anew.
CREATE TABLE log.doubt (
  said text PRIMARY KEY CHECK (length(said) BETWEEN 1 AND 1000),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON log.doubt TO muniment_app, muniment_log;
GRANT INSERT, DELETE ON log.doubt TO muniment_log;
