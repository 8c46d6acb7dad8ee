"""What waits for a reviewer ends with its request, as what waits for the person does."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_people"), ("access", "0004_review")]
    operations = [install(HERE, "due_3", owner=GATE_OWNER)]
