-- Seals a version: write-only, within an act.  A taken version is a key violation, never overwritten.
CREATE FUNCTION gate.put(p_vault uuid, p_ticket text, p_memory uuid, p_version int, p_category text, p_attested boolean,
    p_nonce bytea, p_ciphertext bytea, p_commitment bytea, p_epoch int, p_wrapped bytea) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'put outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  INSERT INTO sealed.value VALUES (p_vault, p_memory, p_version, p_category, p_attested, p_nonce, p_ciphertext, p_commitment);
  INSERT INTO sealed.key VALUES (p_vault, p_memory, p_version, p_epoch, p_wrapped);
END $$;
GRANT EXECUTE ON FUNCTION gate.put(uuid, text, uuid, int, text, boolean, bytea, bytea, bytea, int, bytea) TO muniment_app;
