-- Names what the index holds (of one vault, or of all) as due, so that the indexer reads those memories again; search goes
-- on meanwhile with what is there.  For a new way to make words.  Returns how many memories are due by it.
CREATE FUNCTION gate.index_anew(p_vault uuid) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
  -- What is kept of candidates would be taken as it is once they are approved.
  DELETE FROM sealed.search_candidate c WHERE p_vault IS NULL OR c.vault_id = p_vault;
  UPDATE sealed.search_doc d SET version = 0 WHERE p_vault IS NULL OR d.vault_id = p_vault;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;
GRANT EXECUTE ON FUNCTION gate.index_anew(uuid) TO muniment_app;
