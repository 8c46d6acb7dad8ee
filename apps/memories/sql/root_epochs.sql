-- The root keys that vault keys are wrapped under, by number; the keys are in a file outside.  The reference is what keeps
-- a root key from being destroyed while any vault's key needs it, one that is only now being written included.
INSERT INTO root_epoch (epoch, made_at) SELECT root_epoch, min(made_at) FROM vault_key GROUP BY root_epoch;
INSERT INTO root_epoch (epoch, made_at) SELECT 1, clock_timestamp() WHERE NOT EXISTS (SELECT FROM root_epoch);
ALTER TABLE vault_key ADD CONSTRAINT vault_key_root FOREIGN KEY (root_epoch) REFERENCES root_epoch (epoch);
GRANT UPDATE, DELETE ON vault_key TO muniment_gate_owner;
GRANT UPDATE ON sealed.key TO muniment_gate_owner;
