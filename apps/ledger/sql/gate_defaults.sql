GRANT USAGE ON SCHEMA gate TO muniment_app, muniment_gate, muniment_owner, muniment_log;
-- A new function is nobody's until it is granted.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
