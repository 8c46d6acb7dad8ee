-- For whom an actor acts at this vault, as receipts write it: the vault's holder, whenever a guardian, delegate
-- or space admin is the actor; NULL for everybody else (a reviewer acts for the space, not for the person), and in a
-- space's own chain.  Both roads of writing receipts ask.
CREATE OR REPLACE FUNCTION gate.behalf(p_vault uuid, p_actor text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_actor ~ '^(gdn|dlg|adm)_' THEN
    RETURN (SELECT 'hld_' || encode(uuid_send(w.holder_id), 'hex') FROM public.vault w WHERE w.vault_id = p_vault);
  END IF;
  RETURN NULL;
END $$;
