-- Why nothing is stamped, and why it is again: every hold that was put or lifted, for ever. The last row is in force.
-- A database that does not continue what its log signed is one of two histories under one name; whatever it stamps makes
-- the other one a lie.
CREATE TABLE log.hold (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  held boolean NOT NULL,
  origin text NOT NULL,  -- the log's name then; '' where this database had none yet
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  evidence bytea CHECK (length(evidence) <= 2000000),  -- the signed note that this database does not continue
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON log.hold TO muniment_app, muniment_log;
GRANT SELECT, INSERT ON log.hold TO muniment_gate_owner;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.hold FOR EACH ROW EXECUTE FUNCTION gate.append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON log.hold FOR EACH STATEMENT EXECUTE FUNCTION gate.append_only();

-- The same for the functions of the gate, in the row that they read anyway.
ALTER TABLE sealed.ticket_key ADD COLUMN held boolean NOT NULL DEFAULT false;
GRANT UPDATE (held) ON sealed.ticket_key TO muniment_gate_owner;

-- Signed notes that somebody brought and that wait for the log's process to judge them. Not a record: judged, they go.
CREATE TABLE log.evidence (
  digest bytea PRIMARY KEY,
  note bytea NOT NULL CHECK (length(note) <= 100000),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, DELETE ON log.evidence TO muniment_log;
GRANT SELECT, INSERT ON log.evidence TO muniment_gate_owner;

GRANT SELECT ON log.tree TO muniment_gate_owner;
GRANT UPDATE (origin) ON log.tree TO muniment_log;

-- Numbers of rows come from sequences, and a backup reads them too.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA log TO muniment_admin;
ALTER DEFAULT PRIVILEGES IN SCHEMA log GRANT SELECT ON SEQUENCES TO muniment_admin;
