"""What is local only is handed to nobody who is not at home; what was merged into a memory is found by it."""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0010_candidates"), ("access", "0009_at_home")]
    operations = [
        migrations.AddIndex(
            model_name="memoryrow",
            index=models.Index(
                condition=models.Q(("merged_into__isnull", False)),
                fields=["vault_id", "merged_into"],
                name="memory_merged",
            ),
        ),
        install(HERE, "stamp_8", "take_4", owner=GATE_OWNER),
    ]
