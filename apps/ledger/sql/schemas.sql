-- Three schemas: `public` is Django's, `sealed` is out of the web role's reach, `gate` holds functions only.
CREATE SCHEMA sealed;
CREATE SCHEMA gate AUTHORIZATION muniment_gate_owner;
GRANT USAGE ON SCHEMA public TO muniment_app, muniment_gate_owner, muniment_log, muniment_admin;
GRANT USAGE ON SCHEMA sealed TO muniment_gate_owner, muniment_admin;
-- Ordinary Django tables (sessions, sign-in) are the web role's to use; tenant tables are narrowed one by one.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO muniment_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO muniment_admin;
ALTER DEFAULT PRIVILEGES IN SCHEMA sealed GRANT SELECT ON TABLES TO muniment_admin;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO muniment_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON SEQUENCES TO muniment_admin;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO muniment_admin;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO muniment_admin;
-- A new function is nobody's until it is granted.  Only the global form takes PUBLIC's default away.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
