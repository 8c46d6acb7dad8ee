-- What workers find across vaults: ids only, never a row.  Kinds: 'request' (undecided, by the person or by a reviewer,
-- and past its end),
-- 'index' (an approved ordinary memory, not attested, that the index does not hold, as after a crash),
-- 'grant-expired' (an assistant's grant past its end, which is not yet written down), 'grant-lapsed' (one that stood
-- unused for as long as it may; one that is spent has ended already), 'proposal' (a suggestion that nobody decided in
-- time).
CREATE OR REPLACE FUNCTION gate.due(p_kind text, p_limit int) RETURNS TABLE (vault_id uuid, object_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_kind = 'request' THEN
    RETURN QUERY SELECT DISTINCT r.vault_id, r.request_id FROM public.access_request r
      JOIN public.request_part p ON p.vault_id = r.vault_id AND p.request_id = r.request_id
      WHERE p.status IN ('pending', 'in_review') AND r.expires_at <= clock_timestamp() LIMIT p_limit;
  ELSIF p_kind = 'grant-expired' THEN
    RETURN QUERY SELECT g.vault_id, g.grant_id FROM public.access_grant g
      WHERE g.revoked_at IS NULL AND g.lapsed_at IS NULL AND g.expired_at IS NULL AND g.turn_id IS NULL
        AND g.expires_at <= clock_timestamp() ORDER BY g.expires_at LIMIT p_limit;
  ELSIF p_kind = 'grant-lapsed' THEN
    RETURN QUERY SELECT g.vault_id, g.grant_id FROM public.access_grant g
      WHERE g.revoked_at IS NULL AND g.lapsed_at IS NULL AND g.expired_at IS NULL AND g.turn_id IS NULL
        AND g.expires_at > clock_timestamp() AND g.reads_left IS DISTINCT FROM 0
        AND coalesce(g.last_used_at, g.made_at) + make_interval(hours => 24 * g.lapse_days) <= clock_timestamp()
      LIMIT p_limit;
  ELSIF p_kind = 'proposal' THEN
    RETURN QUERY SELECT p.vault_id, p.proposal_id FROM public.proposal p
      WHERE p.status = 'pending' AND p.expires_at <= clock_timestamp() ORDER BY p.expires_at LIMIT p_limit;
  ELSIF p_kind = 'index' THEN
    RETURN QUERY SELECT m.vault_id, m.memory_id FROM public.memory m
      WHERE m.category = 'ordinary' AND m.state = 'approved' AND NOT m.attested AND NOT EXISTS (
        SELECT FROM sealed.search_doc d
          WHERE d.vault_id = m.vault_id AND d.memory_id = m.memory_id AND d.version = m.version)
      ORDER BY m.vault_id LIMIT p_limit;
  ELSE
    RAISE EXCEPTION 'nothing of that kind is ever due' USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.due(text, int) TO muniment_app;
