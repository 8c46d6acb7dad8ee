"""What a client suggests is compared with what is kept afterwards, so that its answer takes as long whatever is kept."""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0012_alike")]
    operations = [
        migrations.AddField("memoryrow", "settled_at", models.DateTimeField(null=True)),
        migrations.AddField("proposalrow", "unnoticed", models.JSONField(null=True)),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(
                condition=models.Q(("status", "pending"), ("unnoticed__isnull", False)),
                fields=["vault_id", "made_at"],
                name="proposal_unnoticed",
            ),
        ),
        install(HERE, "due_5", owner=GATE_OWNER),
    ]
