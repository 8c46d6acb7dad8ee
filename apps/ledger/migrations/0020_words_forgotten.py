"""That the words of an order were erased may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0019_receipts_by_memory")]
    operations = [install(HERE, "act_kinds_13", owner=GATE_OWNER)]
