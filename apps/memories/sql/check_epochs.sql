-- Nothing is sealed under a vault key that is not there any more: raises for it, and the act that tried is done again
-- with the key there is.  Under the head's lock, which a change of keys takes too, so that what it finds stays so.
CREATE FUNCTION gate.check_epochs(p_vault uuid, p_epochs int[]) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM unnest(p_epochs) AS u(e)
    WHERE NOT EXISTS (SELECT FROM public.vault_key k WHERE k.vault_id = p_vault AND k.epoch = u.e);
  IF FOUND THEN RAISE EXCEPTION 'sealed under a key that was changed' USING ERRCODE = 'MU002'; END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.check_epochs(uuid, int[]) TO muniment_gate_owner;
