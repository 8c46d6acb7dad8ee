-- Replaces what the index holds of a memory: keyed tokens with their frequencies.  Write-only, within an act.
-- Ordinary, approved, not attested memories only; of anything else it keeps nothing.  A value without a token is held
-- as a document of length 0, or gate.due would name it, and its value be read, for ever.
CREATE FUNCTION gate.index(p_vault uuid, p_ticket text, p_memory uuid, p_version int, p_terms bigint[],
    p_frequencies smallint[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'index outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  DELETE FROM sealed.search_term s WHERE s.vault_id = p_vault AND s.memory_id = p_memory;
  DELETE FROM sealed.search_doc s WHERE s.vault_id = p_vault AND s.memory_id = p_memory;
  PERFORM FROM public.memory m WHERE m.vault_id = p_vault AND m.memory_id = p_memory AND m.version = p_version
    AND m.category = 'ordinary' AND m.state = 'approved' AND NOT m.attested;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO sealed.search_doc
    SELECT p_vault, p_memory, p_version, coalesce(sum(f), 0) FROM unnest(p_frequencies) f;
  INSERT INTO sealed.search_term SELECT p_vault, t, p_memory, f FROM unnest(p_terms, p_frequencies) u(t, f);
END $$;
GRANT EXECUTE ON FUNCTION gate.index(uuid, text, uuid, int, bigint[], smallint[]) TO muniment_app;
