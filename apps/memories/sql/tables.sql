-- A value's ciphertext, insert-only; its key, wrapped, apart, so that deleting the key erases the value.
CREATE TABLE sealed.value (
  vault_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version int NOT NULL,
  category text NOT NULL,
  attested boolean NOT NULL,
  nonce bytea NOT NULL,
  ciphertext bytea NOT NULL,
  commitment bytea NOT NULL,
  PRIMARY KEY (vault_id, memory_id, version)
);
CREATE TABLE sealed.key (
  vault_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version int NOT NULL,
  epoch int NOT NULL,
  wrapped bytea NOT NULL,
  PRIMARY KEY (vault_id, memory_id, version)
);
-- A stamp's handle by its hash: what take releases by, and what makes a repeated send harmless.
CREATE TABLE sealed.handle (
  vault_id uuid NOT NULL,
  handle bytea NOT NULL,
  body_digest text NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  kind text NOT NULL,
  object text NOT NULL,
  object_id uuid,
  terms int NOT NULL,
  recipient text NOT NULL,
  at timestamptz NOT NULL,
  flush boolean NOT NULL,
  PRIMARY KEY (vault_id, handle)
);
-- The search index: keyed tokens, never words.  UNLOGGED: not in the write-ahead log, replicas or base backups.
-- STATISTICS 0 in the same migration, because pg_statistic is logged and would carry tokens there.
CREATE UNLOGGED TABLE sealed.search_doc (
  vault_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version int NOT NULL,
  length int NOT NULL,
  PRIMARY KEY (vault_id, memory_id)
);
CREATE UNLOGGED TABLE sealed.search_term (
  vault_id uuid NOT NULL,
  term bigint NOT NULL,
  memory_id uuid NOT NULL,
  frequency smallint NOT NULL,
  PRIMARY KEY (vault_id, term, memory_id)
);
CREATE INDEX search_term_memory ON sealed.search_term (vault_id, memory_id);
ALTER TABLE sealed.search_term ALTER COLUMN vault_id SET STATISTICS 0, ALTER COLUMN term SET STATISTICS 0,
  ALTER COLUMN memory_id SET STATISTICS 0, ALTER COLUMN frequency SET STATISTICS 0;
ALTER TABLE sealed.search_doc ALTER COLUMN vault_id SET STATISTICS 0, ALTER COLUMN memory_id SET STATISTICS 0,
  ALTER COLUMN version SET STATISTICS 0, ALTER COLUMN length SET STATISTICS 0;
REVOKE ALL ON sealed.search_doc, sealed.search_term FROM muniment_admin;
-- As with the ticket key: a backup without --no-unlogged-table-data fails.
DO $$ BEGIN
  IF current_setting('server_version_num')::int >= 170000 THEN
    GRANT MAINTAIN ON sealed.search_doc, sealed.search_term TO muniment_admin; END IF;
END $$;

GRANT SELECT, INSERT ON sealed.value TO muniment_gate_owner;
GRANT SELECT, INSERT, DELETE ON sealed.key, sealed.handle TO muniment_gate_owner;
GRANT SELECT, INSERT, DELETE ON sealed.search_doc, sealed.search_term TO muniment_gate_owner;
CREATE TRIGGER append_only BEFORE UPDATE ON sealed.value FOR EACH ROW EXECUTE FUNCTION gate.append_only();
