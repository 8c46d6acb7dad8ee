-- Seals the value of a suggestion, and keeps what search will hold of it once it is approved as it is: write-only, within
-- an act, and no read path looks there.  Raises MU003, and so undoes the act, where anything is known by one of these
-- fingerprints already: what that is, and what to answer, is looked at in another act.
CREATE FUNCTION gate.stage(p_vault uuid, p_ticket text, p_unlike bytea[], p_memory uuid, p_nonce bytea,
    p_ciphertext bytea, p_commitment bytea, p_epoch int, p_wrapped bytea, p_terms bigint[], p_frequencies smallint[])
  RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'stage outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  IF EXISTS (SELECT FROM unnest(p_unlike) f(fingerprint)
              CROSS JOIN LATERAL (SELECT FROM public.proposal p
                                   WHERE p.vault_id = p_vault AND p.fingerprint = f.fingerprint LIMIT 1) p)
  THEN RAISE EXCEPTION 'proposed before' USING ERRCODE = 'MU003'; END IF;
  PERFORM gate.check_epochs(p_vault, ARRAY[p_epoch]);
  INSERT INTO sealed.value VALUES (p_vault, p_memory, 1, 'ordinary', false, p_nonce, p_ciphertext, p_commitment);
  INSERT INTO sealed.key VALUES (p_vault, p_memory, 1, p_epoch, p_wrapped);
  INSERT INTO sealed.search_candidate VALUES (p_vault, p_memory, p_terms, p_frequencies);
END $$;
GRANT EXECUTE ON FUNCTION gate.stage(uuid, text, bytea[], uuid, bytea, bytea, bytea, int, bytea, bigint[], smallint[])
  TO muniment_app;
