"""The hold: a database that does not continue what its log signed stamps nothing more."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_witnesses")]
    operations = [
        install(HERE, "hold_tables"),
        install(HERE, "hold", "read_ticket_2", "open_2", owner=GATE_OWNER),
        install(HERE, "hold_triggers"),
    ]
