"""While a vault's key is changed its prints are there under both, so that it is done in slices."""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE

KEYED = """
ALTER TABLE value_print DROP CONSTRAINT value_print_pkey, ADD PRIMARY KEY (vault_id, memory_id, version, epoch)
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0031_index_approved_at_once")]
    operations = [
        migrations.RunSQL(
            KEYED,
            migrations.RunSQL.noop,
            state_operations=[
                migrations.AlterField(
                    "printrow",
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "memory_id",
                        "version",
                        "epoch",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                )
            ],
        ),
        install(HERE, "retire_key_2", "check_epochs_rights", owner=GATE_OWNER),
    ]
