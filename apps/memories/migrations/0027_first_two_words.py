"""By the first two of its words, of which few texts share both."""

from django.db import migrations, models

WORDS = (models.F("vault_id"), models.F("words__0"), models.F("words__1"))


class Migration(migrations.Migration):
    dependencies = [("memories", "0026_words_anew")]
    operations = [
        migrations.RemoveIndex("printrow", "print_first_word"),
        migrations.AddIndex("printrow", models.Index(*WORDS, name="print_first_words")),
    ]
