-- Who backs up notes when; whoever serves is told, and writes nothing there.
GRANT SELECT, INSERT, UPDATE ON backed_up TO muniment_admin;
REVOKE INSERT, UPDATE, DELETE ON backed_up FROM muniment_app;
