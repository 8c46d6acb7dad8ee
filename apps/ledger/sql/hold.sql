-- Puts the hold: from the moment this commits, gate.stamp and gate.open refuse in every process, before they read or
-- write. The log's role alone calls it; the same evidence again adds nothing.
CREATE FUNCTION gate.hold(p_reason text, p_evidence bytea) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE sealed.ticket_key k SET held = true WHERE k.id = 1;  -- also the lock that two callers meet at
  PERFORM FROM log.hold h WHERE h.held AND h.evidence IS NOT DISTINCT FROM p_evidence
    AND h.id > coalesce((SELECT max(l.id) FROM log.hold l WHERE NOT l.held), 0);
  IF NOT FOUND THEN
    INSERT INTO log.hold (held, origin, reason, evidence)
      VALUES (true, coalesce((SELECT t.origin FROM log.tree t WHERE t.id = 1), ''), p_reason, p_evidence);
  END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.hold(text, bytea) TO muniment_log;

-- Lifts it, in the transaction that moves the log to another name: under the old one two histories stay a fork.
CREATE FUNCTION gate.lift(p_reason text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  h log.hold;
  origin_ text;
BEGIN
  SELECT * INTO h FROM log.hold l ORDER BY l.id DESC LIMIT 1;
  SELECT t.origin INTO origin_ FROM log.tree t WHERE t.id = 1;
  IF h.held IS NOT TRUE OR origin_ IS NULL OR origin_ = h.origin THEN
    RAISE EXCEPTION 'a hold is lifted by a log under another name' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  INSERT INTO log.hold (held, origin, reason) VALUES (false, origin_, p_reason);
  UPDATE sealed.ticket_key k SET held = false WHERE k.id = 1;
END $$;
GRANT EXECUTE ON FUNCTION gate.lift(text) TO muniment_log;

-- A log keeps its name, but where it is on hold and begins anew.
CREATE FUNCTION gate.only_on_hold() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (SELECT h.held FROM log.hold h ORDER BY h.id DESC LIMIT 1) IS NOT TRUE THEN
    RAISE EXCEPTION 'a log keeps its name' USING ERRCODE = 'insufficient_privilege'; END IF;
  RETURN NEW;
END $$;
GRANT EXECUTE ON FUNCTION gate.only_on_hold() TO muniment_owner;

-- A signed note that was shown to the web process, for the log's process to judge. False where too many wait.
CREATE FUNCTION gate.suspect(p_note bytea) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF length(p_note) > 100000 OR (SELECT count(*) FROM log.evidence) >= 100 THEN RETURN false; END IF;
  INSERT INTO log.evidence (digest, note) VALUES (sha256(p_note), p_note) ON CONFLICT (digest) DO NOTHING;
  RETURN true;
END $$;
GRANT EXECUTE ON FUNCTION gate.suspect(bytea) TO muniment_app;
