-- Whoever deletes a wrapped key, by whichever road: the vault's own key notes when the first was, since it is that key
-- which would open the same one in an older backup.
CREATE FUNCTION gate.note_erasure() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.vault_key k SET erased_at = clock_timestamp()
    WHERE k.erased_at IS NULL AND k.vault_id IN (SELECT DISTINCT g.vault_id FROM gone g);
  RETURN NULL;
END $$;
GRANT EXECUTE ON FUNCTION gate.note_erasure() TO muniment_owner;
