-- Puts a vault's key back, wrapped under another root key; no act, since nothing of the vault changes.  Only where it is
-- wrapped as the caller read it.  Returns whether it was.
CREATE FUNCTION gate.rewrap_vault_key(p_vault uuid, p_ticket text, p_epoch int, p_old_root int, p_new_root int,
    p_wrapped bytea, p_index_wrapped bytea) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE tk gate.ticket := gate.check_ticket(p_ticket);
BEGIN
  IF tk.vault IS DISTINCT FROM p_vault OR p_vault IS NULL OR tk.actor IS DISTINCT FROM 'sys_clock' THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  UPDATE public.vault_key k SET root_epoch = p_new_root, wrapped = p_wrapped, index_wrapped = p_index_wrapped
    WHERE k.vault_id = p_vault AND k.epoch = p_epoch AND k.root_epoch = p_old_root;
  RETURN FOUND;
END $$;
GRANT EXECUTE ON FUNCTION gate.rewrap_vault_key(uuid, text, int, int, int, bytea, bytea) TO muniment_app;
