"""A table of ages that lets a guardian do more waits for thirty days, and is told of like a birthday."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0007_beside_a_leave")]

    operations = [
        migrations.AddField("spacepolicyrow", "tiers_before", models.JSONField(default=list)),
        migrations.AddField("spacepolicyrow", "tiers_from", models.DateTimeField(null=True)),
        migrations.AlterField("steptoldrow", "told", models.CharField(max_length=32)),
    ]
