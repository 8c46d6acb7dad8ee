"""Acts of the write gate may be recorded: what becomes of versions, subjects, entities, edges and proposals."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0013_address")]
    operations = [install(HERE, "act_kinds_8", owner=GATE_OWNER)]
