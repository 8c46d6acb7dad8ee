"""A vault's chain made long at once: by the gate's own functions for bytes and hashes, and not through its doors."""

from typing import Any
from uuid import UUID

import psycopg

LENGTHEN = """
CREATE FUNCTION pg_temp.lengthen(vault uuid, count int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  h sealed.chain_head;
  who text := 'cli_' || repeat('1', 32);
  grant_id text;
  wish text;
  ts timestamptz := clock_timestamp();
  memory uuid;
  salt bytea;
  cm bytea;
  d bytea;
BEGIN
  SELECT * INTO STRICT h FROM sealed.chain_head c WHERE c.vault_id = vault FOR UPDATE;
  FOR n IN 1..count LOOP
    IF n % 10 = 1 THEN
      grant_id := 'gra_' || encode(uuid_send(gen_random_uuid()), 'hex');
      wish := 'req_' || encode(uuid_send(gen_random_uuid()), 'hex');
      ts := greatest(clock_timestamp(), ts, h.at);
    END IF;
    memory := gen_random_uuid();
    salt := uuid_send(gen_random_uuid());
    cm := sha256(salt);
    h.seq := h.seq + 1;
    d := sha256(gate.canon(vault, h.seq, ts, 'value.read', who, '-', who, grant_id, memory, 1, 'ordinary', 'value', '-',
      wish, '-', 'answer', cm, salt));
    h.chain_hash := sha256(h.chain_hash || d);
    INSERT INTO receipt VALUES (vault, h.seq, ts, 'value.read', who, '-', who, grant_id, memory, 1, 'ordinary', 'value',
      '-', wish, '-', 'answer', cm, salt, d, h.chain_hash);
  END LOOP;
  UPDATE sealed.chain_head c SET seq = h.seq, chain_hash = h.chain_hash, at = ts WHERE c.vault_id = vault;
END $$
"""


def lengthen(admin: psycopg.Connection[Any], vault_id: UUID, count: int) -> None:
    """Append so many receipts of values read to a chain that has begun. `admin` is the superuser, autocommit."""
    admin.execute(LENGTHEN)
    admin.execute("SELECT pg_temp.lengthen(%s, %s)", [vault_id, count])
    admin.execute("DROP FUNCTION pg_temp.lengthen")
