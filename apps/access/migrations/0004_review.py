"""A person's yes waits for a reviewer where the space asks for one; what reviewers see of a vault is one function."""

from django.db import migrations, models

from apps.access.sql import HERE
from apps.holders.sql import HERE as HOLDERS
from apps.ledger.sql import GATE_OWNER, install, protect

# What the desk's function reads of tables that are not the gate's own, column by column.
SEEN = (
    "CREATE POLICY gate ON client FOR SELECT TO muniment_gate_owner USING (true)",
    "GRANT SELECT (vault_id, client_id, name, domain) ON client TO muniment_gate_owner",
    "GRANT SELECT (space_id, name) ON vault TO muniment_gate_owner",
    'GRANT SELECT (id, name) ON "user" TO muniment_gate_owner',
    "GRANT SELECT (id, space_id, user_id, role, left_at) ON member TO muniment_gate_owner",
    "GRANT SELECT (vault_id, user_id, expires_at, ended_at) ON delegation TO muniment_gate_owner",
)


class Migration(migrations.Migration):
    dependencies = [("access", "0003_consent"), ("ledger", "0009_review"), ("holders", "0002_people")]

    operations = [
        migrations.RemoveIndex(model_name="partrow", name="part_pending"),
        migrations.RemoveConstraint(model_name="partrow", name="part_status"),
        migrations.AddConstraint(
            model_name="partrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "status__in",
                        ["pending", "in_review", "granted", "partly_granted", "denied", "expired", "cancelled"],
                    )
                ),
                name="part_status",
            ),
        ),
        migrations.AddIndex(
            model_name="partrow",
            index=models.Index(
                condition=models.Q(("status__in", ["pending", "in_review"])),
                fields=["vault_id", "request_id"],
                name="part_waits",
            ),
        ),
        migrations.CreateModel(
            name="ReviewRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "review_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("review_id", models.UUIDField()),
                ("request_id", models.UUIDField()),
                ("category", models.TextField()),
                ("memory_ids", models.JSONField(default=list)),
                ("whole", models.BooleanField()),
                ("until", models.DateTimeField()),
                ("reads", models.IntegerField(null=True)),
                ("decided_by", models.TextField()),
                ("decided_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("surface", models.TextField()),
                ("notice", models.SmallIntegerField(null=True)),
                ("ui_version", models.TextField()),
                ("outcome", models.TextField(null=True)),
                ("reviewer", models.TextField(blank=True, default="")),
                ("reason", models.TextField(blank=True, default="")),
                ("reviewed_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "review",
                "indexes": [
                    models.Index(
                        condition=models.Q(("outcome__isnull", True)),
                        fields=["vault_id", "decided_at"],
                        name="review_waits",
                    ),
                    models.Index(fields=["vault_id", "request_id"], name="review_of"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("outcome", None),
                            ("outcome__in", ["approved", "narrowed", "returned", "declined"]),
                            _connector="OR",
                        ),
                        name="review_outcome",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("outcome", None), ("reviewed_at", None)),
                            models.Q(("outcome__isnull", False), ("reviewed_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="review_done",
                    ),
                ],
            },
        ),
        protect("review", gate="SELECT"),
        migrations.RunSQL(
            (
                "ALTER TABLE review ADD FOREIGN KEY (vault_id, request_id, category) REFERENCES request_part",
                *SEEN,
            ),
            migrations.RunSQL.noop,
        ),
        install(HOLDERS, "behalf_2", owner=GATE_OWNER),
        install(HERE, "desk", owner=GATE_OWNER),
    ]
