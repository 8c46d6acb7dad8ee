"""That a client runs at home, or does not any more, may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0014_write_gate")]
    operations = [install(HERE, "act_kinds_9", owner=GATE_OWNER)]
