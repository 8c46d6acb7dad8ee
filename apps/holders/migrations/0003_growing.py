"""A vault may say when its holder was born and where they live; whom the clock has told of a birthday is kept."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0002_people")]

    operations = [
        migrations.AddField("vaultrow", "born_on", models.DateField(null=True)),
        migrations.AddField("vaultrow", "time_zone", models.CharField(blank=True, default="", max_length=64)),
        migrations.CreateModel(
            name="StepToldRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("told", models.CharField(max_length=16)),
                ("told_at", models.DateTimeField()),
                ("vault", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="holders.vaultrow")),
            ],
            options={"db_table": "step_told"},
        ),
        migrations.AddConstraint(
            "steptoldrow", models.UniqueConstraint(fields=("vault", "day", "told"), name="step_told_once")
        ),
        migrations.RunSQL("REVOKE UPDATE, DELETE ON step_told FROM muniment_app", migrations.RunSQL.noop),
    ]
