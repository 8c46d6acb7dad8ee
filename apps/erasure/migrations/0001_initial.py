"""Orders of erasure, the words that came with them, and legal holds."""

from django.db import migrations, models

from apps.erasure.sql import HERE
from apps.ledger.sql import GATE_OWNER, install, protect


class Migration(migrations.Migration):
    dependencies = [("memories", "0014_erasure"), ("ledger", "0016_erasure")]

    operations = [
        migrations.CreateModel(
            name="OrderWordsRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "order_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("order_id", models.UUIDField()),
                ("request", models.TextField(blank=True)),
                ("salt", models.BinaryField()),
            ],
            options={
                "db_table": "erasure_words",
            },
        ),
        migrations.CreateModel(
            name="LegalHoldRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "hold_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("hold_id", models.UUIDField()),
                ("by", models.TextField()),
                ("why", models.TextField()),
                ("placed_at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "legal_hold",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gt", models.F("placed_at"))), name="legal_hold_ends"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "order_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("order_id", models.UUIDField()),
                ("basis", models.TextField()),
                ("choice", models.TextField()),
                ("whole_vault", models.BooleanField(db_default=False, default=False)),
                ("memories", models.IntegerField()),
                ("told", models.IntegerField(db_default=0, default=0)),
                ("kept", models.IntegerField(db_default=0, default=0)),
                ("still_held", models.IntegerField(db_default=0, default=0)),
                ("counts", models.JSONField(db_default={}, default=dict)),
                ("residue", models.JSONField(null=True)),
                ("searching", models.BooleanField(db_default=False, default=False)),
                ("made_at", models.DateTimeField()),
                ("made_by", models.TextField()),
                ("touched_at", models.DateTimeField()),
                ("done_at", models.DateTimeField(null=True)),
                ("certificate", models.BinaryField(null=True)),
            ],
            options={
                "db_table": "erasure_order",
                "indexes": [
                    models.Index(fields=["vault_id", "-made_at"], name="erasure_order_made"),
                    models.Index(condition=models.Q(("done_at", None)), fields=["made_at"], name="erasure_order_due"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "basis__in",
                                [
                                    "wish",
                                    "not-needed",
                                    "consent-withdrawn",
                                    "objection",
                                    "unlawful",
                                    "legal-duty",
                                    "collected-from-a-child",
                                    "proposal",
                                    "retention",
                                ],
                            )
                        ),
                        name="order_basis",
                    ),
                    models.CheckConstraint(condition=models.Q(("choice__in", ["erase", "keep"])), name="order_choice"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("certificate", None), ("done_at", None)),
                            models.Q(("certificate__isnull", False), ("done_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="order_done_is_certified",
                    ),
                ],
            },
        ),
        protect("erasure_order", gate="SELECT"),
        protect("erasure_words", web="SELECT, INSERT, DELETE"),
        protect("legal_hold"),
        install(HERE, "erasures_due", owner=GATE_OWNER),
    ]
