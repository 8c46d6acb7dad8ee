-- What search will hold of a candidate once it is approved: keyed tokens with their frequencies, as in the index itself,
-- so that an approval reads nothing.  UNLOGGED for the same reason; what a crash takes from it is indexed anew.
CREATE UNLOGGED TABLE sealed.search_candidate (
  vault_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  terms bigint[] NOT NULL,
  frequencies smallint[] NOT NULL,
  PRIMARY KEY (vault_id, memory_id)
);
ALTER TABLE sealed.search_candidate ALTER COLUMN vault_id SET STATISTICS 0, ALTER COLUMN memory_id SET STATISTICS 0,
  ALTER COLUMN terms SET STATISTICS 0, ALTER COLUMN frequencies SET STATISTICS 0;
REVOKE ALL ON sealed.search_candidate FROM muniment_admin;
DO $$ BEGIN
  IF current_setting('server_version_num')::int >= 170000 THEN
    GRANT MAINTAIN ON sealed.search_candidate TO muniment_admin; END IF;
END $$;
GRANT SELECT, INSERT, DELETE ON sealed.search_candidate TO muniment_gate_owner;
