-- Orders that are not done, across vaults: ids only. One that was touched less than a minute ago is in somebody's hand;
-- so is one whose words are being looked for, for a quarter of an hour: from then on nobody will say what that came to,
-- and it is certified without.  Those that were left alone longest come first, and whoever is told of one has touched
-- it: however many cannot be gone on with, each of the others has its turn.
CREATE OR REPLACE FUNCTION gate.erasures_due(p_limit int) RETURNS TABLE (vault_id uuid, order_id uuid)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH due AS (
    SELECT o.vault_id, o.order_id, o.touched_at FROM public.erasure_order o
     WHERE o.done_at IS NULL
       AND o.touched_at < clock_timestamp() - CASE WHEN o.searching THEN interval '15 minutes' ELSE interval '1 minute' END
     ORDER BY o.touched_at LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE public.erasure_order o SET touched_at = clock_timestamp() FROM due d
     WHERE o.vault_id = d.vault_id AND o.order_id = d.order_id
  )
  SELECT d.vault_id, d.order_id FROM due d ORDER BY d.touched_at;
$$;
