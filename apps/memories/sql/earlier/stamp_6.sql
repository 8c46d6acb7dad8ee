-- The receipt before the value.  One autocommit statement, one transaction: compares the plan with the rows, spends the
-- grant and counts the read, writes one receipt per value and per refusal, moves the head.  It compares and never
-- decides; on a mismatch it writes nothing, not even the handle, and says `stale`.
-- For whom somebody acted is written here too, from who acts (gate.behalf).
-- On hold (gate.hold) it refuses, before it looks at anything of the vault or of the handle.
-- Outcome: stamped | replay | expired | reuse | stale.  Lock order: chain head, then the grant; nothing else is locked.
CREATE OR REPLACE FUNCTION gate.stamp(p_vault uuid, p_ticket text, p_handle bytea, p_plan jsonb,
    OUT outcome text, OUT first_seq bigint, OUT last_seq bigint, OUT stamped_at timestamptz, OUT digests bytea[])
  LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tk gate.ticket := gate.check_ticket(p_ticket);
  own xid8;
  -- Each salt is a hash of this and its item's place: one draw of randomness a stamp, and no salt tells another.
  seed bytea := uuid_send(gen_random_uuid());
  h sealed.chain_head;
  x sealed.handle;
  ts timestamptz;
  handle_hash bytea := sha256(p_handle);
  kind_ text := p_plan->>'kind';
  object_kind text := p_plan->>'object_kind';
  object_id_ uuid := (p_plan->>'object')::uuid;
  terms_ int := (p_plan->>'terms')::int;
  body text := p_plan->>'digest';
  behalf text := coalesce(gate.behalf(p_vault, tk.actor), p_plan->>'on_behalf_of', '-');
  request_ text := coalesce(p_plan->>'request', '-');
  turn_ text := coalesce(p_plan->>'turn', '-');
  purpose_ text := coalesce(p_plan->>'purpose', '-');
  items jsonb := p_plan->'items';
  object_ text := CASE WHEN object_kind = 'gra' THEN 'gra_' || encode(uuid_send(object_id_), 'hex') ELSE '-' END;
  granted text; held jsonb;
  candidates uuid[] := '{}';
  allowed boolean; n int; good int; vals int;
  mids uuid[]; cms bytea[]; salts bytea[]; c bytea; d bytea; chain bytea[] := '{}'; ignored text;
