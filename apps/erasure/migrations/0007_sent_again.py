"""An order that is sent again is found by the key it came with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("erasure", "0006_audit")]
    operations = [
        migrations.AddField("orderwordsrow", "key", models.BinaryField(null=True)),
        migrations.AddField("orderwordsrow", "sent", models.BinaryField(null=True)),
        migrations.AddConstraint(
            "orderwordsrow",
            models.UniqueConstraint(
                condition=models.Q(("key__isnull", False)), fields=("vault_id", "key"), name="erasure_words_key"
            ),
        ),
    ]
