"""Whether a letter bounced, as its provider told."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mail", "0003_wishes")]

    operations = [
        migrations.AddField(
            model_name="letterrow", name="bounced", field=models.CharField(blank=True, default="", max_length=8)
        ),
    ]
