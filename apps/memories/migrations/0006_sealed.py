"""A memory may be sealed from guardians: kept, offered to nobody, and shown to the holder alone."""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0005_review"), ("ledger", "0010_growing")]
    operations = [
        migrations.RemoveConstraint("memoryrow", "memory_state"),
        migrations.AddConstraint(
            "memoryrow",
            models.CheckConstraint(
                condition=models.Q(("state__in", ["approved", "withdrawn", "sealed-from-guardians", "erased"])),
                name="memory_state",
            ),
        ),
        migrations.AddIndex(
            "memoryrow",
            models.Index(
                fields=["vault_id"], name="memory_sealed", condition=models.Q(("state", "sealed-from-guardians"))
            ),
        ),
        install(HERE, "take_2", owner=GATE_OWNER),
    ]
