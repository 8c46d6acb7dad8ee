-- Refuses for everybody, the owner included: what was written stays as it was written.
CREATE FUNCTION gate.append_only() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
GRANT EXECUTE ON FUNCTION gate.append_only() TO muniment_owner;
