"""The stamp that spends a read counts it and says when; what lapses and expires is found."""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0002_hold"), ("access", "0002_grants")]
    operations = [
        migrations.AddIndex(
            model_name="memoryrow",
            index=models.Index(
                fields=["vault_id", "category"],
                name="memory_special",
                condition=models.Q(("category", "ordinary"), _negated=True),
            ),
        ),
        install(HERE, "stamp_3", "due_2", owner=GATE_OWNER),
    ]
