-- What a reviewer may see of the vaults in a space, oldest yes first: exactly these columns.  No value, no label, no id of
-- a memory, no name of a person and no words of an assistant but its own name leave here, whoever asks.
-- The ticket names the space in the place of a vault, and the reviewer: who is none there now gets nothing.
-- Without p_review what waits for a reviewer; with it that one, in whatever state.
-- tier_from and tier_until are the ages between which the person was when the yes was said, by the space's table; NULL of
-- whom nothing says that they are a child.
DROP FUNCTION gate.desk(uuid, text, uuid, int);
CREATE FUNCTION gate.desk(p_space uuid, p_ticket text, p_review uuid, p_limit int) RETURNS TABLE (
    vault_id uuid, review_id uuid, client_name text, client_domain text, initials text, number bigint, category text,
    memories int, purpose text, asked_at timestamptz, asked_seconds int, decided_at timestamptz, decided_by text,
    tier_from int, tier_until int, until timestamptz, reads int, due_at timestamptz, closes_at timestamptz,
    granted_before bigint, denied_before bigint, returned_before bigint, own boolean, waits boolean, outcome text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tk gate.ticket := gate.check_ticket(p_ticket);
  me uuid;
BEGIN
  IF tk.vault IS DISTINCT FROM p_space OR tk.vault IS NULL OR tk.actor !~ '^rev_[0-9a-f]{32}$' THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  me := substr(tk.actor, 5)::uuid;
  IF NOT EXISTS (SELECT FROM public.member m
      WHERE m.space_id = p_space AND m.user_id = me AND m.role = 'reviewer' AND m.left_at IS NULL) THEN
    RETURN; END IF;
  RETURN QUERY SELECT v.vault_id, w.review_id, c.name, c.domain, upper(
      (SELECT string_agg(left(word, 1), '' ORDER BY n) FROM regexp_split_to_table(btrim(coalesce(nullif(u.name, ''), v.name)),
        '\s+') WITH ORDINALITY AS each(word, n) WHERE n <= 3)),
    (SELECT min(m.id) FROM public.member m WHERE m.space_id = p_space AND m.user_id = v.holder_id AND m.role = 'holder'),
    w.category, jsonb_array_length(w.memory_ids), r.purpose, r.made_at, r.ttl_seconds, w.decided_at, left(w.decided_by, 3),
    w.tier_from::int, w.tier_until::int, w.until, w.reads, w.due_at, least(r.expires_at, w.until), b.granted, b.denied,
    b.returned,
    v.holder_id = me OR right(w.decided_by, 32) = right(tk.actor, 32) OR EXISTS (SELECT FROM public.delegation d
      WHERE d.vault_id = v.vault_id AND d.user_id = me AND d.ended_at IS NULL
        AND (d.expires_at IS NULL OR d.expires_at > clock_timestamp())),
    w.outcome IS NULL AND p.status = 'in_review' AND least(r.expires_at, w.until) > clock_timestamp(), w.outcome
    FROM public.vault v
    JOIN public.review w ON w.vault_id = v.vault_id
    JOIN public.request_part p ON p.vault_id = w.vault_id AND p.request_id = w.request_id AND p.category = w.category
    JOIN public.access_request r ON r.vault_id = w.vault_id AND r.request_id = w.request_id
    JOIN public.client c ON c.vault_id = r.vault_id AND c.client_id = r.client_id
    JOIN public."user" u ON u.id = v.holder_id
    CROSS JOIN LATERAL (SELECT
      count(*) FILTER (WHERE q.status IN ('granted', 'partly_granted')) AS granted,
      count(*) FILTER (WHERE q.status = 'denied') AS denied,
      (SELECT count(*) FROM public.review x WHERE x.vault_id = w.vault_id AND x.request_id = w.request_id
        AND x.category = w.category AND x.outcome = 'returned') AS returned
      FROM (SELECT i.request_id FROM public.access_request i WHERE i.vault_id = r.vault_id AND i.client_id = r.client_id
          AND i.request_id <> r.request_id ORDER BY i.made_at DESC LIMIT 100) e
      JOIN public.request_part q ON q.vault_id = r.vault_id AND q.request_id = e.request_id) b
    WHERE v.space_id = p_space AND w.review_id = coalesce(p_review, w.review_id)
      AND (p_review IS NOT NULL OR w.outcome IS NULL AND p.status = 'in_review'
        AND least(r.expires_at, w.until) > clock_timestamp())
    ORDER BY w.decided_at, w.review_id LIMIT p_limit;
END $$;
GRANT EXECUTE ON FUNCTION gate.desk(uuid, text, uuid, int) TO muniment_app;
