-- A ticket says which vault, who acts and who receives: 'vault|actor|recipient|expiry|mac', HMAC-SHA256 under a key
-- that only the application and this function's owner read.  Built on sha256() and precomputed pads: no extension.
-- NULL for anything that is not a valid, unexpired ticket.
CREATE TYPE gate.ticket AS (vault uuid, actor text, recipient text, async boolean);
CREATE FUNCTION gate.read_ticket(p_ticket text) RETURNS gate.ticket
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  t text[] := string_to_array(p_ticket, '|');
  k sealed.ticket_key;
BEGIN
  IF t IS NULL OR cardinality(t) <> 5 OR t[4] !~ '^[0-9]{1,12}$' OR t[5] !~ '^[0-9a-f]{64}$' THEN RETURN NULL; END IF;
  IF t[4]::bigint < extract(epoch FROM clock_timestamp()) THEN RETURN NULL; END IF;
  SELECT * INTO STRICT k FROM sealed.ticket_key WHERE id = 1;
  IF sha256(k.opad || sha256(k.ipad || convert_to(
       E'muniment-ticket/1\n' || t[1] || '|' || t[2] || '|' || t[3] || '|' || t[4], 'UTF8')))
     <> decode(t[5], 'hex') THEN RETURN NULL; END IF;
  RETURN ROW(t[1]::uuid, t[2], t[3], k.async)::gate.ticket;
END $$;
GRANT EXECUTE ON FUNCTION gate.read_ticket(text) TO muniment_app, muniment_owner, muniment_log;
