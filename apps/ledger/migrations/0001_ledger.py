"""Schemas, the receipt table and the functions that append to it."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install, protect


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    # Default privileges are set here, so nobody's tables may be made before.
    run_before = [
        ("contenttypes", "0001_initial"),
        ("auth", "0001_initial"),
        ("sessions", "0001_initial"),
        ("account", "0001_initial"),
        ("mfa", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]
    operations = [
        install(HERE, "schemas"),
        install(HERE, "gate_defaults", owner=GATE_OWNER),
        install(HERE, "tables"),
        install(HERE, "append_only", "read_ticket", "ticket_vault", "genesis", "canon", owner=GATE_OWNER),
        install(HERE, "append_only_triggers"),
        install(HERE, "open", "start_chain", "act_kinds", "record", owner=GATE_OWNER),
        protect("receipt", web="SELECT", gate="SELECT, INSERT"),
        migrations.RunSQL(
            "CREATE POLICY integrator ON receipt FOR SELECT TO muniment_log USING (true)", migrations.RunSQL.noop
        ),
    ]