BEGIN
  IF tk.vault IS DISTINCT FROM p_vault OR tk.vault IS NULL OR tk.recipient = '-' THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF tk.held THEN RAISE EXCEPTION 'on hold' USING ERRCODE = 'MU001'; END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'read committed only' USING ERRCODE = 'invalid_transaction_state'; END IF;
  n := jsonb_array_length(items);
  IF (octet_length(p_handle) = 32 AND body IS NOT NULL AND n BETWEEN 1 AND 1000 AND (kind_, object_kind)
      IN (('value.read', 'gra'), ('value.shown', 'hld'), ('value.indexed', 'sys'))) IS NOT TRUE THEN
    RAISE EXCEPTION 'bad plan' USING ERRCODE = 'invalid_parameter_value'; END IF;
  -- take trusts "no transaction id".  On a distributed coordinator nothing else would assign one, and
  -- stamp; take; ROLLBACK in one block then kept the value.
  own := pg_current_xact_id();
  SELECT * INTO h FROM sealed.chain_head ch WHERE ch.vault_id = p_vault FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  -- A replay is looked up after the lock, so that two sends of one handle cannot both be first.
  SELECT * INTO x FROM sealed.handle sh WHERE sh.vault_id = p_vault AND sh.handle = handle_hash;
  IF FOUND THEN
    outcome := CASE WHEN x.body_digest <> body OR x.recipient <> tk.recipient THEN 'reuse'
                    WHEN x.at < clock_timestamp() - interval '60 seconds' THEN 'expired' ELSE 'replay' END;
    IF outcome <> 'reuse' THEN first_seq := x.first_seq; last_seq := x.last_seq; stamped_at := x.at; END IF;
    RETURN;
  END IF;
  ts := greatest(clock_timestamp(), h.at);
  -- On whose authority.  One grant, for this recipient and purpose, under the terms that policy saw; or a person at
  -- a vault, their own or that of somebody they act for (a client's ticket may name it as actor and recipient too); or
  -- the indexer.
  IF kind_ = 'value.read' THEN
    SELECT w.category, w.memory_ids INTO granted, held FROM public.access_grant w
      WHERE w.vault_id = p_vault AND w.grant_id = object_id_ AND w.recipient = tk.recipient AND w.purpose = purpose_
        AND w.terms_version = terms_ AND w.revoked_at IS NULL AND w.lapsed_at IS NULL AND NOT w.paused
        AND w.expires_at > ts AND (w.reads_left IS NULL OR w.reads_left > 0);
    allowed := FOUND;
  ELSIF kind_ = 'value.shown' THEN
    -- In an emergency no longer than its hour, and than the clinic lets it be, whoever asks and however long ago they
    -- were let in.
    allowed := tk.actor = tk.recipient AND (tk.actor ~ '^(hld|gdn|dlg)_' OR tk.actor ~ '^emg_[0-9a-f]{32}$' AND EXISTS (
      SELECT FROM public.emergency e WHERE e.vault_id = p_vault AND e.user_id = right(tk.actor, 32)::uuid
        AND e.left_at IS NULL AND e.ends_at > ts AND gate.in_emergency(e.delegation_id)));
    -- Proposed values nobody but the holder, or who acts for them, may look at.
    candidates := ARRAY(
      SELECT p.memory_id FROM public.proposal p WHERE p.vault_id = p_vault AND p.status = 'pending'
        AND p.memory_id IN (SELECT i.m FROM jsonb_to_recordset(items) AS i(m uuid, s text) WHERE i.s = 'proposed'));
  ELSE
    allowed := tk.actor = 'sys_index' AND tk.recipient = 'sys_index';
  END IF;
  -- Every item: the rows still say what the plan says.  One statement reads memory, sealed row and key and makes the
  -- digests.  LATERAL … LIMIT 1 keeps it three primary-key look-ups an item: with a plain join the generic plan
  -- guesses 100 items and hashes the whole vault.
  SELECT count(*) FILTER (WHERE z.f <> 'refused'), count(*) FILTER (WHERE z.good),
         array_agg(z.m ORDER BY z.n), array_agg(z.commitment ORDER BY z.n), array_agg(z.salt ORDER BY z.n),
         array_agg(sha256(gate.canon(p_vault, h.seq + z.n, ts, z.k, tk.actor, behalf, tk.recipient, z.o, z.m, z.v, z.c,
                                     z.f, z.r, request_, turn_, purpose_, z.commitment, z.salt)) ORDER BY z.n)
    INTO vals, good, mids, cms, salts, digests
    FROM (
      SELECT i.n,
             CASE WHEN i.f = 'refused' THEN 'value.refused' ELSE kind_ END k,
             CASE WHEN i.f = 'refused' THEN '-' ELSE object_ END o,
             CASE WHEN i.f = 'refused' THEN 0 ELSE i.v END v,
             CASE WHEN i.f = 'refused' THEN '-' ELSE i.c END c,
             i.f, coalesce(i.r, '-') r, CASE WHEN m.memory_id = i.m OR i.m = ANY (candidates) THEN i.m END m,
             CASE WHEN i.f <> 'refused' THEN v.commitment END commitment,
             substring(sha256(seed || int8send(i.n)) FOR 16) salt,
             allowed AND i.f IN ('value', 'attested') AND v.category = i.c AND v.attested = i.a AND y.ok
               AND (m.version = i.v AND m.category = i.c AND m.attested = i.a AND m.state = i.s
                    OR i.s = 'proposed' AND i.m = ANY (candidates) AND i.v = 1 AND i.c = 'ordinary' AND NOT i.a)
               AND CASE kind_  -- what was put away, and an attested value, go to nobody but the holder
                     WHEN 'value.shown' THEN i.f = 'attested' OR NOT i.a OR starts_with(tk.actor, 'hld_')
                     WHEN 'value.read' THEN i.s = 'approved' AND i.c = granted AND (i.f = 'attested' OR NOT i.a)
                       AND held ? encode(uuid_send(i.m), 'hex')
                     ELSE i.s = 'approved' AND i.c = 'ordinary' AND i.f = 'value' AND NOT i.a END good
        FROM ROWS FROM (jsonb_to_recordset(items) AS (m uuid, v int, c text, s text, a boolean, f text, r text))
             WITH ORDINALITY AS i(m, v, c, s, a, f, r, n)
        LEFT JOIN LATERAL (
          SELECT w.memory_id, w.version, w.category, w.attested, w.state
            FROM public.memory w WHERE w.vault_id = p_vault AND w.memory_id = i.m LIMIT 1) m ON true
        LEFT JOIN LATERAL (
          SELECT w.category, w.attested, w.commitment FROM sealed.value w
            WHERE w.vault_id = p_vault AND w.memory_id = i.m AND w.version = i.v LIMIT 1) v ON true
        LEFT JOIN LATERAL (
          SELECT true ok FROM sealed.key w
            WHERE w.vault_id = p_vault AND w.memory_id = i.m AND w.version = i.v LIMIT 1) y ON true
      OFFSET 0) z;
  IF good <> vals THEN outcome := 'stale'; digests := NULL; RETURN; END IF;
  IF vals > 0 THEN
    IF kind_ = 'value.read' THEN
      -- No index stands on these columns, so the row is replaced within its page and no index is written.
      UPDATE public.access_grant w
        SET reads_left = w.reads_left - 1, reads_done = w.reads_done + 1, last_used_at = ts
        WHERE w.vault_id = p_vault AND w.grant_id = object_id_ AND w.terms_version = terms_
          AND w.revoked_at IS NULL AND w.lapsed_at IS NULL AND NOT w.paused
          AND (w.reads_left IS NULL OR w.reads_left > 0);
      -- Only if someone wrote the row without the head.
      IF NOT FOUND THEN outcome := 'stale'; digests := NULL; RETURN; END IF;
    END IF;
    -- The head lock is let go without waiting for the disk; take flushes before it releases.
    IF tk.async THEN ignored := set_config('synchronous_commit', 'off', true); END IF;
  END IF;
  c := h.chain_hash;
  FOREACH d IN ARRAY digests LOOP c := sha256(c || d); chain := chain || c; END LOOP;
  INSERT INTO public.receipt
    SELECT p_vault, h.seq + i.n, ts, CASE WHEN i.f = 'refused' THEN 'value.refused' ELSE kind_ END, tk.actor, behalf,
           tk.recipient, CASE WHEN i.f = 'refused' THEN '-' ELSE object_ END, mids[i.n],
           CASE WHEN i.f = 'refused' THEN 0 ELSE i.v END, CASE WHEN i.f = 'refused' THEN '-' ELSE i.c END, i.f,
           coalesce(i.r, '-'), request_, turn_, purpose_, cms[i.n], salts[i.n], digests[i.n], chain[i.n]
      FROM ROWS FROM (jsonb_to_recordset(items) AS (v int, c text, f text, r text))
           WITH ORDINALITY AS i(v, c, f, r, n);
  -- clock_timestamp, not ts: after a clock that ran ahead, sixty seconds would last longer.
  INSERT INTO sealed.handle VALUES (p_vault, handle_hash, body, h.seq + 1, h.seq + n, kind_, object_kind, object_id_,
    coalesce(terms_, 0), tk.recipient, clock_timestamp(), tk.async);
  UPDATE sealed.chain_head ch SET seq = h.seq + n, chain_hash = c, at = ts
    WHERE ch.vault_id = p_vault AND ch.seq = h.seq AND ch.chain_hash = h.chain_hash;
  IF NOT FOUND THEN RAISE EXCEPTION 'chain moved under the lock'; END IF;
  outcome := 'stamped'; first_seq := h.seq + 1; last_seq := h.seq + n; stamped_at := ts;
END $$;
GRANT EXECUTE ON FUNCTION gate.stamp(uuid, text, bytea, jsonb) TO muniment_gate;
