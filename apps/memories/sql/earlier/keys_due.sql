-- Whose keys wait to be changed, across vaults: ids and a time, never a row; by id, after the one given.  Kinds: 'vault'
-- (something was erased since the key was made: `since` then), 'root' (the key is not wrapped under this root key).
CREATE FUNCTION gate.keys_due(p_kind text, p_root int, p_after uuid, p_limit int)
  RETURNS TABLE (vault_id uuid, since timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_kind = 'vault' THEN
    RETURN QUERY SELECT k.vault_id, min(k.erased_at) FROM public.vault_key k
      WHERE k.erased_at IS NOT NULL AND k.vault_id > p_after GROUP BY k.vault_id ORDER BY k.vault_id LIMIT p_limit;
  ELSIF p_kind = 'root' THEN
    RETURN QUERY SELECT k.vault_id, min(k.made_at) FROM public.vault_key k
      WHERE k.root_epoch <> p_root AND k.vault_id > p_after GROUP BY k.vault_id ORDER BY k.vault_id LIMIT p_limit;
  ELSE
    RAISE EXCEPTION 'no keys of that kind are ever due' USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.keys_due(text, int, uuid, int) TO muniment_app;
