-- Puts into the index what was kept of candidates that are memories now, word for word as proposed; of others it forgets
-- it.  Write-only, within an act.  A memory that is not found here gate.due names, and the indexer reads it.
CREATE FUNCTION gate.index_approved(p_vault uuid, p_ticket text, p_memories uuid[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE kept uuid[];
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'index outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  kept := ARRAY(SELECT w.memory_id FROM public.memory w
                  WHERE w.vault_id = p_vault AND w.memory_id = ANY (p_memories) AND w.version = 1
                    AND w.category = 'ordinary' AND w.state = 'approved' AND NOT w.attested);
  INSERT INTO sealed.search_doc
    SELECT p_vault, c.memory_id, 1, coalesce((SELECT sum(f) FROM unnest(c.frequencies) f), 0)
      FROM sealed.search_candidate c WHERE c.vault_id = p_vault AND c.memory_id = ANY (kept);
  INSERT INTO sealed.search_term
    SELECT p_vault, u.t, c.memory_id, u.f
      FROM sealed.search_candidate c, unnest(c.terms, c.frequencies) AS u(t, f)
     WHERE c.vault_id = p_vault AND c.memory_id = ANY (kept);
  DELETE FROM sealed.search_candidate c WHERE c.vault_id = p_vault AND c.memory_id = ANY (p_memories);
END $$;
GRANT EXECUTE ON FUNCTION gate.index_approved(uuid, text, uuid[]) TO muniment_app;
