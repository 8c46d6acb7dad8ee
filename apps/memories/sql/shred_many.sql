-- Destroys every version of these memories (or candidates): their keys, what was sealed under them, by what their words
-- would be recognised, and what the index holds of them. Returns how many rows went from each place.
CREATE FUNCTION gate.shred_many(p_vault uuid, p_ticket text, p_memories uuid[]) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  keys bigint; seals bigint; prints bigint; terms bigint; docs bigint; waiting bigint;
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'shred outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  DELETE FROM sealed.key y WHERE y.vault_id = p_vault AND y.memory_id = ANY (p_memories);
  GET DIAGNOSTICS keys = ROW_COUNT;
  DELETE FROM sealed.value v WHERE v.vault_id = p_vault AND v.memory_id = ANY (p_memories);
  GET DIAGNOSTICS seals = ROW_COUNT;
  DELETE FROM public.value_print p WHERE p.vault_id = p_vault AND p.memory_id = ANY (p_memories);
  GET DIAGNOSTICS prints = ROW_COUNT;
  DELETE FROM sealed.search_candidate s WHERE s.vault_id = p_vault AND s.memory_id = ANY (p_memories);
  GET DIAGNOSTICS waiting = ROW_COUNT;
  DELETE FROM sealed.search_term s WHERE s.vault_id = p_vault AND s.memory_id = ANY (p_memories);
  GET DIAGNOSTICS terms = ROW_COUNT;
  DELETE FROM sealed.search_doc s WHERE s.vault_id = p_vault AND s.memory_id = ANY (p_memories);
  GET DIAGNOSTICS docs = ROW_COUNT;
  RETURN jsonb_build_object('keys', keys, 'seals', seals, 'prints', prints, 'index', terms + docs + waiting);
END $$;
GRANT EXECUTE ON FUNCTION gate.shred_many(uuid, text, uuid[]) TO muniment_app;
