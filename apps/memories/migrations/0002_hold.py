"""A stamp refuses while the instance is on hold."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial"), ("ledger", "0005_hold")]
    operations = [install(HERE, "stamp_2", owner=GATE_OWNER)]
