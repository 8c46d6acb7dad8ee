"""The desk says by which tier the person decided, and a reviewer is told on every page how much waits for them."""

from django.db import migrations, models

from apps.access.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("access", "0004_review")]

    operations = [
        migrations.AddField("reviewrow", "tier_from", models.SmallIntegerField(null=True)),
        migrations.AddField("reviewrow", "tier_until", models.SmallIntegerField(null=True)),
        install(HERE, "desk_2", "desk_waits", owner=GATE_OWNER),
    ]
