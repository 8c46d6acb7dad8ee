"""Whoever has a link of a share may open it: the gate stamps and takes that, and says what is due of shares."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0022_looks_since")]
    operations = [install(HERE, "stamp_10", "take_6", "due_7", owner=GATE_OWNER)]
