-- What witnesses said of the log (docs/transparency-log.md): whom it asks, who cosigned what, and who refused.

-- The tlog-policies that were in force; the last one is. Its octets, as they stand in the file.
CREATE TABLE log.policy (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text bytea NOT NULL CHECK (length(text) <= 1000000),
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON log.policy TO muniment_app;
GRANT SELECT, INSERT ON log.policy TO muniment_log;

-- One a witness and checkpoint: the signature line that goes under the checkpoint's note. Checked before it is kept.
CREATE TABLE log.cosignature (
  size bigint NOT NULL REFERENCES log.checkpoint (size),
  vkey text NOT NULL,
  line text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (size, vkey)
);
CREATE INDEX cosignature_last ON log.cosignature (vkey, size);
GRANT SELECT ON log.cosignature TO muniment_app;
GRANT SELECT, INSERT ON log.cosignature TO muniment_log;

-- Which checkpoints met which policy: what is served is looked up here, and shown by the cosignatures themselves.
CREATE TABLE log.quorum (
  policy bigint NOT NULL REFERENCES log.policy (id),
  size bigint NOT NULL REFERENCES log.checkpoint (size),
  PRIMARY KEY (policy, size)
);
GRANT SELECT ON log.quorum TO muniment_app;
GRANT SELECT, INSERT ON log.quorum TO muniment_log;

-- Answers that were no cosignature. Status 0 is no answer; `evidence` is there where it showed another history.
CREATE TABLE log.refusal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  vkey text NOT NULL,
  name text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  status int NOT NULL CHECK (status BETWEEN 0 AND 999),
  said text NOT NULL CHECK (length(said) <= 500),
  evidence bytea CHECK (length(evidence) <= 2000000),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX refusal_last ON log.refusal (vkey, id);
GRANT SELECT ON log.refusal TO muniment_app;
GRANT SELECT, INSERT ON log.refusal TO muniment_log;

-- For everybody, the owner included: what a witness said stays as it was said.
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['policy', 'cosignature', 'quorum', 'refusal'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.%I
      FOR EACH ROW EXECUTE FUNCTION gate.append_only()', name);
    EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON log.%I
      FOR EACH STATEMENT EXECUTE FUNCTION gate.append_only()', name);
  END LOOP;
END $$;
