-- A turn's key is destroyed: the vault's key notes it, as gate.note_erasure does for a value's.
CREATE FUNCTION gate.note_turn_erased() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.vault_key k SET erased_at = clock_timestamp() WHERE k.vault_id = NEW.vault_id AND k.erased_at IS NULL;
  RETURN NULL;
END $$;
GRANT EXECUTE ON FUNCTION gate.note_turn_erased() TO muniment_owner;
