-- Orders that are not done, the oldest first, across vaults: ids only. One that is younger than a minute is in
-- somebody's hand.
CREATE FUNCTION gate.erasures_due(p_limit int) RETURNS TABLE (vault_id uuid, order_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.vault_id, o.order_id FROM public.erasure_order o
   WHERE o.done_at IS NULL AND o.touched_at < clock_timestamp() - interval '1 minute'
   ORDER BY o.made_at LIMIT p_limit;
$$;
GRANT EXECUTE ON FUNCTION gate.erasures_due(int) TO muniment_app;
