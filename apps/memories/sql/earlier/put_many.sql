-- Seals many versions at once, as gate.put does one: write-only, within an act; the nth of each list belong together.
CREATE FUNCTION gate.put_many(p_vault uuid, p_ticket text, p_memories uuid[], p_versions int[], p_categories text[],
    p_attested boolean[], p_nonces bytea[], p_ciphertexts bytea[], p_commitments bytea[], p_epochs int[],
    p_wrapped bytea[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'put outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  INSERT INTO sealed.value
    SELECT p_vault, u.m, u.v, u.c, u.a, u.n, u.t, u.h
      FROM unnest(p_memories, p_versions, p_categories, p_attested, p_nonces, p_ciphertexts, p_commitments)
           AS u(m, v, c, a, n, t, h);
  INSERT INTO sealed.key SELECT p_vault, u.m, u.v, u.e, u.w FROM unnest(p_memories, p_versions, p_epochs, p_wrapped)
    AS u(m, v, e, w);
END $$;
GRANT EXECUTE ON FUNCTION gate.put_many(uuid, text, uuid[], int[], text[], boolean[], bytea[], bytea[], bytea[], int[],
    bytea[]) TO muniment_app;
