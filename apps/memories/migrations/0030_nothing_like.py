"""A new suggestion goes in one round trip with the question whether it was made before."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0029_stands_alone")]
    operations = [install(HERE, "nothing_like", owner=GATE_OWNER)]
