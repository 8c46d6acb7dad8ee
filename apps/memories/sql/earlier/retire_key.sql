-- Destroys an epoch of a vault's key, within an act of the clock's.  Refuses while anything is still sealed under it:
-- whatever is kept under an epoch of a vault's key is asked for here.
CREATE FUNCTION gate.retire_key(p_vault uuid, p_ticket text, p_epoch int) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM gate.of_the_clock(p_vault, p_ticket);
  IF EXISTS (SELECT FROM sealed.key y WHERE y.vault_id = p_vault AND y.epoch = p_epoch)
     OR EXISTS (SELECT FROM public.value_print w WHERE w.vault_id = p_vault AND w.epoch = p_epoch)
     OR EXISTS (SELECT FROM public.turn t WHERE t.vault_id = p_vault AND t.epoch = p_epoch
                  AND t.erased_at IS NULL) THEN
    RAISE EXCEPTION 'something is still sealed under this key' USING ERRCODE = 'object_in_use'; END IF;
  PERFORM FROM public.vault_key k WHERE k.vault_id = p_vault AND k.epoch > p_epoch;
  IF NOT FOUND THEN RAISE EXCEPTION 'there is no newer key' USING ERRCODE = 'object_in_use'; END IF;
  DELETE FROM public.vault_key k WHERE k.vault_id = p_vault AND k.epoch = p_epoch;
END $$;
GRANT EXECUTE ON FUNCTION gate.retire_key(uuid, text, int) TO muniment_app;
