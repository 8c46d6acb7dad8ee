-- Raises unless this is an act of the clock's in this vault: its ticket, and under the head's lock.
CREATE FUNCTION gate.of_the_clock(p_vault uuid, p_ticket text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE tk gate.ticket := gate.check_ticket(p_ticket);
BEGIN
  IF tk.vault IS DISTINCT FROM p_vault OR p_vault IS NULL OR tk.actor IS DISTINCT FROM 'sys_clock' THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id_if_assigned()::text THEN
    RAISE EXCEPTION 'keys are changed within gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.of_the_clock(uuid, text) TO muniment_gate_owner;
