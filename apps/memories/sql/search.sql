-- Which ordinary memories hold these tokens, best first: ids and ranks only (BM25, k1 1.2, b 0.75).
CREATE FUNCTION gate.search(p_vault uuid, p_ticket text, p_terms bigint[], p_limit int)
  RETURNS TABLE (memory_id uuid, rank real)
  LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE docs bigint; average float8;
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  SELECT count(*), coalesce(avg(d.length), 1) INTO docs, average FROM sealed.search_doc d WHERE d.vault_id = p_vault;
  RETURN QUERY
    WITH hit AS (
      SELECT s.term, s.memory_id m, s.frequency f, count(*) OVER (PARTITION BY s.term) df
        FROM sealed.search_term s WHERE s.vault_id = p_vault AND s.term = ANY (p_terms))
    SELECT h.m, sum(ln(1 + (docs - h.df + 0.5) / (h.df + 0.5))
                    * h.f * 2.2 / (h.f + 1.2 * (0.25 + 0.75 * d.length / average)))::real AS score
      FROM hit h
      JOIN LATERAL (SELECT w.length FROM sealed.search_doc w
                      WHERE w.vault_id = p_vault AND w.memory_id = h.m LIMIT 1) d ON true
      JOIN LATERAL (SELECT FROM public.memory w
                      WHERE w.vault_id = p_vault AND w.memory_id = h.m AND w.category = 'ordinary'
                        AND w.state = 'approved' AND NOT w.attested LIMIT 1) m ON true
     GROUP BY h.m ORDER BY score DESC, h.m LIMIT least(greatest(p_limit, 0), 200);
END $$;
GRANT EXECUTE ON FUNCTION gate.search(uuid, text, bigint[], int) TO muniment_gate;
