"""Who opened a file in an emergency may be shown its values, stamped like everybody else."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0006_sealed"), ("holders", "0004_emergency")]
    operations = [install(HERE, "stamp_5", owner=GATE_OWNER)]
