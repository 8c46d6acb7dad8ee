-- The order of an erased vault, by the hash of the secret that its holder was shown: ids only. For thirty days.
CREATE FUNCTION gate.erasure_by_link(p_hash bytea) RETURNS TABLE (vault_id uuid, order_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.vault_id, o.order_id FROM public.erasure_order o
   WHERE o.link_hash = p_hash AND o.made_at > clock_timestamp() - interval '30 days';
$$;
GRANT EXECUTE ON FUNCTION gate.erasure_by_link(bytea) TO muniment_app;
