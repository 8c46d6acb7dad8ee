-- A ticket says which vault, who acts and who receives: 'vault|actor|recipient|expiry|mac', HMAC-SHA256 under a key
-- that only the application and the gate's owner read.  Built on sha256() and precomputed pads: no extension.
-- NULL for anything that is not a valid, unexpired ticket; its fields are looked at only once its mac holds.
CREATE TYPE gate.ticket AS (vault uuid, actor text, recipient text, async boolean);
-- For the gate's own functions, which run as its owner and on its search path already: granted to nobody.
CREATE FUNCTION gate.check_ticket(p_ticket text) RETURNS gate.ticket
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  t text[] := string_to_array(p_ticket, '|');
  async_ boolean;
BEGIN
  IF cardinality(t) IS DISTINCT FROM 5 THEN RETURN NULL; END IF;
  SELECT k.async INTO async_ FROM sealed.ticket_key k
    WHERE k.id = 1 AND t[5] = encode(sha256(k.opad || sha256(k.ipad || convert_to(
      E'muniment-ticket/1\n' || t[1] || '|' || t[2] || '|' || t[3] || '|' || t[4], 'UTF8'))), 'hex');
  IF NOT FOUND OR t[4]::bigint < extract(epoch FROM clock_timestamp()) THEN RETURN NULL; END IF;
  RETURN ROW(t[1]::uuid, t[2], t[3], async_)::gate.ticket;
END $$;
CREATE FUNCTION gate.read_ticket(p_ticket text) RETURNS gate.ticket
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN gate.check_ticket(p_ticket);
END $$;
GRANT EXECUTE ON FUNCTION gate.read_ticket(text) TO muniment_app, muniment_owner, muniment_log;
