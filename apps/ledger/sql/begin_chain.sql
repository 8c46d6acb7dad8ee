-- A space's chain head, if it is not there yet: whoever acts in the space first begins its chain.
CREATE FUNCTION gate.begin_chain(p_vault uuid, p_ticket text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  INSERT INTO sealed.chain_head VALUES (p_vault, 0, gate.genesis(p_vault), 'epoch') ON CONFLICT DO NOTHING;
END $$;
GRANT EXECUTE ON FUNCTION gate.begin_chain(uuid, text) TO muniment_app;
