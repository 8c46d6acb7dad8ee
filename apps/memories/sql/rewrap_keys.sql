-- Puts value keys back, wrapped under another epoch of the vault's key: within an act of the clock's.  Only what is still
-- there under the old epoch.  Returns how many there were.
CREATE FUNCTION gate.rewrap_keys(p_vault uuid, p_ticket text, p_old int, p_new int, p_memories uuid[], p_versions int[],
    p_wrapped bytea[]) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
  PERFORM gate.of_the_clock(p_vault, p_ticket);
  PERFORM gate.check_epochs(p_vault, ARRAY[p_new]);
  UPDATE sealed.key y SET epoch = p_new, wrapped = u.w
    FROM unnest(p_memories, p_versions, p_wrapped) AS u(m, v, w)
    WHERE y.vault_id = p_vault AND y.memory_id = u.m AND y.version = u.v AND y.epoch = p_old;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;
GRANT EXECUTE ON FUNCTION gate.rewrap_keys(uuid, text, int, int, uuid[], int[], bytea[]) TO muniment_app;
