-- The ticket's answer says also whether this instance is on hold: it stands in the row that is read for the key.
ALTER TYPE gate.ticket ADD ATTRIBUTE held boolean;
CREATE OR REPLACE FUNCTION gate.check_ticket(p_ticket text) RETURNS gate.ticket
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  t text[] := string_to_array(p_ticket, '|');
  async_ boolean;
  held_ boolean;
BEGIN
  IF cardinality(t) IS DISTINCT FROM 5 THEN RETURN NULL; END IF;
  SELECT k.async, k.held INTO async_, held_ FROM sealed.ticket_key k
    WHERE k.id = 1 AND t[5] = encode(sha256(k.opad || sha256(k.ipad || convert_to(
      E'muniment-ticket/1\n' || t[1] || '|' || t[2] || '|' || t[3] || '|' || t[4], 'UTF8'))), 'hex');
  IF NOT FOUND OR t[4]::bigint < extract(epoch FROM clock_timestamp()) THEN RETURN NULL; END IF;
  RETURN ROW(t[1]::uuid, t[2], t[3], async_, held_)::gate.ticket;
END $$;
