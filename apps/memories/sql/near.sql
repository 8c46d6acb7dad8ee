-- What gate.alike tells, for the gate's own functions, which have looked at the ticket: granted to nobody.
CREATE FUNCTION gate.near(p_vault uuid, p_terms bigint[], p_limit int) RETURNS TABLE (memory_id uuid, shared bigint)
  LANGUAGE plpgsql STABLE PARALLEL UNSAFE AS $$
BEGIN
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
     ORDER BY f.n DESC, f.m LIMIT p_limit;
END $$;
