-- Does what goes to this recipient stay where the holder, or who runs the instance, says that nothing leaves?  A client
-- that the holder marked so, a model endpoint that is named so, the built-in stand-in.
CREATE FUNCTION gate.at_home(p_vault uuid, p_recipient text) RETURNS boolean
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_recipient ~ '^cli_[0-9a-f]{32}$' THEN
    RETURN EXISTS (SELECT FROM public.client c
      WHERE c.vault_id = p_vault AND c.client_id = right(p_recipient, 32)::uuid AND c.local);
  END IF;
  RETURN p_recipient = 'mdl_stand-in' OR starts_with(p_recipient, 'mdl_local/');
END $$;
