-- Which ordinary memories share at least half of these tokens, most first: ids and how many, for a look at what a
-- suggestion would contradict.  A token that more than a thousand memories have tells nothing and is left out, so that
-- what this costs does not grow with the vault.
CREATE FUNCTION gate.alike(p_vault uuid, p_ticket text, p_terms bigint[], p_limit int)
  RETURNS TABLE (memory_id uuid, shared bigint)
  LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  RETURN QUERY
    WITH telling AS MATERIALIZED (
      SELECT t.term, h.ids
        FROM (SELECT DISTINCT u.term FROM unnest(p_terms) AS u(term)) t
        CROSS JOIN LATERAL (
          SELECT array_agg(s.memory_id) ids
            FROM (SELECT w.memory_id FROM sealed.search_term w
                    WHERE w.vault_id = p_vault AND w.term = t.term LIMIT 1001) s) h
       WHERE cardinality(h.ids) <= 1000),
    found AS (
      SELECT i.m, count(*) n FROM telling, unnest(telling.ids) AS i(m)
       GROUP BY i.m HAVING count(*) >= greatest(2, ((SELECT count(*) FROM telling) + 1) / 2))
    SELECT f.m, f.n FROM found f
      JOIN LATERAL (SELECT FROM public.memory w
                      WHERE w.vault_id = p_vault AND w.memory_id = f.m AND w.category = 'ordinary'
                        AND w.state = 'approved' AND NOT w.attested LIMIT 1) m ON true
     ORDER BY f.n DESC, f.m LIMIT least(greatest(p_limit, 0), 50);
END $$;
GRANT EXECUTE ON FUNCTION gate.alike(uuid, text, bigint[], int) TO muniment_gate;
