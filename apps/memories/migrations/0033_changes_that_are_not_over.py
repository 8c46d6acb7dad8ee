"""Which changes of a vault's key are not over is known across vaults."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0032_prints_of_two_epochs")]
    operations = [install(HERE, "keys_due_2", owner=GATE_OWNER)]
