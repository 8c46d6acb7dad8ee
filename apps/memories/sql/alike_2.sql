-- Which ordinary memories share at least half of these tokens, most first: ids and how many, for a look at what a
-- suggestion would contradict.  A token that more than a thousand memories have tells nothing and is left out, so that
-- what this costs does not grow with the vault.
CREATE OR REPLACE FUNCTION gate.alike(p_vault uuid, p_ticket text, p_terms bigint[], p_limit int)
  RETURNS TABLE (memory_id uuid, shared bigint)
  LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  RETURN QUERY SELECT * FROM gate.near(p_vault, p_terms, least(greatest(p_limit, 0), 50));
END $$;
