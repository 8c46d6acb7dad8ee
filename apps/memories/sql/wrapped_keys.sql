-- A page of a vault's value keys as they are wrapped under one epoch of its key, with what each wrap is bound to, in the
-- order of (memory, version) and after the one given.  For the change of keys alone: within an act of the clock's.  No
-- ciphertext leaves here, and what leaves opens for nobody without the root key.
CREATE FUNCTION gate.wrapped_keys(p_vault uuid, p_ticket text, p_epoch int, p_after uuid, p_after_version int, p_limit int)
  RETURNS TABLE (memory_id uuid, version int, category text, attested boolean, wrapped bytea)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM gate.of_the_clock(p_vault, p_ticket);
  RETURN QUERY SELECT y.memory_id, y.version, v.category, v.attested, y.wrapped
    FROM sealed.key y JOIN sealed.value v
      ON v.vault_id = y.vault_id AND v.memory_id = y.memory_id AND v.version = y.version
    WHERE y.vault_id = p_vault AND y.epoch = p_epoch AND (y.memory_id, y.version) > (p_after, p_after_version)
    ORDER BY y.memory_id, y.version LIMIT p_limit;
END $$;
GRANT EXECUTE ON FUNCTION gate.wrapped_keys(uuid, text, int, uuid, int, int) TO muniment_app;
