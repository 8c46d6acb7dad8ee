"""A new suggestion is sealed, and asked whether it was made before, in one go."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0029_stands_alone")]
    operations = [install(HERE, "stage", owner=GATE_OWNER)]
