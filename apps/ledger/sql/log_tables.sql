-- The instance's transparency log (docs/transparency-log.md): what is public of it, and whose leaf is whose.
CREATE SCHEMA log;
GRANT USAGE ON SCHEMA log TO muniment_app, muniment_gate_owner, muniment_log, muniment_admin;
ALTER DEFAULT PRIVILEGES IN SCHEMA log GRANT SELECT ON TABLES TO muniment_admin;

-- The tree as far as it is integrated: one row, moved by compare-and-set on size and root.
CREATE TABLE log.tree (
  id int PRIMARY KEY CHECK (id = 1),
  origin text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  root bytea NOT NULL CHECK (length(root) = 32)
);
GRANT SELECT ON log.tree TO muniment_app;
GRANT SELECT, INSERT, UPDATE (size, root) ON log.tree TO muniment_log;

-- The leaves, in order: tiles of level 0 and bundles of entries are read from here.
CREATE TABLE log.leaf (
  index bigint PRIMARY KEY CHECK (index >= 0),
  entry bytea NOT NULL CHECK (length(entry) <= 65535),
  leaf_hash bytea NOT NULL CHECK (length(leaf_hash) = 32)
);
GRANT SELECT ON log.leaf TO muniment_app;
GRANT SELECT, INSERT ON log.leaf TO muniment_log;

-- Tiles of the levels above: the roots of whole tiles of the level below, side by side, up to 256 of them.
CREATE TABLE log.tile (
  level int NOT NULL CHECK (level BETWEEN 1 AND 7),
  number bigint NOT NULL CHECK (number >= 0),
  hashes bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
  PRIMARY KEY (level, number)
);
ALTER TABLE log.tile ALTER COLUMN hashes SET STORAGE EXTERNAL;  -- hashes do not compress
GRANT SELECT ON log.tile TO muniment_app;
GRANT SELECT, INSERT, UPDATE (hashes) ON log.tile TO muniment_log;

-- What was signed. Every one ever published: each is a promise about all leaves before it.
CREATE TABLE log.checkpoint (
  size bigint PRIMARY KEY CHECK (size >= 0),
  note bytea NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON log.checkpoint TO muniment_app;
GRANT SELECT, INSERT ON log.checkpoint TO muniment_log;

-- Public keys that the log has signed with, the newest last in force.
CREATE TABLE log.key (
  vkey text PRIMARY KEY,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON log.key TO muniment_app;
GRANT SELECT, INSERT ON log.key TO muniment_log;

-- Whose leaf is whose, which the leaves do not say: where each logged head of a vault stands.
CREATE TABLE log.place (
  vault_id uuid NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  index bigint NOT NULL CHECK (index >= 0),
  PRIMARY KEY (vault_id, seq)
);
GRANT SELECT, INSERT ON log.place TO muniment_log;

-- The key of a vault's pseudonym: a leaf's tag is an HMAC of the vault's id under it.
CREATE TABLE log.pseudonym (
  vault_id uuid PRIMARY KEY,
  key bytea NOT NULL CHECK (length(key) = 32)
);
GRANT SELECT, INSERT ON log.pseudonym TO muniment_log;
