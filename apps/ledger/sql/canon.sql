-- A receipt's canonical bytes: RFC 8785 of one flat object, ASCII keys in order, strings and two integers.
-- Not jsonb::text (blanks, keys by length) nor json_build_object (' : ').  to_json(text)::text escapes exactly as
-- RFC 8785 does.  No SET clause and no wider volatility than its parts, or the planner cannot inline it.
CREATE FUNCTION gate.canon(
  p_vault uuid, p_seq bigint, p_at timestamptz, p_kind text, p_actor text, p_behalf text, p_recipient text,
  p_object text, p_memory uuid, p_version int, p_category text, p_form text, p_reason text, p_request text,
  p_turn text, p_purpose text, p_commitment bytea, p_salt bytea
) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
  RETURN convert_to('{"actor":' || to_json(p_actor)::text
    || ',"category":' || to_json(p_category)::text
    || ',"commitment":"' || coalesce(encode(p_commitment, 'hex'), '-')
    || '","form":' || to_json(p_form)::text
    || ',"kind":' || to_json(p_kind)::text
    || ',"memory":"' || coalesce('mem_' || encode(uuid_send(p_memory), 'hex'), '-')
    || '","object":' || to_json(p_object)::text
    || ',"on_behalf_of":' || to_json(p_behalf)::text
    || ',"purpose":' || to_json(p_purpose)::text
    || ',"reason":' || to_json(p_reason)::text
    || ',"recipient":' || to_json(p_recipient)::text
    || ',"request":' || to_json(p_request)::text
    || ',"salt":"' || encode(p_salt, 'hex')
    || '","seq":' || p_seq::text
    || ',"time":"' || to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    || '","turn":' || to_json(p_turn)::text
    || ',"v":"muniment-receipt/1","vault":"vlt_' || encode(uuid_send(p_vault), 'hex')
    || '","version":' || p_version::text || '}', 'UTF8');
