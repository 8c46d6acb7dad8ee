"""SQL in files, one function a file; a migration installs each as the role that is to own it.

What has landed is not edited: a function that changes stands whole in a file of the same name and the next number
(`open_2.sql`), which a new migration installs. A file of which nothing is in use any more moves to `earlier/`, where
the migrations that installed it find it.
"""

from pathlib import Path

from django.db import migrations  # noqa: TID251  (this is what migrations are made of)

OWNER = "muniment_owner"
GATE_OWNER = "muniment_gate_owner"


def install(folder: Path, *names: str, owner: str = OWNER) -> migrations.RunSQL:
    """An operation that runs the files as `owner`, in order."""
    statements = [_file(folder, name).read_text(encoding="utf-8") for name in names]
    return migrations.RunSQL((f"SET LOCAL ROLE {owner}", *statements, "RESET ROLE"), migrations.RunSQL.noop)


def _file(folder: Path, name: str) -> Path:
    living = folder / f"{name}.sql"
    return living if living.exists() else folder / "earlier" / living.name


def protect(table: str, *, web: str = "SELECT, INSERT, UPDATE", gate: str = "") -> migrations.RunSQL:
    """Row security, forced, on a tenant table; and who may do what there.

    `web` and `gate` are the privileges of the web role and of the gate functions' owner. The web role sees and
    writes only rows of the vault that its ticket names; `(SELECT …)` is evaluated once a query.
    """
    tenant = "(SELECT gate.ticket_vault())"
    statements = [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY tenant ON {table} FOR ALL TO muniment_app "
        f"USING (vault_id = {tenant}) WITH CHECK (vault_id = {tenant})",
        f"CREATE POLICY owner ON {table} FOR ALL TO {OWNER} USING (true) WITH CHECK (true)",
        f"REVOKE ALL ON {table} FROM muniment_app",
        f"GRANT {web} ON {table} TO muniment_app",
    ]
    if gate:
        statements += [
            f"CREATE POLICY gate ON {table} FOR ALL TO {GATE_OWNER} USING (true) WITH CHECK (true)",
            f"GRANT {gate} ON {table} TO {GATE_OWNER}",
        ]
    return migrations.RunSQL(tuple(statements), migrations.RunSQL.noop)


HERE = Path(__file__).resolve().parent
