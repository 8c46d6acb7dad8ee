-- Whether any vault's key is wrapped under this root key.
CREATE FUNCTION gate.root_used(p_root int) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM public.vault_key k WHERE k.root_epoch = p_root);
END $$;
GRANT EXECUTE ON FUNCTION gate.root_used(int) TO muniment_app;
