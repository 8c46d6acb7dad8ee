-- For row security: the vault named by this transaction's ticket, NULL without a valid one.
-- PL/pgSQL, not a SQL-standard body: a distributed Postgres reports a circular dependency for the latter.
CREATE FUNCTION gate.ticket_vault() RETURNS uuid
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (gate.read_ticket(current_setting('muniment.ticket', true))).vault;
END $$;
GRANT EXECUTE ON FUNCTION gate.ticket_vault() TO muniment_app, muniment_owner, muniment_log;
