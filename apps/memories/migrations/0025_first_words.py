"""What says something in the very same words, or in all the words of something, is found without looking at all."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0024_by_link")]
    operations = [
        migrations.AddIndex(
            "printrow", models.Index(models.F("vault_id"), models.F("words__0"), name="print_first_word")
        )
    ]
