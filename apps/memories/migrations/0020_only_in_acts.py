"""A transaction that was never opened is no act of the clock's."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0019_decided")]
    operations = [install(HERE, "of_the_clock_2", owner=GATE_OWNER)]
