"""A whole vault is erased at once."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0016_days")]
    operations = [install(HERE, "end_vault", owner=GATE_OWNER)]
