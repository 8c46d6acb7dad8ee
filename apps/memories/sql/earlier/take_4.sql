-- The value after the receipt.  Alone in its transaction: with no transaction id, no row it sees is its own, so what it
-- sees is committed.  Releases ciphertext and wrapped keys only for the handle's receipts, only in the form they name,
-- and not once the grant was revoked, paused or narrowed, or the memory corrected, erased, put away, made special or
-- attested.  What is sealed from guardians it releases to the holder alone, also where it was sealed since the stamp.
-- What is local only it releases to nobody who is not at home, also where it was marked so since the stamp.
-- What a memory said before it releases to whoever looks at the holder's own, but not to who came in an emergency.
CREATE OR REPLACE FUNCTION gate.take(p_vault uuid, p_ticket text, p_handle bytea)
  RETURNS TABLE (seq bigint, memory_id uuid, version int, category text, form text, attested boolean, nonce bytea,
                 ciphertext bytea, epoch int, wrapped bytea, root_epoch int, vault_key bytea)
  LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tk gate.ticket := gate.check_ticket(p_ticket);
  x sealed.handle;
  candidates uuid[] := '{}';
BEGIN
  IF tk.vault IS DISTINCT FROM p_vault OR tk.vault IS NULL OR tk.recipient = '-' THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF pg_current_xact_id_if_assigned() IS NOT NULL OR current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'take stands alone in its transaction' USING ERRCODE = 'invalid_transaction_state'; END IF;
  SELECT * INTO x FROM sealed.handle sh
    WHERE sh.vault_id = p_vault AND sh.handle = sha256(p_handle) AND sh.recipient = tk.recipient
      AND sh.at > clock_timestamp() - interval '60 seconds';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no committed, unexpired receipt for this handle' USING ERRCODE = 'insufficient_privilege'; END IF;
  -- After the handle was seen (its commit record is then in the log before this one, and flushed with it) and before
  -- the checks below (a revocation committed during the flush still counts).
  IF x.flush THEN PERFORM pg_logical_emit_message(false, 'muniment', '', true); END IF;
  IF x.object = 'gra' AND x.object_id IS NOT NULL THEN
    PERFORM FROM public.access_grant g
      WHERE g.vault_id = p_vault AND g.grant_id = x.object_id AND g.terms_version = x.terms
        AND g.revoked_at IS NULL AND NOT g.paused;
    IF NOT FOUND THEN RETURN; END IF;
  ELSIF x.object = 'hld' THEN
    -- What is still proposed has no memory row yet.
    candidates := ARRAY(
      SELECT p.memory_id FROM public.proposal p WHERE p.vault_id = p_vault AND p.status IN ('pending', 'approved')
        AND p.memory_id IN (SELECT r.memory_id FROM public.receipt r
                              WHERE r.vault_id = p_vault AND r.seq BETWEEN x.first_seq AND x.last_seq)
        AND NOT EXISTS (SELECT FROM public.memory w WHERE w.vault_id = p_vault AND w.memory_id = p.memory_id));
  ELSIF x.object <> 'sys' THEN RETURN;
  END IF;
  RETURN QUERY
    SELECT r.seq, r.memory_id, r.version, r.category, r.form, v.attested, v.nonce, v.ciphertext, y.epoch, y.wrapped,
           k.root_epoch, k.wrapped
      FROM public.receipt r
      LEFT JOIN LATERAL (
        SELECT true ok FROM public.memory w
          WHERE w.vault_id = p_vault AND w.memory_id = r.memory_id
            AND (w.category = r.category AND w.version = r.version
                 OR r.kind = 'value.shown' AND w.version <> r.version AND NOT starts_with(r.recipient, 'emg_')
                    AND EXISTS (SELECT FROM public.memory_version e
                                  WHERE e.vault_id = p_vault AND e.memory_id = r.memory_id AND e.version = r.version
                                    AND e.retired_at IS NOT NULL))
            AND (w.state = 'approved' OR (r.kind = 'value.shown' AND w.state IN ('withdrawn', 'merged'))
                 OR (r.kind = 'value.shown' AND w.state = 'sealed-from-guardians' AND starts_with(r.recipient, 'hld_')))
            AND (r.form = 'attested' OR NOT w.attested OR r.kind = 'value.shown')
            AND (NOT w.local_only OR r.kind <> 'value.read' OR gate.at_home(p_vault, r.recipient))
          LIMIT 1) m ON true
      LEFT JOIN LATERAL (
        SELECT w.attested, w.nonce, w.ciphertext FROM sealed.value w
          WHERE r.form = 'value' AND w.vault_id = p_vault AND w.memory_id = r.memory_id AND w.version = r.version
          LIMIT 1) v ON true
      LEFT JOIN LATERAL (
        SELECT w.epoch, w.wrapped FROM sealed.key w
          WHERE r.form = 'value' AND w.vault_id = p_vault AND w.memory_id = r.memory_id AND w.version = r.version
          LIMIT 1) y ON true
      LEFT JOIN LATERAL (
        SELECT w.root_epoch, w.wrapped FROM public.vault_key w
          WHERE w.vault_id = p_vault AND w.epoch = y.epoch LIMIT 1) k ON true
     WHERE r.vault_id = p_vault AND r.seq BETWEEN x.first_seq AND x.last_seq AND r.kind = x.kind
       AND (m.ok OR r.memory_id = ANY (candidates))
       AND (r.form = 'attested' OR (r.form = 'value' AND y.wrapped IS NOT NULL AND v.ciphertext IS NOT NULL))
     ORDER BY r.seq;
END $$;
GRANT EXECUTE ON FUNCTION gate.take(uuid, text, bytea) TO muniment_gate;
