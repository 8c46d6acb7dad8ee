-- A new vault's chain head.  A head that is there already is a key violation: a chain starts once.
CREATE FUNCTION gate.start_chain(p_vault uuid, p_ticket text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  INSERT INTO sealed.chain_head VALUES (p_vault, 0, gate.genesis(p_vault), 'epoch');
END $$;
GRANT EXECUTE ON FUNCTION gate.start_chain(uuid, text) TO muniment_app;
