"""What was sealed from guardians leaves them no trace when it is erased, either."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0017_end_vault")]
    operations = [
        migrations.AddField("tombstonerow", "hidden", models.BooleanField(db_default=False, default=False)),
        migrations.AddIndex(
            "tombstonerow",
            models.Index(condition=models.Q(("hidden", True)), fields=["vault_id"], name="tombstone_hidden"),
        ),
    ]
