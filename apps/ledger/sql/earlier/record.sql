-- Ends an act: appends its receipts and moves the head by compare-and-swap.  Returns the new last seq.
CREATE FUNCTION gate.record(p_vault uuid, p_ticket text, p_lines jsonb) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tk gate.ticket := gate.check_ticket(p_ticket);
  h sealed.chain_head;
  i record;
  d bytea; c bytea; s bigint; ts timestamptz; new_salt bytea; cm bytea;
BEGIN
  IF tk.vault IS DISTINCT FROM p_vault OR tk.vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF current_setting('muniment.opened', true) IS DISTINCT FROM p_vault::text || pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'record outside gate.open' USING ERRCODE = 'invalid_transaction_state'; END IF;
  SELECT * INTO h FROM sealed.chain_head ch WHERE ch.vault_id = p_vault FOR UPDATE;
  s := h.seq; c := h.chain_hash; ts := greatest(clock_timestamp(), h.at);
  FOR i IN SELECT * FROM jsonb_to_recordset(p_lines) AS j(kind text, object text, memory uuid, version int, category text,
      form text, reason text, request text, turn text, purpose text, on_behalf_of text, commitment text, salt text) LOOP
    IF i.kind IS NULL OR NOT i.kind = ANY (gate.act_kinds()) THEN
      RAISE EXCEPTION 'kind not allowed here' USING ERRCODE = 'insufficient_privilege'; END IF;
    s := s + 1;
    new_salt := coalesce(decode(i.salt, 'hex'), uuid_send(gen_random_uuid()));
    cm := decode(i.commitment, 'hex');
    d := sha256(gate.canon(p_vault, s, ts, i.kind, tk.actor, coalesce(i.on_behalf_of, '-'), tk.recipient,
      coalesce(i.object, '-'), i.memory, coalesce(i.version, 0), coalesce(i.category, '-'), coalesce(i.form, '-'),
      coalesce(i.reason, '-'), coalesce(i.request, '-'), coalesce(i.turn, '-'), coalesce(i.purpose, '-'), cm, new_salt));
    c := sha256(c || d);
    INSERT INTO public.receipt VALUES (p_vault, s, ts, i.kind, tk.actor, coalesce(i.on_behalf_of, '-'), tk.recipient,
      coalesce(i.object, '-'), i.memory, coalesce(i.version, 0), coalesce(i.category, '-'), coalesce(i.form, '-'),
      coalesce(i.reason, '-'), coalesce(i.request, '-'), coalesce(i.turn, '-'), coalesce(i.purpose, '-'), cm, new_salt, d, c);
  END LOOP;
  IF s = h.seq THEN RAISE EXCEPTION 'an act without a receipt' USING ERRCODE = 'invalid_parameter_value'; END IF;
  UPDATE sealed.chain_head ch SET seq = s, chain_hash = c, at = ts
    WHERE ch.vault_id = p_vault AND ch.seq = h.seq AND ch.chain_hash = h.chain_hash;
  IF NOT FOUND THEN RAISE EXCEPTION 'chain moved under the lock'; END IF;
  RETURN s;
END $$;
GRANT EXECUTE ON FUNCTION gate.record(uuid, text, jsonb) TO muniment_app;
