"""Somebody may have a clinic's leave to open a file in an emergency: a place in the space, and a seat for an hour."""

from django.db import migrations, models

from apps.holders.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("holders", "0003_growing"), ("ledger", "0012_emergency"), ("access", "0004_review")]
    operations = [
        migrations.RemoveConstraint("memberrow", "member_role"),
        migrations.AddConstraint(
            "memberrow",
            models.CheckConstraint(
                condition=models.Q(("role__in", ["holder", "reviewer", "admin", "emergency"])), name="member_role"
            ),
        ),
        install(HERE, "behalf_3", owner=GATE_OWNER),
    ]
