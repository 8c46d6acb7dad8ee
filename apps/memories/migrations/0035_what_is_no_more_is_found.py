"""What is retired or put away is found without looking through what is not."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0034_no_candidate_is_indexed_alone"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="memoryrow",
            index=models.Index(
                condition=models.Q(("state__in", ["withdrawn", "merged"])), fields=["vault_id"], name="memory_put_away"
            ),
        ),
        migrations.AddIndex(
            model_name="versionrow",
            index=models.Index(
                condition=models.Q(("retired_at__isnull", False)), fields=["vault_id"], name="memory_version_retired"
            ),
        ),
    ]
