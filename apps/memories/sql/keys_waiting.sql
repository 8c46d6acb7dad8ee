-- How many vaults wait for another key because something was erased, since when the first does; and how many vaults'
-- keys are not wrapped under this root key.
CREATE FUNCTION gate.keys_waiting(p_root int) RETURNS TABLE (vaults bigint, since timestamptz, unwrapped bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT count(DISTINCT k.vault_id) FILTER (WHERE k.erased_at IS NOT NULL), min(k.erased_at),
    count(DISTINCT k.vault_id) FILTER (WHERE k.root_epoch <> p_root) FROM public.vault_key k;
END $$;
GRANT EXECUTE ON FUNCTION gate.keys_waiting(int) TO muniment_app;
