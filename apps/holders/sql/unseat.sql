-- A vault that is erased is nobody's: who acted there, whom it invited, its birthdays, the keys that led to it, and the
-- vault itself. What was looked at in an emergency stays in the ledger. Returns how many rows went from each place.
CREATE FUNCTION gate.unseat(p_vault uuid, p_ticket text) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  emergencies bigint; invitations bigint; birthdays bigint; delegations bigint; keys_listed bigint;
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'unseat outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  DELETE FROM public.emergency e WHERE e.vault_id = p_vault;
  GET DIAGNOSTICS emergencies = ROW_COUNT;
  DELETE FROM public.invitation i WHERE i.vault_id = p_vault;
  GET DIAGNOSTICS invitations = ROW_COUNT;
  DELETE FROM public.step_told s WHERE s.vault_id = p_vault;
  GET DIAGNOSTICS birthdays = ROW_COUNT;
  DELETE FROM public.delegation d WHERE d.vault_id = p_vault;
  GET DIAGNOSTICS delegations = ROW_COUNT;
  DELETE FROM public.directory d WHERE d.vault_id = p_vault;
  GET DIAGNOSTICS keys_listed = ROW_COUNT;
  DELETE FROM public.vault v WHERE v.vault_id = p_vault;
  RETURN jsonb_build_object('emergencies', emergencies, 'invitations', invitations, 'birthdays', birthdays,
    'delegations', delegations, 'keys listed', keys_listed);
END $$;
GRANT EXECUTE ON FUNCTION gate.unseat(uuid, text) TO muniment_app;
