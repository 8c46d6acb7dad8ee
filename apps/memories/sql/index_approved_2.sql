-- Puts into the index what was kept of candidates that are memories now, word for word as proposed; of others it forgets
-- it.  Write-only, within an act.  A memory that is not found here gate.due names, and the indexer reads it.
CREATE OR REPLACE FUNCTION gate.index_approved(p_vault uuid, p_ticket text, p_memories uuid[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'index outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  WITH taken AS (
    DELETE FROM sealed.search_candidate c WHERE c.vault_id = p_vault AND c.memory_id = ANY (p_memories)
      RETURNING c.memory_id, c.terms, c.frequencies
  ), kept AS (
    SELECT t.* FROM taken t CROSS JOIN LATERAL (
      SELECT FROM public.memory w
       WHERE w.vault_id = p_vault AND w.memory_id = t.memory_id AND w.version = 1
         AND w.category = 'ordinary' AND w.state = 'approved' AND NOT w.attested LIMIT 1) w
  ), documents AS (
    INSERT INTO sealed.search_doc
      SELECT p_vault, k.memory_id, 1, coalesce((SELECT sum(f) FROM unnest(k.frequencies) f), 0) FROM kept k
  )
  INSERT INTO sealed.search_term
    SELECT p_vault, u.t, k.memory_id, u.f FROM kept k, unnest(k.terms, k.frequencies) AS u(t, f);
END $$;
