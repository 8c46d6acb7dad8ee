"""Whoever acts for the holder is shown values under their own name, and for whom stands on the receipt."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_reads_done"), ("holders", "0002_people")]
    operations = [install(HERE, "stamp_4", owner=GATE_OWNER)]
