"""What was kept of a candidate moves into the index in one statement."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0030_stage")]
    operations = [install(HERE, "index_approved_2", owner=GATE_OWNER)]
