"""Who opened a vault in an emergency, why, for how long, and what was made of it."""

from datetime import timedelta
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.holders.sql import HERE
from apps.ledger.sql import GATE_OWNER, install

# What was written on coming in stays so; what comes after is written once, and the note can be erased.
GRANTS = """
REVOKE UPDATE, DELETE ON emergency FROM muniment_app;
GRANT UPDATE (note, salt, left_at, how, reviewer_id, finding, words, reviewed_at) ON emergency TO muniment_app;
"""
FOR_THE_GATE = """
GRANT SELECT (delegation_id, vault_id, space_id, user_id, ends_at, left_at) ON emergency TO muniment_gate_owner;
GRANT SELECT (delegation_id, role, ended_at) ON delegation TO muniment_gate_owner;
GRANT SELECT (vault_id, space_id) ON vault TO muniment_gate_owner;
GRANT SELECT (space_id, kind) ON space TO muniment_gate_owner;
GRANT SELECT (space_id, break_glass) ON space_policy TO muniment_gate_owner;
GRANT SELECT (space_id, user_id, role, left_at) ON member TO muniment_gate_owner;
"""


def _to(model: str, **more: Any) -> models.ForeignKey:
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=model, **more)


class Migration(migrations.Migration):
    dependencies = [("holders", "0005_settling")]

    operations = [
        migrations.RemoveConstraint("delegationrow", "delegation_ends"),
        migrations.AddConstraint(
            "delegationrow",
            models.CheckConstraint(
                condition=models.Q(
                    ("role", "guardian"),
                    models.Q(("expires_at__isnull", False), ("role", "delegate")),
                    models.Q(("expires_at__isnull", False), ("level", "view"), ("role", "emergency")),
                    _connector="OR",
                ),
                name="delegation_ends",
            ),
        ),
        migrations.CreateModel(
            name="EmergencyRow",
            fields=[
                (
                    "delegation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="holders.delegationrow",
                    ),
                ),
                ("vault", _to("holders.vaultrow")),
                ("space", _to("holders.spacerow")),
                ("user", _to(settings.AUTH_USER_MODEL)),
                ("reason", models.CharField(max_length=16)),
                ("note", models.TextField(null=True)),
                ("salt", models.BinaryField(null=True)),
                ("entered_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("left_at", models.DateTimeField(null=True)),
                ("how", models.CharField(blank=True, default="", max_length=16)),
                ("reviewer", _to(settings.AUTH_USER_MODEL, null=True, related_name="+")),
                ("finding", models.CharField(blank=True, default="", max_length=16)),
                ("words", models.TextField(blank=True, default="")),
                ("reviewed_at", models.DateTimeField(null=True)),
            ],
            options={"db_table": "emergency"},
        ),
        migrations.AddConstraint(
            "emergencyrow",
            models.UniqueConstraint(
                condition=models.Q(("left_at", None)), fields=("user",), name="emergency_one_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            "emergencyrow",
            models.CheckConstraint(
                condition=models.Q(("ends_at__lte", models.F("entered_at") + timedelta(minutes=60))),
                name="emergency_an_hour",
            ),
        ),
        migrations.AddConstraint(
            "emergencyrow",
            models.CheckConstraint(
                condition=models.Q(
                    ("reviewer", None), models.Q(("reviewer", models.F("user")), _negated=True), _connector="OR"
                ),
                name="emergency_other_eyes",
            ),
        ),
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
        migrations.RunSQL(FOR_THE_GATE, migrations.RunSQL.noop),
        install(HERE, "in_emergency", owner=GATE_OWNER),
    ]
