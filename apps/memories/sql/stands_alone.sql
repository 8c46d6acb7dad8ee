-- May a pending suggestion that adds be approved as it is, with nothing to look at beside it?  True where no memory
-- stands, or stood, under its subject, says or said the same, or was written since it was made and shares its words;
-- and, where it was not compared yet (proposal.unnoticed), where nothing shares enough of it to be compared with.
-- It tells yes or no, of a suggestion that is kept, by the words that are kept of it.  False says only that somebody
-- has to look: so it is where more has happened than is quickly looked through.
-- Each look goes by an index from what was just found (LATERAL with LIMIT), whatever the planner knows of the tables;
-- and it is planned once, as no plan would be another for another moment (the SELECT around it).
CREATE FUNCTION gate.stands_alone(p_vault uuid, p_ticket text, p_proposal uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  most CONSTANT int := 200;
  o record;
  wholes_ bytea[]; words_ bigint[];
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  SELECT p.subject, p.memory_id, p.made_at, p.unnoticed, c.whole, c.words INTO o
    FROM public.proposal p
    CROSS JOIN LATERAL (SELECT c.whole, c.words FROM public.value_print c
                         WHERE c.vault_id = p_vault AND c.memory_id = p.memory_id AND c.version = 1 ORDER BY c.epoch LIMIT 1) c
   WHERE p.vault_id = p_vault AND p.proposal_id = p_proposal AND p.status = 'pending' AND p.directive = 'add';
  IF NOT FOUND THEN RETURN false; END IF;

  IF EXISTS (SELECT FROM public.memory m
              WHERE m.vault_id = p_vault AND m.subject = o.subject AND m.state <> 'erased')
  OR EXISTS (SELECT FROM (SELECT w.memory_id FROM public.value_print w
                           WHERE w.vault_id = p_vault AND w.whole = o.whole AND w.memory_id <> o.memory_id) w
               CROSS JOIN LATERAL (SELECT FROM public.memory m
                                    WHERE m.vault_id = p_vault AND m.memory_id = w.memory_id AND m.state <> 'erased'
                                    LIMIT 1) m)
  OR (SELECT count(*) >= most OR count(w.near) > 0
        FROM (SELECT m.memory_id, m.version FROM public.memory m
               WHERE m.vault_id = p_vault AND m.updated_at >= (SELECT o.made_at) AND m.state = 'approved'
               ORDER BY m.updated_at DESC LIMIT most) m
        LEFT JOIN LATERAL (SELECT true AS near FROM public.value_print w
                            WHERE w.vault_id = p_vault AND w.memory_id = m.memory_id AND w.version = m.version
                              AND w.words && o.words LIMIT 1) w ON true)
  THEN RETURN false; END IF;
  IF o.unnoticed IS NULL THEN RETURN true; END IF;

  -- As it may be read, in any of the ways that were noted: as anything says it, or with all that a memory says in it.
  wholes_ := ARRAY[o.whole]; words_ := o.words;
  IF o.unnoticed ? 'also' THEN
    wholes_ := wholes_ || ARRAY(SELECT decode(a->>'whole', 'hex') FROM jsonb_array_elements(o.unnoticed->'also') a);
    words_ := words_ || ARRAY(
      SELECT e::bigint FROM jsonb_array_elements(o.unnoticed->'also') a, jsonb_array_elements_text(a->'words') e);
  END IF;
  RETURN NOT EXISTS (
    SELECT FROM unnest(wholes_) u(whole)
     CROSS JOIN LATERAL (SELECT FROM public.value_print w
                          WHERE w.vault_id = p_vault AND w.whole = u.whole AND w.memory_id <> o.memory_id LIMIT 1) w
  ) AND NOT EXISTS (
    SELECT FROM (SELECT w.memory_id FROM public.value_print w
                  WHERE w.vault_id = p_vault AND w.words[1] = ANY (words_) AND w.words[2] = ANY (words_)
                    AND w.words <@ words_) w
     CROSS JOIN LATERAL (SELECT FROM public.memory m
                          WHERE m.vault_id = p_vault AND m.memory_id = w.memory_id AND m.state <> 'erased' LIMIT 1) m
  ) AND NOT (
    SELECT count(*) >= most OR count(w.near OR q.subject = o.subject OR NULL) > 0
      FROM (SELECT q.subject, q.memory_id FROM public.proposal q
             WHERE q.vault_id = p_vault AND q.status = 'pending' AND q.proposal_id <> p_proposal
             ORDER BY q.made_at DESC LIMIT most) q
      LEFT JOIN LATERAL (SELECT true AS near FROM public.value_print w
                          WHERE w.vault_id = p_vault AND w.memory_id = q.memory_id AND w.version = 1
                            AND w.words && o.words LIMIT 1) w ON true
  ) AND NOT EXISTS (
    SELECT FROM gate.near(p_vault, ARRAY(SELECT e::bigint FROM jsonb_array_elements_text(o.unnoticed->'words') e), 1));
END $$;
GRANT EXECUTE ON FUNCTION gate.stands_alone(uuid, text, uuid) TO muniment_app;
