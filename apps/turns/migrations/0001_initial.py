from django.db import migrations, models

from apps.ledger.sql import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("access", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="TurnItemRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "turn_id",
                        "memory_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("turn_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("position", models.IntegerField(default=0)),
                ("category", models.TextField()),
                ("state", models.TextField()),
                ("seq", models.BigIntegerField(null=True)),
            ],
            options={
                "db_table": "turn_item",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["offered", "handed-over", "declined", "left-out", "refused"])
                        ),
                        name="turn_item_state",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TurnRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "turn_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("turn_id", models.UUIDField()),
                ("without_of", models.UUIDField(null=True)),
                ("status", models.TextField(default="offered")),
                ("request_id", models.UUIDField(null=True)),
                ("model", models.TextField(blank=True)),
                ("stand_in", models.BooleanField(default=False)),
                ("epoch", models.IntegerField()),
                ("wrapped", models.BinaryField()),
                ("question", models.BinaryField()),
                ("answer", models.BinaryField(null=True)),
                ("facts", models.JSONField(default=dict)),
                ("asked_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "turn",
                "indexes": [models.Index(fields=["vault_id", "-asked_at"], name="turn_asked")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["offered", "decided", "answered", "abandoned"])),
                        name="turn_status",
                    )
                ],
            },
        ),
        protect("turn"),
        protect("turn_item"),
        migrations.RunSQL(
            "ALTER TABLE turn_item ADD FOREIGN KEY (vault_id, turn_id) REFERENCES turn", migrations.RunSQL.noop
        ),
    ]
