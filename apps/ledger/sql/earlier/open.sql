-- Opens an act: checks the ticket and locks the vault's chain head, before any other row (so two roads cannot deadlock).
-- The transaction-local mark catches a forgotten open; it is not a wall.
CREATE FUNCTION gate.open(p_vault uuid, p_ticket text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE tk gate.ticket := gate.check_ticket(p_ticket);
BEGIN
  IF tk.vault IS DISTINCT FROM p_vault OR tk.vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'read committed only' USING ERRCODE = 'invalid_transaction_state'; END IF;
  PERFORM FROM sealed.chain_head ch WHERE ch.vault_id = p_vault FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  PERFORM set_config('muniment.opened', p_vault::text || pg_current_xact_id()::text, true);
END $$;
GRANT EXECUTE ON FUNCTION gate.open(uuid, text) TO muniment_app;
