-- Destroys everything that is sealed in a vault, its own keys first. Returns how many rows went from each place.
CREATE FUNCTION gate.end_vault(p_vault uuid, p_ticket text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  keys bigint; seals bigint; prints bigint; terms bigint; docs bigint; waiting bigint;
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'end outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  DELETE FROM public.vault_key k WHERE k.vault_id = p_vault;
  DELETE FROM sealed.key y WHERE y.vault_id = p_vault;
  GET DIAGNOSTICS keys = ROW_COUNT;
  DELETE FROM sealed.value v WHERE v.vault_id = p_vault;
  GET DIAGNOSTICS seals = ROW_COUNT;
  DELETE FROM public.value_print p WHERE p.vault_id = p_vault;
  GET DIAGNOSTICS prints = ROW_COUNT;
  DELETE FROM sealed.search_candidate s WHERE s.vault_id = p_vault;
  GET DIAGNOSTICS waiting = ROW_COUNT;
  DELETE FROM sealed.search_term s WHERE s.vault_id = p_vault;
  GET DIAGNOSTICS terms = ROW_COUNT;
  DELETE FROM sealed.search_doc s WHERE s.vault_id = p_vault;
  GET DIAGNOSTICS docs = ROW_COUNT;
  DELETE FROM sealed.handle h WHERE h.vault_id = p_vault;
  RETURN jsonb_build_object('keys', keys, 'seals', seals, 'prints', prints, 'index', terms + docs + waiting);
END $$;
GRANT EXECUTE ON FUNCTION gate.end_vault(uuid, text) TO muniment_app;
