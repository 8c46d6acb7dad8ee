"""A grant remembers where it was given, and what stood above the button."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("access", "0002_grants"), ("ledger", "0008_acts_by_object")]

    operations = [
        migrations.AddField("grantrow", "surface", models.TextField(db_default="-")),
        migrations.AddField("grantrow", "notice", models.SmallIntegerField(null=True)),
        migrations.AddField("grantrow", "ui_version", models.TextField(db_default="-")),
        migrations.AddConstraint(
            "grantrow",
            models.CheckConstraint(condition=models.Q(("surface__in", ["web", "rest", "-"])), name="grant_surface"),
        ),
    ]
