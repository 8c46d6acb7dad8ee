"""What was written since a suggestion was made is found without looking at all that is kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0021_told")]
    operations = [
        migrations.AddIndex("memoryrow", models.Index(fields=["vault_id", "updated_at"], name="memory_updated"))
    ]
