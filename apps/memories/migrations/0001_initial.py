from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install, protect
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("ledger", "0001_ledger"),
        ("holders", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="VaultKeyRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "epoch", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("epoch", models.IntegerField()),
                ("root_epoch", models.IntegerField()),
                ("wrapped", models.BinaryField()),
                ("index_wrapped", models.BinaryField()),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "db_table": "vault_key",
            },
        ),
        migrations.CreateModel(
            name="VersionRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "memory_id",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("version", models.IntegerField()),
                ("made_at", models.DateTimeField()),
                ("made_by", models.TextField()),
                ("retired_at", models.DateTimeField(null=True)),
                ("as_of", models.DateField(null=True)),
                ("source", models.TextField()),
            ],
            options={
                "db_table": "memory_version",
            },
        ),
        migrations.CreateModel(
            name="MemoryRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "memory_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("subject", models.TextField()),
                ("label", models.TextField()),
                ("neutral_label", models.TextField(blank=True, default="")),
                ("category", models.TextField()),
                ("attested", models.BooleanField(default=False)),
                ("claim", models.TextField(null=True)),
                ("version", models.IntegerField(default=1)),
                ("state", models.TextField(default="approved")),
                ("as_of", models.DateField(null=True)),
                ("source", models.TextField()),
                ("made_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
            ],
            options={
                "db_table": "memory",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "category__in",
                                [
                                    "ordinary",
                                    "ethnic-origin",
                                    "political-opinion",
                                    "belief",
                                    "trade-union",
                                    "genetic",
                                    "biometric",
                                    "health",
                                    "sex-life",
                                    "criminal-record",
                                ],
                            )
                        ),
                        name="memory_category",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["approved", "withdrawn", "erased"])), name="memory_state"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("category", "ordinary"), ("neutral_label", "")),
                            models.Q(
                                models.Q(("category", "ordinary"), _negated=True),
                                models.Q(("neutral_label", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="memory_special_has_neutral_label",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("attested", False), ("claim", None)),
                            models.Q(("attested", True), ("claim__isnull", False)),
                            _connector="OR",
                        ),
                        name="memory_attested_has_claim",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposalRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "proposal_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("proposal_id", models.UUIDField()),
                ("client_id", models.UUIDField()),
                ("directive", models.TextField()),
                ("status", models.TextField(default="pending")),
                ("memory_id", models.UUIDField()),
                ("subject", models.TextField()),
                ("label", models.TextField()),
                ("rationale", models.TextField(blank=True)),
                ("fingerprint", models.BinaryField()),
                ("as_of", models.DateField(null=True)),
                ("made_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "proposal",
                "indexes": [models.Index(fields=["vault_id", "memory_id"], name="proposal_memory")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["pending", "approved", "rejected", "expired", "withdrawn"])),
                        name="proposal_status",
                    )
                ],
            },
        ),
        protect("vault_key", web="SELECT, INSERT", gate="SELECT"),
        protect("memory", gate="SELECT"),
        protect("memory_version"),
        protect("proposal", gate="SELECT"),
        migrations.RunSQL(
            "ALTER TABLE memory_version ADD FOREIGN KEY (vault_id, memory_id) REFERENCES memory", migrations.RunSQL.noop
        ),
        install(HERE, "tables"),
        install(HERE, "stamp", "take", "put", "shred", "index", "search", "due", "forget_handles", owner=GATE_OWNER),
    ]
