"""In an emergency values are shown for as long as it lasts: the gate looks for itself."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0007_emergency"), ("holders", "0006_emergencies")]
    operations = [install(HERE, "stamp_6", owner=GATE_OWNER)]
