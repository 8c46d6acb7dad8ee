"""A policy has a version and a privacy lead; every policy that stood is kept."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0004_emergency")]

    operations = [
        migrations.AddField(
            "spacepolicyrow",
            "privacy_lead",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("spacepolicyrow", "version", models.PositiveIntegerField(default=1)),
        migrations.CreateModel(
            name="SettledRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("policy", models.TextField()),
                ("notice", models.TextField(blank=True)),
                ("settled_at", models.DateTimeField()),
                ("space", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="holders.spacerow")),
            ],
            options={"db_table": "space_settled"},
        ),
        migrations.AddConstraint(
            "settledrow", models.UniqueConstraint(fields=("space", "version"), name="space_settled_once")
        ),
        migrations.RunSQL("REVOKE UPDATE, DELETE ON space_settled FROM muniment_app", migrations.RunSQL.noop),
    ]
