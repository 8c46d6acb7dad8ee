-- A receipt: one line of one vault's chain.  Bytes, digest and chain hash: docs/receipt-format.md.
CREATE TABLE public.receipt (
  vault_id uuid NOT NULL,
  seq bigint NOT NULL CHECK (seq BETWEEN 1 AND 9007199254740991),
  at timestamptz NOT NULL,
  kind text NOT NULL,
  actor text NOT NULL,
  on_behalf_of text NOT NULL,
  recipient text NOT NULL,
  object text NOT NULL,
  memory_id uuid,
  version int NOT NULL,
  category text NOT NULL,
  form text NOT NULL,
  reason text NOT NULL,
  request text NOT NULL,
  turn text NOT NULL,
  purpose text NOT NULL,
  commitment bytea,
  salt bytea NOT NULL,
  digest bytea NOT NULL,
  chain_hash bytea NOT NULL,
  PRIMARY KEY (vault_id, seq)
);
REVOKE ALL ON public.receipt FROM muniment_app;
GRANT SELECT ON public.receipt TO muniment_app, muniment_log;
GRANT SELECT, INSERT ON public.receipt TO muniment_gate_owner;

-- The head of each vault's chain; whoever writes locks it first.
CREATE TABLE sealed.chain_head (
  vault_id uuid PRIMARY KEY,
  seq bigint NOT NULL,
  chain_hash bytea NOT NULL,
  at timestamptz NOT NULL
) WITH (fillfactor = 20);
GRANT SELECT, INSERT, UPDATE ON sealed.chain_head TO muniment_gate_owner;

-- The two HMAC pads of the ticket key, and whether stamps may commit before the disk has them (take then flushes).
CREATE TABLE sealed.ticket_key (
  id int PRIMARY KEY CHECK (id = 1),
  ipad bytea NOT NULL,
  opad bytea NOT NULL,
  async boolean NOT NULL DEFAULT false
);
GRANT SELECT ON sealed.ticket_key TO muniment_gate_owner;
-- A backup locks what it describes, and MAINTAIN is a lock without a look: taken without --exclude-table-data it fails,
-- rather than carry the key.
REVOKE ALL ON sealed.ticket_key FROM muniment_admin;
DO $$ BEGIN
  IF current_setting('server_version_num')::int >= 170000 THEN
    GRANT MAINTAIN ON sealed.ticket_key TO muniment_admin; END IF;
END $$;
