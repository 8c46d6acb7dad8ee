-- Replaces what the index holds of many memories, as gate.index does of one: a document each,
-- {"m": memory, "v": version, "t": [terms], "f": [frequencies]}.  Write-only, within an act.
CREATE FUNCTION gate.index_many(p_vault uuid, p_ticket text, p_documents jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE ids uuid[]; kept uuid[];
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'index outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  ids := ARRAY(SELECT i.m FROM jsonb_to_recordset(p_documents) AS i(m uuid));
  DELETE FROM sealed.search_term s WHERE s.vault_id = p_vault AND s.memory_id = ANY (ids);
  DELETE FROM sealed.search_doc s WHERE s.vault_id = p_vault AND s.memory_id = ANY (ids);
  kept := ARRAY(
    SELECT i.m FROM jsonb_to_recordset(p_documents) AS i(m uuid, v int)
      JOIN LATERAL (SELECT FROM public.memory w
                      WHERE w.vault_id = p_vault AND w.memory_id = i.m AND w.version = i.v AND w.category = 'ordinary'
                        AND w.state = 'approved' AND NOT w.attested LIMIT 1) m ON true);
  INSERT INTO sealed.search_doc
    SELECT p_vault, i.m, i.v, coalesce((SELECT sum(x.f::int) FROM jsonb_array_elements_text(i.f) x(f)), 0)
      FROM jsonb_to_recordset(p_documents) AS i(m uuid, v int, f jsonb) WHERE i.m = ANY (kept);
  INSERT INTO sealed.search_term
    SELECT p_vault, u.t::bigint, i.m, u.f::smallint
      FROM jsonb_to_recordset(p_documents) AS i(m uuid, t jsonb, f jsonb),
           ROWS FROM (jsonb_array_elements_text(i.t), jsonb_array_elements_text(i.f)) AS u(t, f)
     WHERE i.m = ANY (kept);
END $$;
GRANT EXECUTE ON FUNCTION gate.index_many(uuid, text, jsonb) TO muniment_app;
