"""Acts of erasure may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0015_local")]
    operations = [install(HERE, "act_kinds_10", owner=GATE_OWNER)]
