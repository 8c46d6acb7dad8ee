"""An emergency stands beside leave that is over by its day: the holder may still renew that."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0006_emergencies")]

    operations = [
        migrations.RemoveConstraint("delegationrow", "delegation_once"),
        migrations.AddConstraint(
            "delegationrow",
            models.UniqueConstraint(
                condition=models.Q(("ended_at", None), models.Q(("role", "emergency"), _negated=True)),
                fields=("vault", "user"),
                name="delegation_once",
            ),
        ),
    ]
