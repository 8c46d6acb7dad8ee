-- How much waits for a reviewer in all the spaces where they review; NULL for who reviews nowhere.  A number, and no more.
-- The ticket names the reviewer in the place of a vault, and as who asks.
CREATE FUNCTION gate.desk_waits(p_ticket text, p_most int) RETURNS int
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tk gate.ticket := gate.check_ticket(p_ticket);
  me uuid;
BEGIN
  IF tk.vault IS NULL OR tk.actor !~ '^rev_[0-9a-f]{32}$' OR substr(tk.actor, 5)::uuid <> tk.vault THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  me := tk.vault;
  IF NOT EXISTS (SELECT FROM public.member m WHERE m.user_id = me AND m.role = 'reviewer' AND m.left_at IS NULL) THEN
    RETURN NULL; END IF;
  RETURN (SELECT count(*) FROM (SELECT FROM public.member m
    JOIN public.vault v ON v.space_id = m.space_id
    JOIN public.review w ON w.vault_id = v.vault_id AND w.outcome IS NULL
    JOIN public.request_part p ON p.vault_id = w.vault_id AND p.request_id = w.request_id AND p.category = w.category
    JOIN public.access_request r ON r.vault_id = w.vault_id AND r.request_id = w.request_id
    WHERE m.user_id = me AND m.role = 'reviewer' AND m.left_at IS NULL
      AND p.status = 'in_review' AND least(r.expires_at, w.until) > clock_timestamp()
    LIMIT p_most) counted);
END $$;
GRANT EXECUTE ON FUNCTION gate.desk_waits(text, int) TO muniment_app;
