"""A turn may be erased: its key destroyed, its row kept as one that never was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("turns", "0002_events")]
    operations = [migrations.AddField("turnrow", "erased_at", models.DateTimeField(null=True))]
