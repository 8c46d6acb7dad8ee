-- Whose keys wait to be changed, across vaults: ids and a time, never a row; by id, after the one given.  Kinds: 'vault'
-- (something was erased since the key was made: `since` then), 'begun' (a change that is not over: `since` it was begun),
-- 'root' (the key is not wrapped under this root key).
CREATE OR REPLACE FUNCTION gate.keys_due(p_kind text, p_root int, p_after uuid, p_limit int)
  RETURNS TABLE (vault_id uuid, since timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_kind = 'vault' THEN
    RETURN QUERY SELECT k.vault_id, min(k.erased_at) FROM public.vault_key k
      WHERE k.erased_at IS NOT NULL AND k.vault_id > p_after GROUP BY k.vault_id ORDER BY k.vault_id LIMIT p_limit;
  ELSIF p_kind = 'begun' THEN
    RETURN QUERY SELECT k.vault_id, max(k.made_at) FROM public.vault_key k
      WHERE k.vault_id > p_after GROUP BY k.vault_id HAVING count(*) > 1 ORDER BY k.vault_id LIMIT p_limit;
  ELSIF p_kind = 'root' THEN
    RETURN QUERY SELECT k.vault_id, min(k.made_at) FROM public.vault_key k
      WHERE k.root_epoch <> p_root AND k.vault_id > p_after GROUP BY k.vault_id ORDER BY k.vault_id LIMIT p_limit;
  ELSE
    RAISE EXCEPTION 'no keys of that kind are ever due' USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.keys_due(text, int, uuid, int) TO muniment_app;
