-- Which chains have grown beyond their last leaf: what the next leaves say.  The log's role alone asks.
-- A head's time is written at the end of its transaction, so one that moved longer ago than two minutes was seen by an
-- earlier question, but for a commit that hung: `p_all` looks at every head, and is asked now and then.
CREATE FUNCTION gate.changed_heads(p_all boolean, p_limit int)
  RETURNS TABLE (vault_id uuid, seq bigint, chain_hash bytea)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT h.vault_id, h.seq, h.chain_hash FROM sealed.chain_head h
      LEFT JOIN LATERAL (SELECT p.seq FROM log.place p WHERE p.vault_id = h.vault_id ORDER BY p.seq DESC LIMIT 1) logged
        ON true
     WHERE (p_all OR h.at > clock_timestamp() - interval '2 minutes') AND h.seq > coalesce(logged.seq, 0)
     ORDER BY h.at LIMIT p_limit;
END $$;
GRANT EXECUTE ON FUNCTION gate.changed_heads(boolean, int) TO muniment_log;

-- Every chain's head, some at a time in the order of their vaults: what a check of the whole ledger ends each chain with.
CREATE FUNCTION gate.heads(p_after uuid, p_limit int) RETURNS TABLE (vault_id uuid, seq bigint, chain_hash bytea)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT h.vault_id, h.seq, h.chain_hash FROM sealed.chain_head h
     WHERE p_after IS NULL OR h.vault_id > p_after ORDER BY h.vault_id LIMIT p_limit;
END $$;
GRANT EXECUTE ON FUNCTION gate.heads(uuid, int) TO muniment_log;
