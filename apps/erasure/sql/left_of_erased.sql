-- Memories that were erased and of which something sealed is still there, and what: ids only.
CREATE FUNCTION gate.left_of_erased(p_vault uuid, p_ticket text) RETURNS TABLE (memory_id uuid, what text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  RETURN QUERY
    SELECT DISTINCT held.memory_id, held.what FROM (
      SELECT k.memory_id, 'key' AS what FROM sealed.key k WHERE k.vault_id = p_vault
      UNION ALL SELECT v.memory_id, 'value' FROM sealed.value v WHERE v.vault_id = p_vault
      UNION ALL SELECT d.memory_id, 'index' FROM sealed.search_doc d WHERE d.vault_id = p_vault
      UNION ALL SELECT t.memory_id, 'index' FROM sealed.search_term t WHERE t.vault_id = p_vault
      UNION ALL SELECT c.memory_id, 'index' FROM sealed.search_candidate c WHERE c.vault_id = p_vault
    ) held JOIN public.tombstone gone ON gone.vault_id = p_vault AND gone.memory_id = held.memory_id;
END $$;
GRANT EXECUTE ON FUNCTION gate.left_of_erased(uuid, text) TO muniment_app;
