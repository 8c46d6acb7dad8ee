"""The instance's transparency log: its schema, its triggers, and what its integrator may ask of the chains."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install, protect


def integrator(table: str) -> migrations.RunSQL:
    """The integrator reads and writes rows of every vault."""
    return migrations.RunSQL(
        f"CREATE POLICY integrator ON {table} FOR ALL TO muniment_log USING (true) WITH CHECK (true)",
        migrations.RunSQL.noop,
    )


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_receipt_model")]
    operations = [
        install(HERE, "log_tables", "log_triggers"),
        protect("log.place", web="SELECT", gate="SELECT"),
        protect("log.pseudonym", web="SELECT"),
        integrator("log.place"),
        integrator("log.pseudonym"),
        install(HERE, "log_heads", owner=GATE_OWNER),
    ]
