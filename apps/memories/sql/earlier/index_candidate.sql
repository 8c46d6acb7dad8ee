-- Keeps what search will hold of a candidate.  Write-only, within an act; no read path looks there.
CREATE FUNCTION gate.index_candidate(p_vault uuid, p_ticket text, p_memory uuid, p_terms bigint[],
    p_frequencies smallint[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'index outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  INSERT INTO sealed.search_candidate VALUES (p_vault, p_memory, p_terms, p_frequencies);
END $$;
GRANT EXECUTE ON FUNCTION gate.index_candidate(uuid, text, uuid, bigint[], smallint[]) TO muniment_app;
