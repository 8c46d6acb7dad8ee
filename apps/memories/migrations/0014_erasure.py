"""Many memories are erased at once, with what was sealed; a tombstone is left of each."""

import django.contrib.postgres.indexes
import django.db.models.fields.json
from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install, protect
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0013_noticing"), ("ledger", "0016_erasure")]
    operations = [
        migrations.CreateModel(
            name="TombstoneRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "memory_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("order_id", models.UUIDField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "db_table": "tombstone",
                "indexes": [models.Index(fields=["vault_id", "order_id"], name="tombstone_order")],
            },
        ),
        migrations.AddIndex(model_name="edgerow", index=models.Index(fields=["vault_id", "from_id"], name="edge_from")),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(
                condition=models.Q(("target_id__isnull", False)),
                fields=["vault_id", "target_id"],
                name="proposal_target",
            ),
        ),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(
                condition=models.Q(("outcome_id__isnull", False)),
                fields=["vault_id", "outcome_id"],
                name="proposal_outcome",
            ),
        ),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(
                models.F("vault_id"),
                django.db.models.fields.json.KeyTextTransform("other", "candidate"),
                condition=models.Q(("candidate__has_key", "other")),
                name="proposal_other",
            ),
        ),
        migrations.AddIndex(
            model_name="proposalrow",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("lineage", []), _negated=True), fields=["lineage"], name="proposal_lineage"
            ),
        ),
        protect("tombstone", web="SELECT, INSERT", gate="SELECT"),
        migrations.RunSQL("GRANT DELETE ON sealed.value TO muniment_gate_owner", migrations.RunSQL.noop),
        install(HERE, "shred_many", owner=GATE_OWNER),
    ]
