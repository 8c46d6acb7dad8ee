"""The vault's key has epochs, and so has the root key: what was erased is out of reach of older copies, too."""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0014_erasure")]
    operations = [
        migrations.CreateModel(
            name="RootEpochRow",
            fields=[
                ("epoch", models.IntegerField(primary_key=True, serialize=False)),
                ("made_at", models.DateTimeField()),
                ("idle_at", models.DateTimeField(null=True)),
            ],
            options={"db_table": "root_epoch"},
        ),
        migrations.AddField("vaultkeyrow", "erased_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "vaultkeyrow",
            models.Index(
                condition=models.Q(("erased_at__isnull", False)), fields=["vault_id"], name="vault_key_erased"
            ),
        ),
        migrations.AddIndex("vaultkeyrow", models.Index(fields=["root_epoch"], name="vault_key_root_epoch")),
        install(HERE, "root_epochs"),
        install(
            HERE,
            "of_the_clock",
            "check_epochs",
            "put_2",
            "put_many_2",
            "wrapped_keys",
            "rewrap_keys",
            "retire_key",
            "rewrap_vault_key",
            "keys_due",
            "keys_waiting",
            "root_used",
            "note_erasure",
            owner=GATE_OWNER,
        ),
        install(HERE, "note_erasure_trigger"),
    ]
