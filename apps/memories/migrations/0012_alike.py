"""What a suggestion is like is found by what is shared, at a cost that does not grow with the vault."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0011_local")]
    operations = [install(HERE, "alike", owner=GATE_OWNER)]
