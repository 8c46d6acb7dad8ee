-- Within an act of a client that suggests something: raises MU003, and so undoes the act, where anything is known by one
-- of these fingerprints already.  What that is, and what to answer, is looked at in another act.
CREATE FUNCTION gate.nothing_like(p_vault uuid, p_ticket text, p_fingerprints bytea[]) RETURNS void
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (gate.check_ticket(p_ticket)).vault IS DISTINCT FROM p_vault OR p_vault IS NULL THEN
    RAISE EXCEPTION 'bad ticket' USING ERRCODE = 'insufficient_privilege'; END IF;
  IF EXISTS (SELECT FROM unnest(p_fingerprints) f(fingerprint)
              CROSS JOIN LATERAL (SELECT FROM public.proposal p
                                   WHERE p.vault_id = p_vault AND p.fingerprint = f.fingerprint LIMIT 1) p)
  THEN RAISE EXCEPTION 'proposed before' USING ERRCODE = 'MU003'; END IF;
END $$;
GRANT EXECUTE ON FUNCTION gate.nothing_like(uuid, text, bytea[]) TO muniment_app;
