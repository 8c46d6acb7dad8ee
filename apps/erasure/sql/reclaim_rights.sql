-- Who reclaims writes tables anew and reads no row of them: MAINTAIN, from PostgreSQL 17 on.  Before that only the owner
-- of a table may (manage.py reclaim).
GRANT USAGE ON SCHEMA public, sealed TO muniment_reclaim;
GRANT SELECT, INSERT, UPDATE ON reclaimed TO muniment_reclaim;
REVOKE INSERT, UPDATE, DELETE ON reclaimed FROM muniment_app;
DO $$ BEGIN
  IF current_setting('server_version_num')::int >= 170000 THEN
    GRANT MAINTAIN ON ALL TABLES IN SCHEMA public, sealed TO muniment_reclaim;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT MAINTAIN ON TABLES TO muniment_reclaim;
    ALTER DEFAULT PRIVILEGES IN SCHEMA sealed GRANT MAINTAIN ON TABLES TO muniment_reclaim;
  END IF;
END $$;
