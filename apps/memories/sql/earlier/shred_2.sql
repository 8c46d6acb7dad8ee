-- Destroys the keys of every version of a memory (or candidate), by what its words would be recognised, and what the
-- index holds of it.
CREATE OR REPLACE FUNCTION gate.shred(p_vault uuid, p_ticket text, p_memory uuid) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'shred outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  DELETE FROM sealed.key y WHERE y.vault_id = p_vault AND y.memory_id = p_memory;
  DELETE FROM public.value_print p WHERE p.vault_id = p_vault AND p.memory_id = p_memory;
  DELETE FROM sealed.search_term s WHERE s.vault_id = p_vault AND s.memory_id = p_memory;
  DELETE FROM sealed.search_doc s WHERE s.vault_id = p_vault AND s.memory_id = p_memory;
END $$;
GRANT EXECUTE ON FUNCTION gate.shred(uuid, text, uuid) TO muniment_app;
