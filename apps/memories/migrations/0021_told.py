"""When whoever decides was told that a memory's time is nearly over."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0020_only_in_acts")]
    operations = [migrations.AddField("memoryrow", "told_at", models.DateTimeField(null=True))]
