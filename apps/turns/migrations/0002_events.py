from django.db import migrations, models

from apps.ledger.sql import install, protect
from apps.turns.sql import HERE


class Migration(migrations.Migration):
    """The conversation as a log of sealed events. Turns from before keep their two sealed texts where they are."""

    dependencies = [("turns", "0001_initial"), ("ledger", "0001_ledger")]

    operations = [
        migrations.CreateModel(
            name="TurnEventRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "turn_id", "n", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("turn_id", models.UUIDField()),
                ("n", models.IntegerField()),
                ("kind", models.TextField()),
                ("at", models.DateTimeField()),
                ("body", models.BinaryField()),
                ("digest", models.BinaryField()),
                ("chain_hash", models.BinaryField()),
            ],
            options={"db_table": "turn_event"},
        ),
        migrations.AlterField(model_name="turnrow", name="question", field=models.BinaryField(null=True)),
        protect("turn_event", web="SELECT, INSERT"),
        migrations.RunSQL(
            "ALTER TABLE turn_event ADD FOREIGN KEY (vault_id, turn_id) REFERENCES turn", migrations.RunSQL.noop
        ),
        install(HERE, "event_triggers"),
    ]
